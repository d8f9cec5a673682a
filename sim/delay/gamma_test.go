package delay

import (
	"fmt"
	"math"
	"testing"
)

// Logarithms of gamma quantiles, shape k and scale 1, by halving intervals of
// the regularized incomplete gamma function of mpmath 1.3 at 40 digits. Rows
// are shapes, columns the probabilities of gammaAt.
var (
	gammaAt = []struct{ p, z float64 }{
		{1e-9, -5.9978070150076868716}, {0.01, -2.3263478740408411009}, {0.5, 0},
		{0.9, 1.2815515655446004}, {0.99, z99}, {0.999999, 4.7534243088228989482},
	}
	gammaKnown = map[float64][]float64{
		0.05: {-415.002378188973426, -92.6404651698070307, -14.4000045303986125, -2.57285806821242344, 0.0839986266289446039, 2.16296234774130589},
		0.5:  {-41.6880961491633128, -9.45185248517573599, -1.48074477976172749, 0.302155618803487739, 1.19919590323259457, 2.48190744737911585},
		1:    {-20.7232658364464112, -4.60014922677658, -0.366512920581664327, 0.8340324452479558, 1.52717962580790111, 2.6257919144760108},
		2.5:  {-7.80880085396942031, -1.2831998728530354, 0.777364284327939664, 1.53000035243139322, 2.02063804178415951, 2.88726100450687015},
		30:   {2.04635617329676823, 2.93078971159768793, 3.39004654614498826, 3.61626851476180922, 3.78849194412045978, 4.15179836032326445},
		1000: {6.71153691156062152, 6.83293276215239237, 6.90742190984778668, 6.94768180838629342, 6.9801064815711353, 7.05408509342212536},
	}
)

func TestGammaQuantile(t *testing.T) {
	for k, row := range gammaKnown {
		curve := newGammaCurve(k)
		for i, want := range row {
			p, z := gammaAt[i].p, gammaAt[i].z
			// An error of a part in 10^12 in the tail, as y feels it.
			if got := gammaQuantile(k, z, gammaMedianGuess(k)); math.Abs(got-want) > 2e-12*(1+math.Abs(want)) {
				t.Errorf("shape %v at %v: %.16g, want %.16g", k, p, got, want)
			}
			if got := curve.at(z); math.Abs(got-want) > 1e-8 {
				t.Errorf("shape %v at %v by the curve: %.16g, want %.16g", k, p, got, want)
			}
			if got := lnLowerGamma(k, want); math.Abs(got-math.Log(p)) > 1e-11 {
				t.Errorf("shape %v at %v: the lower tail is e^%.16g", k, p, got)
			}
			if got := lnUpperGamma(k, want); math.Abs(got-math.Log1p(-p)) > 1e-9 {
				t.Errorf("shape %v at %v: the upper tail is e^%.16g", k, p, got)
			}
		}
	}
}

func TestLnGamma(t *testing.T) {
	for i := 1; i < 5000; i++ {
		for _, k := range []float64{float64(i) / 100, float64(i), float64(i) * 20} {
			want, _ := math.Lgamma(k)
			if got := lnGamma(k); math.Abs(got-want) > 1e-14*(1+math.Abs(want)) {
				t.Fatalf("ln Gamma(%v) is %.17g, want %.17g", k, got, want)
			}
		}
	}
}

// Between knots, where the curve is furthest from them, it must be what the
// quantile itself is, for shapes of all sizes.
func TestGammaCurve(t *testing.T) {
	worst, at := 0.0, ""
	for _, k := range []float64{minShape, 0.05, 0.2, 0.7, 1, 3, 20, 500, maxShape} {
		curve := newGammaCurve(k)
		for i := range len(curve) - 1 {
			z := (float64(i)+0.5)/gammaKnots - gammaReach
			if z < -8.3 || z > 8.3 {
				continue
			}
			y := gammaQuantile(k, z, curve.at(z))
			// Shorter than a part in 10^15 of the median rounds to 0 in any unit.
			if y < curve.at(0)-35 {
				continue
			}
			if off := math.Abs(math.Expm1(curve.at(z) - y)); off > worst {
				worst, at = off, fmt.Sprintf("shape %v, z %v", k, z)
			}
		}
	}
	if worst > 1e-8 {
		t.Errorf("off by %g: %s", worst, at)
	}
}

// Shapes that are whole numbers have a distribution in closed form (Erlang):
// 1 - e^-x (1 + x + ... + x^(k-1)/(k-1)!). Shape 1 is the exponential.
func TestGammaOfWholeShape(t *testing.T) {
	for k := 1; k <= 12; k++ {
		curve := newGammaCurve(float64(k))
		for _, u := range words(1 << 10) {
			q := odd(u)
			x := math.Exp(curve.at(standardNormal(q)))
			upper, term := 0.0, 1.0
			for j := range k {
				upper += term
				term *= x / float64(j+1)
			}
			upper *= math.Exp(-x)
			if want := 0.5 - float64(q)*0x1p-54; math.Abs(upper-want) > 1e-9*want {
				t.Fatalf("shape %d: the quantile at %v lies at %v", k, 1-want, 1-upper)
			}
		}
	}
}

// The mean is shape times scale, the variance shape times scale squared.
func TestGammaMoments(t *testing.T) {
	for _, k := range []float64{0.3, 1, 2.5, 40} {
		const median = 1e9
		y := gammaQuantile(k, 0, gammaMedianGuess(k))
		p99 := median * math.Exp(gammaQuantile(k, z99, y)-y)
		d, err := gammaKind.make([]int64{median, int64(p99)})
		if err != nil {
			t.Fatal(err)
		}
		scale := median / math.Exp(y)
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
		near(t, d.String()+": mean", mean, k*scale, 1e-5)
		near(t, d.String()+": deviation", math.Sqrt(squares/float64(len(out))), math.Sqrt(k)*scale, 1e-3)
		near(t, d.String()+": p50", float64(out[len(out)/2]), median, 1e-5)
		near(t, d.String()+": p99", float64(out[len(out)*99/100]), p99, 1e-4)
	}
}

func BenchmarkGammaParse(b *testing.B) {
	for _, text := range []string{"gamma:35ms,400ms", "gamma:100ms,102ms", "gamma:1ns,30d"} {
		b.Run(text, func(b *testing.B) {
			for b.Loop() {
				mustParse(b, text)
			}
		})
	}
}
