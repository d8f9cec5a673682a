package measure

import (
	"slices"
	"sync"
	"sync/atomic"

	"twindrift/generator"
	"twindrift/sim/site"
)

// entries are messages of one owner second of a list, as columns. They come in
// runs, a few for each consumer; once sorted, ids and eventMs are in the order of
// the list, and the runs in order tell where the rest of each entry stands; or there
// are no runs, and all columns are in the order of the list.
type entries struct {
	ids, eventMs  []int64
	nowMs, offset []int64
	partition     []int32
	kind          []generator.Kind
	gone          []bool // those that a later delivery has taken out of the list; all from its end on are in it
	runs          []run
	consumer      []int16 // where there are no runs
	life          []uint8

	users atomic.Int32 // of a closed second
}

// run is entries of one process, from..to as they came.
type run struct {
	at       int // place of the first of them once sorted
	from, to int
	consumer int16
	life     uint8
}

// stock holds memory of entries that are done with: of few, and of many.
var stock [2]sync.Pool

// stockMany is from how many entries on memory is held apart, so that seconds of many do not
// get that of few and have to grow it.
const stockMany = 1 << 14

func stockOf(n int) *sync.Pool {
	if n < stockMany {
		return &stock[0]
	}
	return &stock[1]
}

// newEntries is empty, with room for n.
func newEntries(n int) *entries {
	e, _ := stockOf(n).Get().(*entries)
	if e == nil {
		e = new(entries)
	}
	e.reserve(n)
	return e
}

// putBack puts the memory into stock, unless there is far more of it than was needed: a
// second of a quiet hour is not to take what one of a busy hour did.
func (e *entries) putBack() {
	const few = 256
	if cap(e.ids) <= 3*len(e.ids)+few {
		e.clear()
		stockOf(cap(e.ids)).Put(e)
	}
}

func (e *entries) len() int { return len(e.ids) }

// bytes is how much memory the columns take.
func (e *entries) bytes() int64 {
	if e == nil {
		return 0
	}
	return int64(cap(e.ids))*entryBytes + int64(cap(e.gone)+cap(e.runs)*runBytes+cap(e.life)*ownBytes)
}

const (
	entryBytes = 4*8 + 4 + 1
	runBytes   = 32
	ownBytes   = 2 + 1
)

func (e *entries) clear() {
	e.ids, e.eventMs, e.nowMs, e.offset = e.ids[:0], e.eventMs[:0], e.nowMs[:0], e.offset[:0]
	e.partition, e.kind, e.gone, e.runs = e.partition[:0], e.kind[:0], e.gone[:0], e.runs[:0]
	e.consumer, e.life = e.consumer[:0], e.life[:0]
}

// add takes in the rows from..to of a consumer's draws.
func (e *entries) add(consumer int, life uint8, d *site.Draws, g *Drawn, from, to int) {
	e.extend(e.len(), int16(consumer), life, to-from)
	e.grow(to - from)
	if to-from > fewRows {
		e.ids = append(e.ids, g.ID[from:to]...)
		e.eventMs = append(e.eventMs, d.EventMs[from:to]...)
		e.nowMs = append(e.nowMs, d.NowMs[from:to]...)
		e.offset = append(e.offset, d.Offset[from:to]...)
		e.partition = append(e.partition, d.Partition[from:to]...)
		e.kind = append(e.kind, g.Kind[from:to]...)
		return
	}
	for i := from; i < to; i++ {
		e.ids, e.eventMs = append(e.ids, g.ID[i]), append(e.eventMs, d.EventMs[i])
		e.nowMs, e.offset = append(e.nowMs, d.NowMs[i]), append(e.offset, d.Offset[i])
		e.partition, e.kind = append(e.partition, d.Partition[i]), append(e.kind, g.Kind[i])
	}
}

// fewRows are not worth copying in one go.
const fewRows = 4

// grow makes room for n more entries, in columns of some length for as many as there are:
// they grow by too little at a time if left to themselves.
func (e *entries) grow(n int) {
	const long = 1 << 8
	if have := e.len(); have < long || cap(e.ids)-have >= n {
		return
	}
	e.reserve(max(n, e.len()))
}

// reserve makes room for n more entries.
func (e *entries) reserve(n int) {
	e.ids, e.eventMs = slices.Grow(e.ids, n), slices.Grow(e.eventMs, n)
	e.nowMs, e.offset = slices.Grow(e.nowMs, n), slices.Grow(e.offset, n)
	e.partition, e.kind = slices.Grow(e.partition, n), slices.Grow(e.kind, n)
}

