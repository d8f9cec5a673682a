package snowflake

import (
	"errors"
	"fmt"
	"maps"
	"math"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"twindrift/generator"
	"twindrift/generator/redis"
)

// anyProcess is what all generators here are.
type anyProcess interface {
	generator.Generator
	generator.Batcher
	generator.Snapshotter
	generator.Coster
}

// corrected lists the forms that give no id twice.
var corrected = map[string]func(s *redis.Server, worker int64, t *rapid.T) (anyProcess, error){
	"corrected": func(s *redis.Server, worker int64, t *rapid.T) (anyProcess, error) {
		cfg := DefaultCorrected(s)
		cfg.Worker = worker
		cfg.LeadMs = rapid.SampledFrom([]int64{0, 1, 5, 30}).Draw(t, "lead")
		cfg.Range = rapid.SampledFrom([]int64{512, 1024}).Draw(t, "range")
		cfg.KeyLifeMs = 60_000
		return NewCorrected(cfg)
	},
	"two-level": func(s *redis.Server, worker int64, t *rapid.T) (anyProcess, error) {
		cfg := DefaultTwoLevel(s)
		cfg.Worker = worker
		cfg.Deal = rapid.SampledFrom([]int64{1, 100, 1024, 4096}).Draw(t, "deal")
		cfg.Block = cfg.Deal + rapid.Int64Range(0, 9000).Draw(t, "block")
		return NewTwoLevel(cfg)
	},
	"adaptive": func(s *redis.Server, worker int64, _ *rapid.T) (anyProcess, error) {
		return NewAdaptive(AdaptiveConfig{s, worker})
	},
}

// troubles is what may happen in a run.
type troubles struct {
	outages, failovers, restarts, steps bool

	oneWorker bool // at both processes
	unseen    bool // a failover may lose what the process does not know of
}

// Random calls of two processes with different workers on one server: no id comes twice,
// each says its worker and a ms at or after the clock's, and none lies below the floor.
// Corrected may have one worker at both, but for outages. Left out are the limits that are
// told: clocks put back across a restart, and, for one worker, clocks that are far apart.
// Where Corrected cannot know what a failover has lost, an id that comes twice was
// CounterBack one of the times.
func TestCorrectedGivesIDsOnce(t *testing.T) {
	for _, name := range slices.Sorted(maps.Keys(corrected)) {
		make := corrected[name]
		t.Run(name, func(t *testing.T) {
			kinds := map[generator.Kind]int{}
			rapid.Check(t, func(t *rapid.T) {
				may := func(what string) bool { return rapid.Bool().Draw(t, what) }
				tr := troubles{outages: may("outages"), failovers: may("failovers"), restarts: may("restarts"), steps: may("steps")}
				tr.steps = tr.steps && (!tr.restarts || name == "corrected" && !tr.outages)
				tr.oneWorker = name == "corrected" && !tr.outages && !tr.steps && may("one worker")
				tr.unseen = name == "corrected" && tr.failovers && (tr.restarts || tr.steps || tr.oneWorker)
				run(t, tr, make, kinds)
			})
			t.Log(kinds)
			if len(kinds) < 2 {
				t.Errorf("only these kinds were seen: %v", kinds)
			}
		})
	}
}

