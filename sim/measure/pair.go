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
	Ranks      *order.RankDisplacement // places in the list at A against places in that at B; nil without CompareRanks
	Views      Views                   // what users see, minute by minute
	First      []Joined                // the first messages with different seconds, by event time

	layout  generator.Layout
	again   bool
	windows []window
	visited []visited // by partition
	opens   map[int64]*openPairs
	last    *openPairs
	near    [nearOpens]*openPairs // some of them, by second
	spare   []*openPairs
	joined  joined
	byID    pairSorter

	pace           int // messages to measure in one go, at most; 0 for no limit
	chunk          int // messages of a chunk
	bits           int // see window
	spareStretches []*stretch

	spill    *spill.Owner    // of open seconds
	windowed *spill.Owner    // of windows
	words    []int64         // scratch
	shedding []pairsInMemory // scratch
	pieceX   []int64         // scratch
	pieceY   []int64         // scratch
}

// Joined is one message as both sites have it.
type Joined struct {
	Partition       int32
	Offset, EventMs int64
	IDA, IDB        int64
}

// joined is what the ids say that both sites have drawn for some messages.
type joined struct{ ownerA, ownerB []int64 }

// NewPair compares two sites over so many partitions; again says that messages
// may come again at either.
func NewPair(layout generator.Layout, partitions int, again bool) *Pair {
	return &Pair{layout: layout, again: again, bits: windowBits, chunk: chunkMost, windows: make([]window, partitions), visited: make([]visited, partitions), opens: map[int64]*openPairs{}}
}

// CompareRanks has Ranks measured. It is to be called before anything else.
func (p *Pair) CompareRanks() {
	p.Ranks = &order.RankDisplacement{StretchBits: secondBits(p.layout)}
}

// secondBits is how many of the low bits of ids tell apart those of about a second; 24 to
// 32.
func secondBits(l generator.Layout) (bits uint) {
	for bits = 24; bits < 32 && l.OwnerMs(2<<bits)-l.OwnerMs(0) < 2000; bits++ {
	}
	return bits
}

// Extend takes in the messages of an epoch.
func (p *Pair) Extend(rows []site.Rows) {
	for i := range rows {
		if w := &p.windows[i]; rows[i].Len() > 0 {
			if n := len(w.stretches); n > 0 {
				p.visit(int32(i), w.first+int64(n-1)<<p.bits) // may have been written
			}
			w.extend(&rows[i], p.bits, p.again, &p.spareStretches)
		}
	}
}

// AddA takes in what a consumer of A drew.
func (p *Pair) AddA(d *site.Draws, g *Drawn) { p.add(d, g, 0) }

// AddB takes in what a consumer of B drew.
func (p *Pair) AddB(d *site.Draws, g *Drawn) { p.add(d, g, 1) }

// add takes in what a consumer of a side drew.
func (p *Pair) add(d *site.Draws, g *Drawn, side int) {
	clear(p.visited) // stretches may have moved
	parts, states, ids := d.Partition, g.State, g.ID
	for i, ordinal := range d.Ordinal {
		v := &p.visited[parts[i]]
		row := ordinal - v.first
		if uint64(row) >= uint64(len(v.ids)) {
			v.first = p.visit(parts[i], ordinal)
			v.ids = *v.stretch.drawnAt(side)
			row = ordinal - v.first
		}
		if p.again && !supersedes(v.ids, *v.stretch.drawnWhen(side), row, states[i], d.DrawNs[i]) {
			continue
		}
		v.ids[row] = idOr(states[i], ids[i])
	}
}

// visited is the stretch of a window that was looked at last, its first message, and what
// it has of one side.
type visited struct {
	*stretch
	first int64
	ids   []int64
}

// visit looks at the stretch of a message and gives its first.
func (p *Pair) visit(partition int32, ordinal int64) (first int64) {
	w := &p.windows[partition]
	n := (ordinal - w.first) >> p.bits
	s := w.stretches[n]
	if s.onDisk() {
		p.recallStretch(s)
	}
	s.stale = true
	p.visited[partition].stretch = s
	return w.first + n<<p.bits
}

