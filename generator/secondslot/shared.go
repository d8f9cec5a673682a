package secondslot

import (
	"maps"
	"sync"
	"sync/atomic"

	"twindrift/generator"
)

// Shared is Corrected for many goroutines, each of which draws through a Worker of its
// own: the ids of all of them together are given once. A worker takes numbers of a second
// in lots, one at first and twice as many each time that it comes back for more, up to
// MostLot, and gives out those without looking at what others do; so many workers in one
// second hardly ever meet. What is left of a lot when the worker goes on to another second
// is given back where nobody has taken more since, and else wasted.
//
// Restarts and snapshots are those of Corrected.
type Shared struct {
	formula
	cfg  CorrectedConfig
	days atomic.Pointer[map[uint64]*sharedDay] // replaced whole

	changing sync.Mutex // of days and newest
	newest   atomic.Uint64
	any      atomic.Bool
}

type sharedDay [secondsPerDay]atomic.Uint64

// MostLot is how many numbers a worker takes at a time, at most.
const MostLot = 64

// NewShared makes a generator that has given out nothing. Block plays no part in it.
func NewShared(cfg CorrectedConfig) (*Shared, error) {
	cfg.Block = 0
	c, err := NewCorrected(cfg)
	if err != nil {
		return nil, err
	}
	s := &Shared{formula: c.formula, cfg: c.cfg}
	s.days.Store(&map[uint64]*sharedDay{})
	return s, nil
}

// Worker draws for one goroutine.
func (s *Shared) Worker() *Worker {
	w := &Worker{shared: s}
	w.core = lotDrawer[*atomic.Uint64]{at: w.word, perSecond: s.perSecond, reach: uint64(s.cfg.Reach), most: MostLot}
	return w
}

// admit is Corrected.admit: it sees that the counters of a second's day are kept.
func (s *Shared) admit(second uint64) (uint64, error) {
	day := second / secondsPerDay
	if s.any.Load() && day == s.newest.Load() {
		return second, nil
	}
	s.changing.Lock()
	defer s.changing.Unlock()
	keep, newest := uint64(s.cfg.KeepDays), s.newest.Load()
	switch {
	case !s.any.Load():
		s.newest.Store(day)
		s.any.Store(true)
	case day > newest+uint64(s.cfg.AheadDays):
		return 0, ErrTooFarAhead
	case day > newest:
		days := maps.Clone(*s.days.Load())
		maps.DeleteFunc(days, func(d uint64, _ *sharedDay) bool { return d+keep < day })
		s.days.Store(&days)
		s.newest.Store(day)
	case day+keep < newest:
		if !s.cfg.ClampOld {
			return 0, ErrTooOld
		}
		return (newest - keep) * secondsPerDay, nil
	}
	return second, nil
}

// day gives the counters of a day, making them where there are none.
func (s *Shared) day(day uint64) *sharedDay {
	if d := (*s.days.Load())[day]; d != nil {
		return d
	}
	s.changing.Lock()
	defer s.changing.Unlock()
	days := maps.Clone(*s.days.Load())
	d := days[day]
	if d == nil {
		d = new(sharedDay)
		days[day] = d
		s.days.Store(&days)
	}
	return d
}

var _ generator.Generator = (*Worker)(nil)

// Worker draws ids of a Shared for one goroutine.
type Worker struct {
	shared *Shared
	core   lotDrawer[*atomic.Uint64]
	last   *sharedDay
	lastOf uint64
}

// Draw gives the id of an event, as Corrected.Draw does.
func (w *Worker) Draw(eventMs, _ int64) (int64, generator.Outcome, error) {
	s, ok := w.shared.second(eventMs)
	if !ok {
		return 0, generator.Outcome{}, w.shared.refuse(eventMs)
	}
	if seq, at, ok := w.core.fromLot(s); ok {
		return w.shared.id(at, seq, w.shared.nodeTicks), generator.Outcome{}, nil
	}
	s, err := w.shared.admit(s)
	if err == nil {
		var seq, at uint64
		var hops int32
		if seq, at, hops, ok = w.core.draw(s); ok {
			return w.shared.id(at, seq, w.shared.nodeTicks), generator.Outcome{Hops: hops}, nil
		}
		err = ErrNoRoom
	}
	return 0, generator.Outcome{}, &TimestampError{EventMs: eventMs, Err: err}
}

