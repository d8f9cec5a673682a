package order

import (
	"cmp"
	"math/big"
	"slices"

	"twindrift/sim/tally"
)

// Presorted holds measures of presortedness: how far a sequence is from sorted,
// counted in different ways; all are 0 when it is sorted. The sorted sequence keeps
// equal values in the order in which they stand, so each element has one place to
// go. Names and definitions as in Estivill-Castro and Wood, A Survey of Adaptive
// Sorting Algorithms (1992), and in the C++ library cpp-sort.
type Presorted struct {
	Inversions      int64 `json:"inversions"`       // Inv: pairs i < j with y_i > y_j
	Dis             int64 `json:"dis"`              // the largest j - i over inversions
	MaxDisplacement int64 `json:"max_displacement"` // Max: the farthest that an element stands from its sorted place
	Exc             int64 `json:"exc"`              // exchanges of two elements that sort it: n - cycles (Cayley distance)
	Ham             int64 `json:"ham"`              // elements not at their sorted place (Hamming distance)
	Rem             int64 `json:"rem"`              // elements to take out so that the rest is sorted (Ulam distance)
	Runs            int64 `json:"runs"`             // places where a value is followed by a smaller one
	Footrule        int64 `json:"footrule"`         // Spearman's footrule: sum of the displacements

	// Displacements holds |place - sorted place| of every element.
	Displacements tally.Counts `json:"-"`
}

// Presortedness measures a sequence, in O(n log n).
func Presortedness(ys []int64) *Presorted {
	place := sortedPlaces(ys)
	p := &Presorted{
		Inversions: Inversions(ys),
		Dis:        dis(ys),
		Exc:        int64(len(ys) - cycles(place)),
		Rem:        int64(len(ys) - longestNondecreasing(ys)),
	}
	for i, to := range place {
		d := int64(i - to)
		if d < 0 {
			d = -d
		}
		p.Displacements.Add(d)
		p.Footrule += d
		p.MaxDisplacement = max(p.MaxDisplacement, d)
		if d > 0 {
			p.Ham++
		}
		if i > 0 && ys[i] < ys[i-1] {
			p.Runs++
		}
	}
	return p
}

// Spearman is the sum of the squared displacements (Spearman's distance).
func (p *Presorted) Spearman() *big.Int {
	sum, term, count := new(big.Int), new(big.Int), new(big.Int)
	for d, n := range p.Displacements.All() {
		term.SetInt64(d)
		term.Mul(term, term)
		sum.Add(sum, term.Mul(term, count.SetInt64(n)))
	}
	return sum
}

// sortedPlaces gives for each position the place of its element in the stably
// sorted sequence.
func sortedPlaces(ys []int64) []int {
	order := make([]int, len(ys))
	for i := range order {
		order[i] = i
	}
	slices.SortFunc(order, func(a, b int) int { return cmp.Or(cmp.Compare(ys[a], ys[b]), cmp.Compare(a, b)) })
	place := make([]int, len(ys))
	for to, i := range order {
		place[i] = to
	}
	return place
}

// dis is the largest j - i with ys[i] > ys[j]: two fingers move over the maxima of
// the prefixes and the minima of the suffixes.
func dis(ys []int64) int64 {
	if len(ys) == 0 {
		return 0
	}
	lowest := slices.Clone(ys) // the smallest value at j or later
	for j := len(ys) - 2; j >= 0; j-- {
		lowest[j] = min(lowest[j], lowest[j+1])
	}
	farthest, i, highest := 0, 0, ys[0] // highest is the greatest value up to i
	for j := 0; j < len(ys); {
		if highest > lowest[j] {
			farthest = max(farthest, j-i)
			j++
			continue
		}
		if i++; i == len(ys) {
			break
		}
		highest = max(highest, ys[i])
	}
	return int64(farthest)
}

// cycles counts the cycles of a permutation.
func cycles(place []int) (cycles int) {
	seen := make([]bool, len(place))
	for start := range place {
		if seen[start] {
			continue
		}
		cycles++
		for i := start; !seen[i]; i = place[i] {
			seen[i] = true
		}
	}
	return cycles
}

// longestNondecreasing is the length of the longest non-decreasing subsequence:
// ends[k] is the smallest value that ends one of length k+1.
func longestNondecreasing(ys []int64) int {
	var ends []int64
	for _, y := range ys {
		// The first end above y gives way to y.
		k, _ := slices.BinarySearchFunc(ends, y, func(end, y int64) int {
			if end > y {
				return 1
			}
			return -1
		})
		if k == len(ends) {
			ends = append(ends, y)
		} else {
			ends[k] = y
		}
	}
	return len(ends)
}
