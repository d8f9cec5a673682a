package report

import "twindrift/sim/result"

// duplicates is part 4: one id for several messages.
func (t *text) duplicates() {
	t.heading("4 DUPLICATES: one id for several messages of a site")
	all := map[string]int64{}
	found := false
	var spans []span[*result.Lane]
	var lanes []*result.Lane
	for _, s := range t.sites {
		spans = append(spans, span[*result.Lane]{s.Name, laneHeads, []*result.Lane{&s.Lane, &s.Baseline}})
		for _, l := range spans[len(spans)-1].things {
			lanes = append(lanes, l)
			found = found || l.Duplicates.IDs+scores(l) > 0
			for cause, n := range l.Duplicates.ByCause {
				all[cause] += n
			}
		}
	}
	if !found {
		words := "None, by the generator or the baseline: every id of a site is of one message"
		if t.layout() != streamIDs {
			words += ", and every sorted-set score of one id"
		}
		t.wrap("  ", words+".")
		return
	}
	figure := func(label string, of func(*result.Duplicates) int64) row[*result.Lane] {
		return row[*result.Lane]{label: label, cell: func(l *result.Lane) string { return orNone(of(&l.Duplicates), brief) }}
	}
	rows := []row[*result.Lane]{
		figure("distinct ids", func(d *result.Duplicates) int64 { return d.Distinct }),
		figure("ids of several messages", func(d *result.Duplicates) int64 { return d.Groups }),
		figure("extra copies", func(d *result.Duplicates) int64 { return d.IDs }),
	}
	rows = append(rows, causeRows(lanes, func(l *result.Lane) map[string]int64 { return l.Duplicates.ByCause })...)
	rows = append(rows, row[*result.Lane]{label: "  without a known cause", cell: func(l *result.Lane) string {
		if l.Duplicates.Unexplained == 0 {
			return ""
		}
		return brief(l.Duplicates.Unexplained)
	}}, row[*result.Lane]{label: "ids without own score", cell: func(l *result.Lane) string {
		if l.IDs == streamIDs {
			return ""
		}
		return orNone(scores(l), brief)
	}})
	sideBySide(&t.page, laneShape, spans, rows)
	t.line("")
	t.explain(all)
	for _, s := range t.sites {
		t.groups("the first ids of several messages at "+s.Name, s.Duplicates.Witnesses)
	}
}
