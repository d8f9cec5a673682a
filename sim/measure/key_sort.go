package measure

import "math/bits"

// keySorter sorts keys of 32 bits, each above the index of what it is the key of.
type keySorter struct {
	counts [1 << sortBits]uint32
	order  []uint64
	other  []uint64
}

// sortBits is the width of a digit at most; the ids of a second differ by less than two
// digits, or three where they are of other layouts.
const sortBits = 12

// byDigits sorts order stably by the keys, from the lowest of their digits to the
// highest; they have no bits but those of differ, and a digit begins and ends with one of
// those.
func (s *keySorter) byDigits(differ uint64) {
	for bit := 0; differ>>bit != 0; {
		bit += bits.TrailingZeros64(differ >> bit)
		width := bits.Len64(differ >> bit & (1<<sortBits - 1))
		s.byDigit(32+bit, width)
		bit += width
	}
}

// byDigit sorts stably by the digit at a bit.
func (s *keySorter) byDigit(bit, width int) {
	counts := s.counts[:1<<width]
	mask := uint64(len(counts) - 1)
	clear(counts)
	for _, o := range s.order {
		counts[o>>bit&mask]++
	}
	startEach(counts)
	for _, o := range s.order {
		at := &counts[o>>bit&mask]
		s.other[*at] = o
		*at++
	}
	s.order, s.other = s.other, s.order
}

// startEach turns counts into the places where each begins.
func startEach(counts []uint32) {
	before := uint32(0)
	for d, n := range counts {
		counts[d] = before
		before += n
	}
}
