package sim

import (
	"cmp"
	"slices"
	"strconv"

	"twindrift/generator"
	"twindrift/sim/measure"
	"twindrift/sim/result"
)

// witnesses are the first entries of several lists by the clock, at most five.
func (r *run) witnesses(s *siteRun, l *lane, lists [][]measure.Entry, detail func(*measure.Entry) string) []result.Witness {
	var entries []measure.Entry
	for _, l := range lists {
		entries = append(entries, l...)
	}
	slices.SortStableFunc(entries, func(a, b measure.Entry) int {
		return cmp.Or(cmp.Compare(a.NowMs, b.NowMs), cmp.Compare(a.Partition, b.Partition), cmp.Compare(a.Offset, b.Offset))
	})
	out := []result.Witness{}
	for i := range entries[:min(len(entries), 5)] {
		out = append(out, r.witness(s, l.layout, &entries[i], detail(&entries[i])))
	}
	return out
}

func (r *run) witness(s *siteRun, layout generator.Layout, e *measure.Entry, detail string) result.Witness {
	p := &r.plan.Partitions[e.Partition]
	id := ""
	if !e.Kind.Refused() {
		id = idText(layout, e.ID)
	}
	return result.Witness{
		Site: s.model.Name, Node: s.nodes[e.Consumer], Topic: p.Topic, Partition: p.Number, Offset: e.Offset,
		EventMs: e.EventMs, DrawMs: e.NowMs, ID: id, Detail: detail,
	}
}

// groups renders duplicate groups; an entry's site is an index into sites.
func (r *run) groups(groups []measure.Group, layout generator.Layout, sites []*siteRun) []result.DuplicateGroup {
	out := []result.DuplicateGroup{}
	for _, g := range groups {
		dg := result.DuplicateGroup{ID: idText(layout, g.Entries[0].ID), Cause: g.Cause, Occurrences: g.Occurrences}
		for i := range g.Entries {
			s := sites[0]
			if g.Sites != nil {
				s = sites[g.Sites[i]]
			}
			dg.Messages = append(dg.Messages, r.witness(s, layout, &g.Entries[i], undrawnBy(g.Entries[i].Kind)))
		}
		out = append(out, dg)
	}
	return out
}

// undrawnBy says of an id that is not as it should be why; of one that is, nothing.
func undrawnBy(kind generator.Kind) string {
	switch kind {
	case generator.Drawn:
		return ""
	case generator.StaleDay, generator.JumpLimit, generator.DayEnd:
		return "handed out undrawn: " + kind.String()
	}
	if kind.Refused() {
		return "no id: " + kind.String()
	}
	return "not as promised: " + kind.String()
}

// idText writes an id as its users do. A layout that can read it back has a way of its
// own; one that cannot only says in words what an id means.
func idText(layout generator.Layout, id int64) string {
	if l, ok := layout.(interface {
		Text(id int64) string
		Parse(text string) (int64, error)
	}); ok {
		return l.Text(id)
	}
	return strconv.FormatInt(id, 10)
}
