package order

import (
	"fmt"
	"math/big"
	"slices"

	"twindrift/sim/tally"
)

// Displacement measures, streaming, how far the elements of a sequence stand from
// their places by y: the place of an element is the number of elements with a
// smaller y, or with an equal y and an earlier position. So equal y are in order
// and add no displacement. It is the form of Presortedness for sequences of any
// length, and gives the two densities of RFC 5236 as well.
//
// The zero value is ready. A Displacement belongs to one goroutine at a time. It
// keeps 8 to 16 bytes for every element whose y is not yet below the promised floor, in
// stretches of 1024 ms; without floors, for all elements.
type Displacement struct {
	floor  promise
	places places
}

// millisShift makes stretches of 1024 ms, which are sorted in one go.
const millisShift = 10

// Add takes the next element of the sequence and its y in milliseconds.
func (d *Displacement) Add(yMs int64) {
	d.floor.check(yMs)
	d.places.add(yMs, millisShift)
}

// AddEach is Add for one element after the other.
func (d *Displacement) AddEach(ysMs []int64) {
	for _, y := range ysMs {
		d.floor.check(y)
	}
	d.places.addEach(ysMs, millisShift)
}

// Floor promises that no later element has a y below floorMs, which settles the
// places of elements below it and lets their memory be used again. A lower floor
// than before changes nothing.
func (d *Displacement) Floor(floorMs int64) {
	d.floor.raise(floorMs)
	d.places.settle(d.floor.floorMs, millisShift)
}

// Result gives the displacements of the elements so far, as if none followed. More
// may follow: it changes nothing.
func (d *Displacement) Result() *DisplacementResult { return d.places.result(millisShift) }

// Err is the first reason for which the result is not to be trusted, or nil.
func (d *Displacement) Err() error { return d.places.err(&d.floor) }

// Displacements measures a whole sequence, in O(n log n).
func Displacements(ys []int64) *DisplacementResult {
	var d Displacement
	for _, place := range sortedPlaces(ys) { // in the same order, and dense
		d.Add(int64(place))
	}
	return d.Result()
}

// DisplacementResult is what a Displacement or a RankDisplacement has counted, one
// value for every element.
type DisplacementResult struct {
	N int64 // elements
	// Signed holds position less place: below 0 for elements that stand too early,
	// above 0 for those that stand too late. Divided by N it is the reorder density
	// of RFC 5236, with the places as sequence numbers and no threshold.
	Signed tally.Counts
	// Occupancy holds, for each position, how many elements up to it must wait for
	// one that stands further on. Divided by N it is the reorder buffer-occupancy
	// density of RFC 5236, with the places as sequence numbers and no threshold.
	Occupancy tally.Counts
}

// Absolute gives the displacements |position - place|.
func (r *DisplacementResult) Absolute() *tally.Counts { return r.Signed.Absolute() }

// Footrule is Spearman's footrule, the exact sum of the displacements.
func (r *DisplacementResult) Footrule() *big.Int { return r.Absolute().Sum() }

// Density is the reorder density of RFC 5236 with a displacement threshold: an
// element that stands further than dt from its place is not counted in it, but as
// discarded. Unlike ReorderDensity it leaves the other elements where they are.
func (r *DisplacementResult) Density(dt int64) *Density { return within(&r.Signed, dt) }

// BufferDensity is the reorder buffer-occupancy density of RFC 5236; positions at
// which more than bt elements would have to wait are counted as discarded.
func (r *DisplacementResult) BufferDensity(bt int64) *Density { return within(&r.Occupancy, bt) }

func within(values *tally.Counts, threshold int64) *Density {
	d := new(Density)
	if threshold >= 0 && threshold < 1<<12 { // less than to go over all values
		for v := -threshold; v <= threshold; v++ {
			d.Counts.AddN(v, values.Count(v))
		}
		d.Discarded = values.N() - d.Counts.N()
		return d
	}
	for v, n := range values.All() {
		if max(v, -v) > threshold {
			d.Discarded += n
			continue
		}
		d.Counts.AddN(v, n)
	}
	return d
}

// Merge adds the counts of another sequence, measured by itself: another site's, or
// another replication's. Merging in any order gives the same counts.
func (r *DisplacementResult) Merge(other *DisplacementResult) {
	r.N += other.N
	r.Signed.Merge(&other.Signed)
	r.Occupancy.Merge(&other.Occupancy)
}

// places settles the places of a sequence's elements in ascending order.
type places struct {
	n       int64
	waiting waiting
	settled settled
}

// settled counts the elements whose places are known.
type settled struct {
	n         int64 // elements, hence the place of the next one
	reach     int64 // positions up to the last that one of them stands at
	signed    tally.Counts
	occupancy tally.Counts
	batch     []int64 // scratch
}

func (p *places) add(y int64, shift uint) {
	p.waiting.add(y, uint32(p.n), shift)
	p.n++
}

func (p *places) addEach(ys []int64, shift uint) {
	p.waiting.addEach(ys, uint32(p.n), shift)
	p.n += int64(len(ys))
}

func (p *places) settle(floor int64, shift uint) {
	for sorted := range p.waiting.below(floor, shift) {
		p.settled.take(sorted)
	}
}

// take settles the next elements in order of y.
//
// What is not settled yet and stands before an element that is being settled has a
// greater y. So the settled element that stands at a new farthest position is the
// one that all positions from the last such one are waiting for: at position i, i+1
// elements have come, and only as many as its place could go on.
func (s *settled) take(sorted []uint64) {
	s.batch = slices.Grow(s.batch[:0], len(sorted))[:len(sorted)]
	for k, e := range sorted {
		at := int64(uint32(e))
		s.batch[k] = at - s.n
		if at >= s.reach {
			for i := max(s.reach, 1); i <= at; i++ {
				s.occupancy.Add(i - s.n)
			}
			s.reach = at + 1
		}
		s.n++
	}
	s.signed.AddEach(s.batch)
}

// result settles what is waiting in a copy.
func (p *places) result(shift uint) *DisplacementResult {
	all := settled{n: p.settled.n, reach: p.settled.reach}
	all.signed.Merge(&p.settled.signed)
	all.occupancy.Merge(&p.settled.occupancy)
	for sorted := range p.waiting.all(shift) {
		all.take(sorted)
	}
	if p.n > 0 {
		all.occupancy.Add(0) // at the last position nothing waits
	}
	return &DisplacementResult{N: p.n, Signed: all.signed, Occupancy: all.occupancy}
}

func (p *places) err(floor *promise) error {
	if floor.err == nil && p.n > maxElements {
		return fmt.Errorf("%w: %d", ErrTooMany, p.n)
	}
	return floor.err
}
