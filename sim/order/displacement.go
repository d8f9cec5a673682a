package order

import (
	"math/big"

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
// stretches of 1024 ms, and 104 KiB beside; without floors, for all elements.
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
	lowest := d.floor.lowest()
	for _, y := range ysMs {
		if y < lowest {
			d.floor.check(y)
		}
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

// Result gives the displacements of the elements so far, as if none followed. More may
// follow. Once a floor lies above all of them the counts stay the measure's own: read them
// before the next Add.
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
