package delay

import "fmt"

var weibullKind = kind{
	name: "weibull", usage: "P50,P99", arity: 2,
	make: func(p []int64) (Dist, error) {
		if err := checkMedian(p); err != nil {
			return Dist{}, err
		}
		median := log(float64(p[0]))
		exponent := (log(float64(p[1])) - median) / (lnLn100 - lnLn2)
		return withMin(Dist{
			text: fmt.Sprintf("weibull:%s,%s", spell(p[0]), spell(p[1])),
			form: &formula{sample: weibullSample, fill: fillOneByOne},
			a:    median - float64(exponent*lnLn2), b: exponent,
		}), nil
	},
}

const (
	lnLn2   = -0.366512920581664327012 // ln(-ln(1 - 0.50))
	lnLn100 = 1.52717962580790110736   // ln(-ln(1 - 0.99))
)

// weibullSample is exp(a) (-ln(1 - p))^b.
func weibullSample(d *Dist, u uint64) int64 {
	return cutExp(d.a + float64(d.b*log(exponentialQuantile(odd(u)))))
}

// exponentialQuantile is -ln(1 - p) for p = 0.5 + q/2^54, above 0 and accurate
// at both ends.
//
// Below the median it is ln(1 + x) = x ln(w)/(w - 1), w = 1 + x as rounded:
// D. Goldberg, "What every computer scientist should know about floating-point
// arithmetic", ACM Computing Surveys 23 (1991), theorem 4.
func exponentialQuantile(q int64) float64 {
	if q > 0 {
		return -log(float64(1<<53-q) * 0x1p-54)
	}
	p := float64(1<<53+q) * 0x1p-54
	w := 1 - p
	if w == 1 {
		return p
	}
	return p * log(w) / (w - 1)
}

// checkMedian checks what is given by p50 and p99.
func checkMedian(p []int64) error {
	if p[0] > p[1] {
		return fmt.Errorf("p50 comes first and is at most p99")
	}
	return checkPositive("p50", p[0])
}

// withMin is a distribution without a smallest sample of its own, with that of
// the word 0.
func withMin(d Dist) Dist {
	d.lo = d.form.sample(&d, 0)
	return d
}

// cutExp is e^ln in whole nanoseconds within [0, Max].
func cutExp(ln float64) int64 {
	switch {
	case ln < -1: // below half a nanosecond
		return 0
	case ln > lnMax:
		return maxNs
	}
	return cut(exp(ln))
}

// fillOneByOne is the batch form of kinds that take long for a sample.
func fillOneByOne(d *Dist, us []uint64, out []int64) {
	sample := d.form.sample
	for i, u := range us {
		out[i] = sample(d, u)
	}
}
