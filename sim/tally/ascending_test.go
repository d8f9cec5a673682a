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
		p := []float64{0, 0.3, 0.9, 1}
		got, ok := a.Figures(p...)
		want, okC := c.Figures(p...)
		if ok != okC || ok && !same(got, want) {
			t.Fatalf("%+v %v, want %+v %v", got, ok, want, okC)
		}
		if len(list) == 0 {
			return
		}
		low, _ := c.Min()
		high, _ := c.Max()
		mean, _ := c.Mean()
		if plain := (Figures{c.N(), low, high, c.Quantiles(p...), c.Sum(), mean}); !same(want, plain) {
			t.Fatalf("%+v in one go, %+v one by one", want, plain)
		}
	})
}

func same(a, b Figures) bool {
	return a.N == b.N && a.Min == b.Min && a.Max == b.Max && a.Mean == b.Mean && a.Sum.Cmp(b.Sum) == 0 && slices.Equal(a.Quantiles, b.Quantiles)
}
