package report

import (
	"fmt"

	"twindrift/sim/result"
)

// offsetsOfOthers is part 2 for ids that are drawn from no slots: those of
// another second than their message, or of another kind than promised.
func (t *text) offsetsOfOthers() {
	t.heading("2 OWNER SECONDS: ids of another second than their " + t.own())
	if !t.overflows() {
		words := "None: every id stands in the second of its " + t.own() + ", and is what the generator promises."
		if t.ids() == 0 {
			words = "No id was given."
		}
		t.wrap("  ", words)
		return
	}
	node := func(*result.Site) string { return "" }
	if sayNode(t.layout()) {
		node = func(s *result.Site) string { return part(s.Overflow.WrongNode, s.Overflow.IDs) }
	}
	sideBySide(&t.page, siteShape, t.bySite(), append([]row[*result.Site]{
		{label: "ids", cell: func(s *result.Site) string { return brief(s.Overflow.IDs) }},
		{label: "of a later second", cell: func(s *result.Site) string { return part(s.Overflow.WithOffset, s.Overflow.IDs) }},
		{label: "of an earlier second", cell: earlierPart},
		{label: "second of id less of " + t.own()},
		{label: "  smallest", cell: summed(offset, lowest, seconds), folds: true},
		{label: "  median", cell: summed(offset, median, seconds), folds: true},
		{label: "  p99", cell: summed(offset, p99, seconds), folds: true},
		{label: "  largest", cell: summed(offset, highest, seconds), folds: true},
		{label: "not what the generator promises", cell: func(s *result.Site) string { return part(sum(s.Overflow.Undrawn), s.Overflow.IDs) }},
	}, append(causeRows(t.sites, func(s *result.Site) map[string]int64 { return s.Overflow.Undrawn }),
		row[*result.Site]{label: "ids that say another node", cell: node},
	)...))
	t.nodesOfOthers()
	t.line("")
	t.explain(t.withoutCopies())
	for _, s := range t.sites {
		t.witnesses("the first ids of a later second at "+s.Name, s.Overflow.Witnesses)
	}
}

// nodesOfOthers is the table of consumer processes.
func (t *text) nodesOfOthers() {
	nodes := t.allNodes()
	t.line("")
	t.line(fmt.Sprintf("  %-22s%11s%15s%12s%18s", "process", "ids", "later second", "largest", "not as promised"))
	for _, n := range nodes[:min(len(nodes), nodesShown)] {
		t.line("  " + left(n.name, 22) + right(brief(n.IDs), 11) + right(brief(n.WithOffset), 15) +
			right(seconds(n.MaxOffset), 12) + right(brief(sum(n.Undrawn)), 18))
	}
	t.moreNodes(nodes)
}
