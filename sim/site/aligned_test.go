package site

import (
	"fmt"
	"math"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"twindrift/sim/delay"
)

// told is a row of Draws with all of its columns.
type told struct {
	Partition                                                    int32
	Ordinal, Offset, EventMs, AppendMs, ArrivalNs, DrawNs, NowMs int64
	State                                                        State
	Again, Delivery                                              int32
	Repeat                                                       bool
}

// history is what a consumer has drawn, and what happened to it before which row.
type history struct {
	rows   []told
	only   []bool // rows of messages that are drawn for once
	events []Event
}

func (h *history) add(d *Draws) {
	for _, e := range d.Events {
		h.events = append(h.events, Event{len(h.rows) + e.Row, e.Kind})
	}
	for i := range d.Offset {
		h.only = append(h.only, d.Only(i))
		h.rows = append(h.rows, told{Partition: d.Partition[i], Ordinal: d.Ordinal[i], Offset: d.Offset[i], EventMs: d.EventMs[i], AppendMs: d.AppendMs[i],
			ArrivalNs: d.ArrivalNs[i], DrawNs: d.DrawNs[i], NowMs: d.NowMs[i], State: d.State[i], Again: d.Again[i], Delivery: d.Delivery[i], Repeat: d.Repeat[i]})
	}
}

// troubled is a capture and two sites at which all sorts of things happen, at
// moments of which many are the same.
type troubled struct {
	capture
	seen  [][]int64 // by partition, for sites that take observed times
	sites [2]Config
}

func randomTroubled(t *rapid.T) *troubled {
	x := &troubled{}
	for range rapid.IntRange(1, 4).Draw(t, "partitions") {
		times := rapid.SliceOfN(rapid.Int64Range(0, 12), 1, 20).Draw(t, "times")
		x.capture = append(x.capture, times)
		x.seen = append(x.seen, rapid.SliceOfN(rapid.Int64Range(-5, 20), len(times), len(times)).Draw(t, "seen"))
	}
	for i := range x.sites {
		x.sites[i] = x.randomSite(t, fmt.Sprint("site", i))
	}
	return x
}

func (x *troubled) randomSite(t *rapid.T, name string) Config {
	delays := func(name string) delay.Dist {
		return dist(rapid.SampledFrom([]string{"0s", "0s", "1ms", "empirical:0s/0s/3ms", "empirical:0s/1ms/2ms", "uniform:0s,9ms"}).Draw(t, name))
	}
	moments := func(name string) (at []int64) {
		for range max(0, rapid.IntRange(-2, 2).Draw(t, name)) {
			at = append(at, rapid.Int64Range(-1, 25).Draw(t, "at")*nsPerMs)
		}
		slices.Sort(at)
		return at
	}
	windows := func(name string) (w []Window) {
		for _, at := range moments(name) {
			w = append(w, Window{at, at + rapid.Int64Range(1, 20).Draw(t, "for")*nsPerMs})
		}
		return w
	}
	cfg := Config{
		Name: name, Seed: rapid.Uint64Range(0, 99).Draw(t, "seed"), Filter: Filter{Keep: rapid.SampledFrom([]float64{1, 0.5}).Draw(t, "keep")},
		Link: delays("link"), Outages: windows("outages"), Observed: rapid.IntRange(0, 4).Draw(t, "observed") == 0,
		PartDraws: rapid.SampledFrom([]int{0, 1, 2, 5, 30}).Draw(t, "part"),
		Consumers: make([]ConsumerConfig, rapid.IntRange(1, 3).Draw(t, "consumers")),
	}
	if rapid.IntRange(0, 2).Draw(t, "redelivers") == 0 {
		cfg.Redelivery = Redelivery{Probability: 0.4, AfterNs: rapid.SampledFrom([]int64{0, nsPerMs, 7 * nsPerMs}).Draw(t, "after")}
	}
	for _, at := range moments("steps") {
		cfg.Clock.Steps = append(cfg.Clock.Steps, Step{at, rapid.Int64Range(-5, 5).Draw(t, "by") * nsPerMs})
	}
	for i := range cfg.Consumers {
		c := ConsumerConfig{
			Workers: rapid.IntRange(1, 3).Draw(t, "workers"), Parallel: rapid.SampledFrom([]Parallel{Messages, Partitions}).Draw(t, "parallel"),
			Stalls: windows("stalls"), CommitNs: rapid.SampledFrom([]int64{0, nsPerMs, 8 * nsPerMs}).Draw(t, "commit"),
		}
		if !cfg.Observed {
			c.Service, c.Handling = delays("service"), delays("handling")
		}
		for _, at := range moments("restarts") {
			state := rapid.SampledFrom([]EventKind{StateLost, StateRestored, StateKept}).Draw(t, "state")
			c.Restarts = append(c.Restarts, Restart{AtNs: at, DownNs: rapid.Int64Range(0, 4).Draw(t, "down") * nsPerMs, State: state, AgeNs: 2 * nsPerMs})
		}
		cfg.Consumers[i] = c
	}
	for p := range x.capture {
		own := &cfg.Consumers[p%len(cfg.Consumers)]
		own.Partitions = append(own.Partitions, p)
	}
	for _, at := range moments("handovers") {
		cfg.Handovers = append(cfg.Handovers, Handover{AtNs: at, Partitions: []int{rapid.IntRange(0, len(x.capture)-1).Draw(t, "moved")},
			To: rapid.IntRange(0, len(cfg.Consumers)-1).Draw(t, "to")})
	}
	return cfg
}

