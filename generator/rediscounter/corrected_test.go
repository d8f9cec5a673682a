package rediscounter

import (
	"errors"
	"fmt"
	"hash/fnv"
	"math"
	"testing"

	"pgregory.net/rapid"

	"twindrift/generator"
	"twindrift/generator/redis"
)

func newCorrected(t testing.TB, cfg Config) *Corrected {
	t.Helper()
	c, err := NewCorrected(cfg)
	if err != nil {
		t.Fatal(err)
	}
	return c
}

// Blocks: one round trip for three ids, the first of which waits for it. What is left at a
// restart is wasted.
func TestBlocks(t *testing.T) {
	cfg := DefaultConfig(redis.New(redis.Config{RoundTripNs: 2_000_000}))
	cfg.Block = 3
	c := newCorrected(t, cfg)
	ids, _ := draws(t, c, tenOClockMs, 3)
	more, _ := draws(t, c, tenOClockMs+5, 1)
	c.Reset()
	again, _ := draws(t, c, tenOClockMs+100, 1)
	for i, id := range append(append(ids, more...), again...) {
		if want := tenOClockS<<32 | []int64{1, 2, 3, 4, 7}[i]; id != want {
			t.Errorf("id %d is %d, want %d", i, id, want)
		}
	}
	got := c.Costs()
	if got.RoundTrips != 3 || got.Wasted != 2 || got.Keys != 0 {
		t.Errorf("costs %+v, want 3 round trips, 2 wasted, no keys that stay", got)
	}
	// All three of the first block were there at once, and waited for it.
	waits := map[int64]int64{}
	for us, n := range got.Waits.All() {
		waits[us] = n
	}
	if fmt.Sprint(waits) != "map[2000:5]" {
		t.Errorf("waits %v, want 5 of 2000 us", waits)
	}
}

// The day's numbers end at 2^31, where those of the processes themselves begin.
func TestCounterFull(t *testing.T) {
	cfg := DefaultConfig(redis.New(redis.Config{}))
	cfg.Start, cfg.Block = 1<<31-6, 4
	c := newCorrected(t, cfg)
	ids, _ := draws(t, c, tenOClockMs, 5)
	if ids[4]&countMask != 1<<31-1 {
		t.Errorf("the last number is %d", ids[4]&countMask)
	}
	for range 3 {
		if _, _, err := c.Draw(0, tenOClockMs); !errors.Is(err, ErrCounterFull) {
			t.Errorf("error %v", err)
		}
	}
	if trips := c.Costs().RoundTrips; trips != 2 {
		t.Errorf("%d round trips", trips)
	}
	draws(t, c, tenOClockMs+dayMs, 1)
}

// Without Redis: bit 31, node, ms and number; a ms that is full leads to the next, also of
// the next second.
func TestLocalIDs(t *testing.T) {
	cfg := DefaultConfig(redis.New(redis.Config{Outages: []redis.Window{{FromNs: 0, ToNs: math.MaxInt64}}}))
	cfg.Node = 5
	c := newCorrected(t, cfg)
	ids, kinds := draws(t, c, tenOClockMs+998, 2049) // the first ms is left out: it may have been another process's
	for i, want := range map[int]int64{
		0:    tenOClockS<<32 | 1<<31 | 5<<21 | 999*2048,
		2047: tenOClockS<<32 | 1<<31 | 5<<21 | 999*2048 + 2047,
		2048: (tenOClockS+1)<<32 | 1<<31 | 5<<21,
	} {
		if ids[i] != want || kinds[i] != generator.Drawn {
			t.Errorf("id %d is %d (%v), want %d", i, ids[i], kinds[i], want)
		}
	}
}

func TestCorrectedConfig(t *testing.T) {
	s := redis.New(redis.Config{})
	for _, change := range []func(*Config){
		func(c *Config) { c.Node = 1024 }, func(c *Config) { c.Node = -1 }, func(c *Config) { c.Block = 0 },
		func(c *Config) { c.Server = nil }, func(c *Config) { c.UTCOffsetMs = 1e9 }, func(c *Config) { c.Start = -1 },
	} {
		cfg := DefaultConfig(s)
		change(&cfg)
		if _, err := NewCorrected(cfg); err == nil {
			t.Errorf("%+v is taken", cfg)
		}
	}
}

// world is some processes around one server, and what they gave.
type world struct {
	t     *rapid.T
	cfg   Config
	procs []*Corrected
	errMs []int64 // of their clocks
	saved []generator.State
	given map[int64]int
	atNs  int64
}

func newWorld(t *rapid.T, server redis.Config, byEvent bool) *world {
	w := &world{t: t, given: map[int64]int{}, atNs: tenOClockMs * 1e6}
	server.RoundTripNs = rapid.Int64Range(0, 3_000_000).Draw(t, "round trip")
	w.cfg = DefaultConfig(redis.New(server))
	w.cfg.ByEvent = byEvent && rapid.Bool().Draw(t, "by event")
	w.cfg.Block = rapid.Int64Range(1, 9).Draw(t, "block")
	for i := range 2 {
		w.cfg.Node = i * 1023
		c, err := NewCorrected(w.cfg)
		if err != nil {
			t.Fatal(err)
		}
		w.procs, w.saved = append(w.procs, c), append(w.saved, nil)
		w.errMs = append(w.errMs, rapid.Int64Range(-1500, 1500).Draw(t, "clock error"))
	}
	return w
}

