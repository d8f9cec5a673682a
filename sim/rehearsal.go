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
func rehearse(ctx context.Context, cfg Config, plan *replay.Plan, s *search, pass int64) (_ *run, err error) {
	r, err := newRun(cfg, plan)
	if err != nil {
		return nil, err
	}
	defer r.interruptAtEnd(ctx)()
	defer func() {
		if closing := r.close(); err == nil {
			err = closing
		}
	}()
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
	r.feed = newFeed(plan, stream, r.clock, &cfg.Scenario, r.blocks())
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
		if err := r.act(e, draws, actors, s); err != nil {
			return nil, err
		}
		if cfg.Replaying != nil {
			cfg.Replaying(pass*plan.Messages+r.feed.done, 2*plan.Messages)
		}
	}
}

// act takes the sites through an epoch, one after the other, or where draws come in the
// order of virtual time all at once.
func (r *run) act(e *epoch, draws [][]site.Draws, actors [][]*actor, s *search) error {
	if r.together() {
		for resumed := false; ; resumed = true {
			more, err := r.advance(e, resumed, draws)
			if err != nil {
				return err
			}
			if err := perform(draws, actors, s); err != nil {
				return err
			}
			r.settle()
			if !more {
				return nil
			}
		}
	}
	for i, at := range r.sites {
		err := at.model.Advance(e.rows, e.nextAppendMs, draws[i])
		for ; err == nil; err = at.model.Resume(draws[i]) {
			for c := range actors[i] { // each in one go: an external generator's cost is by the request
				if err := perform([][]site.Draws{draws[i][c : c+1]}, [][]*actor{actors[i][c : c+1]}, s); err != nil {
					return err
				}
			}
			if !at.model.More() {
				break
			}
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// perform has actors make their draws, by site and consumer.
func perform(draws [][]site.Draws, actors [][]*actor, s *search) error {
	var turns []*turn
	for i := range draws {
		for c, a := range actors[i] {
			d := &draws[i][c]
			turns = append(turns, &turn{
				site: a.site, consumer: c, draws: d,
				draw:    func(from, to int) error { return a.draw(d, from, to, s) },
				happens: a.happens,
			})
		}
	}
	if err := inOrder(turns); err != nil {
		return err
	}
	for i := range draws {
		for c, a := range actors[i] {
			a.rows += int64(draws[i][c].Len())
		}
	}
	return nil
}

// actor is a consumer in a rehearsal.
type actor struct {
	run            *run
	site, consumer int
	life           int   // restarts so far
	rows           int64 // before those at hand
	one            measure.Drawn
}

// draw draws the ids of the rows from..to, and has s look at each.
func (a *actor) draw(d *site.Draws, from, to int, s *search) error {
	l := a.run.sites[a.site].lanes[chosen]
	g := l.gens[a.consumer]
	a.one.Resize(d.Len())
	_, traces := g.(tracer)
	if !traces {
		if err := l.drawRows(a.consumer, d, &a.one, from, to); err != nil {
			return err
		}
	}
	for i := from; i < to; i++ {
		asked := len(s.keys) > 0 && s.keys[messageAt{d.Partition[i], d.Offset[i]}]
		var trace *secondslot.Trace
		if asked && d.State[i] != site.Filtered {
			trace = traceOf(g, d.EventMs[i], d.NowMs[i])
		}
		if traces {
			if err := l.drawRows(a.consumer, d, &a.one, i, i+1); err != nil {
				return err
			}
		}
		l.deduplicate(d, &a.one, i, i+1)
		id, kind := a.one.ID[i], a.one.Kind[i]
		has := d.State[i] != site.Filtered && !kind.Refused()
		switch {
		case asked || has && slices.Contains(s.ids, id):
			f := a.found(d, i, id, kind)
			f.trace = trace
			s.found = append(s.found, f)
		case s.nearest:
			s.compare(a, d, i, id, kind, has)
		}
	}
	return nil
}

func (a *actor) happens(kind site.EventKind) {
	a.run.sites[a.site].lanes[chosen].happens(a.consumer, kind)
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
	state := d.State[i]
	if kind.Refused() {
		state = site.Refused
	} else if n := len(a.one.Known); n > 0 && a.one.Known[n-1] == i {
		state = site.Deduplicated
	}
	return found{
		site: a.site, row: a.rows + int64(i), life: a.life,
		entry: measure.Entry{ID: id, EventMs: d.EventMs[i], NowMs: d.NowMs[i], Offset: d.Offset[i],
			Partition: d.Partition[i], Consumer: int16(a.consumer), Kind: kind, Life: uint8(a.life % 128)},
		appendMs: d.AppendMs[i], arrivalNs: d.ArrivalNs[i], drawNs: d.DrawNs[i],
		startNs: a.run.sites[a.site].model.StartNs(a.consumer, d, i),
		state:   state, delivery: d.Delivery[i], repeat: d.Repeat[i],
	}
}
