package report

import (
	"strings"

	"twindrift/replay/figure"
	"twindrift/sim/result"
)

// contestColumn is one figure in a table.
type contestColumn struct {
	name  string    // of result.ContestFigures
	heads [2]string // two lines
	said  string    // in a sentence
	write func(float64) string
	share bool // of 1, so that differences are percentage points
}

type contestBlock struct {
	heading string
	columns []contestColumn
}

func plainly(f float64) string { return brief(int64(f)) }

// perID writes how much of something an id takes.
func perID(f float64) string {
	if f > 0 && f < 0.01 {
		return fixedPoint(f, figure.DigitsAfter(f))
	}
	return amount(f)
}

// contestBlocks are the tables.
var contestBlocks = []contestBlock{
	{"ORDER", []contestColumn{
		{"discordant_share_1s", [2]string{"pairs in", "wrong order"}, "pairs in the wrong order", percent, true},
		{"recall_1s", [2]string{"found by a", "query for 1 s"}, "found by a query for 1 s", percent, true},
		{"different_second_share", [2]string{"sites say", "two seconds"}, "two seconds at two sites", percent, true},
	}},
	{"SECONDS", []contestColumn{
		{"later_share", [2]string{"of a later", "second"}, "of a later second", percent, true},
		{"max_offset_s", [2]string{"furthest", "off"}, "furthest off, s", func(f float64) string { return seconds(int64(f)) }, false},
		{"late", [2]string{"too late", "to push"}, "too late to push", plainly, false},
	}},
	{"IDS", []contestColumn{
		{"refused", [2]string{"messages", "without id"}, "messages without an id", plainly, false},
		{"undrawn", [2]string{"no proper", "id"}, "no proper id", plainly, false},
		{"shared_scores", [2]string{"without own", "score"}, "without a score of its own", plainly, false},
	}},
	{"NODES AND DUPLICATES", []contestColumn{
		{"wrong_node", [2]string{"that say", "another node"}, "ids that say another node", plainly, false},
		{"extra_copies", [2]string{"copies at", "a site"}, "extra copies at a site", plainly, false},
		{"extra_copies_between", [2]string{"copies", "between"}, "extra copies between sites", plainly, false},
	}},
	{"WHAT THEY COST", []contestColumn{
		{"round_trips_per_id", [2]string{"trips to", "Redis per id"}, "round trips per id", perID, false},
		{"longest_wait_ms", [2]string{"longest", "wait"}, "longest wait, ms", func(f float64) string { return duration(int64(f)) }, false},
		{"wasted", [2]string{"numbers", "wasted"}, "numbers wasted", plainly, false},
	}},
	{"WHAT ELSE THEY COST", []contestColumn{
		{"service_trips_per_id", [2]string{"trips to", "a service"}, "trips to an allocation service per id", perID, false},
		{"keys_left", [2]string{"keys that", "stay"}, "keys that stay in Redis", plainly, false},
		{"rejected_writes", [2]string{"writes", "refused"}, "writes refused", plainly, false},
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
			line += contestCell(g.Figures[c.name], c, t.told(c))
		}
		t.line(line)
	}
}

// told says whether the best and the worst of a column can be told apart as they are
// written.
func (t *contest) told(c contestColumn) bool {
	var best, worst string
	for _, g := range t.Generators {
		if v := g.Figures[c.name]; v != nil && v.Value != nil {
			switch {
			case v.Best:
				best = c.write(*v.Value)
			case v.Worst:
				worst = c.write(*v.Value)
			}
		}
	}
	return best != worst
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
			row = append(row, shortCell(g, c.names, c.write))
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

// shortCell is the sum of figures; - where none is defined.
func shortCell(g result.Contestant, names []string, write func(float64) string) string {
	var sum float64
	defined := false
	for _, name := range names {
		if v := g.Figures[name]; v != nil && v.Value != nil {
			sum, defined = sum+*v.Value, true
		}
	}
	if !defined {
		return "-"
	}
	return write(sum)
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
func contestCell(v *result.ContestValue, c contestColumn, marked bool) string {
	if v == nil || v.Value == nil {
		return right("-", contestWidth-1) + " "
	}
	sign := " "
	switch {
	case !marked:
	case v.Best:
		sign = bestSign
	case v.Worst:
		sign = worstSign
	}
	return right(c.write(*v.Value), contestWidth-1) + sign
}
