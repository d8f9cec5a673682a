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

// Errors of RankBiasedOverlap.
var (
	ErrPersistence  = errors.New("the persistence p must lie between 0 and 1, and be neither")
	ErrEmptyRanking = errors.New("a ranking without items has no rank-biased overlap")
)

// RankBiasedOverlap compares two rankings of any lengths with the persistence p,
// 0 < p < 1, the chance that the user looks at the next item. Ties mean that the
// order is unknown: variant a of Corsi and Urbano, The Treatment of Ties in
// Rank-Biased Overlap (SIGIR 2024), in which an item of a group that takes up n
// ranks counts as 1/n at the first of them, 2/n at the second and so on; the
// agreement is then the mean over all orders that the ties leave open. The rest is
// as in Webber, Moffat and Zobel, A Similarity Measure for Indefinite Rankings
// (2010). O(k^2) time.
func RankBiasedOverlap(x, y Ranking, p float64) (RBO, error) {
	if !(p > 0 && p < 1) {
		return RBO{}, fmt.Errorf("%w: %v", ErrPersistence, p)
	}
	short, long := x, y
	if short.Len() > long.Len() {
		short, long = long, short
	}
	if short.Len() == 0 {
		return RBO{}, ErrEmptyRanking
	}
	o := overlaps(short, long)
	s, l := float64(short.Len()), float64(long.Len())
	atShort := o.seen[short.Len()-1] / s // the agreement where the short list ends
	common := o.seen[long.Len()-1]
	var ext, least, most, harmonic float64 // sums over depths of agreement times p^d
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
	d := l
	for ; d < l+s-common-0.5; d++ { // the lists draw level, then all agrees
		power *= p
		most += (2*(d+1) - l - s + common) / (d + 1) * power
	}
	most += power * p / (1 - p)

	scale := (1 - p) / p
	r := RBO{Extrapolated: clamp(scale * ext), Min: clamp(scale * least), Max: clamp(scale * most)}
	r.Residual = clamp(scale*most - scale*least)
	return r, nil
}

func clamp(share float64) float64 { return max(0, min(1, share)) }

// overlap holds, at each depth of the long list, what the lists have in common. An
// item counts in each list as the part of it that has been reached.
type overlap struct {
	seen     []float64 // what is in common
	possible []float64 // what the short list could have in common past its end at most
	unseen   []float64 // mean part reached of the long list's own items, of those reached at all
}

func overlaps(short, long Ranking) overlap {
	l := long.Len()
	o := overlap{make([]float64, l), make([]float64, l), make([]float64, l)}
	inShort, inLong := short.places(), long.places()
	own := 0 // items of the long list alone, so far
	count := make([]int, l)
	for _, item := range long.items {
		b := inLong[item]
		a, both := inShort[item]
		if !both {
			own++
		}
		for d := b.first; d <= l; d++ {
			part := b.part(d)
			switch {
			case both:
				o.seen[d-1] += a.part(d) * part
			case d > short.Len():
				o.unseen[d-1] += part
				count[d-1]++
				if own <= d-short.Len() {
					o.possible[d-1] += part
				}
			}
		}
	}
	for i, n := range count {
		if n > 0 {
			o.unseen[i] /= float64(n)
		}
	}
	return o
}

// part is how much of an item of the group has been reached at a depth.
func (g group) part(depth int) float64 {
	switch {
	case depth < g.first:
		return 0
	case depth >= g.last:
		return 1
	}
	return float64(depth-g.first+1) / float64(g.last-g.first+1)
}
