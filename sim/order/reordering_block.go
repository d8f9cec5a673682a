package order

import "math"

// AddBlock is AddEach for the elements of a block: all of them at once, where the block
// is sorted.
func (r *Reordering) AddBlock(xsMs []int64, b *Block) {
	if len(b.sorted) == 0 || r.n == 0 || b.lowMs < r.floor.lowest() || !r.fits(xsMs) {
		r.AddEach(xsMs, b.ysMs)
		return
	}
	if r.near == nil {
		r.near = new(nearCounts)
	}
	first := r.n
	if reordered := r.addRecords(xsMs, b.ysMs); reordered > 0 {
		r.result.Reordered += int64(reordered)
		r.measure(xsMs, b, first)
	}
	r.lows.addBlock(b, first)
}

// fits says whether no difference passes 64 bits: to the times of records, and of the y
// of a block, which are not at the ends of int64, to the running maximum.
func (r *Reordering) fits(xsMs []int64) bool {
	const limit = math.MaxInt64 / 2
	return r.maxMs < limit && xsMs[len(xsMs)-1] < limit && r.records[r.head].xMs > -limit
}

// addRecords takes the elements of a block one after the other, for what goes by the
// running maximum: the records, how far others are behind, and the free runs.
func (r *Reordering) addRecords(xsMs, ysMs []int64) (reordered int) {
	r.checkX(xsMs)
	maxMs, behind, runs := r.maxMs, r.result.MaxBehind, &r.result.Runs
	inOrder := r.near.inOrder[:]
	n := 0 // of inOrder; which are, no processor could foretell
	for k, y := range ysMs {
		inOrder[n%blockSize] = uint16(k)
		n += int(1 - uint64(y-maxMs)>>63)
		behind = max(behind, maxMs-y)
		maxMs = max(maxMs, y)
	}
	next := 0
	for _, k := range inOrder[:n] {
		if int(k) > next { // reordered ones came between
			r.inOrder = runs.end(r.inOrder)
		}
		r.inOrder++
		next = int(k) + 1
		if y := ysMs[k]; y > r.maxMs {
			r.push(record{r.n + int64(k), xsMs[k], y})
		}
	}
	if next < len(ysMs) {
		r.inOrder = runs.end(r.inOrder)
	}
	reordered = len(ysMs) - n
	runs.Runs += int64(reordered)
	r.n, r.result.MaxBehind = r.n+int64(len(ysMs)), behind
	return reordered
}

// checkX notes the first x that is below the one before it.
func (r *Reordering) checkX(xsMs []int64) {
	last := r.lastX
	for _, x := range xsMs {
		if x < last {
			r.lastX = last
			r.fail(x)
		}
		last = x
	}
	r.lastX = last
}

// measure counts what there is to tell of the reordered elements of a block, the first
// of which stands at a position.
func (r *Reordering) measure(xsMs []int64, b *Block, first int64) {
	near, records, dropped, above := r.near, r.records, r.dropped, r.firstsAbove(b)
	ys := b.ysMs
	xsMs = xsMs[:len(ys)]
	top, maxMs := len(r.lows.list)-1, r.maxMs
	for i, y := range ys {
		if y == maxMs { // in order
			continue
		}
		k := int64(i)
		record := &records[above[uint64(y)%reach]-dropped]
		extent, lateMs, degree := first+k-record.at, xsMs[i]-record.xMs, k-int64(b.notGreater[i%blockSize])
		if degree == k { // all before it in the block are greater
			for top >= r.lows.head && r.lows.list[top].yMs > y {
				top--
			}
			degree = first + k - 1 - r.lows.at(top)
		}
		if extent|lateMs|degree >= nearSize { // one of them
			r.countFar(extent, lateMs, degree)
			continue
		}
		// The first record above an element may come after it. Then it is in order, and
		// counts 0 times.
		times := uint32(uint64(-extent) >> 63)
		near.extents[uint64(extent)%nearSize] += times
		near.lateMs[uint64(lateMs)%nearSize] += times
		near.degrees[uint64(degree)%nearSize] += times
	}
}

// firstsAbove are the numbers of the first record above each y of a block, by y modulo
// reach.
func (r *Reordering) firstsAbove(b *Block) *[reach]uint32 {
	if uint64(r.maxMs)-uint64(b.lowMs) <= reach {
		return r.above
	}
	numbers := &r.near.above
	i := r.firstAbove(b.lowMs)
	for y := b.lowMs; y <= b.highMs && y < r.maxMs; y++ {
		for r.records[i].yMs <= y {
			i++
		}
		numbers[uint64(y)%reach] = r.dropped + uint32(i)
	}
	return numbers
}

// nearCounts counts values from 0 on, of blocks, ahead of the tallies.
type nearCounts struct {
	extents, lateMs, degrees near
	above                    [reach]uint32     // scratch
	inOrder                  [blockSize]uint16 // scratch
}

// countFar counts an element with values that are not all near, if it is reordered.
func (r *Reordering) countFar(extent, lateMs, degree int64) {
	if extent > 0 {
		r.result.Extents.Add(extent)
		r.result.LateMs.Add(lateMs)
		r.result.Degrees.Add(degree)
	}
}

// flush takes the near counts to the tallies.
func (r *Reordering) flush() {
	if r.near == nil {
		return
	}
	r.near.extents.flush(&r.result.Extents, 0)
	r.near.lateMs.flush(&r.result.LateMs, 0)
	r.near.degrees.flush(&r.result.Degrees, 0)
}
