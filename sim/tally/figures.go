package tally

import (
	"iter"
	"math"
	"math/big"
	"slices"
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

// figures are those of n values, given by the counts of neighbours, ascending, of which
// either none or all are below 0.
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
		within, beyond := totals(counts)
		if within == 0 {
			continue
		}
		if seen == 0 {
			f.Min = first + int64(slices.IndexFunc(counts, func(n int64) bool { return n > 0 }))
		}
		last := len(counts) - 1
		for counts[last] == 0 {
			last--
		}
		f.Max = first + int64(last)
		sum.addSpan(first, within, beyond)
		if len(ranks) == 0 || seen+within < ranks[0] {
			seen += within
			continue
		}
		for i, count := range counts {
			for seen += count; len(ranks) > 0 && seen >= ranks[0]; ranks = ranks[1:] {
				f.Quantiles = append(f.Quantiles, first+int64(i))
			}
		}
	}
	f.Sum = sum.int()
	f.Mean = meanOf(f.Sum, n)
	return f, true
}

// totals are how many values there are, by the counts of neighbours, and the sum of what
// each lies beyond the first.
func totals(counts []int64) (n int64, beyond wide) {
	var low uint64
	for i, count := range counts {
		n += count
		low += uint64(i) * uint64(count)
	}
	if n < math.MaxInt64/blockSize {
		return n, wide{lo: low}
	}
	for i, count := range counts {
		beyond.add(uint64(i), uint64(count))
	}
	return n, beyond
}

func meanOf(sum *big.Int, n int64) float64 {
	mean, _ := new(big.Rat).SetFrac(sum, big.NewInt(n)).Float64()
	return mean
}
