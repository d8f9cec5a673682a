package measure

import (
	"cmp"
	"slices"

	"twindrift/sim/radix"
)

// pairSorter sorts pairs of ids in two columns, those of one second.
type pairSorter struct {
	counts [1 << sortBits]uint32
	order  []uint64 // keys above indexes
	other  []uint64
	a, b   []int64
	tied   radix.Numbers
}

// sortBits is the width of a digit; the ids of a second differ by less than two
// digits, or three where they are of other layouts.
const sortBits = 12

// sort sorts by a, and by b where a is equal, in place.
func (s *pairSorter) sort(a, b []int64) {
	if len(a) < 2 {
		return
	}
	low, high := slices.Min(a), slices.Max(a)
	span := uint64(high) - uint64(low)
	s.order, s.other = s.order[:0], resized(s.other, len(a))
	for i, id := range a {
		s.order = append(s.order, (uint64(id)-uint64(low))<<32|uint64(i))
	}
	switch {
	case span>>32 != 0: // no ids of one second
		for i := range s.order {
			s.order[i] = uint64(i)
		}
		slices.SortStableFunc(s.order, func(i, j uint64) int { return cmp.Compare(a[i], a[j]) })
	case len(a) < 1<<(sortBits-4):
		slices.Sort(s.order)
	default:
		for bit := 0; span>>bit != 0; bit += sortBits {
			s.byDigit(32 + bit)
		}
	}
	s.a, s.b = append(s.a[:0], a...), append(s.b[:0], b...)
	for k, o := range s.order {
		a[k], b[k] = s.a[uint32(o)], s.b[uint32(o)]
	}
	for i := 0; i < len(a); {
		j := i + 1
		for j < len(a) && a[j] == a[i] {
			j++
		}
		if j > i+1 {
			s.tied.Sort(b[i:j])
		}
		i = j
	}
}

// byDigit sorts stably by the digit at a bit.
func (s *pairSorter) byDigit(bit int) {
	clear(s.counts[:])
	for _, o := range s.order {
		s.counts[o>>bit%(1<<sortBits)]++
	}
	before := uint32(0)
	for d, n := range s.counts {
		s.counts[d] = before
		before += n
	}
	for _, o := range s.order {
		d := o >> bit % (1 << sortBits)
		s.other[s.counts[d]] = o
		s.counts[d]++
	}
	s.order, s.other = s.other, s.order
}