// run is one random run.
func run(t *rapid.T, tr troubles, make func(*redis.Server, int64, *rapid.T) (anyProcess, error), kinds map[generator.Kind]int) {
	s := redis.New(randomServer(t, tr))
	workers := [2]int64{rapid.SampledFrom([]int64{0, 5}).Draw(t, "worker"), 1023}
	if tr.oneWorker {
		workers[1] = workers[0]
	}
	var processes [2]anyProcess
	for i := range processes {
		var err error
		if processes[i], err = make(s, workers[i], t); err != nil {
			t.Fatal(err)
		}
	}
	var errMs [2]int64
	var saved [2]generator.State
	given := map[int64]generator.Kind{}
	atNs := nowMs * 1e6
	for range rapid.IntRange(1, 40).Draw(t, "steps") {
		who := rapid.IntRange(0, 1).Draw(t, "process")
		g := processes[who]
		what := rapid.IntRange(0, 9).Draw(t, "what")
		switch {
		case what == 0 && tr.restarts:
			g.Reset()
		case what == 1:
			saved[who] = g.Snapshot()
		case what == 2 && tr.restarts:
			g.Restore(saved[who])
		case what == 3 && tr.steps:
			errMs[who] += rapid.SampledFrom([]int64{-40_000, -3000, -7, -1, 1, 12, 5000}).Draw(t, "clock")
		}
		c := calls(t, &atNs, errMs[who])
		ids, got := slices.Repeat([]int64{0}, c.Len()), slices.Repeat([]generator.Kind{0}, c.Len())
		if err := g.DrawBatch(c, ids, got, slices.Repeat([]int32{0}, c.Len())); err != nil {
			t.Fatal(err)
		}
		for i, id := range ids {
			kinds[got[i]]++
			if got[i].Refused() {
				continue
			}
			f := Layout{}.Decode(id)
			before, twice := given[id]
			switch back := got[i] == generator.CounterBack; {
			case got[i] != generator.Drawn && !(back && tr.unseen), twice && !back && before != generator.CounterBack:
				t.Fatalf("call %d at %d: %d, %+v (%v) is given twice: %v", i, c.NowMs[i], id, f, got[i], twice)
			case f.Worker != workers[who] || f.OwnerMs < c.NowMs[i] || id < g.Floor(0, c.NowMs[i]):
				t.Fatalf("call %d at %d: %+v of worker %d, floor %d", i, c.NowMs[i], f, workers[who], g.Floor(0, c.NowMs[i]))
			}
			given[id] = got[i]
		}
	}
}

func randomServer(t *rapid.T, tr troubles) redis.Config {
	c := redis.Config{RoundTripNs: rapid.SampledFrom([]int64{0, 1, 300_000, 1_000_000, 7_654_321}).Draw(t, "round trip")}
	atNs := nowMs * 1e6
	for range 4 {
		if tr.outages {
			atNs += rapid.Int64Range(0, 50_000_000).Draw(t, "until outage")
			w := redis.Window{FromNs: atNs, ToNs: atNs + rapid.Int64Range(1, 900_000_000).Draw(t, "outage")}
			c.Outages, atNs = append(c.Outages, w), w.ToNs
		}
		if tr.failovers {
			c.Failovers = append(c.Failovers, redis.Failover{AtNs: atNs + rapid.Int64Range(0, 9_000_000).Draw(t, "failover"), Lose: rapid.IntRange(1, 5).Draw(t, "lose")})
			atNs = c.Failovers[len(c.Failovers)-1].AtNs
		}
	}
	return c
}

// calls are some calls from atNs on.
func calls(t *rapid.T, atNs *int64, errMs int64) (c generator.Calls) {
	*atNs += rapid.SampledFrom([]int64{0, 100, 500_000, 3_000_000, 200_000_000, 70_000_000_000}).Draw(t, "pause")
	apartNs := rapid.SampledFrom([]int64{0, 10, 300_000, 1_100_000}).Draw(t, "apart")
	n := rapid.SampledFrom([]int{1, 1, 2, 30, 700, 6000}).Draw(t, "calls")
	for i := range n {
		if i > 0 {
			*atNs += apartNs
		}
		c.AtNs = append(c.AtNs, *atNs)
		c.NowMs = append(c.NowMs, generator.FloorDiv(*atNs+123_456, 1e6)+errMs)
	}
	c.EventMs, c.Partition = slices.Repeat([]int64{0}, n), slices.Repeat([]int32{0}, n)
	return c
}

// GENERATORS, section 3: the window is the ms in the id, a range never crosses 4096, and a
// full window is followed by the next one that Redis gives out.
func TestWindows(t *testing.T) {
	cfg := DefaultCorrected(redis.New(redis.Config{}))
	cfg.Worker, cfg.LeadMs = 9, 0
	g := made(NewCorrected(cfg))
	ids, _ := drawn(t, g, nowMs, 4096+1) // nowMs is even
	for i, want := range map[int]int64{0: id(nowMs, 9, 0), 4095: id(nowMs, 9, 4095), 4096: id(nowMs+2, 9, 0)} {
		if ids[i] != want {
			t.Errorf("id %d: %+v", i, Layout{}.Decode(ids[i]))
		}
	}
	if c := g.Costs(); c.RoundTrips != 5 || c.Keys != 0 || c.Wasted != 0 {
		t.Errorf("%+v, want 5 round trips and no keys that stay", c)
	}
	// A clock past the window leaves it.
	drawn(t, g, nowMs+3, 1)
	if c := g.Costs(); c.Wasted != 1023 {
		t.Errorf("%+v, want 1023 wasted", c)
	}
}

