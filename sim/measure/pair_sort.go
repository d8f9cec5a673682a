package measure

import (
	"cmp"
	"slices"

	"twindrift/sim/radix"
)

// pairSorter sorts pairs of ids in two columns, those of one second.
type pairSorter struct {
	keys  []uint64 // of a, each above its place
	keyed radix.Keyed
	b     []int64
	tied  radix.Numbers
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
		s.byKey(a, b, low)
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
	order := make([]int, len(a))
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(i, j int) int { return cmp.Compare(a[i], a[j]) })
	sorted := make([]int64, len(a))
	s.b = append(s.b[:0], b...)
	for k, i := range order {
		sorted[k], b[k] = a[i], s.b[i]
	}
	copy(a, sorted)
}

// byKey sorts by a, of which all are above low by less than 2^32.
func (s *pairSorter) byKey(a, b []int64, low int64) {
	s.keys = resized(s.keys, len(a))
	for i, id := range a {
		s.keys[i] = (uint64(id)-uint64(low))<<32 | uint64(i)
	}
	s.b = append(s.b[:0], b...)
	for k, o := range s.keyed.Sort(s.keys) {
		a[k], b[k] = low+int64(o>>32), s.b[uint32(o)]
	}
}
