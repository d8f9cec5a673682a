package order

import "math"

// Block is a stretch of a list that is measured in one go. What several measures want
// to know is found once: its elements in order of y. The zero value is ready; a Block
// is used again for the next stretch. It takes 36 KiB.
type Block struct {
	ysMs          []int64 // in order of position; the caller's
	lowMs, highMs int64   // the smallest and the largest of them

	// Elements in order of y, and of position in one y: y - lowMs above blockBits of
	// position in the block. Empty where they are too few or too far apart for that.
	sorted []uint32
	ends   [blockSpan]uint16 // by y - lowMs: where in sorted its elements end

	notGreater       [blockSize]uint16 // by position: that of the last element before it that is not greater, from 1; 0 for none
	inversionsWithin int64             // pairs that stand the wrong way round with positions in one 64
}

const (
	blockBits  = 12
	blockSize  = 1 << blockBits
	blockMost  = blockSize - 2 // elements
	blockSpan  = 1 << 12       // ms from the first y to the last, exclusive
	blockLeast = 128           // fewer elements are not worth going over the counts
	blockThin  = 8             // nor are fewer than one in so many ms
)

// Take makes a block of the first of some elements, given by their y, and says how
// many there are in it. The slice is kept until the next Take.
func (b *Block) Take(ysMs []int64) (n int) {
	b.sorted = b.sorted[:0]
	n = b.near(ysMs[:min(len(ysMs), blockMost)])
	switch {
	case n < blockLeast || b.highMs-b.lowMs > int64(n)*blockThin:
		n = max(n, min(len(ysMs), blockLeast))
	case b.lowMs > math.MinInt64/2 && b.highMs < math.MaxInt64/2: // so that no difference of times passes 64 bits
		b.sort(ysMs[:n])
		b.look()
	}
	b.ysMs = ysMs[:n]
	return n
}

// near tells how many elements from the first on are near enough to each other, and
// notes the smallest and the largest y of them. Some are looked at in one go, and one
// by one only where they are too far.
func (b *Block) near(ysMs []int64) (n int) {
	const some = 64
	if len(ysMs) == 0 {
		return 0
	}
	b.lowMs, b.highMs = ysMs[0], ysMs[0]
	for n < len(ysMs) {
		next := ysMs[n:min(n+some, len(ysMs))]
		low, high := b.lowMs, b.highMs
		for _, y := range next {
			low, high = min(low, y), max(high, y)
		}
		if uint64(high-low) < blockSpan {
			b.lowMs, b.highMs = low, high
			n += len(next)
			continue
		}
		for _, y := range next {
			low, high = min(b.lowMs, y), max(b.highMs, y)
			if uint64(high-low) >= blockSpan {
				break
			}
			b.lowMs, b.highMs = low, high
			n++
		}
		break
	}
	return n
}

// sort sorts by counting.
func (b *Block) sort(ysMs []int64) {
	if cap(b.sorted) == 0 {
		b.sorted = make([]uint32, 0, blockSize)
	}
	low := b.lowMs
	ends := b.ends[:b.highMs-low+1]
	clear(ends)
	for _, y := range ysMs {
		b.ends[uint64(y-low)%blockSpan]++
	}
	before := uint16(0)
	for u, n := range ends {
		ends[u] = before
		before += n
	}
	sorted := b.sorted[:len(ysMs)]
	for i, y := range ysMs {
		u := uint64(y-low) % blockSpan
		sorted[b.ends[u]] = uint32(u)<<blockBits | uint32(i)
		b.ends[u]++
	}
	b.sorted = sorted
}

// yMs is the y of an element of sorted.
func (b *Block) yMs(element uint32) int64 { return b.lowMs + int64(element>>blockBits) }

// span is how many ms there are from the first y to the last, both included.
func (b *Block) span() int { return int(b.highMs-b.lowMs) + 1 }
