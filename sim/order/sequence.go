package order

import (
	"cmp"
	"errors"
	"fmt"
	"math"
	"slices"
)

// Sequence measures one list that comes in stretches, in any order and from any
// number of places. How an element stands depends on elements before it and after
// it, so no two stretches can be measured apart and then added up: a stretch is
// measured as soon as all before it have been, and waits until then. So the result
// does not depend on the order in which stretches were added or Sequences merged.
//
// What may simply be added up are the results of different lists, in any order: see
// Pairs.Merge, ReorderingResult.Merge, DisplacementResult.Merge and Recall.Merge.
//
// The zero value is ready. A Sequence belongs to one goroutine at a time. It keeps
// the stretches that wait, and what the measures need.
type Sequence struct {
	discordance  Discordance
	reordering   Reordering
	displacement Displacement
	n            int64 // elements measured: those at the positions below
	lastID       int64
	waiting      []Stretch // by From, ascending
	err          error
}

// Stretch is a part of a list: the elements from position From on, in columns of one
// length. All elements with one id must be in one stretch.
type Stretch struct {
	From    int64   // the position of the first, from 0
	IDs     []int64 // ascending; elements of one id are tied
	XMs     []int64 // ascending: what late times are differences of, such as the owner times
	YMs     []int64
	FloorMs int64 // no element behind the stretch has a y below it; math.MinInt64 to promise nothing
}

// SequenceResult is what the measures say of the list.
type SequenceResult struct {
	Pairs        [Grains]Pairs
	Reordering   *ReorderingResult
	Displacement *DisplacementResult
}

// ErrStretches says that the stretches of a list overlap, or some are missing.
var ErrStretches = errors.New("stretches of a list do not fit together")

// Add takes a stretch. Its columns are kept until it has been measured.
func (s *Sequence) Add(stretch Stretch) {
	n := len(stretch.IDs)
	switch {
	case len(stretch.XMs) != n || len(stretch.YMs) != n:
		s.fail(fmt.Errorf("stretch at %d: %d ids, %d x and %d y", stretch.From, n, len(stretch.XMs), len(stretch.YMs)))
	case n > 0:
		i, _ := slices.BinarySearchFunc(s.waiting, stretch, func(a, b Stretch) int { return cmp.Compare(a.From, b.From) })
		s.waiting = slices.Insert(s.waiting, i, stretch)
		s.advance()
	}
}

// Merge adds the stretches of another Sequence of the same list, which is not to be
// used any more.
func (s *Sequence) Merge(other *Sequence) {
	switch {
	case other.n > 0 && s.n > 0:
		s.fail(fmt.Errorf("%w: both begin at position 0", ErrStretches))
	case other.n > 0: // the other one's measures have begun: go on with those
		own, err := s.waiting, s.err
		*s = *other
		for _, stretch := range own {
			s.Add(stretch)
		}
		s.fail(err)
		return
	}
	for _, stretch := range other.waiting {
		s.Add(stretch)
	}
	s.fail(other.err)
}

// advance measures the stretches whose turn it is.
func (s *Sequence) advance() {
	done := 0
	for _, stretch := range s.waiting {
		if stretch.From > s.n {
			break
		}
		if stretch.From < s.n {
			s.fail(fmt.Errorf("%w: one begins at position %d, others reach up to %d", ErrStretches, stretch.From, s.n))
			break
		}
		s.measure(&stretch)
		done++
	}
	s.waiting = slices.Delete(s.waiting, 0, done)
}

func (s *Sequence) measure(stretch *Stretch) {
	ids, ys := stretch.IDs, stretch.YMs
	if s.n > 0 && ids[0] <= s.lastID || !slices.IsSorted(ids) {
		s.fail(fmt.Errorf("%w: ids from position %d on", ErrNotAscending, stretch.From))
	}
	for start := 0; start < len(ids); {
		end := start + 1
		for end < len(ids) && ids[end] == ids[start] {
			end++
		}
		s.discordance.AddTied(ys[start:end])
		start = end
	}
	for i, y := range ys {
		s.reordering.Add(stretch.XMs[i], y)
		s.displacement.Add(y)
	}
	s.n += int64(len(ids))
	s.lastID = ids[len(ids)-1]
	if stretch.FloorMs > math.MinInt64 {
		s.discordance.Floor(stretch.FloorMs)
		s.reordering.Floor(stretch.FloorMs)
		s.displacement.Floor(stretch.FloorMs)
	}
}

// Result gives the measures of the whole list, or the first reason why there are
// none: stretches that are missing or overlap, ids out of order, broken floors.
func (s *Sequence) Result() (*SequenceResult, error) {
	err := cmp.Or(s.err, s.discordance.Err(), s.reordering.Err(), s.displacement.Err())
	if err == nil && len(s.waiting) > 0 {
		err = fmt.Errorf("%w: nothing for positions %d to %d", ErrStretches, s.n, s.waiting[0].From-1)
	}
	if err != nil {
		return nil, err
	}
	return &SequenceResult{s.discordance.Result(), s.reordering.Result(), s.displacement.Result()}, nil
}

// fail notes the first error.
func (s *Sequence) fail(err error) {
	if s.err == nil {
		s.err = err
	}
}
