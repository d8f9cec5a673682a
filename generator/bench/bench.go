package bench

import (
	"context"
	"errors"
	"fmt"
	"runtime"
	"slices"
	"sync"
	"time"

	"twindrift/generator"
	"twindrift/generator/catalog"
)

// Config is what to measure: every generator under every contention with every
// number of goroutines.
type Config struct {
	Generators  []catalog.Entry // those with a form for many goroutines
	Options     catalog.Options // of all of them
	Contentions []Contention
	Threads     []int // goroutines, each at least 1
	IDs         int   // of a round, all goroutines together; what they cannot share evenly is left out
	WarmUp      int   // rounds before those that count
	Rounds      int   // at least 1
}

// Validate gives the first thing that is wrong. It begins with the name of what
// is to be changed, as the flags of bench spell it.
func (c Config) Validate() error {
	for _, e := range c.Generators {
		if e.Concurrent == nil {
			return fmt.Errorf("generator %s: its variant %s has no form for many threads; leave it out for all that have", e.Name, e.Variant)
		}
	}
	switch {
	case c.IDs < 1:
		return fmt.Errorf("ids %d: want 1 or more", c.IDs)
	case c.Rounds < 1:
		return fmt.Errorf("rounds %d: want 1 or more", c.Rounds)
	case c.WarmUp < 0:
		return fmt.Errorf("warm-up %d: want 0 or more", c.WarmUp)
	case len(c.Threads) == 0:
		return errors.New("threads: want numbers of 1 or more, as 1,100")
	case len(c.Contentions) == 0:
		return errors.New("contention: want some of own, shared and one")
	}
	for _, n := range c.Threads {
		switch {
		case n < 1:
			return fmt.Errorf("threads %d: want 1 or more", n)
		case n > c.IDs:
			return fmt.Errorf("ids %d: too few for %d threads; draw more, or give fewer --threads", c.IDs, n)
		}
		for _, contention := range c.Contentions {
			if !slices.Contains(Contentions(), contention) {
				return fmt.Errorf("contention %q: there are own, shared and one", string(contention))
			}
			if _, err := contention.seconds(n, c.IDs/n); err != nil {
				return err
			}
		}
	}
	return nil
}

// Result is what was measured.
type Result struct {
	Processors int     `json:"processors"` // that goroutines run on
	WarmUp     int     `json:"warm_up"`    // rounds before those that count
	Rounds     int     `json:"rounds"`
	Points     []Point `json:"points"`
}

// Point is one generator under one contention with one number of goroutines.
type Point struct {
	Generator  string     `json:"generator"`
	Variant    string     `json:"variant"`
	Contention Contention `json:"contention"`
	Threads    int        `json:"threads"`
	IDs        int        `json:"ids"`       // asked for in a round
	NsPerID    []float64  `json:"ns_per_id"` // of each round, by the wall clock, in the order of the rounds
	Median     float64    `json:"median_ns"` // of those
	Refused    int64      `json:"refused"`   // draws that gave an error instead of an id, in all rounds
	Wasted     int64      `json:"wasted"`    // sequence numbers taken and not used, in all rounds
	Checked    int64      `json:"checked"`   // ids looked at, in all rounds
	Faults                // of those
}

// Run measures. The error of a wrong configuration comes before any work;
// update, which may be nil, is told how many ids are drawn.
func (c Config) Run(ctx context.Context, update func(done, total int64)) (*Result, error) {
	if err := c.Validate(); err != nil {
		return nil, err
	}
	r := &Result{Processors: runtime.GOMAXPROCS(0), WarmUp: c.WarmUp, Rounds: c.Rounds}
	ids := make([]int64, c.IDs)
	points := len(c.Generators) * len(c.Contentions) * len(c.Threads)
	rounds, done := int64(points*(c.WarmUp+c.Rounds)), int64(0)
	for _, e := range c.Generators {
		for _, contention := range c.Contentions {
			for _, threads := range c.Threads {
				p := Point{Generator: e.Name, Variant: e.Variant, Contention: contention, Threads: threads, IDs: c.IDs / threads * threads}
				for n := range c.WarmUp + c.Rounds {
					if err := ctx.Err(); err != nil {
						return nil, err
					}
					if err := p.round(e, c.Options, ids[:p.IDs], n >= c.WarmUp); err != nil {
						return nil, err
					}
					if done++; update != nil {
						update(done*int64(c.IDs), rounds*int64(c.IDs))
					}
				}
				p.Median = median(p.NsPerID)
				r.Points = append(r.Points, p)
			}
		}
	}
	return r, nil
}

// round draws ids from a new process, and counts where it is not one of the warm-up.
func (p *Point) round(e catalog.Entry, o catalog.Options, ids []int64, counts bool) error {
	process, layout, err := e.Concurrent(o)
	if err != nil {
		return err
	}
	each := len(ids) / p.Threads
	at, err := p.Contention.seconds(p.Threads, each)
	if err != nil {
		return err
	}
	workers := make([]worker, p.Threads)
	for i := range workers {
		workers[i] = worker{draws: process(), events: ids[i*each : (i+1)*each]}
		for n := range each {
			workers[i].events[n] = midnight(o) + 1000*at(i, n)
		}
	}
	took := race(workers)
	if !counts {
		return nil
	}
	p.NsPerID = append(p.NsPerID, float64(took.Nanoseconds())/float64(len(ids)))
	drawn := ids[:0] // those of all workers, moved together
	for i := range workers {
		w := &workers[i]
		drawn = append(drawn, w.events[:w.drawn]...)
		p.Refused += int64(len(w.events) - w.drawn)
		if lots, ok := w.draws.(lots); ok {
			w.draws.Reset() // gives back what it can
			p.Wasted += lots.Wasted()
		}
	}
	p.Checked += int64(len(drawn))
	p.Faults.add(check(drawn, layout, int64(o.Node)))
	return nil
}

// lots is a generator that takes sequence numbers ahead of their use.
type lots interface{ Wasted() int64 }

// worker is one goroutine. It draws for event times, and puts the ids in their place.
type worker struct {
	draws  generator.Generator
	events []int64
	drawn  int // events[:drawn] are ids
}

// race has all workers draw at once and says how long that took.
func race(workers []worker) time.Duration {
	var ready, all sync.WaitGroup
	start := make(chan struct{})
	ready.Add(len(workers))
	for g := range workers {
		all.Go(func() {
			w, drawn := &workers[g], 0 // the counter is not shared with a neighbour's cache
			ready.Done()
			<-start
			for _, ms := range w.events {
				if id, _, err := w.draws.Draw(ms, ms); err == nil {
					w.events[drawn] = id
					drawn++
				}
			}
			w.drawn = drawn
		})
	}
	ready.Wait()
	began := time.Now()
	close(start)
	all.Wait()
	return time.Since(began)
}

// midnight is the start of a day of the ids' local time (2026-09-15), in ms since
// the Unix epoch.
func midnight(o catalog.Options) int64 { return 1_789_430_400_000 - o.UTCOffsetMs }

// median is the middle one, or the mean of the middle two.
func median(of []float64) float64 {
	sorted := slices.Sorted(slices.Values(of))
	n := len(sorted)
	return (sorted[(n-1)/2] + sorted[n/2]) / 2
}