// At a steady load answers are there when they are needed: only the first call waits.
func TestAskedAhead(t *testing.T) {
	g := made(NewCorrected(DefaultCorrected(redis.New(redis.Config{RoundTripNs: 1_000_000}))))
	var c generator.Calls
	for i := range int64(10_000) {
		at := nowMs*1e6 + 5_000_000*min(i, 1) + i*300_000
		c.NowMs, c.AtNs = append(c.NowMs, at/1e6), append(c.AtNs, at)
	}
	c.EventMs = c.NowMs
	ids, kinds := slices.Repeat([]int64{0}, c.Len()), slices.Repeat([]generator.Kind{0}, c.Len())
	if err := g.DrawBatch(c, ids, kinds, make([]int32, c.Len())); err != nil {
		t.Fatal(err)
	}
	costs := g.Costs()
	waits := map[int64]int64{}
	for us, n := range costs.Waits.All() {
		waits[us] = n
	}
	if fmt.Sprint(waits) != "map[0:9999 1000:1]" || costs.RoundTrips < 400 || costs.RoundTrips > 700 || !slices.IsSorted(ids) {
		t.Errorf("waits %v, %d round trips", waits, costs.RoundTrips)
	}
}

// A clock that goes back further than keys are sure to live stops the process.
func TestClockBackPastTheKeys(t *testing.T) {
	cfg := DefaultCorrected(redis.New(redis.Config{}))
	cfg.KeyLifeMs = 60_000
	g := made(NewCorrected(cfg))
	ids, kinds := []int64{0}, []generator.Kind{0}
	for _, step := range []struct {
		atMs, clockMs int64
		want          generator.Kind
	}{
		{0, 0, generator.Drawn}, {1, -29_000, generator.Drawn}, {2, -31_000, generator.ClockBack},
		{40_000, -1000, generator.ClockBack}, {50_000, 1000, generator.Drawn},
	} {
		c := generator.Calls{EventMs: []int64{0}, NowMs: []int64{nowMs + step.clockMs}, AtNs: []int64{(nowMs + step.atMs) * 1e6}}
		g.DrawBatch(c, ids, kinds, []int32{0})
		if kinds[0] != step.want {
			t.Errorf("%+v: %v", step, kinds[0])
		}
	}
}

// Without Redis: odd ms, in step with the clock, from the one after the first.
func TestLockstep(t *testing.T) {
	down := redis.Config{Outages: []redis.Window{{FromNs: 0, ToNs: math.MaxInt64}}}
	g := made(NewCorrected(DefaultCorrected(redis.New(down))))
	ids, _ := drawn(t, g, nowMs, 4097)
	for i, want := range map[int]int64{0: id(nowMs+3, 0, 0), 4095: id(nowMs+3, 0, 4095), 4096: id(nowMs+5, 0, 0)} {
		if ids[i] != want {
			t.Errorf("id %d: %+v", i, Layout{}.Decode(ids[i]))
		}
	}
	costs := g.Costs()
	for us, n := range costs.Waits.All() {
		if us == 2000 && n != 4096 || us == 4000 && n != 1 {
			t.Errorf("%d waited %d us", n, us)
		}
	}
	if costs.RoundTrips != 0 {
		t.Errorf("%d round trips", costs.RoundTrips)
	}
}

// GENERATORS, section 3: the service takes 1,000,000 and deals 1024; a block begins a new ms.
func TestService(t *testing.T) {
	s := redis.New(redis.Config{RoundTripNs: 2_000_000, Outages: []redis.Window{{FromNs: (nowMs + 5000) * 1e6, ToNs: math.MaxInt64}}})
	cfg := DefaultTwoLevel(s)
	cfg.Worker = 1
	a := made(NewTwoLevel(cfg))
	cfg.Worker = 2
	b := made(NewTwoLevel(cfg))
	ids, _ := drawn(t, a, nowMs, 1025)
	other, _ := drawn(t, b, nowMs+10, 1)
	// 2.5 ms for both trips, the next ms since the process is new; then half a ms for the
	// service alone, and the ms after the last.
	for got, want := range map[int64]int64{ids[0]: id(nowMs+2, 1, 0), ids[1023]: id(nowMs+2, 1, 1023), ids[1024]: id(nowMs+3, 1, 1024), other[0]: id(nowMs+11, 2, 2048)} {
		if got != want {
			t.Errorf("%+v, want %+v", Layout{}.Decode(got), Layout{}.Decode(want))
		}
	}
	if c, d := a.Costs(), b.Costs(); c.RoundTrips != 1 || c.ServiceTrips != 2 || d.RoundTrips != 0 || d.ServiceTrips != 1 || c.Keys != 1 {
		t.Errorf("%+v and %+v", c, d)
	}
	// Without Redis it deals what it has: 976 times 1024, and 576.
	n := 2 + 1 // dealt
	for ; ; n++ {
		a.Reset()
		if _, _, err := a.Draw(0, nowMs+6000+int64(n)*10); err != nil {
			if !errors.Is(err, redis.ErrDown) {
				t.Error(err)
			}
			break
		}
	}
	if c := a.Costs(); n != 977 || c.Wasted != 1_000_000-1024-1024-1-(977-3) {
		t.Errorf("dealt %d times, %d wasted", n, c.Wasted)
	}
}

