package delay

import (
	"fmt"
	"math"
)

var paretoKind = kind{
	name: "pareto", usage: "P50,P99,MAX", arity: 3,
	make: func(p []int64) (Dist, error) {
		if err := checkMedian(p); err != nil {
			return Dist{}, err
		}
		if p[2] < p[1] {
			return Dist{}, fmt.Errorf("MAX, to which longer delays are cut, is at least p99")
		}
		median := log(float64(p[0]))
		exponent := (log(float64(p[1])) - median) / ln50
		return withMin(Dist{
			text: fmt.Sprintf("pareto:%s,%s,%s", spell(p[0]), spell(p[1]), spell(p[2])),
			form: &formula{sample: paretoSample, fill: fillOneByOne},
			a:    median - float64(exponent*math.Ln2), b: exponent,
			span: uint64(p[2]),
		}), nil
	},
}

// ln50 is ln(1 - 0.50) - ln(1 - 0.99).
const ln50 = 3.91202300542814605862

// paretoSample is exp(a) (1 - p)^-b, cut at MAX (d.span): what would be longer
// takes MAX, the rest is untouched, so quantiles below MAX are those of the
// uncut distribution.
func paretoSample(d *Dist, u uint64) int64 {
	return min(cutExp(d.a+float64(d.b*exponentialQuantile(odd(u)))), int64(d.span))
}
