package delay

import (
	"errors"
	"fmt"
	"math"
)

var gammaKind = kind{
	name: "gamma", usage: "P50,P99", arity: 2,
	make: func(p []int64) (Dist, error) {
		if err := checkMedian(p); err != nil {
			return Dist{}, err
		}
		median := log(float64(p[0]))
		k, err := gammaShape(log(float64(p[1])) - median)
		if err != nil {
			return Dist{}, err
		}
		curve := newGammaCurve(k)
		return withMin(Dist{
			text: fmt.Sprintf("gamma:%s,%s", spell(p[0]), spell(p[1])),
			form: &formula{sample: gammaSample, fill: fillOneByOne},
			a:    median - curve.at(0), curve: curve,
		}), nil
	},
}

func gammaSample(d *Dist, u uint64) int64 {
	return cutExp(d.a + d.curve.at(standardNormal(odd(u))))
}

// The shapes that occur: of the smallest, p99 is 10^17 times p50; of the
// largest, 0.96 % above it.
const (
	minShape = 0.015
	maxShape = 60_000
)

var errGammaNarrow = errors.New("p99 must be at least 1% above p50; so narrow a gamma is a normal: write that")

// gammaShape is the shape k for which ln(p99/p50) is spread. The spread falls
// with k (A gamma quantile of larger shape is the less spread in logarithms),
// so it is found by halving an interval of ln k.
func gammaShape(spread float64) (float64, error) {
	if spread < 0.00995 {
		return 0, errGammaNarrow
	}
	low, high := log(minShape), log(maxShape)
	for range 52 {
		middle := (low + high) / 2
		k := exp(middle)
		median := gammaQuantile(k, 0, gammaMedianGuess(k))
		if gammaQuantile(k, z99, median+spread)-median > spread {
			low = middle
		} else {
			high = middle
		}
	}
	return exp((low + high) / 2), nil
}

// gammaMedianGuess is where the search for the logarithm of the median starts.
func gammaMedianGuess(k float64) float64 {
	if k >= 1 {
		return log(k - 1.0/3)
	}
	return (lnGamma(k+1) - math.Ln2) / k
}

// gammaQuantile is the logarithm of the gamma quantile, of shape k and scale 1,
// at the probability that the standard normal distribution has at z, by
// Newton's method from a guess. It works on the logarithm of the smaller tail,
// which is a concave function of y: so from the second step on the steps go one
// way and do not overshoot.
func gammaQuantile(k, z, guess float64) float64 {
	// The tail of the normal distribution is half a chi-square's, DLMF 7.11.2.
	target, tail := -math.Ln2, lnLowerGamma
	if z != 0 {
		target += lnUpperGamma(0.5, 2*log(math.Abs(z))-math.Ln2)
	}
	sign := 1.0
	if z > 0 {
		tail, sign = lnUpperGamma, -1
	}
	y := guess
	for range 100 {
		value := tail(k, y)
		slope := sign * expOrZero(lnDensity(k, expOrZero(y), y)-value)
		step := (target - value) / slope
		// Far off, the tail can be flat or beyond reach: go there in strides.
		limit := 2 + math.Abs(y)
		if !(math.Abs(step) <= limit) {
			step = math.Copysign(limit, sign*(target-value))
		}
		y += step
		if math.Abs(step) <= 1e-14*(1+math.Abs(y)) {
			break
		}
	}
	return y
}

// gammaCurve is the logarithm of the gamma quantile as a function of the
// standard normal quantile z of the same probability, a smooth curve: exact at
// knots, with cubic Hermite polynomials between them that have its slopes at
// the knots. They are off by less than 1 part in 10^8 of the delay (see the
// tests).
type gammaCurve [2*gammaReach*gammaKnots + 1]struct {
	y, slope float64 // slope per distance of knots
}

const (
	gammaReach = 9  // words reach z = 8.3 on either side
	gammaKnots = 64 // in a unit of z
)

func newGammaCurve(k float64) *gammaCurve {
	c := new(gammaCurve)
	const middle = gammaReach * gammaKnots
	c.set(k, middle, gammaMedianGuess(k))
	for i := 1; i <= middle; i++ {
		c.set(k, middle+i, c[middle+i-1].y+c[middle+i-1].slope)
		c.set(k, middle-i, c[middle-i+1].y-c[middle-i+1].slope)
	}
	return c
}

// set computes knot i, near a guess. The slope is the ratio of the densities of
// z and y.
func (c *gammaCurve) set(k float64, i int, guess float64) {
	z := float64(i-gammaReach*gammaKnots) / gammaKnots
	y := gammaQuantile(k, z, guess)
	const halfLn2Pi = 0.918938533204672741780329736
	c[i].y = y
	c[i].slope = expOrZero(-float64(z*z/2)-halfLn2Pi-lnDensity(k, expOrZero(y), y)) / gammaKnots
}

// at is the curve at z.
func (c *gammaCurve) at(z float64) float64 {
	t := (z + gammaReach) * gammaKnots
	i := int(t)
	f := t - float64(i)
	from, to := &c[i], &c[i+1]
	rise := to.y - from.y
	c3 := from.slope + to.slope - 2*rise
	c2 := rise - from.slope - c3
	return from.y + float64(f*(from.slope+float64(f*(c2+float64(f*c3)))))
}
