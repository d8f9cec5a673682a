package sim

import (
	"context"
	"errors"
	"io"
	"slices"

	"twindrift/generator"
	"twindrift/generator/secondslot"
	"twindrift/replay"
	"twindrift/sim/measure"
	"twindrift/sim/site"
	"twindrift/sim/spill"
)

// A rehearsal goes over the capture as a run does, with the chosen generator
// alone and without measures, one stage after the other, and keeps the
// deliveries that a search is after. It gives the ids of the run, since both
// depend on the messages and the scenario alone.

// tracer is a generator that can tell beforehand how a draw would go.
type tracer interface {
	Trace(eventMs, nowMs int64) (secondslot.Trace, error)
}

// rehearse looks through the capture for what s is after. pass counts the
// passes before, for the progress.
func rehearse(ctx context.Context, cfg Config, plan *replay.Plan, s *search, pass int64) (*run, error) {
	r, err := newRun(cfg, plan)
	if err != nil {
		return nil, err
	}
	if cfg.Memory > 0 {
		if r.store, err = spill.New(cfg.Memory, cfg.TempDir); err != nil {
			return nil, err
		}
		defer r.store.Close()
		r.spillTo(r.store)
	}
	stream, err := cfg.Source.Open(ctx)
	if err != nil {
		return nil, err
	}
	defer stream.Close()
	r.feed = newFeed(plan, stream, r.clock, cfg.Scenario.Append.NoTimestamp, r.blocks())
	r.feed.observer = r.observer()
	var actors [][]*actor
	draws := make([][]site.Draws, len(r.sites))
	for i, of := range r.sites {
		draws[i] = make([]site.Draws, len(of.nodes))
		actors = append(actors, nil)
		for c := range of.nodes {
			actors[i] = append(actors[i], &actor{run: r, site: i, consumer: c})
		}
	}
	e := &epoch{}
	for {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		if err := r.feed.next(e); errors.Is(err, io.EOF) {
			return r, r.store.Err()
		} else if err != nil {
			return nil, err
		}
		for i := range r.sites {
			if err := r.act(i, e, draws[i], actors[i], s); err != nil {
				return nil, err
			}
		}
		if cfg.Replaying != nil {
			cfg.Replaying(pass*plan.Messages+r.feed.done, 2*plan.Messages)
		}
	}
}

// act takes a site through an epoch.
func (r *run) act(i int, e *epoch, draws []site.Draws, actors []*actor, s *search) error {
	model := r.sites[i].model
	err := model.Advance(e.rows, e.nextAppendMs, draws)
	for ; err == nil; err = model.Resume(draws) {
		for c, a := range actors {
			if err := a.draw(&draws[c], s); err != nil {
				return err
			}
		}
		if !model.More() {
			return nil
		}
	}
	return err
}

// actor is a consumer in a rehearsal.
type actor struct {
	run            *run
	site, consumer int
	life           int // restarts so far
	rows           int64
}

// draw draws the ids of an epoch's deliveries, and has s look at each.
func (a *actor) draw(d *site.Draws, s *search) error {
	l := a.run.sites[a.site].lanes[chosen]
	g := l.gens[a.consumer]
	events := d.Events
	for i := range d.Len() {
		for len(events) > 0 && events[0].Row == i {
			a.happens(l, events[0].Kind)
			events = events[1:]
		}
		asked, id := len(s.keys) > 0 && s.keys[messageAt{d.Partition[i], d.Offset[i]}], int64(0)
		var how generator.Outcome
		var trace *secondslot.Trace
		if d.State[i] != site.Filtered {
			if asked {
				trace = traceOf(g, d.EventMs[i], d.NowMs[i])
			}
			var err error
			if id, how, err = g.Draw(d.EventMs[i], d.NowMs[i]); err != nil {
				return l.refused(a.consumer, d, i, err, a.run.plan)
			}
		}
		switch {
		case asked || id != 0 && slices.Contains(s.ids, id):
			f := a.found(d, i, id, how.Kind)
			f.trace = trace
			s.found = append(s.found, f)
		case s.nearest:
			s.compare(a, d, i, id, how.Kind)
		}
	}
	for _, e := range events {
		a.happens(l, e.Kind)
	}
	a.rows += int64(d.Len())
	return nil
}

func (a *actor) happens(l *lane, kind site.EventKind) {
	l.happens(a.consumer, kind)
	if kind != site.StateSaved {
		a.life++
	}
}

// traceOf tells how a draw would go, where the generator can tell.
func traceOf(g generator.Generator, eventMs, nowMs int64) *secondslot.Trace {
	t, ok := g.(tracer)
	if !ok {
		return nil
	}
	trace, err := t.Trace(eventMs, nowMs)
	if err != nil {
		return nil // so will be the draw's
	}
	return &trace
}

// found is row i of a consumer's draws.
func (a *actor) found(d *site.Draws, i int, id int64, kind generator.Kind) found {
	return found{
		site: a.site, row: a.rows + int64(i), life: a.life,
		entry: measure.Entry{ID: id, EventMs: d.EventMs[i], NowMs: d.NowMs[i], Offset: d.Offset[i],
			Partition: d.Partition[i], Consumer: int16(a.consumer), Kind: kind, Life: uint8(a.life % 128)},
		appendMs: d.AppendMs[i], arrivalNs: d.ArrivalNs[i], drawNs: d.DrawNs[i],
		startNs: a.run.sites[a.site].model.StartNs(a.consumer, d, i),
		state:   d.State[i], delivery: d.Delivery[i], repeat: d.Repeat[i],
	}
}
