package order

import (
	"cmp"
	"math"
	"slices"

	"twindrift/sim/tally"
)

// Density is a reorder density or a reorder buffer-occupancy density of RFC 5236,
// before it is divided by the number of values counted.
type Density struct {
	Counts    tally.Counts // displacements, or occupancies
	Discarded int64        // values beyond the threshold; duplicates and late arrivals are in neither
}

// Share is the density at a value: its count in relation to all that were counted;
// false when nothing was.
func (d *Density) Share(value int64) (float64, bool) {
	if d.Counts.N() == 0 {
		return 0, false
	}
	return float64(d.Counts.Count(value)) / float64(d.Counts.N()), true
}

// ReorderDensity is the reorder density (RD) of RFC 5236, section 7.1, an
// informational RFC: the distribution of displacements of sequence numbers in order
// of arrival. Arrivals get receive indices, which pass over numbers that are lost;
// the displacement is receive index less sequence number, below 0 for early
// arrivals. A number is lost when it is not among those that came early nor in the
// next dt+1 arrivals. Arrivals displaced by more than dt are discarded and get no
// index; duplicates are passed over. O(n dt) time at worst, O(n) without losses.
func ReorderDensity(sequence []int64, dt int) *Density {
	d := &receiver{rest: sequence, early: map[int64]bool{}, inWindow: map[int64]bool{}}
	if len(sequence) > 0 {
		d.index = slices.Min(sequence)
	}
	density := new(Density)
	for range dt + 1 {
		d.receive()
	}
	for len(d.window) > 0 {
		if !d.early[d.index] && !d.inWindow[d.index] {
			d.skipLost()
			continue
		}
		s := d.window[0]
		d.window = d.window[1:]
		delete(d.inWindow, s)
		if displacement := d.index - s; displacement > int64(dt) || displacement < -int64(dt) {
			density.Discarded++
		} else {
			density.Counts.Add(displacement)
			delete(d.early, d.index)
			if displacement < 0 {
				d.early[s] = true
			}
			d.index++
		}
		d.receive()
	}
	return density
}

// receiver looks a window ahead into the arrivals.
type receiver struct {
	rest     []int64
	index    int64   // the next receive index
	window   []int64 // the next arrivals, none twice
	inWindow map[int64]bool
	early    map[int64]bool // have arrived before their index
}

// receive puts the next arrival that is neither late nor a duplicate in the window.
func (r *receiver) receive() {
	for len(r.rest) > 0 {
		s := r.rest[0]
		r.rest = r.rest[1:]
		if s >= r.index && !r.early[s] && !r.inWindow[s] {
			r.window = append(r.window, s)
			r.inWindow[s] = true
			return
		}
	}
}

// skipLost moves the index to the next number that has not been lost. There is one:
// the numbers at or above the index that have come early or are in the window are
// never fewer than the window holds, since each that leaves it uses up one at most.
func (r *receiver) skipLost() {
	next := int64(math.MaxInt64)
	for _, numbers := range []map[int64]bool{r.inWindow, r.early} {
		for s := range numbers {
			if s > r.index {
				next = min(next, s)
			}
		}
	}
	r.index = next
}

// ReorderBufferDensity is the reorder buffer-occupancy density (RBD) of RFC 5236,
// section 7.2: the distribution of the number of arrivals that wait, after each
// arrival, for a smaller sequence number to come. When bt of them wait and one more
// would have to, what they wait for is taken for lost, and those go on that waited
// for nothing else. Duplicates and numbers that come after they were taken for lost
// are passed over. O(n bt) time at worst.
func ReorderBufferDensity(sequence []int64, bt int) *Density {
	density := new(Density)
	if len(sequence) == 0 {
		return density
	}
	expected := slices.Min(sequence)
	var buffer []int64 // those that wait, descending
	release := func() {
		for n := len(buffer); n > 0 && buffer[n-1] == expected; n-- {
			buffer = buffer[:n-1]
			expected++
		}
	}
	for _, s := range sequence {
		place, waits := slices.BinarySearchFunc(buffer, s, func(b, s int64) int { return cmp.Compare(s, b) })
		if s < expected || waits {
			continue
		}
		if s != expected && len(buffer) >= bt {
			expected = s
			if n := len(buffer); n > 0 {
				expected = min(s, buffer[n-1])
			}
			release()
			place = min(place, len(buffer))
		}
		if s == expected {
			expected++
			release()
		} else {
			buffer = slices.Insert(buffer, place, s)
		}
		density.Counts.Add(int64(len(buffer)))
	}
	return density
}
