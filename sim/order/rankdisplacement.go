package order

import (
	"fmt"
	"math"
)

// RankDisplacement measures, streaming, how far apart two lists of the same
// messages are: an element stands at some position in list A, in order of its id
// there, and at some place in list B, in order of its id there; its displacement is
// the difference of the two. Elements come in the order of list A. Equal ids are in
// no order, so they are taken in the order that displaces least: of elements with
// one id at A those with the smaller id at B come first, and of elements with one id
// at B those that come first at A.
//
// The zero value is ready. A RankDisplacement belongs to one goroutine at a time.
// It keeps 8 to 16 bytes for every element whose id at B is not yet below the promised
// floor, in stretches of 2^StretchBits ids, 8 for those of one stretch, and 1 MiB beside at
// most; without floors, for all elements.
type RankDisplacement struct {
	// StretchBits says of how many ids those are that are put in order in one go: best
	// those of a second or so. 0 is 24, 1.7 seconds of second-slot ids; at most 32.
	StretchBits uint

	floor        promise // of ids at B
	broken       error
	lastA, lastB int64
	places       places
}

func (r *RankDisplacement) shift() uint {
	if r.StretchBits == 0 {
		return 24
	}
	return r.StretchBits
}

// Add takes the next element: its ids at A and at B. Elements must come in
// ascending order of idA, those of one idA in ascending order of idB.
func (r *RankDisplacement) Add(idA, idB int64) {
	if r.floor.given && idB < r.floor.floorMs {
		r.fail(fmt.Errorf("%w: id %d at B after a floor of %d", ErrBelowFloor, idB, r.floor.floorMs))
	}
	if idA <= r.lastA && r.places.n > 0 && (idA < r.lastA || idB < r.lastB) {
		r.fail(fmt.Errorf("%w: ids %d at A and %d at B after %d and %d", ErrNotAscending, idA, idB, r.lastA, r.lastB))
	}
	r.lastA, r.lastB = idA, idB
	r.places.add(idB, r.shift())
}

// AddEach is Add for one element after the other, idsA[i] and idsB[i] each.
func (r *RankDisplacement) AddEach(idsA, idsB []int64) {
	if !r.keepsRules(idsA, idsB) {
		for i, id := range idsA {
			r.Add(id, idsB[i])
		}
		return
	}
	if n := len(idsA); n > 0 {
		r.lastA, r.lastB = idsA[n-1], idsB[n-1]
		r.places.addEach(idsB, r.shift())
	}
}

// keepsRules says whether elements may come next.
func (r *RankDisplacement) keepsRules(idsA, idsB []int64) bool {
	lastA, lastB := r.lastA, r.lastB
	if r.places.n == 0 {
		lastA, lastB = math.MinInt64, math.MinInt64
	}
	lowest := r.floor.lowest()
	for i, a := range idsA {
		b := idsB[i]
		if b < lowest || a <= lastA && (a < lastA || b < lastB) {
			return false
		}
		lastA, lastB = a, b
	}
	return true
}

// Floor promises that no later element has an id at B below floor, which settles
// the places of elements below it and lets their memory be used again. A lower floor
// than before changes nothing.
func (r *RankDisplacement) Floor(floor int64) {
	r.floor.raise(floor)
	r.places.settle(r.floor.floorMs, r.shift())
}

// Result gives the displacements of the elements so far, as if none followed:
// position in list A less place in list B. More may follow. Once a floor lies above all
// of them the counts stay the measure's own: read them before the next Add.
func (r *RankDisplacement) Result() *DisplacementResult { return r.places.result(r.shift()) }

// Err is the first reason for which the result is not to be trusted, or nil.
func (r *RankDisplacement) Err() error {
	if r.broken != nil {
		return r.broken
	}
	return r.places.err(&r.floor)
}

// fail notes the first error.
func (r *RankDisplacement) fail(err error) {
	if r.broken == nil {
		r.broken = err
	}
}
