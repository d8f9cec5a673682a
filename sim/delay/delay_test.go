package delay

import (
	"math"
	"testing"
	"time"

	"pgregory.net/rapid"
)

// words gives n words evenly over the line of probability: sample i stands for
// the quantile (i + 0.5) / n. Nothing in these tests is random.
func words(n int) []uint64 {
	us := make([]uint64, n)
	step := uint64(math.MaxUint64)/uint64(n) + 1
	for i := range us {
		us[i] = uint64(i)*step + step/2
	}
	return us
}

func mustParse(t testing.TB, text string) Dist {
	t.Helper()
	d, err := Parse(text)
	if err != nil {
		t.Fatal(err)
	}
	return d
}

// Moments and quantiles of each distribution against their formulas.
func TestMoments(t *testing.T) {
	const ms = float64(time.Millisecond)
	sigma := math.Log(400.0/35) / 2.3263478740408408
	shape := math.Log(math.Log(100)/math.Ln2) / math.Log(400.0/35)
	scale := 35 * ms / math.Pow(math.Ln2, 1/shape)
	alpha := math.Log(50) / math.Log(400.0/35)
	x0 := 35 * ms * math.Pow(0.5, 1/alpha)
	cutMoment := func(n float64) float64 {
		most := 2000 * ms
		lump := math.Pow(x0/most, alpha)
		return alpha/(alpha-n)*(math.Pow(x0, n)-math.Pow(x0, alpha)*math.Pow(most, n-alpha)) + lump*math.Pow(most, n)
	}
	for text, want := range map[string]struct{ mean, deviation, p10, p50, p99 float64 }{
		"20ms":              {20 * ms, 0, 20 * ms, 20 * ms, 20 * ms},
		"uniform:1ms,5ms":   {3 * ms, 4 * ms / math.Sqrt(12), 1.4 * ms, 3 * ms, 4.96 * ms},
		"normal:50ms,10ms":  {50 * ms, 10 * ms, (50 - 12.815515655446004) * ms, 50 * ms, (50 + 23.263478740408408) * ms},
		"exponential:20ms":  {20 * ms, 20 * ms, -math.Log(0.9) * 20 * ms, math.Ln2 * 20 * ms, -math.Log(0.01) * 20 * ms},
		"empirical:1ms/3ms": {2 * ms, 1 * ms, 1 * ms, 3 * ms, 3 * ms},
		"lognormal:35ms,400ms": {
			35 * ms * math.Exp(sigma*sigma/2),
			35 * ms * math.Exp(sigma*sigma/2) * math.Sqrt(math.Exp(sigma*sigma)-1),
			35 * ms * math.Exp(-1.2815515655446004*sigma), 35 * ms, 400 * ms,
		},
		"weibull:35ms,400ms": {
			scale * math.Gamma(1+1/shape),
			scale * math.Sqrt(math.Gamma(1+2/shape)-math.Pow(math.Gamma(1+1/shape), 2)),
			scale * math.Pow(-math.Log(0.9), 1/shape), 35 * ms, 400 * ms,
		},
		// Density alpha/x (x0/x)^alpha from x0 to MAX, and a lump at MAX.
		"pareto:35ms,400ms,2s": {
			cutMoment(1), math.Sqrt(cutMoment(2) - cutMoment(1)*cutMoment(1)),
			x0 * math.Pow(0.9, -1/alpha), 35 * ms, 400 * ms,
		},
		"mixture:(3*10ms|1*uniform:0s,8ms)": {
			8.5 * ms, math.Sqrt(0.75*100+0.25*64.0/3-8.5*8.5) * ms, 10 * ms, 10 * ms, 7.68 * ms,
		},
		// Two straight pieces: 0 to 10 ms over half the words, 10 to 30 ms over the rest.
		"empirical:p50=10ms,max=30ms": {
			12.5 * ms,
			math.Sqrt((100.0/3+(100+300+900)/3.0)/2-12.5*12.5) * ms,
			2 * ms, 10 * ms, 29.6 * ms,
		},
	} {
		d := mustParse(t, text)
		us := words(1 << 20)
		out := make([]int64, len(us))
		d.SampleBatch(us, out)
		var sum, squares float64
		for _, ns := range out {
			sum += float64(ns)
		}
		mean := sum / float64(len(out))
		for _, ns := range out {
			squares += (float64(ns) - mean) * (float64(ns) - mean)
		}
		near(t, text+": mean", mean, want.mean, 1e-4)
		near(t, text+": deviation", math.Sqrt(squares/float64(len(out))), want.deviation, 5e-3)
		near(t, text+": p10", float64(out[len(out)/10]), want.p10, 1e-5)
		near(t, text+": p50", float64(out[len(out)/2]), want.p50, 1e-5)
		near(t, text+": p99", float64(out[len(out)*99/100]), want.p99, 1e-4)
	}
}

func near(t *testing.T, what string, got, want, tolerance float64) {
	t.Helper()
	if math.Abs(got-want) > tolerance*math.Abs(want)+1e-9 {
		t.Errorf("%s is %v, want %v", what, got, want)
	}
}

