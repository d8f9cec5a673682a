package report

import (
	"fmt"

	"twindrift/sim/result"
)

// laneShape is the shape of tables with two columns, generator and baseline,
// under each name.
var laneShape = shape{column: 13, abreast: 2}

var laneHeads = []string{"generator", "baseline"}

// order is part 1: does the order of ids follow the order of events?
func (t *text) order() {
	t.heading("1 MACRO-ORDER DRIFT: do ids stand in the order of their events?")
	t.line("  generator: " + t.generator())
	t.line("  baseline:  " + t.sites[0].Baseline.Generator + ", for the same draws")
	t.line("")
	var spans []span[*result.Lane]
	for _, s := range t.sites {
		spans = append(spans, span[*result.Lane]{s.Name, laneHeads, []*result.Lane{&s.Lane, &s.Baseline}})
	}
	rows := []row[*result.Lane]{
		{label: "ids in the list", cell: func(l *result.Lane) string { return brief(l.Order.N) }},
	}
	rows = append(rows, listRows()...)
	rows = append(rows, []row[*result.Lane]{
		{label: "second of id less of event"},
		{label: "  same second", cell: func(l *result.Lane) string {
			if l.Order.N == 0 {
				return ""
			}
			return percent(l.Order.OwnerDrift.ShareAtZero)
		}},
	}...)
	rows = append(rows, quantileRows(drift, seconds)...)
	rows = append(rows, grainedRows(func(l *result.Lane) *result.Grained { return &l.Order.Grained })...)
	rows = append(rows,
		row[*result.Lane]{label: "below an earlier one in list"},
		row[*result.Lane]{label: "  reordered (RFC 4737)", cell: func(l *result.Lane) string { return orNone(l.Order.Reordering.Reordered, brief) }},
		row[*result.Lane]{label: "  share of the list", cell: func(l *result.Lane) string {
			if l.Order.Reordering.Reordered == 0 {
				return ""
			}
			return percent(l.Order.Reordering.Ratio)
		}},
		row[*result.Lane]{label: "  extent, p99 (places)", cell: summed(extent, p99, brief)},
		row[*result.Lane]{label: "  extent, largest", cell: summed(extent, highest, brief)},
		row[*result.Lane]{label: "  late time, p99", cell: summed(lateTime, p99, duration)},
		row[*result.Lane]{label: "  late time, largest", cell: summed(lateTime, highest, duration)},
		row[*result.Lane]{label: "  furthest behind", cell: func(l *result.Lane) string {
			if l.Order.Reordering.Reordered == 0 {
				return ""
			}
			return duration(l.Order.Reordering.MaxBehindMs)
		}},
	)
	rows = append(rows, runRows()...)
	rows = append(rows, displacementRows("places off, id and event", placesOff)...)
	rows = append(rows, densityRows()...)
	rows = append(rows, recallRows()...)
	sideBySide(&t.page, laneShape, spans, rows)
	t.line("")
	for _, s := range t.sites {
		t.witnesses(fmt.Sprintf("the first reordered ids at %s", s.Name), s.Order.Witnesses)
	}
}

// grainedRows are pairs in the wrong order and tau-b, grain by grain.
func grainedRows[T any](grained func(T) *result.Grained) []row[T] {
	at := func(title string, cell func(g *result.Grained, grain string) string) []row[T] {
		rows := []row[T]{{label: title}}
		for _, grain := range grains {
			rows = append(rows, row[T]{label: "  " + grain.name, folds: true, cell: func(thing T) string { return cell(grained(thing), grain.key) }})
		}
		return rows
	}
	rows := at("pairs in the wrong order", func(g *result.Grained, grain string) string {
		if g.DiscordantShare[grain] == nil {
			return "all tied"
		}
		return orNone(g.Discordant[grain], brief)
	})
	rows = append(rows, at("share of pairs in wrong order", func(g *result.Grained, grain string) string {
		if g.Discordant[grain] == 0 || g.DiscordantShare[grain] == nil {
			return ""
		}
		return percent(*g.DiscordantShare[grain])
	})...)
	return append(rows, at("Kendall's tau-b", func(g *result.Grained, grain string) string {
		return tau(g.TauB[grain], g.Discordant[grain] == 0)
	})...)
}

func drift(l *result.Lane) *result.Summary    { return l.Order.OwnerDrift.Seconds }
func extent(l *result.Lane) *result.Summary   { return l.Order.Reordering.Extent }
func lateTime(l *result.Lane) *result.Summary { return l.Order.Reordering.LateTime }

func lowest(s *result.Summary) int64  { return s.Min }
func median(s *result.Summary) int64  { return s.P50 }
func p90(s *result.Summary) int64     { return s.P90 }
func p99(s *result.Summary) int64     { return s.P99 }
func p999(s *result.Summary) int64    { return s.P999 }
func highest(s *result.Summary) int64 { return s.Max }

// quantileRows are the rows of a distribution in short.
func quantileRows[T any](of func(T) *result.Summary, write func(int64) string) []row[T] {
	return []row[T]{
		{label: "  smallest", folds: true, cell: summed(of, lowest, write)},
		{label: "  median", folds: true, cell: summed(of, median, write)},
		{label: "  p99", folds: true, cell: summed(of, p99, write)},
		{label: "  largest", folds: true, cell: summed(of, highest, write)},
	}
}

// summed makes a cell of one figure of a distribution; of none it is empty.
func summed[T any](of func(T) *result.Summary, figure func(*result.Summary) int64, write func(int64) string) func(T) string {
	return func(thing T) string {
		s := of(thing)
		if s == nil || s.N == 0 {
			return ""
		}
		return write(figure(s))
	}
}
