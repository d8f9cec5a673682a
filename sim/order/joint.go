package order

import "fmt"

// Joint counts, at each grain, how pairs of elements stand in two orders when both
// are floored to the grain: the owner times of the same messages at two sites. A
// pair is discordant at grain g when floor(x / g) and floor(y / g) order it
// differently.
//
// Elements come second by second of x, or in parts of one. The zero value is ready; a Joint belongs to
// one goroutine at a time. Memory is that of a Discordance over y, plus one minute
// of x in cells.
type Joint struct {
	line    timeline
	floor   promise
	err     error
	started bool
	second  int64         // the last second of x
	lastX   int64         // of the last part
	last    cells         // the elements of its last millisecond of x, where parts follow
	joined  int           // how many cells they were when equal ones were last joined
	open    [Grains]cells // of the last cell of x, at the grains from one second up
	sums    [Grains]sums
	inOrder ascending // scratch
	ties    ties      // scratch
	seconds cells     // scratch
}

// sums are the counts of one grain that are final.
type sums struct{ tiedX, tiedBoth, discordant int64 }

// AddSecond takes all elements whose x lies in one second, floor(x / 1000), in any
// order: xMs[i] and yMs[i] belong together. Seconds must ascend strictly. The
// slices are not kept.
func (j *Joint) AddSecond(second int64, xMs, yMs []int64) { j.AddPart(second, xMs, yMs, true) }

// AddPart is AddSecond for some elements of a second that has many: no x may be below one
// of a part before. last says that the second has no other parts; Result is not to be asked
// for before that.
func (j *Joint) AddPart(second int64, xMs, yMs []int64, last bool) {
	if len(xMs) != len(yMs) {
		j.fail(fmt.Errorf("second %d: %d x and %d y", second, len(xMs), len(yMs)))
		return
	}
	if len(xMs) == 0 {
		return
	}
	begins := len(j.last) == 0 // the second
	if j.started && (second < j.second || (second == j.second) == begins) {
		j.fail(fmt.Errorf("%w: second %d after %d", ErrNotAscending, second, j.second))
		return
	}
	j.turn(second)
	xs, ys, ok := j.inOrder.by(second*secondMs, xMs, yMs)
	if !ok {
		j.fail(fmt.Errorf("%w: x given as part of second %d that lies in another", ErrNotAscending, second))
		return
	}
	if !begins && xs[0] < j.lastX {
		j.fail(fmt.Errorf("%w: x %d after %d", ErrNotAscending, xs[0], j.lastX))
		return
	}
	j.ties.of(xs, ys)
	j.addCells()
	j.addMillis(!begins && xs[0] == j.lastX, last)
	j.lastX = xs[len(xs)-1]
}

// turn closes the x cells that the new second leaves behind.
func (j *Joint) turn(second int64) {
	if j.started {
		for g := 1; g < Grains; g++ {
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

// addCells puts the elements into the open x cells.
func (j *Joint) addCells() {
	j.seconds = j.seconds[:0]
	for _, c := range j.ties.cells {
		j.floor.check(c.at)
		j.seconds.put(floorDiv(c.at, secondMs), c.n)
	}
	j.seconds.compact()
	for _, c := range j.seconds {
		for g := 1; g < Grains; g++ {
			j.open[g].put(floorDiv(c.at, GrainsMs[g]/secondMs), c.n)
		}
	}
}

// addMillis counts the elements at the grain of 1 ms, millisecond by millisecond of x, and
// puts them on the timeline. Those of the last one wait where parts follow; the first goes
// on with them where continues says so.
func (j *Joint) addMillis(continues, last bool) {
	start := 0
	for i, end := range j.ties.ends {
		tied := j.ties.cells[start:end]
		start = end
		if i > 0 || !continues {
			j.addLast()
		}
		if len(j.last) > 0 || !last && i == len(j.ties.ends)-1 {
			j.last = append(j.last, tied...)
			if len(j.last) > 2*j.joined {
				j.joinLast()
			}
			continue
		}
		j.addMilli(tied)
	}
	if last {
		j.addLast()
	}
}

// addLast takes what has waited of a millisecond of x.
func (j *Joint) addLast() {
	if len(j.last) > 0 {
		j.joinLast()
		j.addMilli(j.last)
		j.last, j.joined = j.last[:0], 0
	}
}

// joinLast has one cell for all that waits with one y.
func (j *Joint) joinLast() {
	j.last.compact()
	j.joined = len(j.last)
}

// addMilli takes all elements of one millisecond of x, by millisecond of y.
func (j *Joint) addMilli(tied cells) {
	s, n := &j.sums[0], int64(0)
	for _, c := range tied {
		n += c.n
		s.tiedBoth += choose2(c.n)
	}
	s.tiedX += choose2(n)
	if !j.addInSecond(tied, n) {
		j.addTied(tied)
	}
}

// addTied takes the elements of one millisecond of x, by millisecond of y.
func (j *Joint) addTied(tied cells) {
	for _, c := range tied {
		if at := j.line.locate(c.at); !j.line.isLatest(c.at) {
			later, _, _, _ := j.line.later(c.at, at)
			j.sums[0].discordant += c.n * later
		}
	}
	for _, c := range tied {
		j.line.add(c.at, j.line.locate(c.at), c.n)
	}
}

// addInSecond is addTied for n elements of which all y lie in one second that is counted
// densely, and says whether that is so.
func (j *Joint) addInSecond(tied cells, n int64) bool {
	at := j.line.locate(tied[0].at)
	block, start := j.line.denseSecond(tied[0].at, at)
	if block == nil || int64(block.room()) < n {
		return false
	}
	var later, before int64
	last := tied[0].at
	for _, c := range tied {
		if uint64(c.at-start) >= secondMs {
			return false
		}
		l, b := block.laterAndAt(uint(c.at - start))
		later += int64(l) * c.n
		before += int64(b)*c.n + choose2(c.n)
		last = max(last, c.at)
	}
	for _, c := range tied {
		block.addPacked(uint(c.at-start), uint64(c.n))
	}
	var discordant [Grains]int64
	j.line.addedSecond(at.second, last, n, before, later, &discordant)
	j.sums[0].discordant += discordant[0]
	return true
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
		if g >= 1 {
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
