package measure

import (
	"cmp"

	"twindrift/sim/order"
)

// Persistence is the parameter p of the rank-biased overlap of what users see.
const Persistence = 0.9

// Views compares what a user sees at two sites, A and B, at the end of each
// minute of virtual time in which either of them stored something.
type Views struct {
	ByLength [len(NewestLengths)]View

	a, b viewed
}

// SeriesMost is how many minutes a View keeps one by one: those of a week.
const SeriesMost = 7 * 24 * 60

// View is the comparison over lists of one length.
type View struct {
	N       int64        // minutes
	Unknown int64        // minutes that are left out: see Newest
	Minutes []ViewMinute // the first SeriesMost of them, ascending
	Worst   ViewMinute   // smallest Jaccard index; of equals the largest Kendall distance, then the earliest

	Overlap, Jaccard, RBO, Kendall float64 // sums
	HasRBO                         int64   // minutes in RBO
}

func (v *View) add(m ViewMinute) {
	if c := cmp.Compare(m.Jaccard, v.Worst.Jaccard); v.N == 0 || c < 0 || c == 0 && m.Kendall > v.Worst.Kendall {
		v.Worst = m
	}
	v.N++
	v.Overlap += float64(m.Overlap)
	v.Jaccard += m.Jaccard
	v.Kendall += m.Kendall
	if m.HasRBO {
		v.RBO += m.RBO
		v.HasRBO++
	}
	if len(v.Minutes) < SeriesMost {
		v.Minutes = append(v.Minutes, m)
	}
}

// ViewMinute is what two users see as a minute ends.
type ViewMinute struct {
	Minute     int64 // index since 1970
	LenA, LenB int   // entries there are to see, up to the length
	Overlap    int   // messages that both see
	Jaccard    float64
	RBO        float64 // extrapolated
	HasRBO     bool    // neither list is empty
	Kendall    float64 // K^(1/2)
}

// viewed is one site: what its user sees now, and what comes.
type viewed struct {
	now  Top
	next []Top
}

// Add takes in the tops that each site has closed, ascending. Every minute
// before floorA (floorB) is closed at A (B).
func (v *Views) Add(a, b []Top, floorA, floorB int64) {
	v.a.next, v.b.next = append(v.a.next, a...), append(v.b.next, b...)
	for {
		minute := min(floorA, floorB)
		for _, s := range []*viewed{&v.a, &v.b} {
			if len(s.next) > 0 {
				minute = min(minute, s.next[0].Minute)
			}
		}
		if minute >= min(floorA, floorB) {
			return
		}
		v.a.turn(minute)
		v.b.turn(minute)
		v.compare(minute)
	}
}

func (s *viewed) turn(minute int64) {
	if len(s.next) > 0 && s.next[0].Minute == minute {
		s.now, s.next = s.next[0], s.next[1:]
	}
}

func (v *Views) compare(minute int64) {
	for i, length := range NewestLengths {
		w := &v.ByLength[i]
		a, knownA := v.a.now.first(length)
		b, knownB := v.b.now.first(length)
		if !knownA || !knownB {
			w.Unknown++
			continue
		}
		c := order.Compare(ranking(a), ranking(b))
		m := ViewMinute{Minute: minute, LenA: len(a), LenB: len(b), Overlap: c.Overlap(), Kendall: c.Kendall(0.5)}
		m.Jaccard, _ = c.Jaccard()
		if rbo, err := c.RankBiasedOverlap(Persistence); err == nil {
			m.RBO, m.HasRBO = rbo.Extrapolated, true
		}
		w.add(m)
	}
}

// first are the entries of a list of some length; false when they are not
// known.
func (t *Top) first(length int) ([]Shown, bool) {
	return t.Entries[:min(length, len(t.Entries))], len(t.Entries) >= length || !t.Cut
}

// ranking ties what has one score in a sorted set, the id as a float64.
func ranking(entries []Shown) order.Ranking {
	items, scores := make([]int64, len(entries)), make([]float64, len(entries))
	for i, e := range entries {
		items[i], scores[i] = e.Message, float64(e.ID)
	}
	return order.NewRanking(items, scores)
}