// draw has a process draw for a random message, and checks all but duplicates.
func (w *world) draw(who int) (id int64, kind generator.Kind) {
	w.atNs += rapid.SampledFrom([]int64{0, 0, 1000, 400_000, 1_000_000, 700_000_000, 40_000_000_000_000}).Draw(w.t, "pause")
	nowMs := w.atNs/1e6 + w.errMs[who]
	eventMs := nowMs - rapid.SampledFrom([]int64{-10, 0, 1, 100_000_000}).Draw(w.t, "age")
	floor := w.procs[who].Floor(eventMs, nowMs)
	ids, kinds := []int64{0}, []generator.Kind{0}
	calls := generator.Calls{EventMs: []int64{eventMs}, NowMs: []int64{nowMs}, AtNs: []int64{w.atNs}, Partition: []int32{0}}
	if err := w.procs[who].DrawBatch(calls, ids, kinds, []int32{0}); err != nil || kinds[0].Refused() {
		w.t.Fatalf("%v, %v", err, kinds[0])
	}
	if ids[0] < floor {
		w.t.Fatalf("%d is below the floor %d", ids[0], floor)
	}
	return ids[0], kinds[0]
}

// Two processes on one server, with outages, restarts and states of some time ago: no id
// comes twice, and all are drawn properly.
func TestCorrectedGivesIDsOnce(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		var server redis.Config
		for fromNs := tenOClockMs * 1e6; len(server.Outages) < 5; {
			fromNs += rapid.Int64Range(0, 5_000_000).Draw(t, "until outage")
			w := redis.Window{FromNs: fromNs, ToNs: fromNs + rapid.Int64Range(1, 900_000_000).Draw(t, "outage")}
			server.Outages, fromNs = append(server.Outages, w), w.ToNs
		}
		w := newWorld(t, server, true)
		for i := range rapid.IntRange(1, 150).Draw(t, "draws") {
			who := rapid.IntRange(0, 1).Draw(t, "process")
			switch rapid.IntRange(0, 12).Draw(t, "what") {
			case 0:
				w.procs[who].Reset()
			case 1:
				w.saved[who] = w.procs[who].Snapshot()
			case 2:
				w.procs[who].Restore(w.saved[who])
			}
			id, kind := w.draw(who)
			if before, twice := w.given[id]; twice || kind != generator.Drawn {
				t.Fatalf("draw %d: %d (%v) was given by draw %d", i, id, kind, before)
			}
			w.given[id] = i
		}
	})
}

// Failovers: one process that is not restarted gives no id twice. With others and with
// restarts, an id that comes twice was CounterBack one of the times: the numbers that
// come again are, and what is left of the block that had them first is not.
func TestCorrectedAfterFailovers(t *testing.T) {
	seen := map[generator.Kind]int{}
	rapid.Check(t, func(t *rapid.T) {
		var server redis.Config
		atNs := tenOClockMs * 1e6
		for range 4 {
			atNs += rapid.Int64Range(0, 800_000_000).Draw(t, "until failover")
			server.Failovers = append(server.Failovers, redis.Failover{AtNs: atNs, Lose: rapid.IntRange(1, 6).Draw(t, "lose")})
		}
		alone := rapid.Bool().Draw(t, "alone")
		w := newWorld(t, server, !alone) // events of many days would have it forget one
		var kinds []generator.Kind
		for i := range rapid.IntRange(1, 150).Draw(t, "draws") {
			who := 0
			if !alone {
				who = rapid.IntRange(0, 1).Draw(t, "process")
				if rapid.IntRange(0, 12).Draw(t, "restart") == 0 {
					w.procs[who].Reset()
				}
			}
			id, kind := w.draw(who)
			back := kind == generator.CounterBack
			before, twice := w.given[id]
			kinds = append(kinds, kind)
			if twice && (alone || !back && kinds[before] != generator.CounterBack) || alone && back {
				t.Fatalf("draw %d: %d (%v) was given by draw %d", i, id, kind, before)
			}
			w.given[id] = i
			seen[kind]++
		}
	})
	if seen[generator.CounterBack] == 0 || seen[generator.Drawn] == 0 {
		t.Errorf("only these were seen: %v", seen)
	}
}

// The ids of a fixed run, as one sum. It changes only with what the forms give.
func TestGoldenSums(t *testing.T) {
	server := func() *redis.Server {
		return redis.New(redis.Config{
			RoundTripNs: 700_000,
			Outages:     []redis.Window{{FromNs: (tenOClockMs + 4000) * 1e6, ToNs: (tenOClockMs + 6000) * 1e6}},
			Failovers:   []redis.Failover{{AtNs: (tenOClockMs + 9000) * 1e6, Lose: 40}},
		})
	}
	cfg := DefaultConfig(nil)
	cfg.Node, cfg.Block = 3, 50
	var c generator.Calls
	for i := range int64(20_000) {
		at := tenOClockMs*1e6 + i*617_283
		c.EventMs, c.NowMs, c.AtNs = append(c.EventMs, at/1e6-i*7919%9000), append(c.NowMs, at/1e6+13), append(c.AtNs, at)
		c.Partition = append(c.Partition, 0)
	}
	for name, want := range map[string]uint64{"published": 0x3657896a45351887, "corrected": 0x643373134992506b} {
		cfg.Server = server()
		var g generator.Batcher = newPublished(t, func(p *Config) { *p = cfg })
		if name == "corrected" {
			g = newCorrected(t, cfg)
		}
		ids, kinds, hops := make([]int64, c.Len()), make([]generator.Kind, c.Len()), make([]int32, c.Len())
		if err := g.DrawBatch(c, ids, kinds, hops); err != nil {
			t.Fatal(err)
		}
		sum := fnv.New64a()
		for i := range ids {
			fmt.Fprintln(sum, ids[i], kinds[i])
		}
		if got := sum.Sum64(); got != want {
			t.Errorf("%s: %#x, want %#x", name, got, want)
		}
	}
}
