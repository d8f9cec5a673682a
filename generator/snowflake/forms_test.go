package snowflake

import (
	"errors"
	"fmt"
	"hash/fnv"
	"maps"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"twindrift/generator"
	"twindrift/generator/redis"
)

// forms lists all generators here.
var forms = map[string]func(s *redis.Server, worker int64) (anyProcess, error){
	"unsynchronised": func(_ *redis.Server, worker int64) (anyProcess, error) {
		return NewUnsynchronised(UnsynchronisedConfig{Worker: worker, Workers: 3, CallNs: 20_000})
	},
	"locked": func(s *redis.Server, worker int64) (anyProcess, error) { return NewLocked(LockedConfig{s, worker}) },
	"preallocated": func(s *redis.Server, worker int64) (anyProcess, error) {
		return NewPreallocated(PreallocatedConfig{s, worker, 512})
	},
	"corrected": func(s *redis.Server, worker int64) (anyProcess, error) {
		cfg := DefaultCorrected(s)
		cfg.Worker = worker
		return NewCorrected(cfg)
	},
	"two-level": func(s *redis.Server, worker int64) (anyProcess, error) {
		cfg := DefaultTwoLevel(s)
		cfg.Worker = worker
		return NewTwoLevel(cfg)
	},
	"adaptive": func(s *redis.Server, worker int64) (anyProcess, error) {
		return NewAdaptive(AdaptiveConfig{s, worker})
	},
}

// A batch gives what single draws give, at a clock that is the virtual time; and the costs
// are the same.
func TestBatchIsManyDraws(t *testing.T) {
	for _, name := range slices.Sorted(maps.Keys(forms)) {
		form := forms[name]
		rapid.Check(t, func(t *rapid.T) {
			cfg := randomServer(t, troubles{outages: true, failovers: true})
			many, one := made(form(redis.New(cfg), 4)), made(form(redis.New(cfg), 4))
			var c generator.Calls
			ms := nowMs
			for range rapid.IntRange(1, 60).Draw(t, "draws") {
				ms += rapid.SampledFrom([]int64{0, 0, 0, 1, 30}).Draw(t, "pause")
				for range rapid.SampledFrom([]int{1, 1, 1, 900}).Draw(t, "at once") {
					c.NowMs, c.AtNs = append(c.NowMs, ms), append(c.AtNs, ms*1e6)
				}
			}
			c.EventMs, c.Partition = c.NowMs, make([]int32, len(c.NowMs))
			ids, kinds, hops := make([]int64, c.Len()), make([]generator.Kind, c.Len()), make([]int32, c.Len())
			if err := many.DrawBatch(c, ids, kinds, hops); err != nil {
				t.Fatal(err)
			}
			for i, now := range c.NowMs {
				id, how, err := one.Draw(0, now)
				var refused *RefusedError
				if errors.As(err, &refused) {
					how.Kind = refused.Kind()
				}
				if id != ids[i] || how.Kind != kinds[i] || how.Hops != hops[i] || (err != nil) != kinds[i].Refused() {
					t.Fatalf("%s, draw %d: %d, %v, %v; in a batch %d, %v", name, i, id, how, err, ids[i], kinds[i])
				}
			}
			if a, b := fmt.Sprintf("%+v", many.Costs()), fmt.Sprintf("%+v", one.Costs()); a != b {
				t.Fatalf("%s: costs %s and %s", name, a, b)
			}
		})
	}
}

