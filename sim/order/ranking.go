package order

// Ranking is a list of different items, best first: what a user sees of a site's
// list, newest first. Items that share a score are tied: they stand next to each
// other and their order is unknown.
type Ranking struct {
	items []int64
	ends  []int // ends[k] is how many items stand in the first k+1 groups of ties
}

// NewRanking makes a ranking of items in the order in which they stand, with as many
// scores; neighbours with equal scores are tied. Items must differ. The items are
// kept, the scores are not.
func NewRanking(items []int64, scores []float64) Ranking {
	r := Ranking{items: items}
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

// groups goes over the items, each with the ranks its group of ties takes up.
func (r Ranking) groups(yield func(item int64, g group) bool) {
	first := 0
	for _, end := range r.ends {
		for _, item := range r.items[first:end] {
			if !yield(item, group{first + 1, end}) {
				return
			}
		}
		first = end
	}
}

// group is the ranks first..last, from 1, that a group of ties takes up. The zero
// group is that of an item which is not there.
type group struct{ first, last int }

// Comparison holds two rankings, X and Y, side by side.
type Comparison struct {
	x, y   []group // of the items of X as they stand, then of those in Y alone
	lenX   int
	lenY   int
	common int
}

// Compare puts two rankings side by side.
func Compare(x, y Ranking) *Comparison {
	c := &Comparison{lenX: x.Len(), lenY: y.Len()}
	all := c.lenX + c.lenY
	c.x, c.y = make([]group, c.lenX, all), make([]group, c.lenX, all)
	place := make(map[int64]int, c.lenX)
	i := 0
	for item, g := range x.groups {
		place[item] = i
		c.x[i] = g
		i++
	}
	for item, g := range y.groups {
		if i, both := place[item]; both {
			c.y[i] = g
			c.common++
			continue
		}
		c.x, c.y = append(c.x, group{}), append(c.y, g)
	}
	return c
}

// Overlap is how many items the rankings have in common.
func (c *Comparison) Overlap() int { return c.common }

// Jaccard is the share of the items in either ranking that are in both; false when
// both are empty.
func (c *Comparison) Jaccard() (float64, bool) { return share(int64(c.common), int64(len(c.x))) }

// Kendall is Kendall's distance between two top-k lists with a penalty of p, K^(p)
// of Fagin, Kumar and Sivakumar, Comparing Top k Lists (2003), 0 <= p <= 1: of all
// pairs of items in either list it counts 1 for each that the lists order
// differently, and p for each whose order only one of them says. A list puts its own
// items before all others; the order of items tied or missing in it is unknown, as
// in Fagin and others, Comparing Partial Rankings (2006). O(k log k) time.
func (c *Comparison) Kendall(p float64) float64 {
	ranks := func(groups []group, length int) []int64 {
		ranks := make([]int64, len(groups))
		for i, g := range groups {
			ranks[i] = int64(g.first)
			if g == (group{}) {
				ranks[i] = int64(length + 1)
			}
		}
		return ranks
	}
	pairs := Kendall(ranks(c.x, c.lenX), ranks(c.y, c.lenY))
	onlyOneSays := pairs.TiedX + pairs.TiedY - 2*pairs.TiedBoth
	return float64(pairs.Discordant) + p*float64(onlyOneSays)
}

// KendallMost is the distance K^(p) of two lists of k items that have none in common
// and no ties, the largest there is for p of 1/2 or less.
func KendallMost(k int, p float64) float64 {
	return float64(k)*float64(k) + p*float64(k)*float64(k-1)
}
