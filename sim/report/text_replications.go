package report

import (
	"fmt"

	"twindrift/sim/result"
)

// replications are the key figures over all replications of the run.
func (t *text) replications() {
	all := t.Replications
	if all == nil || t.Input.Messages == 0 || len(t.sites) == 0 {
		return
	}
	t.heading(fmt.Sprintf("OVER %s REPLICATIONS", count(int64(all.N))))
	if !varies(all) {
		t.wrap("  ", "every figure is the same in each of them: nothing in this scenario is left to luck")
		return
	}
	t.wrap("  ", fmt.Sprintf("means and their %s confidence intervals (Student's t) over %s runs, each with luck of its own; all other parts of this report are of the first run",
		amount(100*all.Confidence)+" %", count(int64(all.N))))
	t.line("")
	k := keyFigures{of: all}
	sideBySide(&t.page, siteShape, t.bySite(), []row[*result.Site]{
		k.site("too late to be pushed", "push", "late"),
		k.refused(t),
		k.site("age when drawn, p99, ms", "push", "lateness_ms", "p99"),
		k.site("ids of a later second", "overflow", "with_offset"),
		k.site("  by at most, s", "overflow", "offset_s", "max"),
		k.site("extra copies of ids", "duplicates", "ids"),
		k.site("pairs in wrong order at 1 s", "order", "discordant", "1s"),
		k.site("  baseline", "baseline", "order", "discordant", "1s"),
	})
	t.line("")
	var spans []span[string]
	for _, name := range t.PairNames {
		b := t.Between[name]
		spans = append(spans, span[string]{name: pairName(b.A, b.B, 21), things: []string{name}})
	}
	sideBySide(&t.page, siteShape, spans, []row[string]{
		k.pair("messages in different seconds", "different_second"),
		k.pair("  baseline", "baseline", "different_second"),
		k.pair("tau-b at 1 s", "tau_b", "1s"),
		k.pair("  baseline", "baseline", "tau_b", "1s"),
		k.pair("extra copies of ids", "duplicates", "ids"),
	})
	if k.starred {
		t.line("")
		t.wrap("  * ", "not defined in every one of the runs: over those in which it is")
	}
}

// varies says whether luck changes any figure.
func varies(all *result.Replications) bool {
	for _, e := range all.Figures {
		if e != nil && (e.Defined != 0 && e.Defined != all.N || e.SD != nil && *e.SD != 0) {
			return true
		}
	}
	return false
}

// keyFigures are rows of figures over replications.
type keyFigures struct {
	of      *result.Replications
	starred bool // a figure has been shown that is not defined in all
}

func (k *keyFigures) site(label string, names ...string) row[*result.Site] {
	return row[*result.Site]{label: label, cell: func(s *result.Site) string {
		return k.figure(result.Under("sites", s.Name), names)
	}}
}

// refused is left out where no message goes without an id.
func (k *keyFigures) refused(t *text) row[*result.Site] {
	if !t.refuses() {
		return row[*result.Site]{cell: func(*result.Site) string { return "" }}
	}
	return k.site("messages without an id", "push", "refused")
}

func (k *keyFigures) pair(label string, names ...string) row[string] {
	return row[string]{label: label, cell: func(pair string) string {
		return k.figure(result.Under("between", pair), names)
	}}
}

// figure is the one that these names lead to from a path.
func (k *keyFigures) figure(path string, names []string) string {
	for _, name := range names {
		path = result.Under(path, name)
	}
	e := k.of.Figures[path]
	if e == nil || e.Mean == nil {
		return "not defined"
	}
	s := amount(*e.Mean)
	if e.Low != nil && e.High != nil {
		s = around(*e.Mean, (*e.High-*e.Low)/2)
	}
	if e.Defined < k.of.N {
		k.starred = true
		s += " *"
	}
	return s
}
