package order

import (
	"cmp"
	"fmt"
	"slices"

	"twindrift/sim/radix"
)

// Joint counts, at each grain, how pairs of elements stand in two orders when both
// are floored to the grain: the owner times of the same messages at two sites. A
// pair is discordant at grain g when floor(x / g) and floor(y / g) order it
// differently.
//
// Elements come second by second of x. The zero value is ready; a Joint belongs to
// one goroutine at a time. Memory is that of a Discordance over y, plus one minute
// of x in cells.
type Joint struct {
	line    timeline
	floor   promise
	err     error
	started bool
	second  int64 // the last second of x
	open    [Grains]cells
	sums    [Grains]sums
	byX     [secondMs + 1]int // end of each millisecond's elements in ys
	ys      []int64
	tied    radix.Numbers
}

// sums are the counts of one grain that are final.
type sums struct{ tiedX, tiedBoth, discordant int64 }

// cells holds the elements of the x cell that is being filled, by cell of y.
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

// AddSecond takes all elements whose x lies in one second, floor(x / 1000), in any
// order: xMs[i] and yMs[i] belong together. Seconds must ascend strictly. The
// slices are not kept.
func (j *Joint) AddSecond(second int64, xMs, yMs []int64) {
	if len(xMs) != len(yMs) {
		j.fail(fmt.Errorf("second %d: %d x and %d y", second, len(xMs), len(yMs)))
		return
	}
	if len(xMs) == 0 {
		return
	}
	if j.started && second <= j.second {
		j.fail(fmt.Errorf("%w: second %d after %d", ErrNotAscending, second, j.second))
		return
	}
	j.turn(second)
	if !j.sortByX(second, xMs, yMs) {
		return
	}
	j.addCells()
	j.addMillis()
}

// turn closes the x cells that the new second leaves behind.
func (j *Joint) turn(second int64) {
	if j.started {
		for g := 2; g < Grains; g++ {
			width := GrainsMs[g] / secondMs
			if floorDiv(second, width) != floorDiv(j.second, width) {
				j.sums[g] = j.closed(g)
				j.open[g] = j.open[g][:0]
			}
		}
		if len(j.open[Grains-1]) == 0 && j.floor.given {
			j.line.release(j.floor.floorMs)
		}
	}
	j.started, j.second = true, second
}

// sortByX puts the second's y in order of x by counting, into j.ys and j.byX.
func (j *Joint) sortByX(second int64, xMs, yMs []int64) bool {
	start := second * secondMs
	j.byX = [secondMs + 1]int{}
	for _, x := range xMs {
		ms := uint64(x - start)
		if ms >= secondMs {
			j.fail(fmt.Errorf("%w: x %d ms given as part of second %d", ErrNotAscending, x, second))
			return false
		}
		j.byX[ms]++
	}
	at := 0
	for ms, n := range j.byX {
		j.byX[ms] = at
		at += n
	}
	j.ys = slices.Grow(j.ys[:0], len(yMs))[:len(yMs)]
	for i, x := range xMs {
		ms := x - start
		j.ys[j.byX[ms]] = yMs[i]
		j.byX[ms]++
	}
	return true
}

// addCells counts the second's elements at the grains from one second up, against
// everything in earlier cells of x. It must run before addMillis.
func (j *Joint) addCells() {
	seconds := &j.open[1]
	*seconds = (*seconds)[:0]
	for _, y := range j.ys {
		j.floor.check(y)
		seconds.put(floorDiv(y, secondMs), 1)
	}
	seconds.compact()
	s := &j.sums[1]
	s.tiedX += choose2(int64(len(j.ys)))
	for _, c := range *seconds {
		s.tiedBoth += choose2(c.n)
		s.discordant += c.n * j.line.laterThanSecond(c.at)[1]
		for g := 2; g < Grains; g++ {
			j.open[g].put(floorDiv(c.at, GrainsMs[g]/secondMs), c.n)
		}
	}
}

