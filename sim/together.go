package sim

import (
	"cmp"
	"math"

	"twindrift/sim/measure"
	"twindrift/sim/site"
)

// together moves all sites on, part by part of an epoch, each up to the same moment of
// virtual time, and draws the ids of the lanes whose processes share something in the
// order of that time. All sites are told an epoch in as many parts.
func (p *pipeline) together() error {
	for {
		var e *epoch
		for _, q := range p.epochs {
			var ok bool
			if e, ok = q.take(p.ctx); !ok {
				return nil
			}
		}
		if ok, err := p.partsTogether(e); !ok {
			return err
		}
	}
}

// partsTogether takes all sites through an epoch.
func (p *pipeline) partsTogether(e *epoch) (ok bool, err error) {
	ses := make([]*siteEpoch, len(p.sites))
	draws := make([][]site.Draws, len(p.sites))
	for resumed := false; ; resumed = true {
		for i, sp := range p.sites {
			if ses[i], ok = sp.free.take(p.ctx); !ok {
				return false, nil
			}
			draws[i] = ses[i].draws
		}
		more, err := p.run.advance(e, resumed, draws)
		if err != nil {
			return false, err
		}
		for l, c := range p.run.contestants {
			if !c.joint {
				continue
			}
			drawn := make([][]measure.Drawn, len(ses))
			for i, se := range ses {
				drawn[i] = se.drawn[l]
			}
			if err := p.run.drawTogether(l, draws, drawn); err != nil {
				return false, err
			}
		}
		for i, sp := range p.sites {
			sp.handOn(p.run.sites[i].model, ses[i], e, more)
		}
		p.run.settle()
		if !more {
			return true, nil
		}
	}
}

// advance moves all sites on through a part of an epoch, and gives their draws, by site
// and consumer, up to one moment. more says that further parts follow.
func (r *run) advance(e *epoch, resumed bool, draws [][]site.Draws) (more bool, err error) {
	horizon := site.Horizon{Ns: math.MaxInt64}
	for _, s := range r.sites {
		if resumed {
			err = s.model.Resume(nil)
		} else {
			err = s.model.Advance(e.rows, e.nextAppendMs, nil)
		}
		if err != nil {
			return false, err
		}
		if h := s.model.WorkedTo(); h.Before(horizon) {
			horizon = h
		}
	}
	for i, s := range r.sites {
		s.model.Tell(horizon, draws[i])
		more = more || s.model.More()
	}
	return more, nil
}

// drawTogether draws the ids of a lane at all sites, by site and consumer, in the order
// of virtual time.
func (r *run) drawTogether(which int, draws [][]site.Draws, drawn [][]measure.Drawn) error {
	var turns []*turn
	for i := range draws {
		l := r.sites[i].lanes[which]
		for c := range draws[i] {
			d, out := &draws[i][c], &drawn[i][c]
			out.Resize(d.Len())
			turns = append(turns, &turn{
				site: i, consumer: c, draws: d,
				draw: func(from, to int) error {
					err := l.drawRows(c, d, out, from, to)
					l.deduplicate(d, out, from, to)
					return err
				},
				happens: func(kind site.EventKind) { l.happens(c, kind) },
			})
		}
	}
	return inOrder(turns)
}

// turn is how far a consumer's draws are made.
type turn struct {
	site, consumer int
	draws          *site.Draws
	draw           func(from, to int) error
	happens        func(site.EventKind)

	row, events int // done
}

// inOrder has consumers make all their draws in the order of virtual time; ties by
// partition, message, delivery and site.
func inOrder(turns []*turn) error {
	for {
		var first, second *turn
		for _, t := range turns {
			switch {
			case t.row == t.draws.Len():
			case first == nil || t.before(first):
				first, second = t, first
			case second == nil || t.before(second):
				second = t
			}
		}
		if first == nil {
			break
		}
		if err := first.until(second); err != nil {
			return err
		}
	}
	for _, t := range turns { // what happens after the last draw
		t.happen()
	}
	return nil
}

// before says whether a turn's next draw comes before another's.
func (t *turn) before(o *turn) bool {
	d, i, e, k := t.draws, t.row, o.draws, o.row
	if d.DrawNs[i] != e.DrawNs[k] {
		return d.DrawNs[i] < e.DrawNs[k]
	}
	return cmp.Or(cmp.Compare(d.Partition[i], e.Partition[k]), cmp.Compare(d.Ordinal[i], e.Ordinal[k]),
		cmp.Compare(d.Delivery[i], e.Delivery[k]), cmp.Compare(t.site, o.site), cmp.Compare(t.consumer, o.consumer)) < 0
}

// until makes the draws before another turn's next one, at least one; with nil all, up
// to something that happens between them.
func (t *turn) until(o *turn) error {
	t.happen()
	from, end := t.row, t.draws.Len()
	if t.events < len(t.draws.Events) {
		end = t.draws.Events[t.events].Row
	}
	for t.row++; t.row < end && (o == nil || t.before(o)); {
		t.row++
	}
	return t.draw(from, t.row)
}

// happen lets happen what does before the next draw.
func (t *turn) happen() {
	for ; t.events < len(t.draws.Events) && t.draws.Events[t.events].Row <= t.row; t.events++ {
		t.happens(t.draws.Events[t.events].Kind)
	}
}