// GENERATORS, section 3: 128 when quiet, more when busy.
func TestBlockSizes(t *testing.T) {
	s := redis.New(redis.Config{})
	g := made(NewAdaptive(AdaptiveConfig{s, 0}))
	var sizes []int64
	draw := func(n int, everyNs int64, atMs int64) {
		for i := range n {
			at := (nowMs+atMs)*1e6 + int64(i)*everyNs
			trips := g.Costs().RoundTrips
			g.draw(at/1e6, at)
			if g.Costs().RoundTrips > trips {
				sizes = append(sizes, g.s.size)
			}
		}
	}
	draw(128+256+512+1024+2048+4096+1, 10_000, 0) // 100,000 a second: 4096 last 41 ms
	draw(4095+2048+1024+1, 500_000, 1000)         // 2000 a second: 4096 last 2 s, 2048 a little over one
	draw(1023+512+256+128+1, 50_000_000, 10_000)  // 20 a second
	if want := "[128 256 512 1024 2048 4096 4096 2048 1024 1024 512 256 128 128]"; fmt.Sprint(sizes) != want {
		t.Errorf("%v, want %s", sizes, want)
	}
}

// A clock that goes back leaves ids at the last ms; the next block has the one after it.
func TestBlocksWhenTheClockGoesBack(t *testing.T) {
	g := made(NewAdaptive(AdaptiveConfig{redis.New(redis.Config{}), 3}))
	drawn(t, g, nowMs, 100)
	ids, _ := drawn(t, g, nowMs-3_600_000, 29)
	if ids[27] != id(nowMs+1, 3, 127) || ids[28] != id(nowMs+2, 3, 128) {
		t.Errorf("%+v and %+v", Layout{}.Decode(ids[27]), Layout{}.Decode(ids[28]))
	}
}

// What is refused at construction.
func TestConfigs(t *testing.T) {
	s := redis.New(redis.Config{})
	c, two := DefaultCorrected(s), DefaultTwoLevel(s)
	for name, bad := range map[string]error{
		"worker 1024":    second(NewCorrected(CorrectedConfig{s, 1024, 512, 0, 60_000})),
		"worker -1":      second(NewAdaptive(AdaptiveConfig{s, -1})),
		"worker 5000":    second(NewTwoLevel(TwoLevelConfig{s, 5000, two.Block, two.Deal, 0})),
		"range 1000":     second(NewCorrected(CorrectedConfig{s, 0, 1000, 0, 60_000})),
		"lead -1":        second(NewCorrected(CorrectedConfig{s, 0, 512, -1, c.KeyLifeMs})),
		"short keys":     second(NewCorrected(CorrectedConfig{s, 0, 512, 0, 5})),
		"deal 4097":      second(NewTwoLevel(TwoLevelConfig{s, 0, two.Block, 4097, 0})),
		"trip -1":        second(NewTwoLevel(TwoLevelConfig{s, 0, two.Block, two.Deal, -1})),
		"range 0":        second(NewPreallocated(PreallocatedConfig{s, 0, 0})),
		"no server":      second(NewPreallocated(PreallocatedConfig{nil, 0, 8})),
		"no lock":        second(NewLocked(LockedConfig{})),
		"no corrections": second(NewCorrected(CorrectedConfig{})),
		"no service":     second(NewTwoLevel(TwoLevelConfig{})),
		"no numbers":     second(NewAdaptive(AdaptiveConfig{})),
		"no callers":     second(NewUnsynchronised(UnsynchronisedConfig{CallNs: 1})),
	} {
		if bad == nil {
			t.Errorf("%s is taken", name)
		}
	}
}

func second[G any](_ G, err error) error { return err }
