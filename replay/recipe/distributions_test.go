package recipe

import (
	"math"
	"testing"

	"twindrift/replay/philox"
)

// The tables must have the mean and the variance of their distribution, and
// the probabilities of the textbook.
func TestPoissonTables(t *testing.T) {
	for _, mean := range []float64{1e-300, 1e-9, 0.02, 1, 3.5, 40, 5000, 123456.7, 1e7} {
		p := newPoisson(mean)
		var got, second, before float64
		for i, c := range p.cdf {
			v, k := c-before, float64(p.low+i)
			if v < 0 {
				t.Fatalf("mean %g: the distribution falls at %g", mean, k)
			}
			before = c
			got += v * k
			second += v * (k - mean) * (k - mean)
		}
		if before != 1 {
			t.Errorf("mean %g: the probabilities add up to %g", mean, before)
		}
		if math.Abs(got-mean) > 1e-9*mean+1e-15 || math.Abs(second-mean) > 1e-6*mean+1e-15 {
			t.Errorf("mean %g: the table has mean %g and variance %g", mean, got, second)
		}
	}
	// P(X <= k) for mean 2: e^-2 (1, 3, 5, 19/3, 7).
	p := newPoisson(2)
	for k, want := range []float64{1, 3, 5, 19. / 3, 7} {
		if got := p.cdf[k]; math.Abs(got-want*math.Exp(-2)) > 1e-14 {
			t.Errorf("mean 2: P(X <= %d) = %v, want %v", k, got, want*math.Exp(-2))
		}
	}
}

func TestPoissonDrawTakesTheEnds(t *testing.T) {
	for _, mean := range []float64{0.02, 3.5, 5000} {
		p := newPoisson(mean)
		for _, u := range []uint64{0, 1 << 63, math.MaxUint64} {
			f := philox.Float(u)
			k := p.draw(u) - p.low
			if k < 0 || k >= len(p.cdf) || f >= p.cdf[k] || k > 0 && f < p.cdf[k-1] {
				t.Errorf("mean %g: draw(%x) gives entry %d of %d", mean, u, k, len(p.cdf))
			}
		}
	}
}

func TestLognormalMeetsItsPercentiles(t *testing.T) {
	for _, c := range []struct{ p50, p99 float64 }{{300, 2000}, {1, 1e6}, {7, 7}} {
		for u, want := range map[float64]float64{0.5: c.p50, 0.99: c.p99, 0.01: c.p50 * c.p50 / c.p99} {
			if got := lognormal(c.p50, c.p99, u); math.Abs(got/want-1) > 1e-12 {
				t.Errorf("lognormal(%g, %g) at %g is %g, want %g", c.p50, c.p99, u, got, want)
			}
		}
	}
}

// A cut tail is spread over what remains, not heaped up at the cut.
func TestLatenessIsCutWithoutAHeap(t *testing.T) {
	for _, l := range []late{
		{Share: 0.3, P50: 3000, P99: 40_000, Max: 20_000},
		{Share: 1, P50: 3000, P99: 40_000, Max: 3000},
		{Share: 0.5, P50: 2000, P99: 2000, Max: 2000},
	} {
		d := newLateness(&l)
		const n = 1 << 16
		delayed, atMax, belowHalf := 0, 0, 0
		// The median of what is left below max.
		half := lognormal(float64(l.P50), float64(l.P99), d.belowMax/2)
		for i := range uint64(n) {
			w := philox.Block([4]uint64{i}, [2]uint64{})
			ms := d.draw(w[0], w[1])
			if ms < 0 || ms > int64(l.Max) {
				t.Fatalf("%+v: a delay of %d ms", l, ms)
			}
			if ms > 0 {
				delayed++
			}
			if ms == int64(l.Max) {
				atMax++
			}
			if ms > 0 && float64(ms) <= half {
				belowHalf++
			}
		}
		if off := math.Abs(float64(delayed) - float64(l.Share)*n); off > 6*math.Sqrt(n)/2 {
			t.Errorf("%+v: %d of %d messages are late", l, delayed, n)
		}
		if l.P50 == l.P99 {
			continue
		}
		if atMax > delayed/100 {
			t.Errorf("%+v: %d of %d delays lie at the cut", l, atMax, delayed)
		}
		if off := math.Abs(float64(belowHalf) - float64(delayed)/2); off > 6*math.Sqrt(float64(delayed))/2 {
			t.Errorf("%+v: %d of %d delays lie below their median", l, belowHalf, delayed)
		}
	}
}
