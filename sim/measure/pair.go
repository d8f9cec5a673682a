package measure

import (
	"cmp"
	"math"
	"slices"

	"twindrift/generator"
	"twindrift/sim/order"
	"twindrift/sim/site"
	"twindrift/sim/spill"
	"twindrift/sim/tally"
)

// Pair compares the lists of two sites, A and B, by one lane, over the
// messages stored at both.
type Pair struct {
	Both, OnlyA, OnlyB, Neither int64

	SameID     int64
	SameSecond int64                   // same owner second, other digits
	OtherSec   int64                   // different owner seconds
	Difference tally.Repeats           // owner second at B less at A
	Joint      order.Joint             // owner times at A against B
	Ranks      *order.RankDisplacement // places in the list at A against places in that at B; nil where they are not asked for
	Views      Views                   // what users see, minute by minute
	First      []Joined                // the first messages with different seconds, by event time

	layout  generator.Layout
	again   bool
	windows []window
	opens   map[int64]*openPairs
	last    *openPairs
	spare   []*openPairs
	joined  joined
	byID    pairSorter

	bits           int // see window
	spareStretches []*stretch

	spill    *spill.Owner // of open seconds
	windowed *spill.Owner // of windows
	words    []int64      // scratch
	shedding []*openPairs // scratch
	allX     []int64
	allY     []int64
}

// Joined is one message as both sites have it.
type Joined struct {
	Partition       int32
	Offset, EventMs int64
	IDA, IDB        int64
}

// joined are messages that both sites have drawn for, as columns.
type joined struct {
	offset, eventMs      []int64
	a, b, ownerA, ownerB []int64
}

// openPairs is an owner second at A that may still get messages.
type openPairs struct {
	second int64
	minY   int64   // owner time at B
	minB   int64   // id at B
	x, y   []int64 // ids at A and at B

	keptX, keptY []spill.Kept // more of them, on disk
}

// NewPair compares two sites over so many partitions; again says that messages
// may come again at either.
func NewPair(layout generator.Layout, partitions int, again bool) *Pair {
	return &Pair{layout: layout, again: again, bits: windowBits, windows: make([]window, partitions), opens: map[int64]*openPairs{}}
}

// Extend takes in the messages of an epoch.
func (p *Pair) Extend(rows []site.Rows) {
	for i := range rows {
		if w := &p.windows[i]; rows[i].Len() > 0 {
			if n := len(w.stretches); n > 0 {
				p.at(w, w.first+int64(n-1)<<p.bits) // may have been written
			}
			w.extend(&rows[i], p.bits, p.again, &p.spareStretches)
		}
	}
}

// AddA takes in what a consumer of A drew.
func (p *Pair) AddA(d *site.Draws, g *Drawn) {
	for i, ordinal := range d.Ordinal {
		s, k := p.at(&p.windows[d.Partition[i]], ordinal)
		if p.again && !latest(s.atA, k, d.DrawNs[i]) {
			continue
		}
		s.a[k] = idOr(d.State[i], g.ID[i])
	}
}

// AddB takes in what a consumer of B drew.
func (p *Pair) AddB(d *site.Draws, g *Drawn) {
	for i, ordinal := range d.Ordinal {
		s, k := p.at(&p.windows[d.Partition[i]], ordinal)
		if p.again && !latest(s.atB, k, d.DrawNs[i]) {
			continue
		}
		s.b[k] = idOr(d.State[i], g.ID[i])
	}
}

// at is where a message stands, which is about to change.
func (p *Pair) at(w *window, ordinal int64) (s *stretch, row int64) {
	at := ordinal - w.first
	s = w.stretches[at>>p.bits]
	if s.onDisk() {
		p.recallStretch(s)
	}
	s.stale = true
	return s, at & (1<<p.bits - 1)
}

// latest notes when a message was drawn, unless it was drawn later already.
func latest(drawn []int64, i, at int64) bool {
	if drawn[i] > at {
		return false
	}
	drawn[i] = at
	return true
}

func idOr(state site.State, id int64) int64 {
	if state != site.Store {
		return absent
	}
	return id
}

// Join compares the messages that both sites are done with: those before
// settledA and settledB, ordinals by partition. futureA and futureB are lower
// bounds of the ids still to be drawn at each site.
func (p *Pair) Join(futureA, futureB int64, settledA, settledB []int64) {
	for i := range p.windows {
		w := &p.windows[i]
		p.advance(int32(i), w, min(settledA[i], settledB[i])-w.first)
		from := w.done
		for _, s := range w.stretches {
			lowA, lowB := s.lows(from)
			futureA, futureB = min(futureA, lowA), min(futureB, lowB)
			from = 0
		}
	}
	p.close(futureA, futureB)
	p.shedWindows()
}

// advance compares the first n messages of a window and drops them.
func (p *Pair) advance(partition int32, w *window, n int64) {
	for len(w.stretches) > 0 && n > int64(w.done) {
		s := w.stretches[0]
		if s.onDisk() {
			p.recallStretch(s)
		}
		until := int(min(n, int64(len(s.a))))
		p.compare(partition, s, w.done, until)
		w.done, s.stale = until, true
		if until < 1<<p.bits {
			return
		}
		w.stretches[0] = nil // which frees it
		w.first, w.done, w.stretches = w.first+1<<p.bits, 0, w.stretches[1:]
		n -= 1 << p.bits
		if len(p.spareStretches) < spareMost {
			p.spareStretches = append(p.spareStretches, s)
		}
	}
}

