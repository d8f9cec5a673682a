package order

import "twindrift/sim/tally"

// near counts values of a range of nearSize in place, ahead of a tally: each at its
// rest by nearSize.
type near [nearSize]int64

const nearSize = 1 << 13

// flush takes the counts of values from low on to a tally, and leaves none.
func (c *near) flush(to *tally.Counts, low int64) {
	for v := low; v < low+nearSize; v++ {
		to.AddN(v, c[uint64(v)%nearSize])
	}
	clear(c[:])
}
