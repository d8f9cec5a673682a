package delay

import "math"

// The gamma distribution of shape k and scale 1, seen on logarithmic scales:
// its delays span so many orders of magnitude for small shapes, and its tails
// so many for any, that neither would fit otherwise. y is the logarithm of the
// delay.

// lnLowerGamma and lnUpperGamma are the logarithms of the two tails, the
// regularized incomplete gamma functions P(k, e^y) and Q(k, e^y), for k in
// [0.01, 1e5], to about 1 part in 10^12 of the tail for shapes below 100 and
// 10^10 for the largest.
//
// Up to k + 1 by the series of DLMF 8.7.1 (dlmf.nist.gov), past it by the
// continued fraction of DLMF 8.9.2, as W. J. Lentz evaluates such (Applied
// Optics 15, 1976, 668-671); the other tail is what is left to 1.
func lnLowerGamma(k, y float64) float64 {
	x := expOrZero(y)
	if x < k+1 {
		return lnSeries(k, x, y)
	}
	return lnRest(lnFraction(k, x, y))
}

func lnUpperGamma(k, y float64) float64 {
	x := expOrZero(y)
	if x >= k+1 {
		return lnFraction(k, x, y)
	}
	return lnRest(lnSeries(k, x, y))
}

// lnRest is ln(1 - e^ln), cut where rounding leaves nothing.
func lnRest(ln float64) float64 { return log(max(1-expOrZero(ln), 0x1p-60)) }

// lnSeries is ln P(k, x) = k y - x - ln Gamma(k+1) + ln(1 + x/(k+1) + ...).
func lnSeries(k, x, y float64) float64 {
	sum, term := 1.0, 1.0
	for n := k + 1; term > sum*0x1p-56; n++ {
		term = term * x / n
		sum += term
	}
	return lnDensity(k, x, y) - log(k) + log(sum)
}

// lnFraction is ln Q(k, x) = k y - x - ln Gamma(k) - ln(x+1-k - 1(1-k)/(x+3-k - ...)).
func lnFraction(k, x, y float64) float64 {
	b := x + 1 - k
	c := math.MaxFloat64
	d := 1 / b
	value := d
	for i := 1.0; i < 1e6; i++ {
		a := float64(i * (k - i))
		b += 2
		d = 1 / (b + float64(a*d))
		c = b + a/c
		change := c * d
		value *= change
		if math.Abs(change-1) < 0x1p-52 {
			break
		}
	}
	return lnDensity(k, x, y) + log(value)
}

// lnDensity is the logarithm of the density of y: k y - e^y - ln Gamma(k).
func lnDensity(k, x, y float64) float64 { return float64(k*y) - x - lnGamma(k) }

// lnGamma is ln Gamma(k) for k > 0, to within 10^-14 of itself or of 1.
//
// Stirling's series (DLMF 5.11.1) from 10 upwards, and below it by
// Gamma(k+1) = k Gamma(k).
func lnGamma(k float64) float64 {
	product := 1.0
	for ; k < 10; k++ {
		product *= k
	}
	r := 1 / k
	r2 := float64(r * r)
	s := float64(r2*(-691.0/360360)) + 1.0/1188
	s = float64(r2*s) - 1.0/1680
	s = float64(r2*s) + 1.0/1260
	s = float64(r2*s) - 1.0/360
	s = float64(r2*s) + 1.0/12
	const halfLn2Pi = 0.918938533204672741780329736
	return float64((k-0.5)*log(k)) - k + halfLn2Pi + float64(s*r) - log(product)
}

// expOrZero is e^x, for x up to 700.
func expOrZero(x float64) float64 {
	if x < -700 {
		return 0
	}
	return exp(min(x, 700))
}
