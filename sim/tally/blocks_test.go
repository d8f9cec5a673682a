package tally

import (
	"maps"
	"math"
	"slices"
	"testing"

	"pgregory.net/rapid"
)

// crowds are values that lie close together here and there, so that blocks hold them, or
// are too far from each other to be in one list.
func crowds() *rapid.Generator[[]int64] {
	return rapid.Custom(func(t *rapid.T) (values []int64) {
		for range rapid.IntRange(1, 4).Draw(t, "crowds") {
			from := rapid.SampledFrom([]int64{math.MinInt64, -1 << 40, -200_000, -3000, 0, 100, 3000, 1 << 26, 1 << 40, math.MaxInt64 - 100_000}).Draw(t, "from")
			step := rapid.Int64Range(1, 500).Draw(t, "step")
			for i := range rapid.Int64Range(1, 200).Draw(t, "n") {
				values = append(values, from+i*i%199*step)
			}
		}
		return values
	})
}

// Wherever values are counted, a tally has what a map would have, also once it is merged.
func TestCountsOfCrowdsIsAMap(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		var c, other Counts
		want := map[int64]int64{}
		for _, v := range crowds().Draw(t, "values") {
			c.Add(v)
			want[v]++
		}
		more := crowds().Draw(t, "more")
		for _, v := range more {
			want[v] += 2
		}
		c.AddEach(more)
		if often := rapid.SampledFrom([]int64{0, 1 << 15, 1<<16 - 1, 1 << 16, 3<<16 + 7, 1 << 40}).Draw(t, "often"); often > 0 {
			v := more[len(more)/2]
			want[v] += often + 1
			c.AddN(v, often) // as far as a count goes, or past it
			c.Add(v)
		}
		other.AddEach(more)
		if rapid.Bool().Draw(t, "the other way round") {
			other.Merge(&c)
			c = other
		} else {
			c.Merge(&other)
		}
		got := map[int64]int64{}
		last, n := int64(math.MinInt64), int64(0)
		for v, count := range c.All() {
			if v < last {
				t.Fatalf("%d after %d", v, last)
			}
			if c.Count(v) != count {
				t.Fatalf("%d was seen %d times, or %d", v, count, c.Count(v))
			}
			got[v], last, n = count, v, n+count
		}
		if !maps.Equal(got, want) || n != c.N() {
			t.Fatalf("%d values %v, want %v", n, got, want)
		}
		absolute := map[int64]int64{}
		for v, count := range want {
			absolute[max(v, -v)] += count
		}
		if got := maps.Collect(c.Absolute().All()); !maps.Equal(got, absolute) {
			t.Fatalf("without their signs: %v, want %v", got, absolute)
		}
		if high, _ := c.Max(); high != slices.Max(slices.Collect(maps.Keys(want))) {
			t.Fatalf("largest %d", high)
		}
	})
}

// BenchmarkAddFar adds values that jump about in a wide range.
func BenchmarkAddFar(b *testing.B) {
	var c Counts
	b.ReportAllocs()
	x := uint64(1)
	for b.Loop() {
		x = x*6364136223846793005 + 1442695040888963407
		c.Add(int64(x>>44) - 1<<19)
	}
}
