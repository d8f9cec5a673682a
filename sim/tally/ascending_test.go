package tally

import (
	"slices"
	"testing"

	"pgregory.net/rapid"
)

func TestAscendingIsCounts(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		list := values().Draw(t, "values")
		slices.Sort(list)
		var a Ascending
		for _, v := range list {
			a.AddN(v, 1)
		}
		a.AddN(0, 0)
		c := tallyOf(list)
		lowA, _ := a.Min()
		lowC, _ := c.Min()
		highA, _ := a.Max()
		highC, _ := c.Max()
		meanA, okA := a.Mean()
		meanC, okC := c.Mean()
		if a.N() != c.N() || lowA != lowC || highA != highC || meanA != meanC || okA != okC {
			t.Fatalf("n, min, max, mean: %d %d %d %v, want %d %d %d %v", a.N(), lowA, highA, meanA, c.N(), lowC, highC, meanC)
		}
		if len(list) == 0 {
			return
		}
		p := []float64{0, 0.3, 0.9, 1}
		if got, want := a.Quantiles(p...), c.Quantiles(p...); !slices.Equal(got, want) {
			t.Fatalf("quantiles %v, want %v", got, want)
		}
	})
}
