package tally

import (
	"math"
	"math/big"
	"slices"
	"testing"

	"pgregory.net/rapid"
)

func values() *rapid.Generator[[]int64] {
	return rapid.SliceOf(rapid.OneOf(
		rapid.Int64Range(-300, 300),
		rapid.Int64Range(-10_000_000, 10_000_000),
		rapid.Int64(),
		rapid.SampledFrom([]int64{math.MinInt64, math.MinInt64 + 1, -1, 0, 63, 64, math.MaxInt64}),
	))
}

func tallyOf(values []int64) *Counts {
	c := new(Counts)
	for _, v := range values {
		c.Add(v)
	}
	return c
}

// Everything a tally says is what the sorted list of its values says.
func TestCountsAgreesWithSortedList(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		list := values().Draw(t, "values")
		c := tallyOf(list)
		if rapid.Bool().Draw(t, "some at a time") {
			c = new(Counts)
			at := rapid.IntRange(0, len(list)).Draw(t, "at")
			c.AddEach(list[:at])
			c.AddEach(list[at:])
		}
		slices.Sort(list)
		if c.N() != int64(len(list)) {
			t.Fatalf("N %d, want %d", c.N(), len(list))
		}
		sum := new(big.Int)
		for _, v := range list {
			sum.Add(sum, big.NewInt(v))
		}
		if c.Sum().Cmp(sum) != 0 {
			t.Fatalf("sum %v, want %v", c.Sum(), sum)
		}
		var back []int64
		c.Each(func(v, n int64) {
			if c.Count(v) != n {
				t.Fatalf("count of %d: %d, want %d", v, c.Count(v), n)
			}
			for range n {
				back = append(back, v)
			}
		})
		if !slices.Equal(back, list) {
			t.Fatalf("values %v, want %v", back, list)
		}
		if len(list) == 0 {
			return
		}
		lo, _ := c.Min()
		hi, _ := c.Max()
		if lo != list[0] || hi != list[len(list)-1] {
			t.Fatalf("min %d max %d, want %d %d", lo, hi, list[0], list[len(list)-1])
		}
		v := rapid.OneOf(rapid.SampledFrom(list), rapid.Int64()).Draw(t, "bound")
		atMost := int64(0)
		for _, u := range list {
			if u <= v {
				atMost++
			}
		}
		if got := c.Cumulative(v); got != atMost {
			t.Fatalf("at most %d: %d, want %d", v, got, atMost)
		}
		// Nearest rank by hundredths, in whole numbers: rank = ceil(h*n/100).
		h := rapid.IntRange(1, 100).Draw(t, "hundredths")
		rank := (h*len(list) + 99) / 100
		if got, _ := c.Quantile(float64(h) / 100); got != list[rank-1] {
			t.Fatalf("quantile %d%%: %d, want %d", h, got, list[rank-1])
		}
	})
}

// Merging in either order is the same as adding everything to one tally.
func TestMergeIsAddition(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		a, b := values().Draw(t, "a"), values().Draw(t, "b")
		ab, ba := tallyOf(a), tallyOf(b)
		ab.Merge(tallyOf(b))
		ba.Merge(tallyOf(a))
		all := tallyOf(slices.Concat(a, b))
		for _, merged := range []*Counts{ab, ba} {
			for v, n := range all.All() {
				if merged.Count(v) != n {
					t.Fatalf("count of %d: %d, want %d", v, merged.Count(v), n)
				}
			}
			loA, _ := merged.Min()
			loB, _ := all.Min()
			hiA, _ := merged.Max()
			hiB, _ := all.Max()
			if merged.N() != all.N() || loA != loB || hiA != hiB {
				t.Fatalf("n, min, max: %d %d %d, want %d %d %d", merged.N(), loA, hiA, all.N(), loB, hiB)
			}
		}
		// A merged tally goes on counting.
		ab.AddN(5, 3)
		if want := all.Count(5) + 3; ab.Count(5) != want {
			t.Fatalf("count after merge %d, want %d", ab.Count(5), want)
		}
	})
}

func TestEmptyTallyHasNoFigures(t *testing.T) {
	var c Counts
	c.AddN(7, 0)
	c.AddN(7, -2)
	c.Merge(nil)
	c.Merge(new(Counts))
	_, okMin := c.Min()
	_, okMax := c.Max()
	_, okMean := c.Mean()
	_, okQ := c.Quantile(0.5)
	if okMin || okMax || okMean || okQ || c.N() != 0 || c.Sum().Sign() != 0 || c.Cumulative(math.MaxInt64) != 0 {
		t.Fatal("an empty tally claims to know something")
	}
}

// The sum of large values passes 64 bits, and the mean comes from it.
func TestSumPasses64Bits(t *testing.T) {
	var c Counts
	c.AddN(math.MaxInt64, 1<<40)
	want := new(big.Int).Lsh(big.NewInt(math.MaxInt64), 40)
	if c.Sum().Cmp(want) != 0 {
		t.Fatalf("sum %v, want %v", c.Sum(), want)
	}
	if mean, _ := c.Mean(); mean != math.MaxInt64 {
		t.Fatalf("mean %v", mean)
	}
}

func TestNearestRank(t *testing.T) {
	for _, c := range []struct {
		p    float64
		n    int64
		want int64
	}{
		{0.99, 1000, 990}, {0.99, 100, 99}, {0.999, 1000, 999}, {0.9, 10, 9}, {0.5, 4, 2}, {0.5, 5, 3},
		{0, 9, 1}, {-1, 9, 1}, {math.NaN(), 9, 1}, {1, 9, 9}, {2, 9, 9}, {1e-9, 9, 1}, {0.07, 100, 7},
	} {
		if got := nearestRank(c.p, c.n); got != c.want {
			t.Errorf("rank of %v of %d: %d, want %d", c.p, c.n, got, c.want)
		}
	}
}

func BenchmarkAddSpread(b *testing.B) {
	var c Counts
	b.ReportAllocs()
	x := uint64(1)
	for b.Loop() {
		x = x*6364136223846793005 + 1442695040888963407
		c.Add(int64(x >> 52))
	}
}
