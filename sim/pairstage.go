package sim

import (
	"math"

	"twindrift/sim/measure"
)

// pairStage compares two sites by one lane.
type pairStage struct {
	*pairLane
	sides [2]pairSide
}

// pairSide is what is known of one of the sites.
type pairSide struct {
	known                   bool
	futureID, floor, minute int64   // as of its last laneEpoch
	settled                 []int64 //
}

func newPairStage(l *pairLane) *pairStage {
	s := &pairStage{pairLane: l}
	for side := range s.sides {
		s.sides[side].floor, s.sides[side].minute = math.MinInt64, math.MinInt64
	}
	return s
}

// pair compares two sites, epoch by epoch: first all parts of it from A, then those from
// B. Sites that go together have as many parts each; there it takes turns, part by part,
// since neither gets far ahead of the other. The last draws of both come before what is
// closed after them; that is taken in turns too, so that both sites are at work on it. In
// the end it puts together what it has counted.
func (p *pipeline) pair(i, which int) error {
	pr, pipe := p.run.pairs[i], p.pairs[i][which]
	l := pr.lanes[which]
	stage := newPairStage(l)
	begins := true
	var over [2]bool
	for side := 0; ; side = 1 - side {
		if over[side] && !over[1-side] {
			continue
		}
		q, site := pipe.a, pr.a
		if side == 1 {
			q, site = pipe.b, pr.b
		}
		for more := true; more; {
			le, ok := q.take(p.ctx)
			if !ok {
				if p.ctx.Err() == nil {
					l.result = p.run.pairLane(pr, which)
				}
				return nil
			}
			if side == 0 && begins {
				stage.pair.Extend(le.site.epoch.rows)
				begins = false
			}
			more = le.more || le.site.more
			stage.add(side, le, more)
			begins = side == 1 && !more && !le.site.last()
			switch {
			case le.site.last():
				more, over[side] = false, !le.more
			case p.run.together():
				more = le.more
			}
			if err := p.run.store.Err(); err != nil {
				return err
			}
			p.release(site, which, le)
		}
	}
}

// add takes in what a lane of a site has made of an epoch or a part of it; more
// says that further parts follow.
func (s *pairStage) add(side int, le *laneEpoch, more bool) {
	var closed [2][]measure.Second
	var tops [2][]measure.Top
	closed[side], tops[side] = le.closed, le.tops
	me, add := &s.sides[side], s.pair.AddA
	if side == 1 {
		add = s.pair.AddB
	}
	if !le.rest {
		for c := range le.drawn {
			add(&le.site.draws[c], &le.drawn[c])
		}
	}
	me.known, me.futureID, me.floor, me.minute = true, le.futureID, le.floor, le.minute
	me.settled = append(me.settled[:0], le.site.settled...)
	a, b := &s.sides[0], &s.sides[1]
	if a.known && b.known && (side == 1 || more) {
		s.pair.Join(a.futureID, b.futureID, a.settled, b.settled)
	}
	s.pair.Views.Add(tops[0], tops[1], a.minute, b.minute)
	s.collisions.Add(closed[0], closed[1], a.floor, b.floor)
}
