package contest

import (
	"twindrift/sim/replications"
	"twindrift/sim/result"
)

// Collector gathers results, by replication and generator. The zero value is ready.
type Collector struct {
	first  []*result.Result        // of the first replication
	values [][]map[string]*float64 // by generator and replication
}

// Add takes in the results of the next replication, one a generator, at least one, in one
// order. Of all but the first it keeps the figures.
func (c *Collector) Add(results []*result.Result) {
	if c.first == nil {
		c.first, c.values = results, make([][]map[string]*float64, len(results))
	}
	for g, r := range results {
		c.values[g] = append(c.values[g], figures(r))
	}
}

// Table compares the generators. Something was added.
func (c *Collector) Table() *result.Contest {
	first := c.first[0]
	out := &result.Contest{
		Format: result.ContestFormat, Version: result.ContestVersion, Scenario: first.Scenario,
		Messages: first.Input.Messages, SiteNames: first.SiteNames,
		Replications: len(c.values[0]), Confidence: result.Confidence,
	}
	for g, r := range c.first {
		out.Generators = append(out.Generators, contestant(r, c.values[g], c.values[0], g > 0))
	}
	for _, f := range result.ContestFigures {
		mark(out.Generators, f)
	}
	return out
}

// contestant is a generator; against are the values of the first.
func contestant(r *result.Result, values, against []map[string]*float64, other bool) result.Contestant {
	c := result.Contestant{
		Generator: r.Sites[r.SiteNames[0]].Generator, Figures: map[string]*result.ContestValue{},
		ByCause: map[string]int64{}, BetweenBy: map[string]int64{}, NotDrawnBy: map[string]int64{}, RefusedBy: map[string]int64{},
	}
	for _, name := range r.SiteNames {
		s := r.Sites[name]
		add(c.ByCause, s.Duplicates.ByCause)
		add(c.ByCause, map[string]int64{"unexplained": s.Duplicates.Unexplained})
		add(c.NotDrawnBy, s.Overflow.Undrawn)
		add(c.RefusedBy, s.Refusals.ByReason)
	}
	for _, name := range r.PairNames {
		d := &r.Between[name].Duplicates
		add(c.BetweenBy, d.ByCause)
		add(c.BetweenBy, map[string]int64{"unexplained": d.Unexplained})
	}
	for _, f := range result.ContestFigures {
		v := &result.ContestValue{Value: values[0][f.Name]}
		if other && len(values) > 1 {
			v.Difference = paired(f.Name, values, against)
		}
		c.Figures[f.Name] = v
	}
	return c
}

// paired is the difference of a figure from another generator's.
func paired(name string, of, from []map[string]*float64) *result.Estimate {
	less := make([]*float64, len(of))
	for i := range of {
		if a, b := of[i][name], from[i][name]; a != nil && b != nil {
			d := *a - *b
			less[i] = &d
		}
	}
	return replications.Estimate(less)
}

func add(to, counts map[string]int64) {
	for cause, n := range counts {
		if n > 0 {
			to[cause] += n
		}
	}
}

// mark finds the best and the worst at a figure, unless all are alike. What gives some
// messages no id, or one that is none, is not the best at anything.
func mark(generators []result.Contestant, f result.ContestFigure) {
	whole := whole
	if f.Name == "refused" || f.Name == "undrawn" {
		whole = func(result.Contestant) bool { return true }
	}
	better := func(a, b float64) bool { return f.Lowest == (a < b) && a != b }
	var best, worst *float64
	for _, g := range generators {
		v := g.Figures[f.Name].Value
		if v == nil {
			continue
		}
		if whole(g) && (best == nil || better(*v, *best)) {
			best = v
		}
		if worst == nil || better(*worst, *v) {
			worst = v
		}
	}
	for _, g := range generators {
		v := g.Figures[f.Name]
		if v.Value == nil || best == nil || *best == *worst {
			continue
		}
		v.Best, v.Worst = *v.Value == *best && whole(g), *v.Value == *worst
	}
}

// whole says whether a generator has given every message an id, as it promises.
func whole(g result.Contestant) bool {
	return *g.Figures["refused"].Value == 0 && *g.Figures["undrawn"].Value == 0
}
