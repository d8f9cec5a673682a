package order

import (
	"fmt"
	"math"

	"twindrift/sim/tally"
)

// Reordering measures reordering as RFC 4737 defines it, streaming: elements come
// in ascending order of x (the RFC's arrival), y takes the place of the RFC's
// sequence number. An element is reordered when its y lies below the running
// maximum of y. Its extent is i - j, in positions, where j is the earliest element
// with a greater y; its late time is x_i - x_j, the RFC's difference of arrival
// times. Equal y are in order.
//
// It also tells how far each reordered element is n-reordered (section 5), and the
// free runs between reordered ones (section 4.6).
//
// The zero value is ready. A Reordering belongs to one goroutine at a time. It
// keeps 24 bytes for every element that raised the running maximum, and 16 bytes for
// every different y that no later element has undercut, as far as they lie above the
// promised floor, and 22 KiB beside, 142 with AddBlock.
type Reordering struct {
	floor   promise
	err     error
	n       int64
	lastX   int64
	maxMs   int64
	records []record // where the running maximum rose; those before head are done with
	head    int
	dropped uint32         // records taken out of the slice so far
	above   *[reach]uint32 // by y modulo reach: the number of the first record above y
	lows    lows
	inOrder int64 // elements since the last reordered one
	result  ReorderingResult
	found   *found      // scratch
	near    *nearCounts // of blocks
}

// reach is how far below the running maximum, in ms, the record of an element is
// looked up instead of searched for.
const reach = 1 << 12

// record is an element that raised the running maximum.
type record struct{ at, xMs, yMs int64 }

// ReorderingResult is what a Reordering has counted. The tallies hold one value
// for every reordered element; differences past the largest int64 are cut there.
type ReorderingResult struct {
	N         int64        // elements
	Reordered int64        // elements with y below the running maximum
	Extents   tally.Counts // positions, at least 1
	LateMs    tally.Counts // late times, ms of x
	MaxBehind int64        // the largest running maximum - y, ms of y; 0 when none is reordered
	Degrees   tally.Counts // the largest n for which it is n-reordered, 0 when for none
	Runs      FreeRuns     // between the reordered elements
}

// Ratio is the RFC's reordered ratio, Reordered / N; false when there is nothing.
func (r *ReorderingResult) Ratio() (float64, bool) {
	if r.N == 0 {
		return 0, false
	}
	return float64(r.Reordered) / float64(r.N), true
}

// NReordered is how many elements are n-reordered, for n of at least 1: all n
// elements just before them have a greater y (RFC 4737, section 5). The RFC's degree
// of n-reordering by its Definition 2 is NReordered(n) / N.
func (r *ReorderingResult) NReordered(n int64) int64 {
	return r.Degrees.N() - r.Degrees.Cumulative(n-1)
}

// Merge adds the counts of another sequence, measured by itself: another site's, or
// another replication's. Merging in any order gives the same counts.
func (r *ReorderingResult) Merge(other *ReorderingResult) {
	r.N += other.N
	r.Reordered += other.Reordered
	r.Extents.Merge(&other.Extents)
	r.LateMs.Merge(&other.LateMs)
	r.MaxBehind = max(r.MaxBehind, other.MaxBehind)
	r.Degrees.Merge(&other.Degrees)
	r.Runs.Merge(other.Runs)
}

// Add takes the next element; x must not be below the x before it. It tells
// whether the element is reordered and, if so, its extent.
func (r *Reordering) Add(xMs, yMs int64) (extent int64, reordered bool) {
	xs, ys := [1]int64{xMs}, [1]int64{yMs}
	if r.addSome(xs[:], ys[:]) == 0 {
		return 0, false
	}
	return r.found.extents[0], true
}

// AddEach is Add for one element after the other, xsMs[i] and ysMs[i] each.
func (r *Reordering) AddEach(xsMs, ysMs []int64) {
	for n := 0; len(ysMs) > 0; xsMs, ysMs = xsMs[n:], ysMs[n:] {
		n = min(len(ysMs), someElements)
		r.addSome(xsMs[:n], ysMs[:n])
	}
}

// InOrder tells how many elements are in order before the first that is reordered, if
// they come next.
func (r *Reordering) InOrder(ysMs []int64) (n int) {
	if len(ysMs) == 0 {
		return 0
	}
	highest := ysMs[0]
	if r.n > 0 {
		highest = r.maxMs
	}
	for _, y := range ysMs {
		if y < highest {
			break
		}
		highest = y
		n++
	}
	return n
}

// someElements is how many elements are looked at before what is found is counted.
const someElements = 256

// found is what is found of reordered elements.
type found struct{ extents, lateMs, degrees [someElements]int64 }

