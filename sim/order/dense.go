package order

// denseMillis counts the elements of one second by millisecond, and by 4, 16, 64
// and 256 milliseconds: a tree with four children to a node, the counts of four
// neighbours packed into a word. A change touches one word a level. So does a query:
// the counts it needs of a word are those above one, and all its levels are added up
// before the four sums are. Nothing depends on a branch, which no processor could
// foretell.
type denseMillis struct {
	n     int64 // elements, packedMost at most
	by256 uint64
	by64  [4]uint64
	by16  [16]uint64
	by4   [64]uint64
	by1   [256]uint64

	wide *wideMillis // all of it, once there were more
}

const (
	packedBits = 16
	packedMost = 1<<packedBits - 1 // elements, so that no count or sum of counts carries
	packedOnes = 1<<48 | 1<<32 | 1<<16 | 1
)

// add puts n elements at millisecond ms and tells how many were there before.
func (d *denseMillis) add(ms int, n int64) (before int64) {
	if d.wide == nil && n > packedMost-d.n {
		d.widen()
	}
	if d.wide != nil {
		return d.wide.add(ms, n)
	}
	d.n += n
	u := uint(ms) & 1023
	was := d.by1[u/4] >> (u % 4 * packedBits) & packedMost
	d.addPacked(u, uint64(n))
	return int64(was)
}

// later is how many elements lie after millisecond ms.
func (d *denseMillis) later(ms int) int64 {
	if d.wide != nil {
		return d.wide.later(ms)
	}
	later, _ := d.laterAndAt(uint(ms))
	return int64(later)
}

// above are the counts of a word behind the one at place at mod 4, still packed.
func above(counts uint64, at uint) uint64 {
	return counts >> (at % 4 * packedBits) >> packedBits
}

// laterThenAdd is laterAndAt and then the addition of one element, in one walk.
func (d *denseMillis) laterThenAdd(u uint) (later, before uint64) {
	u &= 1023
	p1, p4, p16, p64 := &d.by1[u/4], &d.by4[u/16], &d.by16[u/64], &d.by64[u/256]
	s1, s4, s16, s64, s256 := u%4*packedBits, u/4%4*packedBits, u/16%4*packedBits, u/64%4*packedBits, u/256*packedBits
	w1, w4, w16, w64, w256 := *p1>>s1, *p4>>s4, *p16>>s16, *p64>>s64, d.by256>>s256
	*p1 += 1 << s1
	*p4 += 1 << s4
	*p16 += 1 << s16
	*p64 += 1 << s64
	d.by256 += 1 << s256
	later = (w1>>packedBits + w4>>packedBits + w16>>packedBits + w64>>packedBits + w256>>packedBits) * packedOnes >> (3 * packedBits)
	return later, w1 & packedMost
}

// laterAndAt is how many elements lie after a millisecond, and at it.
func (d *denseMillis) laterAndAt(u uint) (later, at uint64) {
	u &= 1023
	w := d.by1[u/4] >> (u % 4 * packedBits)
	return (w>>packedBits + above(d.by4[u/16], u/4) + above(d.by16[u/64], u/16) +
		above(d.by64[u/256], u/64) + above(d.by256, u/256)) * packedOnes >> (3 * packedBits), w & packedMost
}

// addPacked adds n elements, which there must be room for. Whoever calls it counts n.
func (d *denseMillis) addPacked(u uint, n uint64) {
	u &= 1023
	d.by1[u/4] += n << (u % 4 * packedBits)
	d.by4[u/16] += n << (u / 4 % 4 * packedBits)
	d.by16[u/64] += n << (u / 16 % 4 * packedBits)
	d.by64[u/256] += n << (u / 64 % 4 * packedBits)
	d.by256 += n << (u / 256 * packedBits)
}

// addEach adds elements from millisecond ms on: those of each up to its end in a list,
// of which the first is at place from. It tells, summed over them, how many were later
// before any of them came, and how many pairs have one millisecond: of them, and of
// one of them and one that was there before. There must be room for them. Whoever calls
// it counts n.
func (d *denseMillis) addEach(ms, from int, ends []uint16) (later, tied int64) {
	last := ms + len(ends) - 1
	behind := d.later(last)
	for k := len(ends) - 1; k >= 0; k-- {
		before := int64(from)
		if k > 0 {
			before = int64(ends[k-1])
		}
		n := int64(ends[k]) - before
		u := uint(ms+k) & 1023
		was := int64(d.by1[u/4] >> (u % 4 * packedBits) & packedMost)
		later += n * behind
		tied += n*was + n*(n-1)/2
		behind += was
		d.by1[u/4] += uint64(n) << (u % 4 * packedBits)
	}
	for w := ms / 4; w <= last/4; w++ {
		d.by4[w/4] = setCount(d.by4[w/4], w, d.by1[w])
	}
	for w := ms / 16; w <= last/16; w++ {
		d.by16[w/4] = setCount(d.by16[w/4], w, d.by4[w])
	}
	for w := ms / 64; w <= last/64; w++ {
		d.by64[w/4] = setCount(d.by64[w/4], w, d.by16[w])
	}
	for w := range d.by64 {
		d.by256 = setCount(d.by256, w, d.by64[w])
	}
	return later, tied
}

// setCount puts the sum of four counts in the place of the one at place at mod 4.
func setCount(counts uint64, at int, four uint64) uint64 {
	bit := uint(at) % 4 * packedBits
	return counts&^(packedMost<<bit) | four*packedOnes>>(3*packedBits)<<bit
}

// room is how many more elements fit into the packed counts.
func (d *denseMillis) room() int {
	if d.wide != nil {
		return 0
	}
	return int(packedMost - d.n)
}

// widen goes over to wide counts.
func (d *denseMillis) widen() {
	d.wide = new(wideMillis)
	for u := range 1024 {
		if n := d.by1[u/4] >> (u % 4 * packedBits) & packedMost; n > 0 {
			d.wide.add(u, int64(n))
		}
	}
}

// wideMillis is a denseMillis of any number of elements: no count passes
// maxElements, so 32 bits are enough for each.
type wideMillis struct {
	by256 [4]uint32
	by64  [16]uint32
	by16  [64]uint32
	by4   [256]uint32
	by1   [1024]uint32
}

// add puts n elements at millisecond ms and tells how many were there before.
func (d *wideMillis) add(ms int, n int64) (before int64) {
	u, more := uint(ms)&1023, uint32(n)
	was := d.by1[u]
	d.by1[u] = was + more
	d.by4[u>>2] += more
	d.by16[u>>4] += more
	d.by64[u>>6] += more
	d.by256[u>>8] += more
	return int64(was)
}

// later is how many elements lie after millisecond ms.
func (d *wideMillis) later(ms int) int64 {
	u := uint(ms) & 1023
	return int64(afterAmong4((*[4]uint32)(d.by1[u&^3:]), u) +
		afterAmong4((*[4]uint32)(d.by4[u>>2&^3:]), u>>2) +
		afterAmong4((*[4]uint32)(d.by16[u>>4&^3:]), u>>4) +
		afterAmong4((*[4]uint32)(d.by64[u>>6&^3:]), u>>6) +
		afterAmong4(&d.by256, u>>8))
}

// afterAmong4 sums the counts behind the one at place at mod 4.
func afterAmong4(counts *[4]uint32, at uint) uint32 {
	k := int32(at & 3)
	// (k-i)>>31 is all ones for k < i and 0 otherwise.
	return counts[1]&uint32((k-1)>>31) + counts[2]&uint32((k-2)>>31) + counts[3]&uint32((k-3)>>31)
}
