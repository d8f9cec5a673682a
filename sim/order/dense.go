package order

// denseMillis counts the elements of one second by millisecond, and by 4, 16, 64
// and 256 milliseconds: a tree with four children to a node. A change touches one
// count a level, a query at most three. Which ones depends on the data and could
// not be foretold by a processor, so a query has no branches: it masks. No count
// passes maxElements, so 32 bits are enough for each.
type denseMillis struct {
	by256 [4]uint32
	by64  [16]uint32
	by16  [64]uint32
	by4   [256]uint32
	by1   [1024]uint32
}

// add puts n elements at millisecond ms and tells how many were there before.
func (d *denseMillis) add(ms int, n int64) (before int64) {
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
func (d *denseMillis) later(ms int) int64 {
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