// addSome takes someElements at most, and tells how many are reordered.
func (r *Reordering) addSome(xsMs, ysMs []int64) (reordered int) {
	if r.found == nil {
		r.found = new(found)
	}
	f, lows := r.found, r.lows
	inOrder, behind := r.inOrder, r.result.MaxBehind
	lowest := r.floor.lowest()
	i := r.n
	for k, y := range ysMs {
		x := xsMs[k]
		if y < lowest {
			r.floor.check(y)
		}
		if x < r.lastX && i > 0 {
			r.fail(x)
		}
		r.lastX = x
		notGreater := lows.add(i, y)
		switch {
		case i == 0 || y > r.maxMs:
			r.push(record{i, x, y})
			inOrder++
		case y == r.maxMs:
			inOrder++
		default:
			first := &r.records[r.firstAbove(y)]
			f.extents[reordered] = i - first.at
			f.lateMs[reordered] = span(first.xMs, x)
			f.degrees[reordered] = i - 1 - notGreater
			behind = max(behind, span(y, r.maxMs))
			r.result.Runs.close(inOrder)
			inOrder = 0
			reordered++
		}
		i++
	}
	r.n, r.lows, r.inOrder = i, lows, inOrder
	r.result.Reordered += int64(reordered)
	r.result.MaxBehind = behind
	r.result.Extents.AddEach(f.extents[:reordered])
	r.result.LateMs.AddEach(f.lateMs[:reordered])
	r.result.Degrees.AddEach(f.degrees[:reordered])
	return reordered
}

// fail notes the first x that is below the one before it.
func (r *Reordering) fail(xMs int64) {
	if r.err == nil {
		r.err = fmt.Errorf("%w: x %d ms after %d ms", ErrNotAscending, xMs, r.lastX)
	}
}

// push appends a record, moving the live ones down when half of the slice is done with.
func (r *Reordering) push(rec record) {
	if len(r.records) == cap(r.records) && r.head > len(r.records)/2 {
		r.dropped += uint32(r.head)
		r.records = r.records[:copy(r.records, r.records[r.head:])]
		r.head = 0
	}
	number := r.dropped + uint32(len(r.records))
	r.records = append(r.records, rec)
	if r.above == nil {
		r.above = new([reach]uint32)
	}
	// It is the first above every y from the maximum before up to its own.
	n := uint64(reach)
	if number > 0 {
		n = min(n, uint64(rec.yMs)-uint64(r.maxMs))
	}
	from := (uint64(rec.yMs) - n) % reach
	to := min(from+n, reach)
	fill(r.above[from:to], number)
	fill(r.above[:from+n-to], number)
	r.maxMs = rec.yMs
}

// fill sets all numbers: most often few, and many by copying.
func fill(numbers []uint32, number uint32) {
	n := min(len(numbers), 16)
	for i := range numbers[:n] {
		numbers[i] = number
	}
	for n < len(numbers) {
		n += copy(numbers[n:], numbers[:n])
	}
}

// firstAbove is the place of the earliest record with a y above the given one, which
// lies below the running maximum: so the last record qualifies. Most disorder is short,
// and looked up. The search quadruples its steps from the end, and then halves without
// branches, which no processor could foretell. Below the floor, where nothing should
// be, it is the first record that is left.
func (r *Reordering) firstAbove(yMs int64) int {
	if uint64(r.maxMs)-uint64(yMs) <= reach {
		return max(r.head, int(int32(r.above[uint64(yMs)%reach]-r.dropped)))
	}
	live := r.records[r.head:]
	width := 4
	for width < len(live) && live[len(live)-width].yMs > yMs {
		width *= 4
	}
	from := max(0, len(live)-width) // the answer is from here on
	near := live[from:]
	lo, n := 0, len(near)
	for n > 1 {
		half := n / 2
		atMost := 0
		if near[lo+half-1].yMs <= yMs {
			atMost = 1
		}
		lo += half * atMost
		n -= half
	}
	return r.head + from + lo
}

// span is to - from for from <= to, cut at the largest int64.
func span(from, to int64) int64 {
	if d := to - from; d >= 0 || to < from {
		return d
	}
	return math.MaxInt64
}

// Floor promises that no later element has a y below floorMs, which lets records
// be dropped. A lower floor than before changes nothing.
func (r *Reordering) Floor(floorMs int64) {
	r.floor.raise(floorMs)
	for r.head < len(r.records)-1 && r.records[r.head].yMs <= r.floor.floorMs {
		r.head++
	}
	r.lows.release(r.floor.floorMs)
}

// Result gives the counts so far, which stay the measure's own: read them before
// the next Add. More elements may follow.
func (r *Reordering) Result() *ReorderingResult {
	r.flush()
	r.result.N = r.n
	r.result.Runs.Trailing = r.inOrder
	return &r.result
}

// Err is the first reason for which the result is not to be trusted, or nil.
func (r *Reordering) Err() error {
	if r.err != nil {
		return r.err
	}
	return r.floor.err
}
