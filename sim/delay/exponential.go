package delay

import "fmt"

var exponentialKind = kind{
	name: "exponential", usage: "MEAN", arity: 1,
	make: func(p []int64) (Dist, error) {
		return Dist{
			text: "exponential:" + spell(p[0]),
			form: &formula{exponentialSample, exponentialFill},
			a:    float64(p[0]),
		}, checkPositive("the mean", p[0])
	},
}

// exponentialSample is -mean ln(1 - p).
func exponentialSample(d *Dist, u uint64) int64 {
	// 1 - p = (2^53 - q) / 2^54, an exact number in (0, 1).
	upper := float64(1<<53-odd(u)) * 0x1p-54
	return cut(-d.a * log(upper))
}

func exponentialFill(d *Dist, us []uint64, out []int64) {
	for i, u := range us {
		out[i] = exponentialSample(d, u)
	}
}

func checkPositive(what string, ns int64) error {
	if ns <= 0 {
		return fmt.Errorf("%s must be above 0", what)
	}
	return nil
}
