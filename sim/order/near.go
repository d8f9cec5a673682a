package order

import "twindrift/sim/tally"

// near counts values of a range of nearSize in place, ahead of a tally: each at its
// rest by nearSize. Of maxElements no count passes 32 bits.
type near [nearSize]uint32

const nearSize = 1 << 13

// flush takes the counts of values from low on to a tally, and leaves none.
func (c *near) flush(to *tally.Counts, low int64) {
	for v := low; v < low+nearSize; v++ {
		to.AddN(v, int64(c[uint64(v)%nearSize]))
	}
	clear(c[:])
}