// compare goes over the messages from..until of a stretch.
func (p *Pair) compare(partition int32, s *stretch, from, until int) {
	j := &p.joined
	j.a, j.b, j.offset, j.eventMs = j.a[:0], j.b[:0], j.offset[:0], j.eventMs[:0]
	for k := from; k < until; k++ {
		switch a, b := s.a[k], s.b[k]; {
		case a == absent && b == absent:
			p.Neither++
		case b == absent:
			p.OnlyA++
		case a == absent:
			p.OnlyB++
		default:
			j.a, j.b = append(j.a, a), append(j.b, b)
			j.offset, j.eventMs = append(j.offset, s.offset[k]), append(j.eventMs, s.eventMs[k])
		}
	}
	j.ownerA, j.ownerB = resized(j.ownerA, len(j.a)), resized(j.ownerB, len(j.a))
	p.layout.Digits(j.a, j.ownerA, nil)
	p.layout.Digits(j.b, j.ownerB, nil)
	p.Both += int64(len(j.a))
	for k, x := range j.ownerA {
		y := j.ownerB[k]
		sx, sy := secondOf(x), secondOf(y)
		switch {
		case j.a[k] == j.b[k]:
			p.SameID++
		case sx == sy:
			p.SameSecond++
		default:
			p.OtherSec++
			p.show(Joined{partition, j.offset[k], j.eventMs[k], j.a[k], j.b[k]})
		}
		p.Difference.Add(sy - sx)
		o := p.last
		if o == nil || o.second != sx {
			o = p.open(sx)
		}
		o.minY, o.minB = min(o.minY, y), min(o.minB, j.b[k])
		o.x, o.y = append(o.x, j.a[k]), append(o.y, j.b[k])
	}
}

// show keeps a message if it is one of the first by event time, partition and
// offset.
func (p *Pair) show(m Joined) {
	n := len(p.First)
	if n == witnesses && m.compare(p.First[n-1]) >= 0 {
		return
	}
	i, _ := slices.BinarySearchFunc(p.First, m, Joined.compare)
	p.First = slices.Insert(p.First, i, m)
	p.First = p.First[:min(n+1, witnesses)]
}

func (m Joined) compare(o Joined) int {
	return cmp.Or(cmp.Compare(m.EventMs, o.EventMs), cmp.Compare(m.Partition, o.Partition), cmp.Compare(m.Offset, o.Offset))
}

func (p *Pair) open(second int64) *openPairs {
	o := p.opens[second]
	if o == nil {
		if n := len(p.spare); n > 0 {
			o, p.spare = p.spare[n-1], p.spare[:n-1]
		} else {
			o = &openPairs{}
		}
		o.second, o.minY, o.minB = second, math.MaxInt64, math.MaxInt64
		p.opens[second] = o
	}
	p.last = o
	return o
}

// close measures the owner seconds at A below which no later message falls.
func (p *Pair) close(futureA, futureB int64) {
	floor, low := int64(math.MaxInt64), int64(math.MaxInt64)
	if futureA != math.MaxInt64 {
		floor = secondOf(p.layout.OwnerMs(futureA))
	}
	if futureB != math.MaxInt64 {
		low = secondOf(p.layout.OwnerMs(futureB)) * 1000 // another consumer may draw ids below this in the same second
	}
	var ready []*openPairs
	for second, o := range p.opens {
		if second < floor {
			ready = append(ready, o)
			delete(p.opens, second)
		} else {
			low, futureB = min(low, o.minY), min(futureB, o.minB)
		}
	}
	slices.SortFunc(ready, func(a, b *openPairs) int { return cmp.Compare(a.second, b.second) })
	for _, o := range ready {
		a, b := p.all(o)
		p.addSecond(o.second, a, b)
		o.x, o.y = o.x[:0], o.y[:0]
		if len(p.spare) < spareMost {
			p.spare = append(p.spare, o)
		}
	}
	p.last = nil
	p.shed()
	if low != math.MaxInt64 {
		p.Joint.Floor(low)
	}
	if p.Ranks != nil && futureB != math.MaxInt64 {
		p.Ranks.Floor(futureB)
	}
}

// addSecond measures the messages of one owner second at A, which have these ids.
func (p *Pair) addSecond(second int64, a, b []int64) {
	j, n := &p.joined, len(a)
	if p.Ranks != nil {
		p.byID.sort(a, b)
		for k, id := range a {
			p.Ranks.Add(id, b[k])
		}
	}
	j.ownerA, j.ownerB = resized(j.ownerA, n), resized(j.ownerB, n)
	p.layout.Digits(a, j.ownerA, nil)
	p.layout.Digits(b, j.ownerB, nil)
	p.Joint.AddSecond(second, j.ownerA, j.ownerB)
}

// Err is the first reason for which the measures of order are not to be
// trusted, or nil.
func (p *Pair) Err() error {
	if p.Ranks != nil && p.Joint.Err() == nil {
		return p.Ranks.Err()
	}
	return p.Joint.Err()
}
