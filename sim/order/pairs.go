package order

import "math"

// Grains is the number of grains at which pairs are counted.
const Grains = 4

// GrainsMs are the grains in milliseconds. A time belongs to the cell
// floor(time / grain), also before 1970; times of one cell are tied. Each grain
// is a multiple of the one before it.
var GrainsMs = [Grains]int64{1, 1000, 10_000, 60_000}

// GrainNames are the names of the grains in reports.
var GrainNames = [Grains]string{"1ms", "1s", "10s", "60s"}

// maxElements bounds the elements of the streaming measures: n(n-1)/2 fits in an
// int64, and n in 32 bits.
const maxElements = 1<<32 - 1

// Pairs says how the pairs of n elements stand in two orders x and y.
// Every pair is concordant, discordant, or tied:
//
//	Pairs = Concordant + Discordant + TiedX + TiedY - TiedBoth
type Pairs struct {
	N          int64 `json:"n"`          // elements
	Pairs      int64 `json:"pairs"`      // N(N-1)/2 for one sequence
	TiedX      int64 `json:"tied_x"`     // equal x, whatever y
	TiedY      int64 `json:"tied_y"`     // equal y, whatever x
	TiedBoth   int64 `json:"tied_both"`  // equal x and equal y
	Concordant int64 `json:"concordant"` // x and y order the pair alike
	Discordant int64 `json:"discordant"` // x and y order the pair differently
}

// newPairs completes the counts from those that are counted directly.
func newPairs(n, tiedX, tiedY, tiedBoth, discordant int64) Pairs {
	p := Pairs{N: n, Pairs: choose2(n), TiedX: tiedX, TiedY: tiedY, TiedBoth: tiedBoth, Discordant: discordant}
	p.Concordant = p.Pairs - tiedX - tiedY + tiedBoth - discordant
	return p
}

// Merge adds the counts of another sequence, measured by itself: another site's, or
// another replication's. Pairs of elements of different sequences do not count.
// Merging in any order gives the same counts.
func (p *Pairs) Merge(other Pairs) {
	p.N += other.N
	p.Pairs += other.Pairs
	p.TiedX += other.TiedX
	p.TiedY += other.TiedY
	p.TiedBoth += other.TiedBoth
	p.Concordant += other.Concordant
	p.Discordant += other.Discordant
}

// choose2 is the number of pairs among n elements, without overflow on the way: the
// even one of n and n-1 is halved.
func choose2(n int64) int64 {
	return n >> 1 * (n - 1 + n&1)
}

// TauA is Kendall's tau-a, (C - D) / pairs; false for fewer than two elements.
func (p Pairs) TauA() (float64, bool) {
	if p.Pairs == 0 {
		return 0, false
	}
	return float64(p.Concordant-p.Discordant) / float64(p.Pairs), true
}

// TauB is Kendall's tau-b, (C - D) / sqrt((pairs - TiedX)(pairs - TiedY)), after
// M. G. Kendall, Rank Correlation Methods (1970). It is not defined, and false,
// when all pairs are tied in x or all are tied in y.
func (p Pairs) TauB() (float64, bool) {
	a, b := float64(p.Pairs-p.TiedX), float64(p.Pairs-p.TiedY)
	if a == 0 || b == 0 {
		return 0, false
	}
	// Equal factors have an exact root, so perfect order gives exactly 1.
	root := a
	if a != b {
		root = math.Sqrt(a) * math.Sqrt(b)
	}
	tau := float64(p.Concordant-p.Discordant) / root
	return max(-1, min(1, tau)), true
}

// DiscordantShare is D / (C + D), the share of the comparable pairs that stand
// the wrong way round; false when no pair is comparable.
func (p Pairs) DiscordantShare() (float64, bool) {
	if p.Concordant+p.Discordant == 0 {
		return 0, false
	}
	return float64(p.Discordant) / float64(p.Concordant+p.Discordant), true
}

// floorDiv is floor(a / b) for b > 0.
func floorDiv(a, b int64) int64 {
	q := a / b
	if a%b < 0 {
		q--
	}
	return q
}
