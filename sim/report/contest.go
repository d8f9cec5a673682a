package report

import (
	"encoding/json"
	"fmt"
	"io"
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
	t.styled(bold, fmt.Sprintf("twindrift: %s%s through %s with %s", counted(c.Messages, "message"), from,
		counted(int64(len(c.SiteNames)), "site"), counted(int64(len(c.Generators)), "generator")))
	t.wrap("  ", "One capture, and the same luck for all. "+bestSign+" is the best of a column, "+worstSign+" the worst; figures are of all sites together.")
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

// contestColumn is one figure in a table.
type contestColumn struct {
	name  string    // of result.ContestFigures
	heads [2]string // two lines
	said  string    // in a sentence
	write func(float64) string
}

type contestBlock struct {
	heading string
	columns []contestColumn
}

func plainly(f float64) string { return brief(int64(f)) }

// contestBlocks are the tables.
var contestBlocks = []contestBlock{
	{"ORDER", []contestColumn{
		{"discordant_share_1s", [2]string{"pairs in", "wrong order"}, "pairs in the wrong order", percent},
		{"recall_1s", [2]string{"found by a", "query for 1 s"}, "found by a query for 1 s", percent},
		{"different_second_share", [2]string{"sites say", "two seconds"}, "two seconds at two sites", percent},
	}},
	{"SECONDS", []contestColumn{
		{"later_share", [2]string{"of a later", "second"}, "of a later second", percent},
		{"max_offset_s", [2]string{"furthest", "off"}, "furthest off, s", func(f float64) string { return seconds(int64(f)) }},
		{"late", [2]string{"too late", "to push"}, "too late to push", plainly},
	}},
	{"IDS", []contestColumn{
		{"refused", [2]string{"messages", "without id"}, "messages without an id", plainly},
		{"undrawn", [2]string{"no proper", "id"}, "no proper id", plainly},
		{"shared_scores", [2]string{"without own", "score"}, "without a score of its own", plainly},
	}},
	{"DUPLICATES", []contestColumn{
		{"extra_copies", [2]string{"at a", "site"}, "extra copies at a site", plainly},
		{"extra_copies_between", [2]string{"between", "sites"}, "extra copies between sites", plainly},
	}},
	{"WHAT THEY COST", []contestColumn{
		{"round_trips_per_id", [2]string{"round trips", "to Redis, id"}, "round trips an id", amount},
		{"longest_wait_ms", [2]string{"longest", "wait"}, "longest wait, ms", func(f float64) string { return duration(int64(f)) }},
		{"wasted", [2]string{"numbers", "wasted"}, "numbers wasted", plainly},
	}},
	{"WHAT THEY LEAVE IN REDIS", []contestColumn{
		{"keys_left", [2]string{"keys that", "stay"}, "keys that stay", plainly},
		{"rejected_writes", [2]string{"writes", "refused"}, "writes refused", plainly},
	}},
}

const contestWidth = 14 // of a column; the label takes the rest

// block writes a table; one without anything to tell apart is left out.
func (t *contest) block(b contestBlock) {
	if !t.tells(b) {
		return
	}
	t.heading(b.heading)
	label := t.width - len(b.columns)*contestWidth
	for line := range 2 {
		heads := strings.Repeat(" ", label)
		for _, c := range b.columns {
			heads += right(c.heads[line], contestWidth-1) + " "
		}
		t.line(heads)
	}
	for _, g := range t.Generators {
		line := left("  "+g.Generator, label)
		for _, c := range b.columns {
			line += contestCell(g.Figures[c.name], c)
		}
		t.line(line)
	}
}

// shortColumns are those of the short table. Each adds up figures.
var shortColumns = []struct {
	heads [2]string
	names []string
	write func(float64) string
}{
	{[2]string{"pairs in", "wrong order"}, []string{"discordant_share_1s"}, percent},
	{[2]string{"sites", "differ"}, []string{"different_second_share"}, percent},
	{[2]string{"no or", "bad id"}, []string{"refused", "undrawn"}, plainly},
	{[2]string{"extra", "copies"}, []string{"extra_copies", "extra_copies_between"}, plainly},
	{[2]string{"shared", "scores"}, []string{"shared_scores"}, plainly},
}

// short is one table of the most important, without marks: every column is as wide as it
// has to be.
func (t *contest) short() {
	rows := [][]string{{""}, {""}}
	for _, c := range shortColumns {
		rows[0], rows[1] = append(rows[0], c.heads[0]), append(rows[1], c.heads[1])
	}
	for _, g := range t.Generators {
		row := []string{g.Generator}
		for _, c := range shortColumns {
			var sum float64
			for _, name := range c.names {
				if v := g.Figures[name]; v != nil && v.Value != nil {
					sum += *v.Value
				}
			}
			row = append(row, c.write(sum))
		}
		rows = append(rows, row)
	}
	widths, label, name := make([]int, len(shortColumns)+1), t.width, 0
	for i := range widths {
		for _, row := range rows {
			widths[i] = max(widths[i], columns(row[i])+1)
		}
		label -= widths[i]
	}
	name = widths[0]
	if label >= len(shortColumns) { // room for wider gaps
		for i := 1; i < len(widths); i++ {
			widths[i]++
			label--
		}
	}
	label += name
	for _, row := range rows {
		line := left(short(row[0], label), label)
		for i := 1; i < len(widths); i++ {
			line += right(row[i], widths[i])
		}
		t.line(line)
	}
}

// tells says whether the generators differ in anything of a table.
func (t *contest) tells(b contestBlock) bool {
	for _, g := range t.Generators {
		for _, c := range b.columns {
			if v := g.Figures[c.name]; v != nil && v.Value != nil && *v.Value != 0 {
				return true
			}
		}
	}
	return false
}

// contestCell is a figure, marked.
func contestCell(v *result.ContestValue, c contestColumn) string {
	if v == nil || v.Value == nil {
		return right("-", contestWidth-1) + " "
	}
	sign := " "
	switch {
	case v.Best:
		sign = bestSign
	case v.Worst:
		sign = worstSign
	}
	return right(c.write(*v.Value), contestWidth-1) + sign
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
			if len(w.counts) > 0 {
				said = append(said, w.what+because(w.counts))
			}
		}
		if v := g.Figures["shared_scores"]; v != nil && v.Value != nil && *v.Value > 0 {
			said = append(said, "ids without a score of their own ("+plainly(*v.Value)+")")
		}
		if len(said) == 0 {
			said = []string{"nothing: every message has an id, and every id is of one message"}
		}
		t.line("  " + g.Generator)
		t.wrap("    ", strings.Join(said, "; "))
	}
}

// differences says what differs from the first generator by more than luck.
func (t *contest) differences() {
	if t.Replications < 2 || len(t.Generators) < 2 {
		return
	}
	t.heading("DIFFERENT FROM " + t.Generators[0].Generator)
	t.wrap("  ", fmt.Sprintf("means over %s replications, paired, with %s confidence intervals (Student's t); what differs by no more than luck is left out. Shares count as parts of 1.",
		count(int64(t.Replications)), amount(100*t.Confidence)+" %"))
	for _, g := range t.Generators[1:] {
		var said []string
		for _, b := range contestBlocks {
			for _, c := range b.columns {
				d := g.Figures[c.name].Difference
				if d == nil || d.Low == nil || *d.Low <= 0 && *d.High >= 0 {
					continue
				}
				text := around(*d.Mean, (*d.High-*d.Low)/2)
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
