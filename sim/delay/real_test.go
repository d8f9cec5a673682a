package delay

import (
	"math"
	"testing"
)

// Against package math, which may itself be off by a unit in the last place.
func TestRealFunctions(t *testing.T) {
	ulps := func(a, b float64) int64 {
		d := int64(math.Float64bits(a)) - int64(math.Float64bits(b))
		return max(d, -d)
	}
	for i := range 1 << 16 {
		x := (float64(i) + 0.37) / (1 << 16)
		for _, x := range []float64{x, -x, 40 * x, -700 * x, 700 * x} {
			if got, want := exp(x), math.Exp(x); ulps(got, want) > 2 {
				t.Fatalf("exp(%v) = %v, want %v", x, got, want)
			}
		}
		for _, x := range []float64{x, 0.5 + x, 1 + x/1e6, 1 - x/1e6, x * 1e-16, x * 1e16, 1 - x} {
			if got, want := log(x), math.Log(x); ulps(got, want) > 2 {
				t.Fatalf("log(%v) = %v, want %v", x, got, want)
			}
		}
	}
	if exp(0) != 1 || log(1) != 0 {
		t.Error("the exact values are not exact")
	}
}

// Samples are the same on every machine and in every version: a change here
// changes the results of every scenario.
func TestSamplesAreFixed(t *testing.T) {
	us := words(1 << 12)
	out := make([]int64, len(us))
	for text, want := range map[string]uint64{
		"normal:50ms,10ms":                             0xd1db5c35b82aa73d,
		"lognormal:35ms,400ms":                         0x6c73dc8b29dfc785,
		"exponential:20ms":                             0x399187b8259568db,
		"gamma:35ms,400ms":                             0xd3fabf2a675565fe,
		"gamma:100ms,110ms":                            0x6deb47b2681f614b,
		"weibull:35ms,400ms":                           0x77fe8fbea5183500,
		"pareto:35ms,400ms,10s":                        0x5a00fc88e0355f15,
		"mixture:(0.9*lognormal:35ms,400ms|0.1*2s)":    0x5cd5d9950b7328fb,
		"uniform:1ms,5ms":                              0x63492ed0708abdd5,
		"empirical:p50=10ms,p90=20ms,p99=100ms,max=1s": 0xa0ba4a2e577e2302,
		"empirical:10ms/12ms/40ms":                     0x9f1fa71292036a5,
	} {
		d := mustParse(t, text)
		d.SampleBatch(us, out)
		sum := uint64(14695981039346656037) // FNV-1a over the samples
		for _, ns := range out {
			sum = (sum ^ uint64(ns)) * 1099511628211
		}
		if sum != want {
			t.Errorf("%q: %#x,", text, sum)
		}
	}
}
