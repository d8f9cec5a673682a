package replications

import (
	"math"
	"sync"

	"twindrift/sim/result"
)

// factor is what the standard error is multiplied by for half an interval of
// n values, at least 2.
func factor(n int) float64 {
	if f, ok := factors.Load(n); ok {
		return f.(float64)
	}
	f := studentT(result.Confidence, n-1)
	factors.Store(n, f)
	return f
}

// factors are those found so far: figures by the hundred have the same n.
var factors sync.Map

// Estimate sums up the values of a figure, which are kept; nil is not defined.
func Estimate(values []*float64) *result.Estimate {
	e := &result.Estimate{Values: values}
	var known []float64
	for _, v := range values {
		if v != nil {
			known = append(known, *v)
		}
	}
	e.Defined = len(known)
	if e.Defined == 0 {
		return e
	}
	low, high, mean, sd := moments(known)
	e.Min, e.Max, e.Mean = &low, &high, &mean
	if e.Defined == 1 {
		return e
	}
	half := factor(e.Defined) * sd / math.Sqrt(float64(e.Defined))
	from, to := mean-half, mean+half
	e.SD, e.Low, e.High = &sd, &from, &to
	return e
}

// moments of at least one value; sd is NaN of one. They are taken about the
// first value, so that equal values have exactly no spread.
func moments(values []float64) (low, high, mean, sd float64) {
	low, high = math.Inf(1), math.Inf(-1)
	first, n := values[0], float64(len(values))
	for _, v := range values {
		low, high = min(low, v), max(high, v)
		mean += (v - first) / n
	}
	squares := 0.0
	for _, v := range values {
		squares += (v - first - mean) * (v - first - mean)
	}
	return low, high, first + mean, math.Sqrt(squares / (n - 1))
}
