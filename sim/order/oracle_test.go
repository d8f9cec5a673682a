package order

import (
	"math"
	"math/big"

	"pgregory.net/rapid"
)

// slowPairs compares every pair: the oracle of all counts of pairs.
func slowPairs(xs, ys []int64) Pairs {
	p := Pairs{N: int64(len(ys))}
	for j := range ys {
		for i := range j {
			p.Pairs++
			sameX, sameY := xs[i] == xs[j], ys[i] == ys[j]
			if sameX {
				p.TiedX++
			}
			if sameY {
				p.TiedY++
			}
			if sameX && sameY {
				p.TiedBoth++
			}
			if sameX || sameY {
				continue
			}
			if (xs[i] < xs[j]) == (ys[i] < ys[j]) {
				p.Concordant++
			} else {
				p.Discordant++
			}
		}
	}
	return p
}

// slowFloor is floor(a / g) in numbers of any size.
func slowFloor(a, g int64) int64 {
	// Euclidean division rounds down for a positive divisor.
	return new(big.Int).Div(big.NewInt(a), big.NewInt(g)).Int64()
}

func floored(ys []int64, grain int64) []int64 {
	cells := make([]int64, len(ys))
	for i, y := range ys {
		cells[i] = slowFloor(y, grain)
	}
	return cells
}

// times draws event times: dense with ties, near zero on both sides, spread over
// minutes and decades, and at the ends of int64.
func times() *rapid.Generator[int64] {
	return rapid.OneOf(
		rapid.Int64Range(-5, 5),
		rapid.Int64Range(-3000, 3000),
		rapid.Int64Range(-200_000, 200_000),
		rapid.Int64Range(1_700_000_000_000, 1_700_000_300_000),
		rapid.Int64Range(-2_000_000_000_000, 2_000_000_000_000),
		rapid.Int64(),
		rapid.SampledFrom([]int64{math.MinInt64, math.MinInt64 + 59_999, math.MinInt64 + 60_000, -1, 0, math.MaxInt64 - 1, math.MaxInt64}),
	)
}

// sequence draws y values of one kind each time, so that both crowded and
// scattered sequences come up.
func sequence() *rapid.Generator[[]int64] {
	return rapid.Custom(func(t *rapid.T) []int64 {
		n := rapid.IntRange(0, 150).Draw(t, "n")
		kind := rapid.SampledFrom([]string{"crowded", "drifting", "mixed"}).Draw(t, "kind")
		ys := make([]int64, n)
		for i := range ys {
			switch kind {
			case "crowded":
				ys[i] = rapid.Int64Range(-2500, 2500).Draw(t, "y")
			case "drifting":
				ys[i] = int64(i)*rapid.Int64Range(0, 700).Draw(t, "step") - rapid.Int64Range(0, 30_000).Draw(t, "lag")
			default:
				ys[i] = times().Draw(t, "y")
			}
		}
		return ys
	})
}

// lowestAfter gives for every place i the smallest y at i or later: the highest
// floor that may be promised before element i.
func lowestAfter(ys []int64) []int64 {
	lowest := make([]int64, len(ys)+1)
	lowest[len(ys)] = math.MaxInt64
	for i := len(ys) - 1; i >= 0; i-- {
		lowest[i] = min(ys[i], lowest[i+1])
	}
	return lowest
}

// legalFloor draws a promise that the rest of the sequence keeps, often the highest one.
func legalFloor(t *rapid.T, lowest int64) int64 {
	if rapid.Bool().Draw(t, "highest") {
		return lowest
	}
	return rapid.Int64Range(math.MinInt64, lowest).Draw(t, "floor")
}
