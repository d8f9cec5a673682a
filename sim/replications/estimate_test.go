package replications

import (
	"math"
	"math/rand/v2"
	"testing"

	"twindrift/sim/result"
)

// some are the values of a figure; NaN stands for one that is not defined.
func some(values ...float64) []*float64 {
	out := make([]*float64, len(values))
	for i := range values {
		if !math.IsNaN(values[i]) {
			out[i] = &values[i]
		}
	}
	return out
}

// The hours of sleep that ten patients gained with two drugs: A. Cushny and A.
// Peebles, 1905, on which Student tried his distribution in 1908 ("sleep" in R).
var (
	sleepA = []float64{0.7, -1.6, -0.2, -1.2, -0.1, 3.4, 3.7, 0.8, 0.0, 2.0}
	sleepB = []float64{1.9, 0.8, 1.1, 0.1, -0.1, 4.4, 5.5, 1.6, 4.6, 3.4}
)

// From SciPy 1.17.1: scipy.stats.ttest_1samp(x, 0).confidence_interval(0.95),
// which R's t.test prints too.
func TestEstimate(t *testing.T) {
	undefined := math.NaN()
	for _, c := range []struct {
		values                           []float64
		defined                          int
		mean, sd, low, high, least, most float64
	}{
		{sleepA, 10, 0.75, 1.7890096577591623, -0.5297804135262321, 2.029780413526232, -1.6, 3.7},
		{sleepB, 10, 2.33, 2.002248735796829, 0.8976775393767051, 3.7623224606232943, -0.1, 5.5},
		{[]float64{1, 2, 3, 4}, 4, 2.5, 1.2909944487358056, 0.4457397432394794, 4.554260256760521, 1, 4},
		{[]float64{undefined, 2, undefined, 1}, 2, 1.5, 0.7071067811865476, -4.853102368087347, 7.853102368087347, 1, 2},
		{[]float64{0.1, 0.1, 0.1}, 3, 0.1, 0, 0.1, 0.1, 0.1, 0.1},
	} {
		e := Estimate(some(c.values...))
		if e.Defined != c.defined {
			t.Errorf("%v: defined %d times, want %d", c.values, e.Defined, c.defined)
		}
		for _, f := range []struct {
			name string
			got  *float64
			want float64
		}{{"mean", e.Mean, c.mean}, {"sd", e.SD, c.sd}, {"low", e.Low, c.low}, {"high", e.High, c.high}, {"min", e.Min, c.least}, {"max", e.Max, c.most}} {
			if f.got == nil || math.Abs(*f.got-f.want) > 1e-12 {
				t.Errorf("%v: %s is %v, want %.16g", c.values, f.name, f.got, f.want)
			}
		}
		if c.sd == 0 && (*e.SD != 0 || *e.Low != c.mean || *e.High != c.mean) {
			t.Errorf("%v: equal values spread by %g", c.values, *e.SD)
		}
	}
}

// One value has no interval, and none has nothing.
func TestEstimateOfTooFew(t *testing.T) {
	e := Estimate(some(7, math.NaN()))
	if e.Defined != 1 || *e.Mean != 7 || *e.Min != 7 || *e.Max != 7 || e.SD != nil || e.Low != nil || e.High != nil {
		t.Errorf("of one value: %+v", e)
	}
	e = Estimate(some(math.NaN(), math.NaN()))
	if e.Defined != 0 || e.Mean != nil || e.Min != nil || e.Max != nil || e.SD != nil || e.Low != nil || e.High != nil {
		t.Errorf("of none: %+v", e)
	}
}

// 95 of 100 intervals of normal values hold the true mean.
func TestIntervalsHoldTheTruth(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	const trials = 20_000
	held := 0
	for range trials {
		values := make([]float64, 2+random.IntN(9))
		for i := range values {
			values[i] = 42 + 3*random.NormFloat64()
		}
		if e := Estimate(some(values...)); *e.Low <= 42 && 42 <= *e.High {
			held++
		}
	}
	// Within four standard deviations of the binomial.
	if share := float64(held) / trials; math.Abs(share-result.Confidence) > 4*math.Sqrt(0.95*0.05/trials) {
		t.Errorf("%.4f of the intervals hold the true mean, want %g", share, result.Confidence)
	}
}