// addMillis counts the second's elements at the grain of 1 ms, millisecond by
// millisecond of x, and puts them on the timeline.
func (j *Joint) addMillis() {
	start := 0
	for _, end := range j.byX[:secondMs] {
		if end-start == 1 {
			y := j.ys[start]
			at := j.line.locate(y)
			j.countMillis(y, at, 1)
			j.line.add(y, at, 1)
		} else if end > start {
			j.addTiedMillis(j.ys[start:end])
		}
		start = end
	}
}

// addTiedMillis takes the elements of one millisecond of x.
func (j *Joint) addTiedMillis(ys []int64) {
	j.sums[0].tiedX += choose2(int64(len(ys)))
	if j.addTiedInSecond(ys) {
		return
	}
	j.tied.Sort(ys)
	for y, n := range runs(ys) {
		j.countMillis(y, j.line.locate(y), n)
		j.sums[0].tiedBoth += choose2(n)
	}
	for y, n := range runs(ys) {
		j.line.add(y, j.line.locate(y), n)
	}
}

// addTiedInSecond is the rest of addTiedMillis where all y lie in one second that
// is counted densely, and says whether that is so. What is tied among the elements
// is what was tied as each came less what was before any did.
func (j *Joint) addTiedInSecond(ys []int64) bool {
	at := j.line.locate(ys[0])
	block, start := j.line.denseSecond(ys[0], at)
	if block == nil || block.room() < len(ys) {
		return false
	}
	var later, tiedBefore, tied uint64
	for _, y := range ys {
		u := uint64(y - start)
		if u >= secondMs {
			return false
		}
		behind, before := block.laterAndAt(uint(u))
		later += behind
		tiedBefore += before
	}
	last := uint(0)
	for _, y := range ys {
		u := uint(y - start)
		tied += block.addOne(u)
		last = max(last, u)
	}
	var discordant [Grains]int64
	j.line.addedSecond(at.second, start+int64(last), int64(len(ys)), int64(tied), int64(later), &discordant)
	j.sums[0].discordant += discordant[0]
	j.sums[0].tiedBoth += int64(tied - tiedBefore)
	return true
}

// countMillis adds the discordant pairs of n elements at the grain of 1 ms.
func (j *Joint) countMillis(y int64, at moment, n int64) {
	if !j.line.isLatest(y) {
		later, _, _, _ := j.line.later(y, at)
		j.sums[0].discordant += n * later
	}
}

// closed gives the sums of a grain as they are once its open x cell is closed. The
// timeline already holds the elements of that cell, which do not count against
// each other: same takes them off again.
func (j *Joint) closed(g int) sums {
	s := j.sums[g]
	width := GrainsMs[g] / secondMs
	j.open[g].compact()
	var same int64
	for i := len(j.open[g]) - 1; i >= 0; i-- {
		c := j.open[g][i]
		s.discordant += c.n * (j.line.laterThanSecond(c.at * width)[g] - same)
		s.tiedBoth += choose2(c.n)
		same += c.n
	}
	s.tiedX += choose2(same)
	return s
}

// Floor promises that no later element has a y below floorMs, which lets memory
// be released when the minute of x is over. A lower floor than before changes
// nothing.
func (j *Joint) Floor(floorMs int64) { j.floor.raise(floorMs) }

// Result gives the counts so far at each grain of GrainsMs. More elements may follow.
func (j *Joint) Result() (pairs [Grains]Pairs) {
	for g := range pairs {
		s := j.sums[g]
		if g >= 2 {
			s = j.closed(g)
		}
		pairs[g] = newPairs(j.line.n, s.tiedX, j.line.tied[g], s.tiedBoth, s.discordant)
	}
	return pairs
}

// fail notes the first error.
func (j *Joint) fail(err error) {
	if j.err == nil {
		j.err = err
	}
}

// Err is the first reason for which the result is not to be trusted, or nil.
func (j *Joint) Err() error {
	switch {
	case j.err != nil:
		return j.err
	case j.floor.err != nil:
		return j.floor.err
	case j.line.n > maxElements:
		return fmt.Errorf("%w: %d", ErrTooMany, j.line.n)
	}
	return nil
}
