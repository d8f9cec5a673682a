package measure

import (
	"cmp"
	"slices"

	"twindrift/sim/radix"
)

// pairSorter sorts pairs of ids in two columns, those of one second.
type pairSorter struct {
	keys keySorter
	b    []int64
	tied radix.Numbers
}

// sort sorts by a, and by b where a is equal, in place.
func (s *pairSorter) sort(a, b []int64) {
	if len(a) < 2 {
		return
	}
	low, differ, rising := s.look(a)
	switch {
	case rising:
	case differ>>32 != 0: // no ids of one second
		s.compare(a, b)
	default:
		s.byDigits(a, b, low, differ)
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

// look gives the lowest id, the bits in which the others less that one have a 1, and
// whether none is below the one before it.
func (s *pairSorter) look(a []int64) (low int64, differ uint64, rising bool) {
	low, rising = a[0], true
	for i := 1; i < len(a); i++ {
		low = min(low, a[i])
		rising = rising && a[i] >= a[i-1]
	}
	for _, id := range a {
		differ |= uint64(id) - uint64(low)
	}
	return low, differ, rising
}

// compare sorts stably by a, by comparing.
func (s *pairSorter) compare(a, b []int64) {
	s.keys.order = resized(s.keys.order, len(a))
	for i := range s.keys.order {
		s.keys.order[i] = uint64(i)
	}
	slices.SortStableFunc(s.keys.order, func(i, j uint64) int { return cmp.Compare(a[i], a[j]) })
	sorted := make([]int64, len(a))
	s.b = append(s.b[:0], b...)
	for k, o := range s.keys.order {
		sorted[k], b[k] = a[o], s.b[o]
	}
	copy(a, sorted)
}

// byDigits sorts stably by a, from the lowest of so many digits to the highest; all ids
// less low have no bits but those of differ, 32 at most.
func (s *pairSorter) byDigits(a, b []int64, low int64, differ uint64) {
	s.keys.order, s.keys.other = resized(s.keys.order, len(a)), resized(s.keys.other, len(a))
	for i, id := range a {
		s.keys.order[i] = (uint64(id)-uint64(low))<<32 | uint64(i)
	}
	if len(a) < 1<<(sortBits-6) {
		slices.Sort(s.keys.order)
	} else {
		s.keys.byDigits(differ)
	}
	s.b = append(s.b[:0], b...)
	for k, o := range s.keys.order {
		a[k], b[k] = low+int64(o>>32), s.b[uint32(o)]
	}
}
