package report

import (
	"fmt"

	"twindrift/sim/result"
)

// pairLane is one generator at two sites.
type pairLane struct {
	*result.PairLane
	pair *result.Between // nil for the baseline
}

// between compares the sites pair by pair.
func (t *text) between() {
	if len(t.pairs) == 0 {
		return
	}
	t.heading("BETWEEN THE SITES: the same messages at two sites")
	var spans []span[pairLane]
	var lanes []pairLane
	for _, b := range t.pairs {
		both := []pairLane{{&b.PairLane, b}, {&b.Baseline, nil}}
		lanes = append(lanes, both...)
		spans = append(spans, span[pairLane]{pairName(b.A, b.B, 2*laneShape.column-6), laneHeads, both})
	}
	once := func(label string, figure func(*result.Between) int64) row[pairLane] {
		return row[pairLane]{label: label, cell: func(l pairLane) string {
			if l.pair == nil {
				return ""
			}
			return orNone(figure(l.pair), brief)
		}}
	}
	shared := func(label string, figure func(*result.PairLane) int64) row[pairLane] {
		return row[pairLane]{label: label, cell: func(l pairLane) string {
			return share(figure(l.PairLane), l.SameID+l.SameSecond+l.DifferentSecond)
		}}
	}
	apart := func(l pairLane) *result.Summary { return l.Difference }
	rows := []row[pairLane]{
		once("messages stored at both", func(b *result.Between) int64 { return b.Both }),
		once("only at the first", func(b *result.Between) int64 { return b.OnlyA }),
		once("only at the second", func(b *result.Between) int64 { return b.OnlyB }),
		{label: "of those at both"},
		shared("  same id", func(l *result.PairLane) int64 { return l.SameID }),
		shared("  same second, other id", func(l *result.PairLane) int64 { return l.SameSecond }),
		shared("  different second", func(l *result.PairLane) int64 { return l.DifferentSecond }),
		{label: "second at 2nd less at 1st"},
	}
	rows = append(rows, quantileRows(apart, seconds)...)
	rows = append(rows, grainedRows(func(l pairLane) *result.Grained { return &l.Grained })...)
	rows = append(rows, displacementRows("places off, 1st and 2nd", func(l pairLane) *result.Displacement { return l.Ranks })...)
	rows = append(rows, newestRows(lanes)...)
	rows = append(rows,
		row[pairLane]{label: "ids of different messages", cell: func(l pairLane) string { return orNone(l.Duplicates.Groups, brief) }},
		row[pairLane]{label: "  extra copies", cell: func(l pairLane) string {
			if l.Duplicates.IDs == 0 {
				return ""
			}
			return brief(l.Duplicates.IDs)
		}})
	for _, r := range causeRows(lanes, func(l pairLane) map[string]int64 { return l.Duplicates.ByCause }) {
		rows = append(rows, row[pairLane]{label: "  " + r.label, cell: r.cell})
	}
	sideBySide(&t.page, laneShape, spans, rows)
	t.line("")
	all := map[string]int64{}
	for _, l := range lanes {
		for cause, n := range l.Duplicates.ByCause {
			all[cause] += n
		}
	}
	t.explain(all)
	for _, b := range t.pairs {
		t.newestOverTime(b)
		t.pairWitnesses(b)
	}
}

func (t *text) pairWitnesses(b *result.Between) {
	if len(b.Witnesses)+len(b.Duplicates.Witnesses) > 0 {
		t.line("")
	}
	if len(b.Witnesses) > 0 {
		t.wrap("  ", fmt.Sprintf("the first messages with different seconds at %s and %s:", b.A, b.B))
	}
	for i := range b.Witnesses[:min(len(b.Witnesses), textWitnesses)] {
		w := &b.Witnesses[i]
		t.wrap("    ", fmt.Sprintf("%s, event %s UTC", messageName(w.Topic, w.Partition, w.Offset), moment(w.EventMs)))
		s := fmt.Sprintf("id %s at %s, %s at %s", w.IDA, b.A, w.IDB, b.B)
		if w.Detail != "" {
			s += "; " + w.Detail
		}
		t.wrap("      ", s)
	}
	t.groups(fmt.Sprintf("the first ids for different messages at %s and %s", b.A, b.B), b.Duplicates.Witnesses)
}
