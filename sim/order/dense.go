package order

// denseMillis counts the elements of one second by millisecond, and by 4, 16, 64
// and 256 milliseconds: a tree with four children to a node. A change touches one
// count a level, a query at most three. Which ones depends on the data and could
// not be foretold by a processor, so a query has no branches: it masks.
type denseMillis struct {
	by256 [4]int64
	by64  [16]int64
	by16  [64]int64
	by4   [256]int64
	by1   [1024]int64
}

// add puts n elements at millisecond ms and tells how many were there before.
func (d *denseMillis) add(ms int, n int64) (before int64) {
	u := uint(ms) & 1023
	before = d.by1[u]
	d.by1[u] = before + n
	d.by4[u>>2] += n
	d.by16[u>>4] += n
	d.by64[u>>6] += n
	d.by256[u>>8] += n
	return before
}

// later is how many elements lie after millisecond ms.
func (d *denseMillis) later(ms int) int64 {
	u := uint(ms) & 1023
	return afterAmong4((*[4]int64)(d.by1[u&^3:]), u) +
		afterAmong4((*[4]int64)(d.by4[u>>2&^3:]), u>>2) +
		afterAmong4((*[4]int64)(d.by16[u>>4&^3:]), u>>4) +
		afterAmong4((*[4]int64)(d.by64[u>>6&^3:]), u>>6) +
		afterAmong4(&d.by256, u>>8)
}

// afterAmong4 sums the counts behind the one at place at mod 4.
func afterAmong4(counts *[4]int64, at uint) int64 {
	k := int64(at & 3)
	// (k-i)>>63 is all ones for k < i and 0 otherwise.
	return counts[1]&((k-1)>>63) + counts[2]&((k-2)>>63) + counts[3]&((k-3)>>63)
}
