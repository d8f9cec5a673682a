package tally

import (
	"slices"
	"testing"

	"pgregory.net/rapid"
)

// The bins of a histogram follow each other from the smallest value to past the largest,
// and each holds the values that lie in it.
func TestHistogramCountsBetweenEdges(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		list := rapid.OneOf(rapid.SliceOfN(rapid.Int64Range(-10_000, 10_000), 1, 300), crowds()).Draw(t, "values")
		edges := rapid.SliceOfDistinct(rapid.OneOf(rapid.Int64Range(-10_100, 10_100), rapid.SampledFrom(list)), rapid.ID).Draw(t, "edges")
		slices.Sort(edges)
		bins := tallyOf(list).Histogram(edges)
		if bins[0].From != slices.Min(list) || bins[len(bins)-1].To != slices.Max(list)+1 {
			t.Fatalf("%+v of values from %d to %d", bins, slices.Min(list), slices.Max(list))
		}
		var inside []int64
		for _, edge := range edges {
			if bins[0].From < edge && edge <= slices.Max(list) {
				inside = append(inside, edge)
			}
		}
		for i, b := range bins {
			count := int64(0)
			for _, v := range list {
				if b.From <= v && v <= b.To-1 {
					count++
				}
			}
			if b.Count != count || i > 0 && (b.From != bins[i-1].To || b.From != inside[i-1]) || len(bins) != len(inside)+1 {
				t.Fatalf("bin %d is %+v, with %d values, edges inside %v", i, b, count, inside)
			}
		}
	})
}

func TestHistogramOfNothing(t *testing.T) {
	if bins := new(Counts).Histogram([]int64{0, 1}); len(bins) != 0 {
		t.Fatalf("%+v", bins)
	}
}
