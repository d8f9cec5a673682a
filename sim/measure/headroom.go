package measure

import (
	"math/bits"

	"twindrift/sim/tally"
)

// Headroom is one point of the headroom curve: the smallest capacity, in ids a
// second, at which a node with these counts keeps every offset at most Offset
// seconds. It is Count / (To - From + 1 + Offset), exactly, and From..To is a
// window of seconds (Unix) that asks for it; others may ask for as much.
type Headroom struct {
	Offset   int64
	Count    int64 // ids asked for within the window
	From, To int64
}

// PerSecond is the capacity.
func (h Headroom) PerSecond() float64 { return float64(h.Count) / float64(h.span()) }

func (h Headroom) span() int64 { return h.To - h.From + 1 + h.Offset }

// HeadroomOffsets are the offsets that reports give the curve at.
var HeadroomOffsets = []int64{0, 1, 2, 5, 10, 30, 60, 300, 600}

// HeadroomAt gives one point of the curve c*(d) = max over windows u..v of
// A(u, v) / (v - u + 1 + d), with A the ids asked for in the seconds u..v: the
// capacity that a queue fed by A needs so that nobody waits longer than d
// (network calculus; Le Boudec and Thiran, 2001, chapter 1). ok is false when
// nothing was asked for.
//
// Dinkelbach's method for fractional programs: take a ratio, find the window
// that exceeds it most, go on with that window's ratio until none exceeds it.
// Each step is one pass over the seconds, and few are needed.
func HeadroomAt(asked *tally.Counts, d int64) (best Headroom, ok bool) {
	for second, n := range asked.All() {
		h := Headroom{Offset: d, Count: n, From: second, To: second}
		if !ok || less(best, h) {
			best, ok = h, true
		}
	}
	for ok {
		w := worst(asked, best)
		if !less(best, w) {
			return best, true
		}
		best = w
	}
	return best, false
}

// worst is the window with the largest A - c (length + d) for the ratio c of h
// (Kadane's algorithm). With c = p/q everything is multiplied by q, in 128 bits
// where it matters: seconds may be decades apart.
func worst(asked *tally.Counts, h Headroom) Headroom {
	p, q := h.Count, h.span()
	best, now := h, Headroom{Offset: h.Offset}
	var bestSum, sum wide
	started, any := false, false
	previous := int64(0)
	for second, n := range asked.All() {
		if started {
			sum = sum.minus(p, second-previous-1) // seconds without messages
		}
		if !started || !sum.positive() {
			now.From, now.Count, sum, started = second, 0, wide{}, true
		}
		now.Count += n
		now.To = second
		sum = sum.plus(n, q).minus(p, 1)
		if !any || bestSum.less(sum) {
			best, bestSum, any = now, sum, true
		}
		previous = second
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
