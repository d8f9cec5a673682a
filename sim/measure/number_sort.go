package measure

import "slices"

// numberSorter sorts long lists of numbers by counting digits, all of them in one look.
type numberSorter struct {
	other  []int64
	counts [64/digitBits + 1][1 << digitBits]uint32
}

// sortMost is how many numbers are sorted by comparing them.
const sortMost = 1 << digitBits

// sort sorts in place; fewer than 2^32.
func (s *numberSorter) sort(numbers []int64) {
	if len(numbers) <= sortMost || slices.IsSorted(numbers) {
		slices.Sort(numbers)
		return
	}
	low, high := slices.Min(numbers), slices.Max(numbers)
	digits := s.count(numbers, low, uint64(high)-uint64(low))
	s.other = resized(s.other, len(numbers))
	from, to := numbers, s.other
	for digit := range digits {
		counts, bit := &s.counts[digit], digit*digitBits
		if counts[(uint64(numbers[0])-uint64(low))>>bit&digitMask] == uint32(len(numbers)) {
			continue // all have it
		}
		before := uint32(0)
		for d, n := range counts {
			counts[d] = before
			before += n
		}
		for _, v := range from {
			d := (uint64(v) - uint64(low)) >> bit & digitMask
			to[counts[d]] = v
			counts[d]++
		}
		from, to = to, from
	}
	if &from[0] != &numbers[0] {
		copy(numbers, from)
	}
}

// count counts the digits of numbers above the least, and says how many there are.
func (s *numberSorter) count(numbers []int64, low int64, span uint64) (digits int) {
	for digits*digitBits < 64 && span>>(digits*digitBits) != 0 {
		s.counts[digits] = [1 << digitBits]uint32{}
		digits++
	}
	for _, v := range numbers {
		above := uint64(v) - uint64(low)
		for digit := range digits {
			s.counts[digit][above>>(digit*digitBits)&digitMask]++
		}
	}
	return digits
}