// unaligned is what each consumer of each site does, told in one go.
func (x *troubled) unaligned(t *rapid.T) (all [2][]history) {
	for i, cfg := range x.sites {
		cfg.PartDraws = 0
		s := New(cfg, x.plan())
		draws := make([]Draws, len(s.Consumers))
		if err := s.Advance(observedRows(x.epochs(), x.seen)[0], math.MaxInt64, draws); err != nil {
			t.Fatal(err)
		}
		all[i] = make([]history, len(draws))
		for c := range draws {
			all[i][c].add(&draws[c])
		}
		checkOnly(t, all[i])
	}
	return all
}

// checkOnly sees that messages of which a site says that there is one draw have one.
func checkOnly(t *rapid.T, consumers []history) {
	type message struct {
		partition int32
		ordinal   int64
	}
	draws := map[message]int{}
	for _, h := range consumers {
		for _, r := range h.rows {
			draws[message{r.Partition, r.Ordinal}]++
		}
	}
	for c, h := range consumers {
		for i, r := range h.rows {
			if n := draws[message{r.Partition, r.Ordinal}]; h.only[i] && n != 1 {
				t.Fatalf("consumer %d: %+v is to be the only draw of its message, which has %d", c, r, n)
			}
		}
	}
}

// Two sites that are moved on together are told what they are told alone, each
// row once and in order, whatever the epochs and parts; nothing at or after the
// horizon; and what they say of the draws to come holds.
func TestAlignedIsUnaligned(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		x := randomTroubled(t)
		want := x.unaligned(t)
		every := []int64{1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12}
		x.check(t, want)
		x.check(t, want, every...)
		x.check(t, want, rapid.SampledFrom(every).Draw(t, "cut"))
	})
}

func (x *troubled) check(t *rapid.T, want [2][]history, cuts ...int64) {
	a := &alignedRun{t: t, want: want}
	for i, cfg := range x.sites {
		cfg.Aligned = true
		a.sites[i] = New(cfg, x.plan())
		a.got[i] = make([]history, len(cfg.Consumers))
		a.draws[i] = make([]Draws, len(cfg.Consumers))
	}
	for e, rows := range observedRows(x.epochs(cuts...), x.seen) {
		next := append(cuts, math.MaxInt64)[e]
		a.part(func(s *Site) error { return s.Advance(rows, next, nil) })
		for idle := 0; a.sites[0].More() || a.sites[1].More(); {
			before := a.done()
			a.part(func(s *Site) error { return s.Resume(nil) })
			if idle++; a.done() > before {
				idle = 0
			}
			if idle > len(a.sites) { // each may have one that only starts what draws later
				t.Fatalf("cuts %d, epoch %d: %d parts bring nothing", cuts, e, idle)
			}
		}
	}
	for i := range a.got {
		checkOnly(t, a.got[i])
		for c := range a.got[i] {
			if g, w := &a.got[i][c], &want[i][c]; len(g.rows) != len(w.rows) || !slices.Equal(g.events, w.events) {
				t.Fatalf("cuts %d, site %d, consumer %d: %d rows, want %d; events %v, want %v", cuts, i, c, len(g.rows), len(w.rows), g.events, w.events)
			}
		}
	}
}

