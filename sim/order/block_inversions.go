package order

import "math/bits"

// look goes over the elements of a sorted block from the smallest y up, the earlier of
// equals first, and keeps the positions of those so far as bits. Of these the last one
// before an element is the last one before it that is not greater. And they tell how
// many pairs of elements with positions in one 64 stand the wrong way round: those
// before an element that are not there yet are greater.
func (b *Block) look() {
	var there [blockSize / 64]uint64
	words := uint64(0) // those with any
	n := int64(0)
	for _, e := range b.sorted {
		p := e % blockSize
		w, bit := p/64, uint64(1)<<(p%64)
		before := there[w] & (bit - 1)
		there[w] |= bit
		n += int64(p%64) - int64(bits.OnesCount64(before))
		if before == 0 {
			w, before, words = lastBefore(&there, words, w)
		}
		b.notGreater[p] = uint16(int(w)*64 + bits.Len64(before))
	}
	b.inversionsWithin = n
}

// lastBefore gives the last word before w that holds any bits, and the words that do
// once w does; no bits where there is none.
func lastBefore(there *[blockSize / 64]uint64, words uint64, w uint32) (last uint32, held, with uint64) {
	bit := uint64(1) << (w % 64)
	if before := words & (bit - 1); before != 0 {
		last = uint32(bits.Len64(before) - 1)
		held = there[last%(blockSize/64)]
	}
	return last, held, words | bit
}

// inversions counts the pairs of a sorted block that stand the wrong way round: of
// which the element that comes first has the greater y.
//
// Those with positions in one 64 are known. For the others it goes over the elements
// from the greatest y down, the later of equals first. It keeps a tree with four
// children to a node, down to 64 positions: packed into a word, how many elements so
// far lie before each child. So how many come before an element is the sum of one such
// count a level. Nothing depends on a branch.
func (b *Block) inversions() (n int64) {
	var by256 [blockSize / 256]uint64
	var by1024 [blockSize / 1024]uint64
	by4096 := uint64(0)
	const behind = uint64(packedOnes) - 1 // one more before each child behind the first
	for k := len(b.sorted) - 1; k >= 0; k-- {
		p := b.sorted[k] % blockSize
		u, v := p/1024, p/256
		s, t, r := u*packedBits&63, p>>4&0x30, p>>2&0x30
		n += int64((by4096>>s + by1024[u]>>t + by256[v]>>r) & packedMost)
		by4096 += behind << s
		by1024[u] += behind << t
		by256[v] += behind << r
	}
	return n + b.inversionsWithin
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
