package measure

import (
	"math/bits"

	"twindrift/sim/tally"
)

// Headroom is one point of the headroom curve: the smallest capacity, in ids a
// second, at which a node with these counts keeps every offset at most Offset
// seconds, as long as they come in the order of their seconds. It is
// Count / (To - From + 1 + Offset), exactly, and From..To is a window of seconds
// (Unix) that asks for it; others may ask for as much.
type Headroom struct {
	Offset   int64
	Count    int64 // ids asked for within the window
	From, To int64
}

// PerSecond is the capacity.
func (h Headroom) PerSecond() float64 { return float64(h.Count) / float64(h.span()) }

func (h Headroom) span() int64 { return h.To - h.From + 1 + h.Offset }

// at is the same window at another offset.
func (h Headroom) at(offset int64) Headroom {
	h.Offset = offset
	return h
}

// HeadroomOffsets are the offsets that reports give the curve at.
var HeadroomOffsets = []int64{0, 1, 2, 5, 10, 30, 60, 300, 600}

// HeadroomCurve gives the curve c*(d) = max over windows u..v of
// A(u, v) / (v - u + 1 + d) at offsets d, with A the ids asked for in the seconds
// u..v: the capacity that a queue fed by A needs so that nobody waits longer than d
// (network calculus; Le Boudec and Thiran, 2001, chapter 1). That is no promise where
// messages are late: one that finds its second full, and those after it, goes further
// than a queue would have it wait. The curve is empty when nothing was asked for.
//
// Dinkelbach's method for fractional programs: take a ratio, find the window
// that exceeds it most, go on with that window's ratio until none exceeds it.
// Each step is one pass over the seconds, and few are needed, fewer still from the
// window of an offset near by.
func HeadroomCurve(asked *tally.Counts, offsets []int64) (curve []Headroom) {
	var seconds []secondCount
	var fullest Headroom
	for second, n := range asked.All() {
		seconds = append(seconds, secondCount{second, n})
		if n > fullest.Count {
			fullest = Headroom{Count: n, From: second, To: second}
		}
	}
	if len(seconds) == 0 {
		return nil
	}
	for _, d := range offsets {
		best := fullest.at(d)
		if n := len(curve); n > 0 && less(best, curve[n-1].at(d)) {
			best = curve[n-1].at(d)
		}
		for next := worst(seconds, best); less(best, next); next = worst(seconds, best) {
			best = next
		}
		curve = append(curve, best)
	}
	return curve
}

// secondCount is a second in which ids were asked for, and how many.
type secondCount struct{ second, n int64 }

// worst is the window with the largest A - c (length + d) for the ratio c of h
// (Kadane's algorithm). With c = p/q everything is multiplied by q, in 128 bits
// where it matters: seconds may be decades apart.
func worst(asked []secondCount, h Headroom) Headroom {
	p, q := h.Count, h.span()
	best, now := h, Headroom{Offset: h.Offset}
	var bestSum, sum wide
	started, any := false, false
	previous := int64(0)
	for _, a := range asked {
		if started {
			sum = sum.minus(p, a.second-previous-1) // seconds without messages
		}
		if !started || !sum.positive() {
			now.From, now.Count, sum, started = a.second, 0, wide{}, true
		}
		now.Count += a.n
		now.To = a.second
		sum = sum.plus(a.n, q).minus(p, 1)
		if !any || bestSum.less(sum) {
			best, bestSum, any = now, sum, true
		}
		previous = a.second
	}
	return best
}

// less compares two points' capacities exactly.
func less(a, b Headroom) bool {
	ah, al := bits.Mul64(uint64(a.Count), uint64(b.span()))
	bh, bl := bits.Mul64(uint64(b.Count), uint64(a.span()))
	return ah < bh || ah == bh && al < bl
}

// wide is a signed 128-bit number in two's complement.
type wide struct{ hi, lo uint64 }

func (w wide) plus(a, b int64) wide {
	hi, lo := bits.Mul64(uint64(a), uint64(b))
	lo, carry := bits.Add64(w.lo, lo, 0)
	hi, _ = bits.Add64(w.hi, hi, carry)
	return wide{hi, lo}
}

func (w wide) minus(a, b int64) wide {
	hi, lo := bits.Mul64(uint64(a), uint64(b))
	lo, borrow := bits.Sub64(w.lo, lo, 0)
	hi, _ = bits.Sub64(w.hi, hi, borrow)
	return wide{hi, lo}
}

func (w wide) positive() bool { return int64(w.hi) > 0 || w.hi == 0 && w.lo > 0 }

func (w wide) less(o wide) bool {
	return int64(w.hi) < int64(o.hi) || w.hi == o.hi && w.lo < o.lo
}
