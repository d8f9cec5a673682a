package order

import "slices"

// Ranking is a list of different items, best first: what a user sees of a site's
// list, newest first. Items that share a score are tied: they stand next to each
// other and their order is unknown.
type Ranking struct {
	items []int64
	ends  []int // ends[k] is how many items stand in the first k+1 groups of ties
}

// NewRanking makes a ranking of items in the order in which they stand; neighbours
// with equal scores are tied. Items must differ. Both slices are left as they are.
func NewRanking(items []int64, scores []float64) Ranking {
	r := Ranking{items: slices.Clone(items)}
	for i := range items {
		if i > 0 && scores[i] == scores[i-1] {
			r.ends[len(r.ends)-1] = i + 1
			continue
		}
		r.ends = append(r.ends, i+1)
	}
	return r
}

// Len is how many items the ranking has.
func (r Ranking) Len() int { return len(r.items) }

// places gives the items' groups, as the first and the last rank in it, from 1.
func (r Ranking) places() map[int64]group {
	places := make(map[int64]group, len(r.items))
	first := 0
	for _, end := range r.ends {
		for _, item := range r.items[first:end] {
			places[item] = group{first + 1, end}
		}
		first = end
	}
	return places
}

// group is the ranks first..last that a group of ties takes up.
type group struct{ first, last int }

// Overlap is how many items two rankings have in common.
func Overlap(x, y Ranking) (common int) {
	places := y.places()
	for _, item := range x.items {
		if _, both := places[item]; both {
			common++
		}
	}
	return common
}

// Jaccard is the share of the items in either ranking that are in both; false when
// both are empty.
func Jaccard(x, y Ranking) (float64, bool) {
	common := Overlap(x, y)
	either := x.Len() + y.Len() - common
	if either == 0 {
		return 0, false
	}
	return float64(common) / float64(either), true
}

// KendallTopK is Kendall's distance between two top-k lists with a penalty of p,
// K^(p) of Fagin, Kumar and Sivakumar, Comparing Top k Lists (2003), 0 <= p <= 1: of
// all pairs of items in either list it counts 1 for each that the lists order
// differently, and p for each whose order only one of them says. A list puts its own
// items before all others; the order of items tied or missing in it is unknown, as
// in Fagin and others, Comparing Partial Rankings (2006). O(k^2) time.
func KendallTopK(x, y Ranking, p float64) float64 {
	inX, inY := x.places(), y.places()
	all := slices.Clone(x.items)
	for _, item := range y.items {
		if _, both := inX[item]; !both {
			all = append(all, item)
		}
	}
	ranks := make([][2]int, len(all)) // first rank of the group, a missing item's behind all
	for i, item := range all {
		ranks[i] = [2]int{rankIn(inX, item), rankIn(inY, item)}
	}
	discordant, half := 0, 0
	for i, a := range ranks {
		for _, b := range ranks[:i] {
			if knownX, knownY := a[0] != b[0], a[1] != b[1]; knownX != knownY {
				half++
			} else if knownX && (a[0] < b[0]) != (a[1] < b[1]) {
				discordant++
			}
		}
	}
	return float64(discordant) + p*float64(half)
}

func rankIn(places map[int64]group, item int64) int {
	if g, is := places[item]; is {
		return g.first
	}
	return len(places) + 1
}

// KendallTopKMost is the distance K^(p) of two lists of k items that have none in
// common and no ties, the largest there is for p of 1/2 or less.
func KendallTopKMost(k int, p float64) float64 {
	return float64(k)*float64(k) + p*float64(k)*float64(k-1)
}