// Standard normal quantiles: the two that Wichura's paper gives for checking
// PPND16 (p = 0.25 and 0.001; 1e-20 is beyond a word's reach), and those that
// R's qnorm prints for the usual probabilities.
func TestStandardNormal(t *testing.T) {
	for p, want := range map[float64]float64{
		0.25:   -0.6744897501960817,
		0.001:  -3.090232306167814,
		0.5:    0,
		0.9:    1.2815515655446004,
		0.95:   1.6448536269514722,
		0.975:  1.959963984540054,
		0.99:   2.3263478740408408,
		0.9999: 3.719016485455709,
		1e-9:   -5.9978070150076874,
		1e-12:  -7.034483825301131,
	} {
		got := standardNormal(int64(math.Round((p-0.5)*0x1p54)) | 1)
		// A word stands for p to within 2^-54; in the far tail that shows.
		tolerance := 1e-14 + 0x1p-53/(math.Exp(-want*want/2)/math.Sqrt(2*math.Pi))
		if math.Abs(got-want) > tolerance {
			t.Errorf("quantile at %v is %.17g, want %.17g within %g", p, got, want, tolerance)
		}
	}
}

// The quantile function undoes the cumulative distribution (math.Erfc), and is
// an odd function.
func TestStandardNormalInvertsErfc(t *testing.T) {
	for _, u := range words(1 << 12) {
		q := odd(u)
		z := standardNormal(q)
		if back := math.Erfc(-z/math.Sqrt2) / 2; math.Abs(back-(0.5+float64(q)*0x1p-54)) > 4e-16 {
			t.Fatalf("the quantile of %v is %v, which lies at %v", 0.5+float64(q)*0x1p-54, z, back)
		}
		if standardNormal(-q) != -z {
			t.Fatalf("the quantiles at %d and %d differ in more than the sign", q, -q)
		}
	}
}

// dists draws any distribution that Parse accepts.
func dists() *rapid.Generator[Dist] {
	return rapid.Custom(func(t *rapid.T) Dist {
		ns := rapid.SliceOfN(rapid.Int64Range(1, maxNs/2), 4, 4).Draw(t, "ns")
		low, high := min(ns[0], ns[1]), max(ns[0], ns[1])
		a, b, c := spell(low), spell(high), spell(max(ns[2], high))
		d, err := Parse(rapid.SampledFrom([]string{
			a, "0s",
			"uniform:" + a + "," + b,
			"normal:" + a + "," + b,
			"lognormal:" + a + "," + b,
			"exponential:" + a,
			"gamma:" + a + "," + spell(min(low+1+(low+24)/25+ns[2]%high, maxNs)),
			"weibull:" + a + "," + b,
			"pareto:" + a + "," + b + "," + c,
			"daily:(01:00=" + c + ";02:00=uniform:" + a + "," + b + ")",
			"empirical:min=" + a + ",p12.5=" + b + ",p99.9=" + b + ",max=" + c,
			"empirical:" + c + "/" + a + "/" + b,
		}).Draw(t, "text"))
		if err != nil {
			t.Fatal(err)
		}
		return d
	})
}

func TestProperties(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		d := dists().Draw(t, "distribution")
		us := append(rapid.SliceOf(rapid.Uint64()).Draw(t, "words"), 0, math.MaxUint64)
		out := make([]int64, len(us))
		d.SampleBatch(us, out)
		lowest, highest := d.Sample(0), d.Sample(math.MaxUint64)
		for i, u := range us {
			ns := d.Sample(u)
			switch {
			case ns != out[i]:
				t.Fatalf("%v at %#x: %d alone, %d in a batch", d, u, ns, out[i])
			case ns < d.Min() || ns < 0 || ns > maxNs:
				t.Fatalf("%v at %#x: %d is not within [%d, %d]", d, u, ns, d.Min(), maxNs)
			case ns < lowest || ns > highest:
				t.Fatalf("%v at %#x: %d is not within [%d, %d], its first and last quantiles", d, u, ns, lowest, highest)
			case !d.Random() && ns != d.Min():
				t.Fatalf("%v is not random and gives %d, not %d", d, ns, d.Min())
			case d.IsZero() && ns != 0:
				t.Fatalf("%v is zero and gives %d", d, ns)
			}
			if u > 0 && d.Sample(u-1) > ns {
				t.Fatalf("%v falls from %d to %d at %#x", d, d.Sample(u-1), ns, u)
			}
		}
		again, err := Parse(d.String())
		if err != nil || !again.Equal(d) {
			t.Fatalf("%v is read back as %v, %v", d, again, err)
		}
		for _, u := range us {
			if again.Sample(u) != d.Sample(u) {
				t.Fatalf("%v, read back, gives another sample for %#x", d, u)
			}
		}
	})
}

func TestEmpiricalEnds(t *testing.T) {
	d := mustParse(t, "empirical:min=2ms,p50=10ms,p50.001=20ms,max=1s")
	for u, want := range map[uint64]int64{0: 2e6, 1 << 62: 6e6, 1 << 63: 10e6, math.MaxUint64: 1e9} {
		if got := d.Sample(u); got != want {
			t.Errorf("at %#x: %d ns, want %d", u, got, want)
		}
	}
	if d.Min() != 2e6 {
		t.Errorf("Min is %d", d.Min())
	}
}

func TestSamplesAreCutAtMax(t *testing.T) {
	d := mustParse(t, "lognormal:1d,30d")
	if got := d.Sample(math.MaxUint64); got != maxNs {
		t.Errorf("the longest delay is %d, want %d", got, maxNs)
	}
	if d := mustParse(t, "normal:1ms,1s"); d.Sample(1<<62) != 0 {
		t.Errorf("a negative value is %d, want 0", d.Sample(1<<62))
	}
}