// Every id that is given is counted among the waits.
func TestWaitsCountEveryID(t *testing.T) {
	for _, name := range slices.Sorted(maps.Keys(forms)) {
		form := forms[name]
		rapid.Check(t, func(t *rapid.T) {
			g := made(form(redis.New(randomServer(t, troubles{outages: true})), 4))
			atNs, given := nowMs*1e6, int64(0)
			for range 5 {
				c := calls(t, &atNs, 0)
				ids, kinds := make([]int64, c.Len()), make([]generator.Kind, c.Len())
				g.DrawBatch(c, ids, kinds, make([]int32, c.Len()))
				for _, kind := range kinds {
					if !kind.Refused() {
						given++
					}
				}
			}
			costs, counted := g.Costs(), int64(0)
			for us, n := range costs.Waits.All() {
				if us < 0 {
					t.Fatalf("%s: a wait of %d us", name, us)
				}
				counted += n
			}
			if counted != given {
				t.Fatalf("%s: %d ids, %d waits", name, given, counted)
			}
		})
	}
}

// Clocks outside the 41 bits are refused, and the floor there is the end of all ids.
func TestTimesWithoutRoom(t *testing.T) {
	for name, form := range forms {
		for ms, want := range map[int64]error{EpochMs + 1<<41: ErrTooLate, EpochMs - 1<<41 - 1: ErrTooEarly} {
			g := made(form(redis.New(redis.Config{}), 4))
			_, _, err := g.Draw(0, ms)
			if !errors.Is(err, want) || fmt.Sprint(err) == "" {
				t.Errorf("%s at %d: %v", name, ms, err)
			}
		}
	}
}

// A state of nil is that of a new process.
func TestRestoreNil(t *testing.T) {
	for name, form := range forms {
		g, fresh := made(form(redis.New(redis.Config{}), 4)), made(form(redis.New(redis.Config{}), 4))
		if _, _, err := g.Draw(0, nowMs); err != nil {
			t.Fatal(name, err)
		}
		g.Restore(nil)
		if a, b := fmt.Sprintf("%+v", g.Snapshot()), fmt.Sprintf("%+v", fresh.Snapshot()); len(a) == 0 || len(b) == 0 {
			t.Errorf("%s: %s, %s", name, a, b)
		}
		g.Draw(0, nowMs-5000)
		if _, _, err := g.Draw(0, nowMs+5000); err != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// overlapping is the control group in plain words: who begins while the first of a group
// is at it and finds a worker free sees what that first one saw.
func overlapping(c generator.Calls, workers int, callNs int64) (seqs []int64, ms []int64) {
	type seen struct{ lastMs, seq int64 }
	var state, groupSaw seen
	state.lastMs = -1
	var groupBegins, groupClock, groupEnds, clockThen int64
	var group int
	for i, at := range c.AtNs {
		begins, clock := at, c.NowMs[i]
		leads := false
		if at >= groupEnds || group == workers {
			begins = max(at, groupEnds)
			clock += (begins - at) / 1_000_000
			leads, group, groupSaw = true, 0, state
		}
		baseNs, baseMs := at, c.NowMs[i]
		if leads && begins > at && clock == clockThen-1 { // the rounding of the clock
			baseNs, baseMs, clock = begins, clockThen, clockThen
		}
		if leads {
			groupBegins, groupClock = begins, clock
		} else if groupBegins > at { // no worker is free before
			begins = groupBegins
			if clock += (begins - at) / 1_000_000; clock == groupClock-1 {
				baseNs, baseMs, clock = begins, groupClock, groupClock
			}
		}
		group++
		next := seen{clock, 0}
		if clock == groupSaw.lastMs {
			next.seq = groupSaw.seq + 1
		}
		ends := begins
		if next.seq == 4096 {
			next = seen{clock + 1, 0}
			ends = baseNs + (clock+1-baseMs)*1_000_000
		}
		if leads {
			groupEnds = ends + callNs
			clockThen = baseMs + (groupEnds-baseNs)/1_000_000
		}
		state = next
		seqs, ms = append(seqs, next.seq), append(ms, next.lastMs)
	}
	return seqs, ms
}

func TestUnsynchronisedAgainstPlain(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		cfg := UnsynchronisedConfig{Workers: rapid.IntRange(1, 4).Draw(t, "workers"), CallNs: rapid.SampledFrom([]int64{1, 1000, 90_000}).Draw(t, "call")}
		g := made(NewUnsynchronised(cfg))
		var c generator.Calls
		at := nowMs * 1e6
		for range rapid.IntRange(1, 20).Draw(t, "bursts") {
			at += rapid.SampledFrom([]int64{0, 10, 999, 80_000, 5_000_000}).Draw(t, "pause")
			apart := rapid.SampledFrom([]int64{0, 1, 300}).Draw(t, "apart")
			for range rapid.SampledFrom([]int{1, 3, 50, 5000}).Draw(t, "burst") {
				at += apart
				c.AtNs, c.NowMs = append(c.AtNs, at), append(c.NowMs, at/1e6)
			}
		}
		c.EventMs = c.NowMs
		ids, kinds := make([]int64, len(c.AtNs)), make([]generator.Kind, len(c.AtNs))
		g.DrawBatch(c, ids, kinds, make([]int32, len(ids)))
		numbers, ms := overlapping(c, cfg.Workers, cfg.CallNs)
		last := int64(-1)
		for i := range ids {
			if kinds[i] == generator.Drawn && ids[i] <= last {
				t.Fatalf("call %d: %d after %d, and neither overlaps", i, ids[i], last)
			}
			if kinds[i] == generator.Drawn {
				last = ids[i]
			}
			if kinds[i].Refused() {
				return // the plain words have no clock that goes back
			}
			if ids[i] != id(ms[i], 0, numbers[i]) {
				t.Fatalf("call %d: %+v (%v), want number %d of %d", i, Layout{}.Decode(ids[i]), kinds[i], numbers[i], ms[i])
			}
			if cfg.Workers == 1 && (kinds[i] != generator.Drawn || i > 0 && ids[i] <= ids[i-1]) {
				t.Fatalf("call %d of one worker: %d (%v) after %d", i, ids[i], kinds[i], ids[i-1])
			}
		}
	})
}

