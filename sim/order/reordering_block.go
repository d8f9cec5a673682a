package order

import "math"

// AddBlock is AddEach for the elements of a block: all of them at once, where the block
// is sorted.
func (r *Reordering) AddBlock(xsMs []int64, b *Block) {
	if len(b.sorted) == 0 || r.n == 0 || b.lowMs < r.floor.lowest() || r.maxMs > math.MaxInt64/2 {
		r.AddEach(xsMs, b.ysMs)
		return
	}
	first := r.n
	if reordered := r.addRecords(xsMs, b.ysMs); reordered > 0 {
		r.result.Reordered += int64(reordered)
		r.measure(xsMs, b, first)
	}
	r.lows.addBlock(b, first)
}

// addRecords takes the elements of a block one after the other, for what goes by the
// running maximum: the records, how far others are behind, and the free runs.
func (r *Reordering) addRecords(xsMs, ysMs []int64) (reordered int) {
	xsMs = xsMs[:len(ysMs)]
	maxMs, lastX := r.maxMs, r.lastX
	behind, runs := r.result.MaxBehind, &r.result.Runs
	last := -1 // the last one in order
	for k, y := range ysMs {
		x := xsMs[k]
		if x < lastX {
			r.lastX = lastX
			r.fail(x)
		}
		lastX = x
		behind = max(behind, maxMs-y)
		if y < maxMs {
			continue
		}
		if k > last+1 { // reordered ones came between
			r.inOrder = runs.end(r.inOrder)
		}
		last = k
		r.inOrder++
		reordered--
		if y > maxMs {
			r.push(record{r.n + int64(k), x, y})
			maxMs = y
		}
	}
	if last < len(ysMs)-1 {
		r.inOrder = runs.end(r.inOrder)
	}
	reordered += len(ysMs)
	runs.Runs += int64(reordered)
	r.n, r.lastX, r.result.MaxBehind = r.n+int64(len(ysMs)), lastX, behind
	return reordered
}

// measure counts what there is to tell of the reordered elements of a block, the first
// of which stands at a position.
//
// It goes over the elements from the greatest y down, the later of equals first, and
// takes each out of a list of the positions: what is left has a smaller y, or the same
// and comes before. So the position left just before an element is that of the last
// one before it that is not greater.
func (r *Reordering) measure(xsMs []int64, b *Block, first int64) {
	if r.near == nil {
		r.near = new(nearCounts)
	}
	near := r.near
	left, records, above := near.left.to(len(b.sorted)), r.records, r.firstsAbove(b)
	dropped, top := r.dropped, len(r.lows.list)-1
	for j := len(b.sorted) - 1; j >= 0; j-- {
		k := b.sorted[j] % blockSize
		y := b.yMs(b.sorted[j])
		notGreater := left.take(k)
		if y == r.maxMs {
			continue // in order
		}
		record := &records[above[uint64(y)%reach]-dropped]
		at := first + int64(k)
		extent, lateMs, degree := at-record.at, span(record.xMs, xsMs[k]), int64(k)-1-notGreater
		if notGreater < 0 { // all before it in the block are greater
			for top >= r.lows.head && r.lows.list[top].yMs > y {
				top--
			}
			degree = at - 1 - r.lows.at(top)
		}
		if extent >= nearSize || lateMs >= nearSize || degree >= nearSize {
			r.countFar(extent, lateMs, degree)
			continue
		}
		// The first record above an element may come after it. Then it is in order, and
		// counts 0 times.
		times := int64(uint64(-extent) >> 63)
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
	above                    [reach]uint32 // scratch
	left                     left          // scratch
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

// left is a list of the positions in a block of the elements that are left: the one
// before and the one behind each, all moved up by one.
type left struct{ before, behind [blockSize]uint16 }

// to makes it the list of the first n positions.
func (l *left) to(n int) *left {
	for k := range uint16(n + 2) {
		l.before[k%blockSize], l.behind[k%blockSize] = k-1, k+1
	}
	return l
}

// take takes a position out and gives the one before it, -1 when there is none.
func (l *left) take(k uint32) (before int64) {
	p, q := l.before[(k+1)%blockSize], l.behind[(k+1)%blockSize]
	l.behind[p%blockSize], l.before[q%blockSize] = q, p
	return int64(p) - 1
}
