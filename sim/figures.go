package sim

import (
	"math/big"

	"twindrift/sim/order"
	"twindrift/sim/result"
	"twindrift/sim/tally"
)

// grained is the pair counts at every grain, with the measures that follow from
// them: null where they are not defined.
func grained(pairs [order.Grains]order.Pairs) result.Grained {
	g := result.Grained{
		N: pairs[0].N, Comparable: map[string]int64{}, Discordant: map[string]int64{},
		DiscordantShare: map[string]*float64{}, TauA: map[string]*float64{}, TauB: map[string]*float64{},
	}
	for i, name := range order.GrainNames {
		p := pairs[i]
		g.Comparable[name] = p.Concordant + p.Discordant
		g.Discordant[name] = p.Discordant
		g.DiscordantShare[name] = defined(p.DiscordantShare())
		g.TauB[name] = defined(p.TauB())
		if tau, ok := p.TauA(); ok && p.Concordant+p.Discordant > 0 {
			g.TauA[name] = &tau
		} else {
			g.TauA[name] = nil
		}
	}
	return g
}

// defined is v, or nil where there is none.
func defined(v float64, ok bool) *float64 {
	if !ok {
		return nil
	}
	return &v
}

func share(part, whole int64) float64 {
	if whole == 0 {
		return 0
	}
	return float64(part) / float64(whole)
}

// tallied are values of which a summary can be made.
type tallied interface {
	Figures(p ...float64) (tally.Figures, bool)
}

// summary is nil for no values.
func summary(c tallied) *result.Summary {
	s, _ := summed(c)
	return s
}

// summed is a summary, and the sum of the values.
func summed(c tallied) (*result.Summary, *big.Int) {
	f, ok := c.Figures(0.5, 0.9, 0.99, 0.999)
	if !ok {
		return nil, new(big.Int)
	}
	at := f.Quantiles
	return &result.Summary{N: f.N, Min: f.Min, P50: at[0], P90: at[1], P99: at[2], P999: at[3], Max: f.Max, Mean: f.Mean}, f.Sum
}

// Edges of histograms.
var (
	latenessEdges = []int64{0, 1, 2, 5, 10, 20, 50, 100, 200, 500, 1000, 2000, 5000, 10_000, 20_000, 60_000, 120_000, 300_000, 600_000, 900_000, 1_800_000, 3_600_000}
	secondEdges   = []int64{-60, -10, -5, -2, -1, 0, 1, 2, 3, 4, 5, 10, 20, 30, 60, 120, 300, 600, 900, 1800, 3600}
)

// bins are those of a histogram.
func bins(c *tally.Counts, edges []int64) []result.Bin {
	out := []result.Bin{}
	for _, b := range c.Histogram(edges) {
		out = append(out, result.Bin{From: b.From, To: b.To, Count: b.Count})
	}
	return out
}
