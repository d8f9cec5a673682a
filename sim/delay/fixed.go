package delay

import (
	"fmt"
	"math/bits"
)

var fixedKind = kind{
	name: "fixed", usage: "DELAY", arity: 1,
	make: func(p []int64) (Dist, error) { return Dist{text: spell(p[0]), lo: p[0]}, nil },
}

var uniformKind = kind{
	name: "uniform", usage: "MIN,MAX", arity: 2,
	make: func(p []int64) (Dist, error) {
		if p[0] > p[1] {
			return Dist{}, fmt.Errorf("the smaller value comes first")
		}
		return Dist{
			text: fmt.Sprintf("uniform:%s,%s", spell(p[0]), spell(p[1])),
			form: &formula{uniformSample, uniformFill},
			lo:   p[0], span: uint64(p[1]-p[0]) + 1,
		}, nil
	},
}

// uniformSample gives each whole nanosecond of [lo, lo+span) the same share of
// words, to within one word.
func uniformSample(d *Dist, u uint64) int64 {
	hi, _ := bits.Mul64(u, d.span)
	return d.lo + int64(hi)
}

func uniformFill(d *Dist, us []uint64, out []int64) {
	for i, u := range us {
		hi, _ := bits.Mul64(u, d.span)
		out[i] = d.lo + int64(hi)
	}
}