// appendFrom takes in the entries at the places from..to of others, in that order.
func (e *entries) appendFrom(of *entries, from, to int) {
	at := e.len()
	e.grow(to - from)
	e.ids, e.eventMs = append(e.ids, of.ids[from:to]...), append(e.eventMs, of.eventMs[from:to]...)
	for w := of.walk(from); from < to; {
		i, consumer, life := w.seek(from)
		n := 1
		if len(of.runs) > 0 {
			n = min(of.runs[w.run].to-i, to-from)
		}
		e.extend(at, consumer, life, n)
		e.nowMs, e.offset = append(e.nowMs, of.nowMs[i:i+n]...), append(e.offset, of.offset[i:i+n]...)
		e.partition, e.kind = append(e.partition, of.partition[i:i+n]...), append(e.kind, of.kind[i:i+n]...)
		for k := i; k < min(i+n, len(of.gone)); k++ {
			if of.gone[k] {
				e.takeOut(at + k - i)
			}
		}
		from, at = from+n, at+n
	}
}

// takeOut marks entry i, as they came, as gone.
func (e *entries) takeOut(i int) {
	for len(e.gone) <= i {
		e.gone = append(e.gone, false)
	}
	e.gone[i] = true
}

// extend makes the last run n longer, or begins one with n entries there.
func (e *entries) extend(from int, consumer int16, life uint8, n int) {
	if last := len(e.runs) - 1; last >= 0 && e.runs[last].consumer == consumer && e.runs[last].life == life {
		e.runs[last].to += n
		return
	}
	e.runs = append(e.runs, run{at: from, from: from, to: from + n, consumer: consumer, life: life})
}

// walk goes over entries from the first to the last, or skips some.
type walk struct {
	*entries
	run int
}

// walk begins at a place.
func (e *entries) walk(place int) walk {
	if len(e.runs) == 0 {
		return walk{entries: e}
	}
	run, found := slices.BinarySearchFunc(e.runs, place, func(r run, place int) int { return r.at - place })
	if !found {
		run--
	}
	return walk{e, max(run, 0)}
}

// seek gives where in the columns that have not been sorted the entry at a place is, and
// its process; places must not fall.
func (w *walk) seek(place int) (i int, consumer int16, life uint8) {
	if len(w.runs) == 0 {
		return place, w.consumer[place], w.life[place]
	}
	r := &w.runs[w.run]
	for place >= r.at+r.to-r.from {
		w.run++
		r = &w.runs[w.run]
	}
	return r.from + place - r.at, r.consumer, r.life
}

// entry is the one at a place.
func (w *walk) entry(place int) Entry {
	i, consumer, life := w.seek(place)
	one := Entry{
		ID: w.ids[place], EventMs: w.eventMs[place], NowMs: w.nowMs[i], Offset: w.offset[i],
		Partition: w.partition[i], Consumer: consumer, Kind: w.kind[i], Life: life,
	}
	if i < len(w.gone) && w.gone[i] {
		one.Life |= gone
	}
	return one
}

// isGone says whether the entry at a place is out of the list.
func (w *walk) isGone(place int) bool {
	if len(w.gone) == 0 {
		return false
	}
	i, _, _ := w.seek(place)
	return i < len(w.gone) && w.gone[i]
}

// appendTo appends the entries at the places from..to.
func (w *walk) appendTo(list []Entry, from, to int) []Entry {
	for ; from < to; from++ {
		list = append(list, w.entry(from))
	}
	return list
}

// sorter puts entries in order.
type sorter struct {
	ids, eventMs []int64
	runs, other  []run
	ends         []int
	scatterer    scatterer
}

// Entries are worth scattering that are so many, in so many runs that overlap, or in
// runs that are so short.
const (
	scatterEntries = 512
	scatterRuns    = 16
	scatterLength  = 16
)

