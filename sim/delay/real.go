package delay

import "math"

// The functions here are those of package math, written so that every machine
// gives the same bits: math has assembly for some, and compilers may fuse a
// product with a sum into one rounding, which float64(product) forbids.

// poly is c[0] + c[1] x + ... + c[7] x^7. It is one expression so that it is
// small enough to be inlined.
func poly(c *[8]float64, x float64) float64 {
	return float64(x*(float64(x*(float64(x*(float64(x*(float64(x*(float64(x*(float64(x*
		c[7])+c[6]))+c[5]))+c[4]))+c[3]))+c[2]))+c[1])) + c[0]
}

const (
	ln2Hi = 6.93147180369123816490e-01 // ln 2 in two parts, the first of 33 bits
	ln2Lo = 1.90821492927058770002e-10
)

// exp is e^x for x in [-700, 700], to within one unit in the last place.
//
// Algorithm of FreeBSD's e_exp.c (Sun Microsystems, 1993).
func exp(x float64) float64 {
	whole, hi, lo := expReduced(x)
	return expRest(hi, lo) * math.Float64frombits(uint64(1023+whole)<<52)
}

// exps sets each of x to its exp. Nothing is called, so that the processor can
// work on several at a time.
func exps(x []float64) {
	for i, v := range x {
		whole, hi, lo := expReduced(v)
		x[i] = expRest(hi, lo) * math.Float64frombits(uint64(1023+whole)<<52)
	}
}

// expReduced is x as a whole number of ln 2 and a rest hi - lo.
func expReduced(x float64) (whole int64, hi, lo float64) {
	round := 0.5
	if x < 0 {
		round = -0.5
	}
	whole = int64(float64(x*(1/math.Ln2)) + round)
	k := float64(whole)
	return whole, x - float64(k*ln2Hi), float64(k * ln2Lo)
}

// expRest is e^(hi - lo), near 1.
func expRest(hi, lo float64) float64 {
	r := hi - lo
	t := float64(r * r)
	c := float64(4.13813679705723846039e-08*t) - 1.65339022054652515390e-06
	c = float64(c*t) + 6.61375632143793436117e-05
	c = float64(c*t) - 2.77777777770155933842e-03
	c = float64(c*t) + 1.66666666666666019037e-01
	c = r - float64(c*t)
	return 1 - ((lo - float64(r*c)/(2-c)) - hi)
}

// log is the natural logarithm of a normal x > 0, to within one unit in the
// last place.
//
// Algorithm of FreeBSD's e_log.c (Sun Microsystems, 1993).
func log(x float64) float64 {
	// x = 2^k (1 + f), with 1 + f between sqrt(1/2) and sqrt(2).
	b := math.Float64bits(x)
	k := int64(b>>52) - 1023
	m := b&(1<<52-1) | 1023<<52
	if m > 0x3ff6a09e667f3bcd { // sqrt(2)
		m -= 1 << 52
		k++
	}
	f := math.Float64frombits(m) - 1
	s := f / (2 + f)
	s2 := float64(s * s)
	s4 := float64(s2 * s2)
	t1 := float64(s4*1.479819860511658591e-01) + 1.818357216161805012e-01
	t1 = float64(s4*t1) + 2.857142874366239149e-01
	t1 = float64(s4*t1) + 6.666666666666735130e-01
	t2 := float64(s4*1.531383769920937332e-01) + 2.222219843214978396e-01
	t2 = float64(s4*t2) + 3.999999999940941908e-01
	r := float64(s2*t1) + float64(s4*t2)
	half := float64(0.5 * f * f)
	n := float64(k)
	return float64(n*ln2Hi) - ((half - (float64(s*(half+r)) + float64(n*ln2Lo))) - f)
}
