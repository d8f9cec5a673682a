package tally

import "iter"

// Ascending are values that come in order, each with how often: such as are mostly
// different and far apart, and counted elsewhere. It is gone over twice.
type Ascending iter.Seq2[int64, int64]

// Figures are those of Counts.
func (a Ascending) Figures(p ...float64) (Figures, bool) {
	var n int64
	for _, count := range a {
		n += count
	}
	return figures(n, a.spans, p)
}

// spans are those of Counts, of one value each.
func (a Ascending) spans(yield func(value int64, counts []int64) bool) {
	counts := make([]int64, 1)
	for value, count := range a {
		if counts[0] = count; !yield(value, counts) {
			return
		}
	}
}
