package report

import (
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"reflect"
	"strings"

	"twindrift/sim/result"
)

// ContestJSON writes a comparison of generators as JSON, in the manner of JSON.
func ContestJSON(w io.Writer, c *result.Contest) error {
	e := json.NewEncoder(w)
	e.SetEscapeHTML(false)
	e.SetIndent("", "  ")
	return e.Encode(withoutNil(reflect.ValueOf(c)).Interface())
}

// ContestText writes a comparison of generators for people: tables with a line for each
// generator, best and worst marked, then what each does wrong, and with replications
// what differs from the first by more than luck. Brief, it is one table.
func ContestText(w io.Writer, c *result.Contest, brief bool, opts TextOptions) error {
	t := &contest{page: page{width: max(opts.Width, 80), color: opts.Color}, Contest: c}
	if brief {
		t.short()
		_, err := w.Write(t.Bytes())
		return err
	}
	from := ""
	if len(opts.Captures) > 0 {
		from = " of " + short(opts.Captures[0], 32)
	}
	t.styled(bold, fmt.Sprintf("twindrift: %s%s, %s, %s", counted(c.Messages, "message"), from,
		counted(int64(len(c.SiteNames)), "site"), counted(int64(len(c.Generators)), "generator")))
	about := "One capture, and the same luck for all. " + bestSign + " is the best of a column, " + worstSign + " the worst; what leaves messages " +
		"without a proper id is the best at nothing else. Figures are of all sites together."
	if c.Replications > 1 {
		about += fmt.Sprintf(" The tables are of the first of %d replications.", c.Replications)
	}
	t.wrap("  ", about)
	for _, b := range contestBlocks {
		t.block(b)
	}
	t.wrongs()
	t.differences()
	_, err := w.Write(t.Bytes())
	return err
}

// What marks the best and the worst.
const (
	bestSign  = "*"
	worstSign = "!"
)

// contest is a comparison of generators being written.
type contest struct {
	page
	*result.Contest
}

// wrongs says what each generator does wrong.
func (t *contest) wrongs() {
	t.heading("WHAT EACH DOES WRONG")
	for _, g := range t.Generators {
		var said []string
		for _, w := range []struct {
			what   string
			counts map[string]int64
		}{
			{"messages without an id", g.RefusedBy}, {"no proper ids", g.NotDrawnBy},
			{"extra copies at a site", g.ByCause}, {"extra copies between sites", g.BetweenBy},
		} {
			if counts := faults(g, w.counts); len(counts) > 0 {
				said = append(said, w.what+because(counts))
			}
		}
		for _, w := range []struct{ name, what string }{
			{"wrong_node", "ids that say another node"}, {"shared_scores", "ids without a score of their own"},
		} {
			if v := g.Figures[w.name]; v != nil && v.Value != nil && *v.Value > 0 {
				said = append(said, w.what+" ("+plainly(*v.Value)+")")
			}
		}
		if len(said) == 0 {
			said = []string{"nothing: every message has an id, and every id is of one message"}
		}
		t.line("  " + g.Generator)
		t.wrap("    ", strings.Join(said, "; "))
	}
}

// faults are the counts by cause that are no part of the design: two streams may have one
// id.
func faults(g result.Contestant, counts map[string]int64) map[string]int64 {
	if !strings.HasPrefix(g.Generator, streamIDs) {
		return counts
	}
	counts = maps.Clone(counts)
	delete(counts, "separate")
	return counts
}

// differences says what differs from the first generator by more than luck.
func (t *contest) differences() {
	if t.Replications < 2 || len(t.Generators) < 2 {
		return
	}
	t.heading("DIFFERENT FROM " + t.Generators[0].Generator)
	t.wrap("  ", fmt.Sprintf("means over %s replications, paired, with %s confidence intervals (Student's t); what differs by no more than luck is left out.",
		count(int64(t.Replications)), amount(100*t.Confidence)+" %"))
	for _, g := range t.Generators[1:] {
		var said []string
		for _, b := range contestBlocks {
			for _, c := range b.columns {
				d := g.Figures[c.name].Difference
				if d == nil || d.Low == nil || *d.Low <= 0 && *d.High >= 0 {
					continue
				}
				scale, unit := 1.0, ""
				if c.share {
					scale, unit = 100, " percentage points"
				}
				text := around(scale**d.Mean, scale*(*d.High-*d.Low)/2) + unit
				if *d.Mean > 0 {
					text = "+" + text
				}
				said = append(said, c.said+" "+text)
			}
		}
		if len(said) == 0 {
			said = []string{"nothing"}
		}
		t.line("  " + g.Generator)
		t.wrap("    ", strings.Join(said, "; "))
	}
}
