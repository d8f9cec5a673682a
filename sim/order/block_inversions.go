package order

import "math/bits"

// inversions counts the pairs of a sorted block that stand the wrong way round: of
// which the element that comes first has the greater y.
//
// It goes over the elements from the greatest y down, the later of equals first. All
// so far are held as bits by position, 64 to a word, and counted in a tree with four
// children to a node down to these words: packed into a word, how many lie before each
// child. So how many come before an element is one such count a level, and bits of one
// word. Nothing depends on a branch.
func (b *Block) inversions() (n int64) {
	var seen [64]uint64                   // by position
	var by256 [16]uint64                  // in the words before each, within 256 positions
	var by1024 [4]uint64                  // in the 256 before each, within 1024 positions
	by4096 := uint64(0)                   // in the 1024 before each
	const behind = uint64(packedOnes) - 1 // one more before each child behind the first
	for k := len(b.sorted) - 1; k >= 0; k-- {
		p := b.sorted[k] % blockSize
		u, v, w := &by1024[p/1024], &by256[p/256], &seen[p/64]
		s, t, r := p/1024*packedBits, p/256%4*packedBits, p/64%4*packedBits
		bit := uint64(1) << (p % 64)
		n += int64((by4096>>s+*u>>t+*v>>r)&packedMost) + int64(bits.OnesCount64(*w&(bit-1)))
		by4096 += behind << s
		*u += behind << t
		*v += behind << r
		*w |= bit
	}
	return n
}

// inversionsAt counts the pairs of a sorted block that stand the wrong way round once y
// is floored to a grain: for each cell of the grain, those of an element in a later
// cell and one that comes after it and lies in the cell.
func (b *Block) inversionsAt(grain int64) (n int64) {
	start := floorDiv(b.highMs, grain) * grain
	for ; start-grain > b.lowMs; start -= grain {
		n += inversionsOver(b.ysMs, start-grain, start)
	}
	if start <= b.lowMs {
		return n
	}
	// Before an element of the lowest cell there are later ones, and others of the cell:
	// before the first of these none, before the next one, and so on.
	lowest := b.sorted[:b.ends[start-1-b.lowMs]]
	for _, e := range lowest {
		n += int64(e % blockSize)
	}
	return n - choose2(int64(len(lowest)))
}

// inversionsOver counts the pairs of an element at start or later and one that comes
// after it and lies from below to start.
func inversionsOver(ysMs []int64, below, start int64) (n int64) {
	later := int64(0)
	for _, y := range ysMs {
		before := (y - start) >> 63 // all ones for y before start
		n += later & before &^ ((y - below) >> 63)
		later += 1 + before
	}
	return n
}