// word is the word of a second.
func (w *Worker) word(s uint64) *atomic.Uint64 {
	if day := s / secondsPerDay; w.last == nil || w.lastOf != day {
		w.last, w.lastOf = w.shared.day(day), day
	}
	return &w.last[s%secondsPerDay]
}

// Reset gives back what the worker has left: it has ended.
func (w *Worker) Reset() { w.core.end() }

// Floor is as Corrected.Floor.
func (w *Worker) Floor(eventMs, _ int64) int64 { return w.shared.floor(eventMs) }

// Wasted is how many numbers the worker took, did not use and could not give back.
func (w *Worker) Wasted() int64 { return w.core.wasted }

// cell is a word that changes by compare-and-swap, as in dayCounters: below, the numbers
// taken, and above how many seconds further a search goes on.
type cell interface {
	Load() uint64
	CompareAndSwap(old, new uint64) bool
}

// lotDrawer is the core of a worker, over any words: the test of all interleavings gives
// it words that stop at every step.
type lotDrawer[C cell] struct {
	at        func(second uint64) C
	perSecond uint64
	reach     uint64
	most      uint64 // numbers in a lot
	lots      [lotsKept]lot
	wasted    int64
}

// lot is numbers next..end of second at, which its worker has taken for events of a second.
type lot struct {
	of, at    uint64
	next, end uint64
	size      uint64 // of the lot when it was taken; 0 for none
}

// lotsKept is how many lots a worker holds, of seconds that differ modulo it.
const lotsKept = 16

// fromLot draws from the lot that the worker has for a second.
func (d *lotDrawer[C]) fromLot(s uint64) (seq, at uint64, ok bool) {
	l := &d.lots[s%lotsKept]
	if l.of != s || l.next == l.end {
		return 0, 0, false
	}
	seq = l.next
	l.next++
	return seq, l.at, true
}

// draw takes a new lot for a second, of the first second from it on that has room, and
// draws from it; false where that is out of reach.
func (d *lotDrawer[C]) draw(s uint64) (seq, at uint64, hops int32, ok bool) {
	if seq, at, ok = d.fromLot(s); ok { // after ClampOld, say
		return seq, at, 0, true
	}
	l := &d.lots[s%lotsKept]
	size := uint64(1)
	if l.size > 0 && l.of == s {
		size = min(2*l.size, d.most)
	} else {
		d.giveBack(l)
	}
	first, got := uint64(0), uint64(0)
	if at, hops, first, got = d.take(s, size); got == 0 {
		*l = lot{}
		return 0, 0, hops, false
	}
	*l = lot{of: s, at: at, next: first + 1, end: first + got, size: size}
	return first, at, hops, true
}

// take takes up to n numbers of the first second from s on that has any.
func (d *lotDrawer[C]) take(s, n uint64) (at uint64, hops int32, first, got uint64) {
	end := s + d.reach
	var before C
	beforeAt, led := s, false
	for at = s; ; hops++ {
		cell := d.at(at)
		further := uint64(0)
		for {
			word := cell.Load()
			if further = word >> countBits; further > 0 {
				break
			}
			count := word & countMask
			if count < d.perSecond {
				got = min(n, d.perSecond-count)
				if cell.CompareAndSwap(word, word+got) {
					return at, hops, count, got
				}
				continue
			}
			if cell.CompareAndSwap(word, word|1<<countBits) {
				further = 1
				break
			}
		}
		if led {
			d.lead(before, at+further-beforeAt)
		}
		before, beforeAt, led = cell, at, true
		if at += further; at > end {
			return 0, hops, 0, 0
		}
	}
}

// lead has a full second lead further on, unless it does so already.
func (d *lotDrawer[C]) lead(cell C, further uint64) {
	if word := cell.Load(); word>>countBits < further {
		cell.CompareAndSwap(word, word&countMask|further<<countBits) // another has led it on, which will do
	}
}

// giveBack gives back what is left of a lot where nobody has taken numbers behind it, and
// else wastes it.
func (d *lotDrawer[C]) giveBack(l *lot) {
	left := l.end - l.next
	if left == 0 {
		return
	}
	cell := d.at(l.at)
	word := cell.Load()
	if word>>countBits != 0 || word&countMask != l.end || !cell.CompareAndSwap(word, word-left) {
		d.wasted += int64(left)
	}
	l.next = l.end
}

// end gives back all lots.
func (d *lotDrawer[C]) end() {
	for i := range d.lots {
		d.giveBack(&d.lots[i])
		d.lots[i] = lot{}
	}
}
