package tally

import (
	"math"
	"math/big"
	"slices"
	"testing"

	"pgregory.net/rapid"
)

func TestAscendingIsCounts(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		list := values().Draw(t, "values")
		slices.Sort(list)
		c := tallyOf(list)
		a := Ascending(c.All())
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

// Sums stay exact where so many values are counted that their distances from the first of a
// stretch pass 64 bits.
func TestFiguresOfVeryMany(t *testing.T) {
	const most = math.MaxInt64 / 4
	for _, first := range []int64{0, -1 << blockBits, 1 << 20, -1 << 40} {
		var c Counts
		want := new(big.Int)
		for v := first; v < first+blockSize; v += 683 {
			c.AddN(v, most)
			want.Add(want, new(big.Int).Mul(big.NewInt(v), big.NewInt(most)))
		}
		if f, _ := c.Figures(0.5); f.Sum.Cmp(want) != 0 || f.N != 3*most || f.Min != first || f.Max != first+2*683 || f.Quantiles[0] != first+683 {
			t.Errorf("from %d on: %+v, want a sum of %v", first, f, want)
		}
	}
}
