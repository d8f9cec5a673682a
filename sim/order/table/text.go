package table

import (
	"bufio"
	"fmt"
	"io"
	"strconv"
	"strings"
)

// Text writes the report for people, 80 columns wide.
func (r *Report) Text(w io.Writer) error {
	t := &text{w: bufio.NewWriter(w)}
	t.line("%s: %d rows, %s (%s) against %s (%s)", r.File, r.Rows, r.Y.Name, r.Y.Kind, r.X.Name, r.X.Kind)
	t.pairs(&r.Pairs)
	t.reordering(&r.Reordering)
	t.presortedness(&r.Presortedness)
	t.densities(&r.Densities)
	t.definitions(r.Definitions)
	return t.w.Flush()
}

// text writes lines; the buffer keeps the first error until Flush.
type text struct{ w *bufio.Writer }

func (t *text) line(format string, args ...any) { fmt.Fprintf(t.w, format+"\n", args...) }

// figure writes a name and its value.
func (t *text) figure(name string, value any) { t.line("  %-18s %v", name, value) }

// float writes a figure that may not be defined.
func (t *text) float(name string, value *float64) {
	if value == nil {
		t.figure(name, "not defined")
		return
	}
	t.figure(name, strconv.FormatFloat(*value, 'g', -1, 64))
}

func (t *text) quantiles(name string, q *Quantiles) {
	if q == nil {
		return
	}
	t.figure(name, fmt.Sprintf("p50 %s  p90 %s  p99 %s  p99.9 %s  max %s  %s", q.P50, q.P90, q.P99, q.P999, q.Max, q.Unit))
}

func (t *text) pairs(p *PairsReport) {
	t.line("\nPairs")
	t.figure("pairs", p.Pairs.Pairs)
	t.figure("concordant", p.Concordant)
	t.figure("discordant", p.Discordant)
	t.figure("tied_x", p.TiedX)
	t.figure("tied_y", p.TiedY)
	t.figure("tied_both", p.TiedBoth)
	t.float("discordant_share", p.DiscordantShare)
	t.float("tau_a", p.TauA)
	t.float("tau_b", p.TauB)
}

func (t *text) reordering(r *Reordering) {
	t.line("\nReordering (RFC 4737)")
	t.figure("reordered", r.Reordered)
	t.figure("ratio", strconv.FormatFloat(r.Ratio, 'g', -1, 64))
	if r.Reordered == 0 {
		return
	}
	t.quantiles("extent", r.Extent)
	t.quantiles("late", r.Late)
	t.quantiles("behind", r.Behind)
	t.counts("extents", r.Extents)
	t.nReordered(r.NReordered)
	t.figure("free_runs", r.FreeRuns.Runs)
	t.float("  mean", r.FreeRuns.Mean)
	t.float("  weighted", r.FreeRuns.Weighted)
	t.float("  variation", r.FreeRuns.Variation)
	t.figure("  trailing", r.FreeRuns.Trailing)
	t.figure("discontinuities", r.Discontinuities)
	t.quantiles("gap", r.Gap)
}

// most is how many entries of a list the text shows; JSON has them all.
const most = 6

func (t *text) counts(name string, list []Count) {
	var shown []string
	for _, c := range list[:min(most, len(list))] {
		shown = append(shown, fmt.Sprintf("%d: %d", c.Value, c.Count))
	}
	t.list(name, shown, len(list))
}

func (t *text) nReordered(list []NReordered) {
	var shown []string
	for _, n := range list[:min(most, len(list))] {
		shown = append(shown, fmt.Sprintf("n=%d: %d", n.N, n.Count))
	}
	if len(list) == 0 {
		shown = []string{"none"}
	}
	t.list("n_reordered", shown, len(list))
}

func (t *text) list(name string, shown []string, all int) {
	more := ""
	if all > len(shown) {
		more = fmt.Sprintf(", and %d more (-o json)", all-len(shown))
	}
	t.figure(name, strings.Join(shown, ", ")+more)
}

func (t *text) presortedness(p *Presortedness) {
	t.line("\nPresortedness")
	t.figure("inversions", p.Inversions)
	t.figure("dis", p.Dis)
	t.figure("max_displacement", p.MaxDisplacement)
	t.quantiles("displacement", p.Displacement)
	t.figure("footrule", p.Footrule)
	t.figure("spearman", p.Spearman)
	t.figure("exc", p.Exc)
	t.figure("ham", p.Ham)
	t.figure("rem", p.Rem)
	t.figure("runs", p.Runs)
}

func (t *text) densities(d *Densities) {
	t.line("\nReorder densities (RFC 5236)")
	t.counts("rd", d.Displacements)
	t.quantiles("too_early", d.TooEarly)
	t.quantiles("too_late", d.TooLate)
	t.counts("rbd", d.Occupancies)
	t.quantiles("waiting", d.Waiting)
}

func (t *text) definitions(list []Definition) {
	t.line("\nDefinitions")
	for _, d := range list {
		line := "  " + d.Of + ":"
		for word := range strings.FieldsSeq(d.Text) {
			if len(line)+1+len(word) > 80 {
				t.line("%s", line)
				line = "   "
			}
			line += " " + word
		}
		t.line("%s", line)
	}
}
