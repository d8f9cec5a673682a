package tally

import (
	"iter"
	"math/big"
)

// Figures are what a list of values comes to.
type Figures struct {
	N, Min, Max int64
	Quantiles   []int64 // at the shares that were asked for
	Sum         *big.Int
	Mean        float64 // rounded once from the exact sum
}

// Figures are the extremes, quantiles at several shares, ascending, sum and mean, in one
// go over the values; false when nothing was added.
func (c *Counts) Figures(p ...float64) (Figures, bool) { return figures(c.n, c.spans, p) }

// figures are those of n values, given by the counts of neighbours, ascending.
func figures(n int64, spans iter.Seq2[int64, []int64], p []float64) (f Figures, ok bool) {
	if n == 0 {
		return f, false
	}
	f.N = n
	ranks := make([]int64, len(p))
	for i := range p {
		ranks[i] = nearestRank(p[i], n)
	}
	var seen int64
	var sum sums
	for first, counts := range spans {
		for i, count := range counts {
			if count == 0 {
				continue
			}
			v := first + int64(i)
			if seen == 0 {
				f.Min = v
			}
			for seen += count; len(ranks) > 0 && seen >= ranks[0]; ranks = ranks[1:] {
				f.Quantiles = append(f.Quantiles, v)
			}
			sum.add(v, count)
			f.Max = v
		}
	}
	f.Sum = sum.int()
	f.Mean = meanOf(f.Sum, n)
	return f, true
}

func meanOf(sum *big.Int, n int64) float64 {
	mean, _ := new(big.Rat).SetFrac(sum, big.NewInt(n)).Float64()
	return mean
}
