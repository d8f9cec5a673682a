package order

import (
	"fmt"
	"math"
	"slices"

	"twindrift/sim/radix"
	"twindrift/sim/tally"
)

// places settles the places of a sequence's elements in ascending order.
type places struct {
	n       int64
	waiting waiting
	settled settled
}

func (p *places) add(y int64, shift uint) {
	p.begin()
	p.waiting.add(y, uint32(p.n), shift)
	p.n++
}

func (p *places) addEach(ys []int64, shift uint) {
	if len(ys) == 0 {
		return
	}
	p.begin()
	p.waiting.addEach(ys, uint32(p.n), shift)
	p.n += int64(len(ys))
}

// begin counts the last position, at which nothing will wait, ahead of the first.
func (p *places) begin() {
	if p.n == 0 {
		p.settled.occupancy.Add(0)
	}
}

func (p *places) settle(floor int64, shift uint) {
	for elements := range p.waiting.below(floor, shift) {
		p.settled.take(elements, shift)
	}
}

// result is what is settled, as it is once nothing waits; else that and what is waiting,
// in a copy.
func (p *places) result(shift uint) *DisplacementResult {
	p.settled.flush()
	if p.waiting.none() {
		return &DisplacementResult{N: p.n, Signed: p.settled.signed, Occupancy: p.settled.occupancy}
	}
	all := settled{n: p.settled.n, reach: p.settled.reach}
	all.signed.Merge(&p.settled.signed)
	all.occupancy.Merge(&p.settled.occupancy)
	for elements := range p.waiting.all(shift) {
		all.take(elements, shift)
	}
	all.flush()
	return &DisplacementResult{N: p.n, Signed: all.signed, Occupancy: all.occupancy}
}

func (p *places) err(floor *promise) error {
	if floor.err == nil && p.n > maxElements {
		return fmt.Errorf("%w: %d", ErrTooMany, p.n)
	}
	return floor.err
}

// settled counts the elements whose places are known.
type settled struct {
	n         int64 // elements, hence the place of the next one
	reach     int64 // positions up to the last that one of them stands at
	signed    tally.Counts
	occupancy tally.Counts
	near      *nearPlaces // ahead of the tallies
	sorter    radix.Keyed
	digits    []digit // scratch
}

// nearPlaces counts displacements from -nearSize/2 on, and occupancies by how many
// more there are of each than of the one below it.
type nearPlaces struct{ signed, steps near }

// digit is where the next element with some y of a bucket belongs, and the reach before it.
type digit struct{ place, reach int64 }

// take settles the next elements, those of a bucket in order of position.
//
// What is not settled yet and stands before an element that is being settled has a
// greater y. So the settled element that stands at a new farthest position is the
// one that all positions from the last such one are waiting for: at position i, i+1
// elements have come, and only as many as its place could go on.
func (s *settled) take(elements []uint64, shift uint) {
	if s.near == nil {
		s.near = new(nearPlaces)
	}
	switch {
	case slices.IsSorted(elements):
	case len(elements) > math.MaxUint32:
		slices.Sort(elements)
	case shift > digitBits || len(elements) < 1<<shift>>4:
		elements = s.sorter.Sort(elements)
	default:
		s.takeByDigit(elements, shift)
		return
	}
	for _, e := range elements {
		at := int64(uint32(e))
		s.displaced(at - s.n)
		if at >= s.reach {
			s.waited(s.reach, at, s.n)
			s.reach = at + 1
		}
		s.n++
	}
}

// digitBits are the bits of y of buckets that its values can be counted in one by one.
const digitBits = 12

// takeByDigit is take for elements that are not sorted, of few y. Their places are known
// once those of each y are counted: they need not be moved.
func (s *settled) takeByDigit(elements []uint64, shift uint) {
	s.digits = slices.Grow(s.digits[:0], 1<<shift)[:1<<shift]
	digits, mask := s.digits, uint64(1)<<shift-1
	clear(digits)
	for _, e := range elements {
		d := &digits[e>>32&mask]
		d.place++
		d.reach = int64(uint32(e)) + 1 // positions ascend
	}
	for i := range digits {
		d := &digits[i]
		n, reach := d.place, d.reach
		d.place, d.reach = s.n, s.reach
		s.n += n
		s.reach = max(s.reach, reach)
	}
	for _, e := range elements {
		d := &digits[e>>32&mask]
		at := int64(uint32(e))
		s.displaced(at - d.place)
		if at >= d.reach {
			s.waited(d.reach, at, d.place)
			d.reach = at + 1
		}
		d.place++
	}
}

// displaced counts an element that stands so far behind its place.
func (s *settled) displaced(by int64) {
	if uint64(by+nearSize/2) >= nearSize {
		s.signed.Add(by)
		return
	}
	s.near.signed[uint64(by)%nearSize]++
}

// waited counts the positions from reach to at, which waited for the element that
// belongs at place. At the first position of all nothing waits for anything before it.
func (s *settled) waited(reach, at, place int64) {
	from, to := max(reach, 1)-place, at-place
	if to >= nearSize-1 {
		for n := from; n <= to; n++ {
			s.occupancy.Add(n)
		}
	} else if from <= to {
		s.near.steps[from]++
		s.near.steps[to+1]--
	}
}

// flush takes the near counts to the tallies.
func (s *settled) flush() {
	if s.near == nil {
		return
	}
	s.near.signed.flush(&s.signed, -nearSize/2)
	sum := uint32(0)
	for n, step := range s.near.steps {
		sum += step
		s.near.steps[n] = sum
	}
	s.near.steps.flush(&s.occupancy, 0)
}