// The ids of a fixed run, as one sum for each form. It changes only with what they give.
func TestGoldenSums(t *testing.T) {
	want := map[string]uint64{
		"adaptive":       0x17d8015ca8bc1554,
		"corrected":      0xb9a6ed781e5392ae,
		"locked":         0xcd52b832239b8c70,
		"preallocated":   0x12b37a73f764b9bb,
		"two-level":      0xe776f319db240498,
		"unsynchronised": 0x97cb41da198659e4,
	}
	var c generator.Calls
	for i := range int64(30_000) {
		at := nowMs*1e6 + i*i*1013%400_000 + i*317_283
		if i%1000 < 300 { // bursts
			at = nowMs*1e6 + i/1000*1000*317_283 + i%1000
		}
		if n := len(c.AtNs); n > 0 {
			at = max(at, c.AtNs[n-1])
		}
		c.AtNs, c.NowMs = append(c.AtNs, at), append(c.NowMs, at/1e6-at/4_000_000_000*1500)
	}
	c.EventMs = c.NowMs
	for _, name := range slices.Sorted(maps.Keys(forms)) {
		g := made(forms[name](redis.New(redis.Config{
			RoundTripNs: 700_000,
			Outages:     []redis.Window{{FromNs: (nowMs + 6000) * 1e6, ToNs: (nowMs + 6400) * 1e6}},
			Failovers:   []redis.Failover{{AtNs: (nowMs + 7000) * 1e6, Lose: 3}},
		}), 77))
		ids, kinds := make([]int64, c.Len()), make([]generator.Kind, c.Len())
		if err := g.DrawBatch(c, ids, kinds, make([]int32, c.Len())); err != nil {
			t.Fatal(err)
		}
		sum, count := fnv.New64a(), map[generator.Kind]int{}
		for i := range ids {
			fmt.Fprintln(sum, ids[i], kinds[i])
			count[kinds[i]]++
		}
		if got := sum.Sum64(); got != want[name] {
			t.Errorf("%q: %#x, // %v", name, got, count)
		}
	}
}