// alignedRun is two sites moved on together.
type alignedRun struct {
	t     *rapid.T
	want  [2][]history
	sites [2]*Site
	got   [2][]history
	draws [2][]Draws
}

// done is how much the sites have worked and told.
func (a *alignedRun) done() (rows int64) {
	for i, s := range a.sites {
		for c := range s.Consumers {
			rows += s.Consumers[c].Consumed + int64(len(a.got[i][c].rows))
		}
	}
	return rows
}

// part moves both on, and tells up to where both have worked.
func (a *alignedRun) part(move func(*Site) error) {
	horizon := Horizon{Ns: math.MaxInt64}
	for _, s := range a.sites {
		if err := move(s); err != nil {
			a.t.Fatal(err)
		}
		if h := s.WorkedTo(); h.Before(horizon) {
			horizon = h
		}
	}
	for i, s := range a.sites {
		s.Tell(horizon, a.draws[i])
		limits := make([]int64, 4)
		s.Settled(limits)
		eventMs, nowMs := s.Ahead()
		nextNs := s.NextDrawNs()
		for c := range a.draws[i] {
			g, w := &a.got[i][c], &a.want[i][c]
			from := len(g.rows)
			g.add(&a.draws[i][c])
			if len(g.rows) > len(w.rows) || !slices.Equal(g.rows[from:], w.rows[from:len(g.rows)]) {
				a.t.Fatalf("site %d, consumer %d: told\n%+v, want the next of\n%+v", i, c, g.rows[from:], w.rows[from:])
			}
			for _, r := range g.rows[from:] {
				if !(Horizon{r.DrawNs, r.Partition, r.Ordinal}).Before(horizon) {
					a.t.Fatalf("site %d, consumer %d: %+v is told before %+v", i, c, r, horizon)
				}
			}
			for _, r := range w.rows[len(g.rows):] {
				if (Horizon{r.DrawNs, r.Partition, r.Ordinal}).Before(horizon) {
					a.t.Fatalf("site %d, consumer %d: up to %+v %+v is not told", i, c, horizon, r)
				}
				if r.EventMs < eventMs || r.NowMs < nowMs || r.DrawNs < nextNs || r.Ordinal < limits[r.Partition] {
					a.t.Fatalf("site %d, consumer %d: events from %d, clock from %d, draws from %d ns, messages from %d, and yet %+v is to come",
						i, c, eventMs, nowMs, nextNs, limits, r)
				}
			}
		}
		if horizon.Ns == math.MaxInt64 && (eventMs != math.MaxInt64 || nextNs != math.MaxInt64) {
			a.t.Fatalf("site %d: all is told, and events from %d, draws from %d ns are to come", i, eventMs, nextNs)
		}
	}
}

// Where messages come again by chance, those that do not are told from them at once; and
// where a process restarts, those that it has committed or draws afterwards, unless it
// draws out of order.
func TestOnly(t *testing.T) {
	c := capture{make([]int64, 1000)}
	for i := range c[0] {
		c[0][i] = int64(i)
	}
	for handling, fromMs := range map[string]int64{"0s": 400, "5ms": 0} {
		cfg := oneConsumer(c, ConsumerConfig{Workers: 9, Handling: dist(handling), CommitNs: 200 * nsPerMs, Restarts: []Restart{{AtNs: 500 * nsPerMs}}})
		cfg.Redelivery = Redelivery{Probability: 0.1, AfterNs: nsPerMs / 2}
		s := New(cfg, c.plan())
		draws := make([]Draws, 1)
		if err := s.Advance(c.epochs()[0], math.MaxInt64, draws); err != nil {
			t.Fatal(err)
		}
		d, only, again := &draws[0], 0, 0
		for i := range d.Offset {
			lost := d.DrawNs[i] >= fromMs*nsPerMs && d.DrawNs[i] < 500*nsPerMs
			switch {
			case d.Only(i) && lost:
				t.Fatalf("handling %s: message %d is drawn before the restart, and for once", handling, d.Offset[i])
			case d.Only(i):
				only++
			case !lost && d.Delivery[i] == 0:
				again++
			}
		}
		if want := int(500 + fromMs); only < want*8/10 || again < want/25 || only+again < want-10 {
			t.Errorf("handling %s: of %d messages that no restart brings again %d are drawn for once, %d again", handling, want, only, again)
		}
	}
}
