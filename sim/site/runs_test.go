package site

import (
	"fmt"
	"math"
	"slices"
	"testing"

	"pgregory.net/rapid"
)

// dropsNothing has a look taken at every message.
var dropsNothing = []Drop{{Partition: AnyPartition, LargerThan: math.MaxInt32}}

// slowly takes away what lets a site take rows column by column and start messages
// in runs: what is left does it one by one.
func slowly(cfg Config, c capture) *Site {
	cfg.Filter.Drop = dropsNothing
	s := New(cfg, c.plan())
	for _, c := range s.Consumers {
		c.inRuns = false
	}
	return s
}

// columns is all that Draws tell.
func (d *Draws) columns() string {
	return fmt.Sprint(d.Partition, d.Ordinal, d.Offset, d.EventMs, d.AppendMs, d.ArrivalNs, d.DrawNs, d.NowMs,
		d.State, d.Again, d.Delivery, d.Repeat, d.Recurs, d.Events)
}

// What is done in runs and by columns is what is done message by message, whatever
// happens to the processes.
func TestRunsAreMessages(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		c := drawCapture(t)
		cfg := drawInRuns(t, len(c))
		cuts := rapid.SliceOfNDistinct(rapid.Int64Range(1, 40), 0, 5, rapid.ID[int64]).Draw(t, "cuts")
		slices.Sort(cuts)
		fast, slow := New(cfg, c.plan()), slowly(cfg, c)
		a, b := make([]Draws, len(cfg.Consumers)), make([]Draws, len(cfg.Consumers))
		for e, next := range append(cuts, math.MaxInt64) {
			resumed := false
			for more := true; more; resumed = true {
				if resumed {
					errs := [2]error{fast.Resume(a), slow.Resume(b)}
					if errs != [2]error{} {
						t.Fatal(errs)
					}
				} else if errs := [2]error{fast.Advance(c.epochs(cuts...)[e], next, a), slow.Advance(c.epochs(cuts...)[e], next, b)}; errs != [2]error{} {
					t.Fatal(errs)
				}
				for i := range a {
					if got, want := a[i].columns(), b[i].columns(); got != want {
						t.Fatalf("epoch %d, consumer %d:\n got %s\nwant %s", e, i, got, want)
					}
				}
				if more = fast.More(); more != slow.More() {
					t.Fatalf("epoch %d: more is %v, want %v", e, more, !more)
				}
			}
		}
		for i := range fast.Consumers {
			if got, want := fast.Consumers[i].MaxWaitNs, slow.Consumers[i].MaxWaitNs; got != want {
				t.Errorf("consumer %d: longest wait %d, want %d", i, got, want)
			}
		}
	})
}

// The same over more messages than are worked on at a time.
func TestLongRunsAreMessages(t *testing.T) {
	plan, rows, cuts := steady(2, 3, 2*stretchRows+chunk/2, 4000, 50)
	for _, c := range []struct{ link, service string }{
		{"5ms", "0s"}, {"lognormal:35ms,400ms", "0s"}, {"lognormal:35ms,400ms", "lognormal:200us,1ms"},
	} {
		cfg := oneConsumer(make(capture, 3), ConsumerConfig{Workers: 2, Service: dist(c.service)})
		cfg.Link = dist(c.link)
		fast := New(cfg, plan)
		cfg.Filter.Drop = dropsNothing
		slow := New(cfg, plan)
		slow.Consumers[0].inRuns = false
		a, b := make([]Draws, 1), make([]Draws, 1)
		for e := range rows {
			if errs := [2]error{fast.Advance(rows[e], cuts[e], a), slow.Advance(rows[e], cuts[e], b)}; errs != [2]error{} {
				t.Fatal(errs)
			}
			if a[0].columns() != b[0].columns() {
				t.Fatalf("link %s, service %s: epoch %d differs", c.link, c.service, e)
			}
		}
	}
}

func drawCapture(t *rapid.T) (c capture) {
	for range rapid.IntRange(1, 6).Draw(t, "partitions") {
		c = append(c, rapid.SliceOfN(rapid.Int64Range(0, 40), 1, 60).Draw(t, "times"))
	}
	return c
}

// drawInRuns is a site whose processes start messages in runs, but for what happens to
// them.
func drawInRuns(t *rapid.T, partitions int) Config {
	cfg := Config{Name: "east", Seed: rapid.Uint64Range(0, 9).Draw(t, "seed"), Filter: Filter{Keep: rapid.SampledFrom([]float64{1, 1, 1, 0.5}).Draw(t, "keep")},
		Link:      dist(rapid.SampledFrom([]string{"0s", "3ms", "uniform:0s,9ms", "lognormal:2ms,30ms", "empirical:0s/1ms/2ms"}).Draw(t, "link")),
		PartDraws: rapid.SampledFrom([]int{0, 0, 1, 5, 30}).Draw(t, "draws in a part"),
		StoreOff:  map[string]bool{"t": rapid.IntRange(0, 4).Draw(t, "store off") == 0},
		Outages: rapid.SampledFrom([][]Window{nil, {{5_000_000, 12_000_000}}, {{2_000_000, 9_000_000}, {9_000_000, 11_000_000}},
			{{3_000_000, 30_000_000}, {4_000_000, 5_000_000}}}).Draw(t, "outages"),
	}
	if rapid.Bool().Draw(t, "wrong clock") {
		cfg.Clock = Clock{ErrorNs: -7_300_000, DriftPPM: 300, Steps: []Step{{20_000_000, -5_000_000}}}
	}
	cfg.Consumers = make([]ConsumerConfig, rapid.IntRange(1, 2).Draw(t, "consumers"))
	for i := range cfg.Consumers {
		cc := &cfg.Consumers[i]
		cc.Workers = rapid.IntRange(1, 4).Draw(t, "workers")
		cc.Service = dist(rapid.SampledFrom([]string{"0s", "0s", "1ms", "empirical:0s/0s/3ms", "uniform:0s,1ms"}).Draw(t, "service"))
		if at := rapid.Int64Range(-20, 40).Draw(t, "stall"); at >= 0 {
			cc.Stalls = []Window{{at * nsPerMs, (at + 3) * nsPerMs}}
		}
		cc.CommitNs = rapid.SampledFrom([]int64{0, 4_000_000}).Draw(t, "commit")
		if at := rapid.Int64Range(-20, 40).Draw(t, "restart"); at >= 0 {
			cc.Restarts = []Restart{{AtNs: at * nsPerMs, DownNs: rapid.Int64Range(0, 9).Draw(t, "down") * nsPerMs, State: StateLost}}
		}
	}
	for p := range partitions {
		own := &cfg.Consumers[p%len(cfg.Consumers)]
		own.Partitions = append(own.Partitions, p)
	}
	if at := rapid.Int64Range(-20, 40).Draw(t, "handover"); at >= 0 {
		cfg.Handovers = []Handover{{AtNs: at * nsPerMs, Partitions: []int{0}, To: len(cfg.Consumers) - 1}}
	}
	return cfg
}
