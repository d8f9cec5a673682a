// Package radix sorts whole numbers without comparing them: by counting their digits, lowest
// first, or by marking them.
package radix

import "slices"

// Numbers sorts lists of numbers. The zero value is ready; it keeps memory for as many
// as it has sorted.
type Numbers struct {
	other  []int64
	counts [64 / digitBits][1 << digitBits]uint32
}

const (
	digitBits = 8
	digitMask = 1<<digitBits - 1
	few       = 1 << 7 // are sorted by comparing them
)

// Sort sorts in place; fewer than 2^32.
func (s *Numbers) Sort(numbers []int64) {
	if len(numbers) < few {
		slices.Sort(numbers)
		return
	}
	low, high, sorted := bounds(numbers)
	if sorted {
		return
	}
	digits := s.count(numbers, low, uint64(high)-uint64(low))
	if cap(s.other) < len(numbers) {
		s.other = make([]int64, len(numbers))
	}
	from, to := numbers, s.other[:len(numbers)]
	for digit := range digits {
		counts, bit := &s.counts[digit], digit*digitBits
		if counts[(uint64(from[0])-uint64(low))>>bit&digitMask] == uint32(len(from)) {
			continue // all have it
		}
		StartEach(counts[:])
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

// bounds are the least and the largest of some numbers, and whether they ascend.
func bounds(numbers []int64) (low, high int64, sorted bool) {
	low, high, sorted = numbers[0], numbers[0], true
	last := low
	for _, v := range numbers {
		low, high, sorted = min(low, v), max(high, v), sorted && v >= last
		last = v
	}
	return low, high, sorted
}

// count counts the digits of numbers above the least, all in one look, and says how many
// digits they have.
func (s *Numbers) count(numbers []int64, low int64, span uint64) (digits int) {
	for digits < len(s.counts) && span>>(digits*digitBits) != 0 {
		clear(s.counts[digits][:])
		digits++
	}
	for _, v := range numbers {
		above := uint64(v) - uint64(low)
		for digit := range digits {
			s.counts[digit][above&digitMask]++
			above >>= digitBits
		}
	}
	return digits
}
