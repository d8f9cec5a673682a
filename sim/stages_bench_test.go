package sim

import (
	"context"
	"errors"
	"io"
	"reflect"
	"testing"
	"time"

	"twindrift/sim/result"
)

// BenchmarkStages takes a run through its stages one after the other, on one core, and
// tells what each costs: ns a message in the feed, ns a message and site in the others,
// all lanes together. The sum is about what BenchmarkRun takes of all cores together.
func BenchmarkStages(b *testing.B) {
	const n = 2_000_000
	cfg := Config{Source: traffic(n, 8, 4000, 60), Scenario: twoSites(4)}
	b.ReportAllocs()
	w := stopwatch{spent: map[string]time.Duration{}}
	for b.Loop() {
		if _, err := w.run(b.Context(), cfg); err != nil {
			b.Fatal(err)
		}
	}
	for _, stage := range []string{"plan", "feed", "site", "draw", "measure", "close", "pair", "result"} {
		messages := float64(n) * float64(b.N)
		unit := stage + "-ns/msg"
		if stage != "plan" && stage != "feed" {
			messages *= float64(len(cfg.Scenario.Sites))
			unit += "-site"
		}
		b.ReportMetric(float64(w.spent[stage].Nanoseconds())/messages, unit)
	}
}

// stopwatch is the time spent in each stage.
type stopwatch struct {
	spent map[string]time.Duration
	since time.Time
}

// lap adds the time since the last lap to a stage.
func (w *stopwatch) lap(stage string) {
	now := time.Now()
	w.spent[stage] += now.Sub(w.since)
	w.since = now
}

// run is Run with nothing side by side.
func (w *stopwatch) run(ctx context.Context, cfg Config) (*result.Result, error) {
	w.since = time.Now()
	plan, err := cfg.Source.Plan(ctx, nil)
	if err != nil {
		return nil, err
	}
	r, err := newRun(cfg, plan)
	if err != nil {
		return nil, err
	}
	stream, err := cfg.Source.Open(ctx)
	if err != nil {
		return nil, err
	}
	defer stream.Close()
	r.feed = newFeed(plan, stream, r.clock, &cfg.Scenario, r.blocks())
	p := newPipeline(r, ctx)
	var pairs [][]*pairStage // by pair and lane
	for _, pr := range r.pairs {
		var stages []*pairStage
		for l := range pr.lanes {
			stages = append(stages, newPairStage(pr.lanes[l]))
		}
		pairs = append(pairs, stages)
	}
	w.lap("plan")
	for e := (&epoch{}); ; {
		if err := r.feed.next(e); errors.Is(err, io.EOF) {
			break
		} else if err != nil {
			return nil, err
		}
		e.readers.Store(int32(len(r.sites)) + 1) // and this one, so that it is not handed on
		w.lap("feed")
		for i := range r.sites {
			if err := w.site(p, i, e); err != nil {
				return nil, err
			}
		}
		for i := range pairs {
			for l := range pairs[i] {
				w.pair(p, pairs[i][l], i, l, e)
			}
		}
	}
	for _, s := range r.sites {
		for _, l := range s.lanes {
			l.result, l.err = r.lane(s, l)
		}
	}
	for _, pr := range r.pairs {
		for l := range pr.lanes {
			pr.lanes[l].result = r.pairLane(pr, l)
		}
	}
	res, err := r.result(chosen)
	w.lap("result")
	return res, err
}

// site takes a site and its lanes through an epoch.
func (w *stopwatch) site(p *pipeline, i int, e *epoch) error {
	s, sp := p.run.sites[i], p.sites[i]
	if _, err := p.siteParts(s.model, sp, e); err != nil {
		return err
	}
	w.lap("site")
	for which := range sp.lanes {
		pipe := &sp.lanes[which]
		for len(pipe.in) > 0 {
			se := <-pipe.in
			if err := w.lane(p, i, which, se); err != nil {
				return err
			}
		}
	}
	return nil
}

// lane takes a lane through a part of an epoch.
func (w *stopwatch) lane(p *pipeline, i, which int, se *siteEpoch) error {
	l, pipe := p.run.sites[i].lanes[which], &p.sites[i].lanes[which]
	for rest, more := false, true; more; rest = true {
		le := <-pipe.free
		le.site, le.rest = se, rest
		if !rest {
			for c := range se.draws {
				if err := l.draw(c, &se.draws[c], &le.drawn[c]); err != nil {
					return err
				}
			}
			w.lap("draw")
			for c := range se.draws {
				l.add(c, &se.draws[c], &le.drawn[c])
				pipe.newest.Add(&se.draws[c], &le.drawn[c])
			}
			w.lap("measure")
		}
		p.closeSeconds(i, which, le)
		w.lap("close")
		more = le.more
		le.readers.Store(int32(len(pipe.outs)))
		for _, q := range pipe.outs {
			q.put(le)
		}
	}
	return nil
}

// pair takes a lane of two sites through an epoch.
func (w *stopwatch) pair(p *pipeline, s *pairStage, i, which int, e *epoch) {
	s.pair.Extend(e.rows)
	queues := [2]queue[laneEpoch]{p.pairs[i][which].a, p.pairs[i][which].b}
	sites := [2]int{p.run.pairs[i].a, p.run.pairs[i].b}
	for side, q := range queues {
		for len(q) > 0 {
			le := <-q
			s.add(side, le, le.more || le.site.more)
			p.release(sites[side], which, le)
		}
	}
	w.lap("pair")
}

// One stage after the other they give the result of a run.
func TestStagesOneByOne(t *testing.T) {
	cfg := Config{Source: traffic(50_000, 4, 4000, 60), Scenario: twoSites(2)}
	want, err := Run(t.Context(), cfg)
	if err != nil {
		t.Fatal(err)
	}
	w := stopwatch{spent: map[string]time.Duration{}}
	got, err := w.run(t.Context(), cfg)
	if err != nil {
		t.Fatal(err)
	}
	want.Thresholds = nil // judged afterwards
	if !reflect.DeepEqual(asTree(t, want), asTree(t, got)) {
		t.Errorf("%v\nwant\n%v", asTree(t, got), asTree(t, want))
	}
}
