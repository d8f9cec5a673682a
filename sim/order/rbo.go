package order

import (
	"errors"
	"fmt"
	"math"
)

// RBO is a rank-biased overlap of two rankings, between 0 (nothing in common) and 1:
// the agreement at each depth, the share of items in common among the first d,
// averaged with weights that fall by the factor p from one depth to the next.
type RBO struct {
	Extrapolated float64 `json:"ext"` // as if the lists went on as they do at their end
	Min          float64 `json:"min"` // if nothing further is in common
	Max          float64 `json:"max"` // if everything possible is
	Residual     float64 `json:"res"` // Max - Min
}

// Errors of Comparison.RankBiasedOverlap.
var (
	ErrPersistence  = errors.New("the persistence p must lie between 0 and 1, and be neither")
	ErrEmptyRanking = errors.New("a ranking without items has no rank-biased overlap")
)

// RankBiasedOverlap compares the rankings, of any lengths, with the persistence p,
// 0 < p < 1, the chance that the user looks at the next item. Ties mean that the
// order is unknown: variant a of Corsi and Urbano, The Treatment of Ties in
// Rank-Biased Overlap (SIGIR 2024), in which an item of a group that takes up n
// ranks counts as 1/n at the first of them, 2/n at the second and so on; the
// agreement is then the mean over all orders that the ties leave open. The rest is
// as in Webber, Moffat and Zobel, A Similarity Measure for Indefinite Rankings
// (2010). O(k) time, and the size of its group more for each tied item.
func (c *Comparison) RankBiasedOverlap(p float64) (RBO, error) {
	if !(p > 0 && p < 1) {
		return RBO{}, fmt.Errorf("%w: %v", ErrPersistence, p)
	}
	if min(c.lenX, c.lenY) == 0 {
		return RBO{}, ErrEmptyRanking
	}
	o := c.agreements()
	s, l := float64(min(c.lenX, c.lenY)), float64(len(o.seen))
	atShort := o.seen[min(c.lenX, c.lenY)-1] / s // the agreement where the short list ends
	common := float64(c.common)
	var ext, least, most, harmonic float64 // sums over depths, of agreement times p^d
	power := 1.0                           // p^d
	for i, seen := range o.seen {
		d := float64(i + 1)
		power *= p
		harmonic += power / d
		least += seen / d * power
		most += (seen + o.possible[i]) / d * power
		ext += (seen + max(d-s, 0)*atShort*o.unseen[i]) / d * power
	}
	// Behind the long list: nothing more in common; everything possible; as before.
	least += common * (-math.Log1p(-p) - harmonic)
	ext += (common + (l-s)*atShort) / l * power * p / (1 - p)
	for d := l + 1; d <= l+s-common; d++ { // until the lists draw level; then all agrees
		power *= p
		most += (2*d - l - s + common) / d * power
	}
	most += power * p / (1 - p)

	scale := (1 - p) / p
	clamp := func(sum float64) float64 { return max(0, min(1, scale*sum)) } // rounding errors
	return RBO{clamp(ext), clamp(least), clamp(most), clamp(most - least)}, nil
}

// agreements holds, at each depth of the long list, what the lists have in common. An
// item counts in each list as the part of it that has been reached.
type agreements struct {
	seen     curve // what is in common
	possible curve // what the short list could have in common past its end at most
	unseen   curve // mean part reached of the long list's own items, of those reached at all
}

func (c *Comparison) agreements() agreements {
	short, long := c.x, c.y
	s, l := c.lenX, c.lenY
	if s > l {
		short, long, s, l = long, short, l, s
	}
	o := agreements{make(curve, l), make(curve, l), make(curve, l)}
	var steps [4]curve // by how much the curves rise at each depth for good
	for k := range steps {
		steps[k] = make(curve, l)
	}
	own := 0
	for i, g := range long {
		switch other := short[i]; {
		case g == group{}:
		case other != group{}:
			o.seen.rise(steps[0], g, other, 1)
		default:
			own++
			o.possible.rise(steps[1], g, untied, s+own) // each rank behind the end could hold one more
			o.unseen.rise(steps[2], g, untied, 1)
			steps[3][g.first-1]++
		}
	}
	reached := make(curve, l)
	o.seen.add(steps[0])
	o.possible.add(steps[1])
	o.unseen.add(steps[2])
	reached.add(steps[3])
	for i, n := range reached {
		if n > 0 {
			o.unseen[i] /= n
		}
	}
	return o
}

// curve holds a value at each depth from 1.
type curve []float64

// untied is an item that counts in full from the first rank on.
var untied = group{1, 1}

// rise adds the product of the parts of two groups from a depth on: value by value
// while it grows, and a step of 1 where it is full.
func (c curve) rise(steps curve, a, b group, from int) {
	from = max(from, a.first, b.first)
	full := max(from, a.last, b.last)
	for depth := from; depth < min(full, len(c)+1); depth++ {
		c[depth-1] += a.part(depth) * b.part(depth)
	}
	if full <= len(c) {
		steps[full-1]++
	}
}

// add adds what has risen by steps up to each depth.
func (c curve) add(steps curve) {
	sum := 0.0
	for i, step := range steps {
		sum += step
		c[i] += sum
	}
}

// part is how much of an item of the group has been reached at a depth from its
// first rank on.
func (g group) part(depth int) float64 {
	if depth >= g.last {
		return 1
	}
	return float64(depth-g.first+1) / float64(g.last-g.first+1)
}