// sort puts entries that stand as they came in the order of the list. Most runs
// ascend, and only have to be put one behind the other; others are cut up and
// merged, and those of which there are too many scattered.
func (s *sorter) sort(e *entries) {
	many := e.len() >= scatterEntries
	most := e.len()
	if many {
		most /= scatterLength
	}
	if !s.ascending(e, most) {
		s.scatterer.scatter(e)
		return
	}
	slices.SortFunc(s.runs, func(a, b run) int {
		return compareBool(e.before(b.from, &b, a.from, &a), e.before(a.from, &a, b.from, &b))
	})
	for k := 1; k < len(s.runs); k++ {
		if a, b := &s.runs[k-1], &s.runs[k]; e.before(b.from, b, a.to-1, a) {
			if many && len(s.runs) > scatterRuns {
				s.scatterer.scatter(e)
				return
			}
			s.merge(e)
			break
		}
	}
	at, asTheyCame := 0, true
	for k := range s.runs {
		r := &s.runs[k]
		asTheyCame = asTheyCame && r.from == at
		r.at = at
		at += r.to - r.from
	}
	e.runs = append(e.runs[:0], s.runs...)
	if asTheyCame {
		return
	}
	s.ids, s.eventMs = slices.Grow(s.ids[:0], e.len()), slices.Grow(s.eventMs[:0], e.len())
	for _, r := range s.runs {
		s.ids = append(s.ids, e.ids[r.from:r.to]...)
		s.eventMs = append(s.eventMs, e.eventMs[r.from:r.to]...)
	}
	e.ids, s.ids = s.ids, e.ids
	e.eventMs, s.eventMs = s.eventMs, e.eventMs
}

// ascending fills s.runs with the runs, cut where they do not ascend; false where that
// makes more than most.
func (s *sorter) ascending(e *entries, most int) bool {
	s.runs = s.runs[:0]
	for _, r := range e.runs {
		for i := r.from + 1; i < r.to; i++ {
			if e.ids[i] > e.ids[i-1] || e.ids[i] == e.ids[i-1] && e.follows(i, &r) {
				continue
			}
			head := r
			head.to, r.from = i, i
			if s.runs = append(s.runs, head); len(s.runs) > most {
				return false
			}
		}
		s.runs = append(s.runs, r)
	}
	return len(s.runs) <= most
}

// follows says whether entry i of a run does not go before the one before it, which has
// its id.
func (e *entries) follows(i int, r *run) bool {
	if e.partition[i] != e.partition[i-1] {
		return e.partition[i] > e.partition[i-1]
	}
	return e.offset[i] > e.offset[i-1] || !e.before(i, r, i-1, r)
}

// before says whether entry i of run a goes before entry j of run b, which stand
// as they came.
func (e *entries) before(i int, a *run, j int, b *run) bool {
	if e.ids[i] != e.ids[j] {
		return e.ids[i] < e.ids[j]
	}
	one := Entry{NowMs: e.nowMs[i], Offset: e.offset[i], Partition: e.partition[i], Consumer: a.consumer, Life: a.life}
	other := Entry{NowMs: e.nowMs[j], Offset: e.offset[j], Partition: e.partition[j], Consumer: b.consumer, Life: b.life}
	return one.before(&other)
}

// merge merges s.runs, two and two, into as many shorter ones as it takes for them
// to follow each other.
func (s *sorter) merge(e *entries) {
	s.ends = s.ends[:0]
	for k := range s.runs {
		s.ends = append(s.ends, k+1)
	}
	for len(s.ends) > 1 {
		s.other = s.other[:0]
		merged, start := s.ends[:0], 0
		for k := 0; k < len(s.ends); k += 2 {
			middle := s.ends[k]
			end := middle
			if k+1 < len(s.ends) {
				end = s.ends[k+1]
			}
			s.other = e.mergeRuns(s.other, s.runs[start:middle], s.runs[middle:end])
			merged, start = append(merged, len(s.other)), end
		}
		s.ends = merged
		s.runs, s.other = s.other, s.runs
	}
}

// mergeRuns appends two lists of runs that follow each other, merged to one.
func (e *entries) mergeRuns(to, a, b []run) []run {
	first := len(to)
	take := func(r *run) {
		if last := len(to) - 1; last >= first && to[last].to == r.from && to[last].consumer == r.consumer && to[last].life == r.life {
			to[last].to++
		} else {
			to = append(to, run{from: r.from, to: r.from + 1, consumer: r.consumer, life: r.life})
		}
		r.from++
	}
	for len(a) > 0 && len(b) > 0 {
		if ra, rb := &a[0], &b[0]; e.before(rb.from, rb, ra.from, ra) {
			if take(rb); rb.from == rb.to {
				b = b[1:]
			}
		} else if take(ra); ra.from == ra.to {
			a = a[1:]
		}
	}
	return append(append(to, a...), b...)
}
