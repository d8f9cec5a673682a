package order

import (
	"cmp"
	"slices"
)

// cells holds elements by cell of y.
type cells []cell

// cell counts elements in one cell of y.
type cell struct{ at, n int64 }

// put counts n more elements in the cell at. Cells used lately stand at the end,
// so only a few are looked at; compact joins those that were missed.
func (c *cells) put(at, n int64) {
	const window = 6
	s := *c
	for i := len(s) - 1; i >= max(0, len(s)-window); i-- {
		if s[i].at == at {
			s[i].n += n
			return
		}
	}
	*c = append(s, cell{at, n})
}

// compact sorts by cell, ascending, and joins equal ones.
func (c *cells) compact() {
	s := *c
	slices.SortFunc(s, func(a, b cell) int { return cmp.Compare(a.at, b.at) })
	kept := 0
	for i := range s {
		if kept > 0 && s[kept-1].at == s[i].at {
			s[kept-1].n += s[i].n
			continue
		}
		s[kept] = s[i]
		kept++
	}
	*c = s[:kept]
}

// ties holds the elements of one second of x by millisecond of x, and of those of one
// such millisecond by millisecond of y: each pair of them once, with how often it came.
// Owner times of second-slot ids are few, so many elements share a pair.
type ties struct {
	cells  cells
	ends   []int            // in cells: of each millisecond of x
	base   int64            // of counts
	counts [tiesSpan]uint32 // by y - base: elements of the present millisecond of x
	far    []int64          // scratch: y that are not near base
}

const tiesSpan = 1 << 12

// of takes the elements of a second, in order of x.
func (t *ties) of(xs, ys []int64) {
	t.cells, t.ends = t.cells[:0], t.ends[:0]
	t.base = ys[0] - tiesSpan/2
	for start := 0; start < len(xs); {
		end := start + 1
		for end < len(xs) && xs[end] == xs[start] {
			end++
		}
		if end == start+1 {
			t.cells = append(t.cells, cell{ys[start], 1})
		} else {
			t.count(ys[start:end])
		}
		t.ends = append(t.ends, len(t.cells))
		start = end
	}
}

// count takes the elements of a millisecond of x. A cell is written for each of them,
// and stays where it is the first for its y, which no processor could foretell.
func (t *ties) count(ys []int64) {
	from := len(t.cells)
	t.cells = slices.Grow(t.cells, len(ys))
	t.far = t.far[:0]
	n, cells := 0, t.cells[from:from+len(ys)]
	for _, y := range ys {
		u := uint64(y - t.base)
		if u >= tiesSpan {
			t.far = append(t.far, y)
			continue
		}
		before := t.counts[u]
		t.counts[u] = before + 1
		cells[n].at = y
		n += int((uint64(before) - 1) >> 63) // 1 for none before
	}
	for i := range cells[:n] {
		c := &cells[i]
		n := &t.counts[uint64(c.at-t.base)%tiesSpan]
		c.n, *n = int64(*n), 0
	}
	t.cells = t.cells[:from+n]
	if len(t.far) == 0 {
		return
	}
	slices.Sort(t.far)
	for y, n := range runs(t.far) {
		t.cells = append(t.cells, cell{y, n})
	}
}

// ascending sorts the elements of one second by x.
type ascending struct {
	counts [secondMs]uint32
	xs, ys []int64
}

// by gives the elements of the second that begins at start in order of x: as they are
// where they are in order, or in memory that is good until the next call. False when an
// x lies outside of the second.
func (a *ascending) by(start int64, xMs, yMs []int64) (xs, ys []int64, ok bool) {
	if slices.IsSorted(xMs) {
		return xMs, yMs, uint64(xMs[0]-start) < secondMs && uint64(xMs[len(xMs)-1]-start) < secondMs
	}
	clear(a.counts[:])
	for _, x := range xMs {
		u := uint64(x - start)
		if u >= secondMs {
			return nil, nil, false
		}
		a.counts[u]++
	}
	before := uint32(0)
	for u, n := range a.counts {
		a.counts[u] = before
		before += n
	}
	n := len(xMs)
	a.xs, a.ys = slices.Grow(a.xs[:0], n)[:n], slices.Grow(a.ys[:0], n)[:n]
	for i, x := range xMs {
		at := &a.counts[x-start]
		a.xs[*at], a.ys[*at] = x, yMs[i]
		*at++
	}
	return a.xs, a.ys, true
}
