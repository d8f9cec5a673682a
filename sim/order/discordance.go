package order

import (
	"fmt"
	"slices"
)

// Discordance counts, at each grain, how the pairs of a sequence stand in order of
// x and in order of y: streaming, exact. Elements come in ascending order of x. x
// itself is not floored, only y is: a pair is discordant at grain g when the
// element with the greater x has the smaller floor(y / g).
//
// The zero value is ready. A Discordance belongs to one goroutine at a time. It
// keeps counts by millisecond from the highest promised floor up to the greatest
// y: about 5.5 KiB for every second of y in use, 64 bytes for a second or a minute
// that holds at most 23 elements. Callers with long sequences should call Floor
// now and then.
type Discordance struct {
	line       timeline
	floor      promise
	tiedX      int64
	tiedBoth   [Grains]int64
	discordant [Grains]int64
	group      []int64
}

// Add takes an element with an x of its own, greater than every x before it, and
// its y in milliseconds.
func (d *Discordance) Add(yMs int64) {
	at := d.line.locate(yMs)
	d.count(yMs, at, 1)
	d.line.add(yMs, at, 1)
}

// AddEach is Add for one element after the other. Those that lie in one second are
// taken in one go, where that second holds more than a few.
func (d *Discordance) AddEach(ysMs []int64) {
	for len(ysMs) > 0 {
		n := d.addSecond(ysMs)
		if n == 0 {
			d.Add(ysMs[0])
			n = 1
		}
		ysMs = ysMs[n:]
	}
}

// addSecond takes the first elements, as far as they lie in the second of the
// first, and says how many; none where that is not counted densely.
func (d *Discordance) addSecond(ysMs []int64) (n int) {
	at := d.line.locate(ysMs[0])
	block, start := d.line.denseSecond(ysMs[0], at)
	if block == nil || d.floor.given && start < d.floor.floorMs {
		return 0
	}
	var later, tied uint64
	var last uint
	for _, y := range ysMs[:min(len(ysMs), block.room())] {
		u := uint64(y - start)
		if u >= secondMs {
			break
		}
		behind, before := block.laterThenAdd(uint(u))
		later += behind
		tied += before
		last = max(last, uint(u))
		n++
	}
	if n > 0 {
		d.line.addedSecond(at.second, start+int64(last), int64(n), int64(tied), int64(later), &d.discordant)
	}
	return n
}

// AddTied takes the elements of one and the same x, greater than every x before
// it, in any order. They are tied among each other.
func (d *Discordance) AddTied(ysMs []int64) {
	if len(ysMs) == 1 {
		d.Add(ysMs[0])
		return
	}
	d.group = append(d.group[:0], ysMs...)
	slices.Sort(d.group)
	for y, n := range runs(d.group) {
		d.count(y, d.line.locate(y), n)
	}
	for y, n := range runs(d.group) {
		d.line.add(y, d.line.locate(y), n)
	}
	d.Tie(d.group)
}

// Tie says of elements that have been taken, or will be, one after the other as they are
// here, ascending, that they have one and the same x. None of them stands the wrong way
// round with another, so they may come in the middle of those of Add, AddEach or AddBlock.
func (d *Discordance) Tie(ysMs []int64) {
	d.tiedX += choose2(int64(len(ysMs)))
	for g, grain := range GrainsMs {
		d.tiedBoth[g] += tiedInSorted(ysMs, grain)
	}
}

// count adds the discordant pairs of n new elements at one moment with all before.
func (d *Discordance) count(yMs int64, at moment, n int64) {
	d.floor.check(yMs)
	if d.line.isLatest(yMs) {
		return
	}
	byMs, bySecond, byTen, byMinute := d.line.later(yMs, at)
	d.discordant[0] += n * byMs
	d.discordant[1] += n * bySecond
	d.discordant[2] += n * byTen
	d.discordant[3] += n * byMinute
}

// Floor promises that no later element has a y below floorMs, which lets memory
// be released. A lower floor than before changes nothing.
func (d *Discordance) Floor(floorMs int64) {
	d.floor.raise(floorMs)
	d.line.release(d.floor.floorMs)
}

// Result gives the counts so far at each grain of GrainsMs. TiedX is the same at
// every grain. More elements may follow.
func (d *Discordance) Result() (pairs [Grains]Pairs) {
	for g := range pairs {
		pairs[g] = newPairs(d.line.n, d.tiedX, d.line.tied[g], d.tiedBoth[g], d.discordant[g])
	}
	return pairs
}

// Err is the first reason for which the result is not to be trusted, or nil.
func (d *Discordance) Err() error {
	if d.floor.err == nil && d.line.n > maxElements {
		return fmt.Errorf("%w: %d", ErrTooMany, d.line.n)
	}
	return d.floor.err
}

// runs goes over a sorted list, each different value with its count.
func runs(sorted []int64) func(yield func(value, n int64) bool) {
	return func(yield func(value, n int64) bool) {
		for start := 0; start < len(sorted); {
			end := start + 1
			for end < len(sorted) && sorted[end] == sorted[start] {
				end++
			}
			if !yield(sorted[start], int64(end-start)) {
				return
			}
			start = end
		}
	}
}

// tiedInSorted is how many pairs of a sorted list share a cell of the grain.
func tiedInSorted(sorted []int64, grain int64) (tied int64) {
	for start := 0; start < len(sorted); {
		first := sorted[start]
		left := uint64(grain - 1 - (first - floorDiv(first, grain)*grain)) // in its cell
		end := start + 1
		for end < len(sorted) && uint64(sorted[end]-first) <= left {
			end++
		}
		tied += choose2(int64(end - start))
		start = end
	}
	return tied
}