// supersedes says whether a delivery of message i, drawn at a time, takes the place of
// the one before, and notes when it was. The last counts; but one that was refused, or
// that the store knew, leaves an entry as it is.
func supersedes(ids, drawn []int64, i int64, state site.State, at int64) bool {
	if ids[i] > absent && (state == site.Refused || state == site.Deduplicated || drawn[i] > at) {
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
	for from < until {
		n := bothAt(s, from, until)
		a, b := s.a[from:from+n], s.b[from:from+n]
		j.ownerA, j.ownerB = resized(j.ownerA, n), resized(j.ownerB, n)
		p.layout.Digits(a, j.ownerA, nil)
		p.layout.Digits(b, j.ownerB, nil)
		p.Both += int64(n)
		for k := 0; k < n; {
			if together := p.inOneSecond(a[k:], b[k:], j.ownerA[k:n], j.ownerB[k:n]); together > 0 {
				k += together
				continue
			}
			p.apart(a[k], b[k], j.ownerA[k], j.ownerB[k])
			p.show(Joined{partition, s.offset[from+k], s.eventMs[from+k], a[k], b[k]})
			k++
		}
		for from += n; from < until && (s.a[from] <= absent || s.b[from] <= absent); from++ {
			switch a, b := s.a[from], s.b[from]; {
			case a <= absent && b <= absent:
				p.Neither++
			case b <= absent:
				p.OnlyA++
			default:
				p.OnlyB++
			}
		}
	}
}

// bothAt is how many messages from a row on both sites have stored.
func bothAt(s *stretch, from, until int) (n int) {
	a, b := s.a[from:until], s.b[from:until]
	for n < len(a) && min(a[n], b[n]) > absent {
		n++
	}
	return n
}

// inOneSecond compares the ids of the first messages, as far as both owner times lie in
// one second, and says how many those are.
func (p *Pair) inOneSecond(a, b, ownerA, ownerB []int64) (n int) {
	o := p.secondAt(ownerA[0])
	startMs := o.second * 1000
	minY, minB, same := o.minY, o.minB, 0
	for n < len(a) && uint64(ownerA[n]-startMs) < 1000 && uint64(ownerB[n]-startMs) < 1000 {
		minY, minB = min(minY, ownerB[n]), min(minB, b[n])
		if a[n] == b[n] {
			same++
		}
		n++
	}
	if n == 0 {
		return 0
	}
	o.minY, o.minB = minY, minB
	p.SameID += int64(same)
	p.SameSecond += int64(n - same)
	p.Difference.AddN(0, int64(n))
	o.x, o.y = append(o.x, a[:n]...), append(o.y, b[:n]...)
	if len(o.x) >= p.chunk {
		p.turn(o)
	}
	return n
}

// apart compares the ids of a message whose owner seconds differ.
func (p *Pair) apart(a, b, ownerA, ownerB int64) {
	o := p.secondAt(ownerA)
	p.OtherSec++
	p.Difference.Add(secondOf(ownerB) - o.second)
	o.minY, o.minB = min(o.minY, ownerB), min(o.minB, b)
	o.x, o.y = append(o.x, a), append(o.y, b)
	if len(o.x) >= p.chunk {
		p.turn(o)
	}
}

// secondAt is the open second at A that an owner time lies in.
func (p *Pair) secondAt(ownerMs int64) *openPairs {
	if o := p.last; o != nil && uint64(ownerMs-o.second*1000) < 1000 {
		return o
	}
	return p.open(secondOf(ownerMs))
}

// show keeps a message if it is one of the first by event time, partition and
// offset.
func (p *Pair) show(m Joined) {
	n := len(p.First)
	if n == witnesses && (m.EventMs > p.First[n-1].EventMs || m.compare(p.First[n-1]) >= 0) {
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
	near := &p.near[uint64(second)%nearOpens]
	if o := *near; o != nil && o.second == second {
		p.last = o
		return o
	}
	o := p.opens[second]
	if o == nil {
		if n := len(p.spare); n > 0 {
			o, p.spare = p.spare[n-1], p.spare[:n-1]
		} else {
			o = &openPairs{minY: math.MaxInt64, minB: math.MaxInt64}
		}
		o.second = second
		p.opens[second] = o
	}
	p.last, *near = o, o
	return o
}

// close measures the owner seconds at A below which no later message falls, or as
// many as it may in one go.
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
	if futureA != math.MaxInt64 {
		for _, o := range p.leave(&ready) {
			p.opens[o.second] = o
			low, futureB = min(low, o.minY), min(futureB, o.minB)
		}
	}
	for _, o := range ready {
		p.measure(o)
		o.clear()
		if len(p.spare) < spareMost {
			p.spare = append(p.spare, o)
		}
	}
	p.last, p.near = nil, [nearOpens]*openPairs{}
	p.shed()
	if low != math.MaxInt64 {
		p.Joint.Floor(low)
	}
	if p.Ranks != nil { // all that there are, where no id follows
		p.Ranks.Floor(futureB)
	}
}

// Pace has Join go over about so many messages at most, as List.Pace does, but for
// those that are left in the end.
func (p *Pair) Pace(messages int) { p.pace, p.chunk = messages, messages }

// leave takes out of seconds those that are too many for one go; at least one stays.
func (p *Pair) leave(ready *[]*openPairs) (left []*openPairs) {
	n := 0
	for i, o := range *ready {
		n += o.len()
		if p.pace > 0 && i > 0 && n > p.pace {
			*ready, left = (*ready)[:i], (*ready)[i:]
			return left
		}
	}
	return nil
}

// addPart measures messages of one owner second at A, which have these ids: all of it, or
// those of some ids, higher than before; last says that no others follow.
func (p *Pair) addPart(second int64, a, b []int64, last bool) {
	if p.Ranks != nil {
		p.byID.sort(a, b)
		p.Ranks.AddEach(a, b)
		for ; len(a) > someJoined; a, b = a[someJoined:], b[someJoined:] {
			p.join(second, a[:someJoined], b[:someJoined], false)
		}
	}
	p.join(second, a, b, last)
}

// someJoined is how many messages in order are joined in one go.
const someJoined = 1 << 14

// join has the owner times joined of some messages of a part.
func (p *Pair) join(second int64, a, b []int64, last bool) {
	j, n := &p.joined, len(a)
	j.ownerA, j.ownerB = resized(j.ownerA, n), resized(j.ownerB, n)
	p.layout.Digits(a, j.ownerA, nil)
	p.layout.Digits(b, j.ownerB, nil)
	p.Joint.AddPart(second, j.ownerA, j.ownerB, last)
}

// Err is the first reason for which the measures of order are not to be
// trusted, or nil.
func (p *Pair) Err() error {
	if p.Ranks != nil && p.Joint.Err() == nil {
		return p.Ranks.Err()
	}
	return p.Joint.Err()
}
