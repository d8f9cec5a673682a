package report

import (
	"fmt"

	"twindrift/sim/result"
)

// listRows say what became of deliveries that are not entries of the list.
func listRows() []row[*result.Lane] {
	figure := func(label string, of func(*result.List) int64) row[*result.Lane] {
		return row[*result.Lane]{label: label, cell: func(l *result.Lane) string { return unlessNone(of(&l.List)) }}
	}
	return []row[*result.Lane]{
		figure("  overwritten, came again", func(l *result.List) int64 { return l.Overwritten }),
		figure("  lost, id of another", func(l *result.List) int64 { return l.Lost }),
		figure("messages of several ids", func(l *result.List) int64 { return l.SeveralIDs }),
	}
}

// unlessNone is a count, empty for 0.
func unlessNone(n int64) string {
	if n == 0 {
		return ""
	}
	return brief(n)
}

// runRows are the finer figures of RFC 4737, where anything is reordered.
func runRows() []row[*result.Lane] {
	return []row[*result.Lane]{
		{label: "  3-reordered", cell: func(l *result.Lane) string {
			for _, n := range l.Order.Reordering.NReordered {
				if n.N == 3 && l.Order.Reordering.Reordered > 0 {
					return orNone(n.Count, brief)
				}
			}
			return ""
		}},
		{label: "  free runs, mean length", cell: func(l *result.Lane) string {
			if mean := l.Order.Reordering.FreeRuns.Mean; mean != nil {
				return number(*mean)
			}
			return ""
		}},
	}
}

// number writes a mean with one digit after the point.
func number(f float64) string {
	switch {
	case f >= 1e9 || f <= -1e9:
		return fmt.Sprintf("%.3e", f)
	case f >= 1000 || f <= -1000:
		return brief(int64(f))
	}
	return fmt.Sprintf("%.1f", f)
}

// displacementRows say how far elements stand from their places; of those that
// all stand in them, and where it was not measured, nothing.
func displacementRows[T any](title string, of func(T) *result.Displacement) []row[T] {
	distance := func(thing T) *result.Summary {
		if d := of(thing); d != nil && d.Distance != nil && d.Distance.Max != 0 {
			return d.Distance
		}
		return nil
	}
	return []row[T]{
		{label: title},
		{label: "  median", folds: true, cell: summed(distance, median, brief)},
		{label: "  p90", folds: true, cell: summed(distance, p90, brief)},
		{label: "  p99", folds: true, cell: summed(distance, p99, brief)},
		{label: "  p99.9", folds: true, cell: summed(distance, p999, brief)},
		{label: "  largest", folds: true, cell: summed(distance, highest, brief)},
		{label: "  footrule, the sum", cell: func(thing T) string {
			if distance(thing) == nil {
				return ""
			}
			return brief(of(thing).Footrule)
		}},
	}
}

func placesOff(l *result.Lane) *result.Displacement { return l.Order.Displacement }

// densityRows are RFC 5236 in short, where anything is out of place.
func densityRows() []row[*result.Lane] {
	if0 := func(label string, of func(*result.Densities) *result.Density, cell func(*result.Density) string) row[*result.Lane] {
		return row[*result.Lane]{label: label, cell: func(l *result.Lane) string {
			d := l.Order.Densities
			if d == nil || placesOff(l) == nil || placesOff(l).Footrule == 0 {
				return ""
			}
			return cell(of(d))
		}}
	}
	rd := func(d *result.Densities) *result.Density { return &d.Displacement }
	rbd := func(d *result.Densities) *result.Density { return &d.Occupancy }
	atZero := func(d *result.Density) string {
		if d.ShareAtZero == nil {
			return "-"
		}
		return percent(*d.ShareAtZero)
	}
	beyond := func(d *result.Density) string { return unlessNone(d.Discarded) }
	return []row[*result.Lane]{
		{label: "RFC 5236 densities"},
		if0("  RD at 0, in its place", rd, atZero),
		if0("  RD beyond threshold", rd, beyond),
		if0("  RBD at 0, none waits", rbd, atZero),
		if0("  RBD beyond threshold", rbd, beyond),
	}
}

// recallRows say what queries for ranges of ids find. Ids of whole seconds
// are not looked for by the millisecond.
func recallRows() []row[*result.Lane] {
	at := func(grain string) func(*result.Lane) *result.RangeRecall {
		return func(l *result.Lane) *result.RangeRecall { return l.Order.RangeRecall[grain] }
	}
	rows := []row[*result.Lane]{{label: "found by a range of ids"}}
	for _, grain := range []struct{ key, name string }{{"1s", "  at 1 s"}, {"10s", "  at 10 s"}, {"60s", "  at 60 s"}} {
		rows = append(rows, row[*result.Lane]{label: grain.name, folds: true, cell: func(l *result.Lane) string {
			if r := at(grain.key)(l); r != nil && r.Share != nil {
				return percent(*r.Share)
			}
			return ""
		}})
	}
	worst := func(label string, of func(*result.RangeRecall) *result.RecallCell) row[*result.Lane] {
		return row[*result.Lane]{label: label, cell: func(l *result.Lane) string {
			r := at("1s")(l)
			if r == nil || of(r) == nil || of(r).Share == 1 {
				return ""
			}
			return percent(of(r).Share)
		}}
	}
	return append(rows,
		worst("  worst second, recall", func(r *result.RangeRecall) *result.RecallCell { return r.WorstRecall }),
		worst("  worst second, precision", func(r *result.RangeRecall) *result.RecallCell { return r.WorstPrecision }))
}
