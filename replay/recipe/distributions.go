package recipe

import (
	"math"
	"sort"

	"twindrift/replay/philox"
)

// quantiles is into how many equally likely sizes the size of values is cut.
const quantiles = 4096

// z99 is the 99th percentile of the standard normal distribution.
var z99 = math.Sqrt2 * math.Erfinv(2*0.99-1)

// lognormal is the value below which a lognormal number stays with probability
// u (0 < u < 1), given its median and its 99th percentile.
func lognormal(p50, p99, u float64) float64 {
	if p50 == p99 {
		return p50
	}
	sigma := math.Log(p99/p50) / z99
	return p50 * math.Exp(sigma*math.Sqrt2*math.Erfinv(2*u-1))
}

// lateness is the delay of late messages.
type lateness struct {
	late
	belowMax float64 // share of the uncut distribution that lies below Max
}

func newLateness(l *late) *lateness {
	if l.P50 == l.P99 {
		return &lateness{*l, 1}
	}
	sigma := math.Log(float64(l.P99)/float64(l.P50)) / z99
	x := math.Log(float64(l.Max)/float64(l.P50)) / sigma
	return &lateness{*l, 0.5 * (1 + math.Erf(x/math.Sqrt2))}
}

// draw turns two uniform numbers into a delay in ms; 0 for a message that is
// not late. The tail beyond Max is cut off, not heaped up there.
func (l *lateness) draw(u0, u1 uint64) int64 {
	if philox.Float(u0) >= float64(l.Share) {
		return 0
	}
	ms := lognormal(float64(l.P50), float64(l.P99), philox.OpenFloat(u1)*l.belowMax)
	return min(int64(math.Ceil(ms)), int64(l.Max))
}

// poisson draws Poisson numbers of one mean: cdf[i] is the probability of at
// most low+i. What is left out on both sides is below what 53 bits can tell.
type poisson struct {
	low int
	cdf []float64
}

func newPoisson(mean float64) *poisson {
	const negligible = 0x1p-60
	mode := math.Floor(mean)
	logGamma, _ := math.Lgamma(mode + 1)
	top := math.Exp(mode*math.Log(mean) - mean - logGamma)
	p := &poisson{low: int(mode)}
	var below []float64
	for v := top; p.low > 0 && v > negligible*top; {
		v *= float64(p.low) / mean
		p.low--
		below = append(below, v)
	}
	sum := 0.0
	add := func(v float64) {
		sum += v
		p.cdf = append(p.cdf, sum)
	}
	for i := len(below) - 1; i >= 0; i-- {
		add(below[i])
	}
	for k, v := mode, top; v > negligible*top; {
		add(v)
		k++
		v *= mean / k
	}
	for i := range p.cdf {
		p.cdf[i] /= sum
	}
	return p
}

// draw turns a uniform number into a count.
func (p *poisson) draw(u uint64) int {
	f := philox.Float(u)
	if f < p.cdf[0] { // nearly always so where messages are rare
		return p.low
	}
	return p.low + sort.Search(len(p.cdf)-1, func(i int) bool { return f < p.cdf[i] })
}
