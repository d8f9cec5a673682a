package tally

import "math"

// nearestRank is the 1-based rank of the quantile p among n values: ceil(p*n),
// at least 1 and at most n. The product is taken as people write it: 0.99 of
// 1,000 is rank 990, although the float64 nearest to 0.99 lies a little above
// it, so a product within one part in 2^50 of a whole number counts as whole.
func nearestRank(p float64, n int64) int64 {
	if !(p > 0) {
		return 1
	}
	if p >= 1 {
		return n
	}
	product := p * float64(n)
	rank := math.Ceil(product)
	if whole := math.Round(product); math.Abs(product-whole) <= whole*0x1p-50 {
		rank = whole
	}
	return min(max(int64(rank), 1), n)
}
