package site

import (
	"cmp"
	"math"
	"sort"
)

// Where generators share something, the draws of all processes have to be known up to
// one moment before any of them is made. An aligned site (Config.Aligned) does no work
// past the moment up to which all of the capture is known, and tells its draws only up
// to a horizon that the caller gives: what a process has done beyond it waits. A process
// that has enough waiting rests.

// alignment is the work of an aligned site that has not been told.
type alignment struct {
	done    []Draws // of the epoch or the part of it, by consumer
	waiting []Draws // from before
	told    Horizon // up to which all are told
	rested  []bool  // by consumer: it has not gone on
}

// begin gives each process columns to fill, but for those that rest; of a new epoch,
// all.
func (a *alignment) begin(consumers []*Consumer, resumed bool) {
	if a.done == nil {
		a.done, a.waiting, a.rested = make([]Draws, len(consumers)), make([]Draws, len(consumers)), make([]bool, len(consumers))
	}
	for i, c := range consumers {
		if !resumed || !a.rests(i, c) {
			c.turn(&a.done[i])
		}
	}
}

// rests says whether process i has enough waiting to be told. One that the others wait
// for never rests.
func (a *alignment) rests(i int, c *Consumer) bool {
	return c.most > 0 && len(a.waiting) > 0 && a.waiting[i].Len() >= c.most && a.told.Before(c.workedTo())
}

// Horizon is a moment of virtual time and a message: what draws at the moment comes in
// the order of the messages.
type Horizon struct {
	Ns        int64
	Partition int32
	Ordinal   int64
}

// Before says whether one horizon is nearer than another.
func (h Horizon) Before(o Horizon) bool {
	return cmp.Or(cmp.Compare(h.Ns, o.Ns), cmp.Compare(h.Partition, o.Partition), cmp.Compare(h.Ordinal, o.Ordinal)) < 0
}

// WorkedTo is the horizon before which all draws are made.
func (s *Site) WorkedTo() Horizon {
	all := Horizon{Ns: math.MaxInt64}
	for _, c := range s.Consumers {
		if h := c.workedTo(); h.Before(all) {
			all = h
		}
	}
	return all
}

func (c *Consumer) workedTo() Horizon {
	h := Horizon{Ns: c.nextNs, Partition: -1}
	if p := c.pause; p != nil && p.exact && p.atNs == c.nextNs {
		h.Partition, h.Ordinal = p.partition, p.ordinal
	}
	if len(c.pending) > 0 && c.pending[0].drawNs <= h.Ns {
		h = Horizon{Ns: c.pending[0].drawNs, Partition: -1}
	}
	return h
}

// Tell fills draws, one a consumer, with what was drawn before a horizon, after
// Advance or Resume of an aligned site: at most WorkedTo.
func (s *Site) Tell(horizon Horizon, draws []Draws) {
	s.aligned.told = horizon
	for i := range s.Consumers {
		done, waiting, to := &s.aligned.done[i], &s.aligned.waiting[i], &draws[i]
		to.reset()
		if waiting.Len() > 0 || len(waiting.Events) > 0 {
			waiting.appendRows(done, 0, done.Len())
		} else {
			*waiting, *done = *done, *waiting
		}
		done.reset()
		n := sort.Search(waiting.Len(), func(k int) bool {
			return !Horizon{waiting.DrawNs[k], waiting.Partition[k], waiting.Ordinal[k]}.Before(horizon)
		})
		if n == waiting.Len() {
			*to, *waiting = *waiting, *to
			continue
		}
		to.appendRows(waiting, 0, n)
		done.appendRows(waiting, n, waiting.Len())
		*waiting, *done = *done, *waiting
		done.reset()
	}
}

// appendRows adds the rows from..to of other draws, with the events before them and,
// where these are the last, after.
func (d *Draws) appendRows(o *Draws, from, to int) {
	by := d.Len() - from
	for _, e := range o.Events {
		if e.Row >= from && (e.Row < to || e.Row == to && to == o.Len()) {
			d.Events = append(d.Events, Event{e.Row + by, e.Kind})
		}
	}
	d.Partition, d.Ordinal = append(d.Partition, o.Partition[from:to]...), append(d.Ordinal, o.Ordinal[from:to]...)
	d.Offset, d.EventMs = append(d.Offset, o.Offset[from:to]...), append(d.EventMs, o.EventMs[from:to]...)
	d.AppendMs, d.ArrivalNs = append(d.AppendMs, o.AppendMs[from:to]...), append(d.ArrivalNs, o.ArrivalNs[from:to]...)
	d.DrawNs, d.NowMs = append(d.DrawNs, o.DrawNs[from:to]...), append(d.NowMs, o.NowMs[from:to]...)
	d.State, d.Again = append(d.State, o.State[from:to]...), append(d.Again, o.Again[from:to]...)
	d.Delivery, d.Repeat = append(d.Delivery, o.Delivery[from:to]...), append(d.Repeat, o.Repeat[from:to]...)
	d.Recurs = append(d.Recurs, o.Recurs[from:to]...)
}

// more says whether any process can go on in this epoch: one that has stopped, and need
// not rest.
func (a *alignment) more(consumers []*Consumer) bool {
	for i, c := range consumers {
		if (c.pause != nil || a.rested[i]) && !a.rests(i, c) {
			return true
		}
	}
	return false
}

// ahead lowers bounds of the draws still to come by those that wait to be told.
func (a *alignment) ahead(eventMs, nowMs, drawNs int64) (int64, int64, int64) {
	for i := range a.waiting {
		w := &a.waiting[i]
		for k, ms := range w.EventMs {
			eventMs, nowMs = min(eventMs, ms), min(nowMs, w.NowMs[k])
		}
		if w.Len() > 0 {
			drawNs = min(drawNs, w.DrawNs[0])
		}
	}
	return eventMs, nowMs, drawNs
}

// settled lowers limits to the messages that wait to be told.
func (a *alignment) settled(limits []int64) {
	for i := range a.waiting {
		w := &a.waiting[i]
		for k, p := range w.Partition {
			limits[p] = min(limits[p], w.Ordinal[k])
		}
	}
}

// limit is the moment past which an aligned site does no work yet.
func (s *Site) limit() int64 {
	if !s.isAligned || s.nextAppendMs == math.MaxInt64 {
		return math.MaxInt64
	}
	return s.Clock.Ns(s.nextAppendMs)
}
