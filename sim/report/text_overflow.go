package report

import (
	"cmp"
	"fmt"
	"maps"
	"math"
	"slices"

	"twindrift/sim/result"
)

// nodesShown is how many consumer processes the tables by node have.
const nodesShown = 12

// overflow is part 2: ids in another second than their message.
func (t *text) overflow() {
	t.heading("2 OVERFLOW OFFSETS: ids of a later second than their " + t.own())
	if !t.overflows() {
		words := "None: every id stands in the second of its " + t.own() + ", no slot ever was full, and every id was drawn."
		if t.ids() == 0 {
			words = "No id was given."
		}
		t.wrap("  ", words)
		t.peaks(false)
		t.headroom()
		return
	}
	sideBySide(&t.page, siteShape, t.bySite(), append([]row[*result.Site]{
		{label: "ids", cell: func(s *result.Site) string { return brief(s.Overflow.IDs) }},
		{label: "with an offset", cell: func(s *result.Site) string { return part(s.Overflow.WithOffset, s.Overflow.IDs) }},
		{label: "of an earlier second", cell: earlierPart},
		{label: "offset of all ids"},
		{label: "  median", cell: summed(offset, median, seconds), folds: true},
		{label: "  p99", cell: summed(offset, p99, seconds), folds: true},
		{label: "  largest", cell: summed(offset, highest, seconds), folds: true},
		{label: "full slots walked past for one id"},
		{label: "  p99", cell: summed(hops, p99, brief), folds: true},
		{label: "  most", cell: summed(hops, highest, brief), folds: true},
		{label: "full slots (one node, one second)", cell: func(s *result.Site) string { return brief(s.Overflow.FullSlots) }},
		{label: "ids handed out undrawn", cell: func(s *result.Site) string { return part(sum(s.Overflow.Undrawn), s.Overflow.IDs) }},
	}, append(causeRows(t.sites, func(s *result.Site) map[string]int64 { return s.Overflow.Undrawn }),
		row[*result.Site]{label: "ids that say another node", cell: func(s *result.Site) string { return part(s.Overflow.WrongNode, s.Overflow.IDs) }},
	)...))
	t.nodes()
	t.peaks(true)
	t.headroom()
	t.line("")
	t.explain(t.withoutCopies())
	for _, s := range t.sites {
		t.witnesses("the first ids with an offset at "+s.Name, s.Overflow.Witnesses)
	}
}

func offset(s *result.Site) *result.Summary { return s.Overflow.Offset }
func hops(s *result.Site) *result.Summary   { return s.Overflow.Hops }

// ids is how many were given at all sites.
func (t *text) ids() int64 {
	var n int64
	for _, s := range t.sites {
		n += s.Overflow.IDs
	}
	return n
}

func (t *text) overflows() bool {
	for _, s := range t.sites {
		o := &s.Overflow
		if o.WithOffset+o.FullSlots+o.WrongNode+sum(o.Undrawn) > 0 || earlier(s) > 0 {
			return true
		}
	}
	return false
}

// earlier is how many ids of a site are of an earlier second than their message.
func earlier(s *result.Site) int64 {
	var n int64
	if s.Overflow.Offset == nil || s.Overflow.Offset.Min >= 0 {
		return 0
	}
	for _, b := range s.Overflow.Histogram {
		if b.From < 0 {
			n += b.Count
		}
	}
	return n
}

func earlierPart(s *result.Site) string {
	if earlier(s) == 0 {
		return ""
	}
	return part(earlier(s), s.Overflow.IDs)
}

func sum(counts map[string]int64) int64 {
	var n int64
	for _, c := range counts {
		n += c
	}
	return n
}

// causeRows are the rows of counts by cause: one for each cause that any of
// the things has, the most frequent first.
func causeRows[T any](things []T, counts func(T) map[string]int64) []row[T] {
	all := map[string]int64{}
	for _, thing := range things {
		for cause, n := range counts(thing) {
			all[cause] += n
		}
	}
	var rows []row[T]
	for _, cause := range byCount(all) {
		rows = append(rows, row[T]{label: "  " + cause, cell: func(thing T) string { return brief(counts(thing)[cause]) }})
	}
	return rows
}

// byCount lists the causes that count something, the most frequent first.
func byCount(counts map[string]int64) []string {
	causes := slices.SortedFunc(maps.Keys(counts), func(a, b string) int {
		return cmp.Or(cmp.Compare(counts[b], counts[a]), cmp.Compare(a, b))
	})
	return slices.DeleteFunc(causes, func(cause string) bool { return counts[cause] == 0 })
}

// node is one consumer process with its name.
type node struct {
	name string
	*result.NodeOverflow
}

func (t *text) allNodes() []node {
	var nodes []node
	for _, s := range t.sites {
		for i := range s.Overflow.Nodes {
			nodes = append(nodes, node{fmt.Sprintf("%s, node %d", short(s.Name, 14), s.Overflow.Nodes[i].Node), &s.Overflow.Nodes[i]})
		}
	}
	return nodes
}

// nodes is the table of consumer processes.
func (t *text) nodes() {
	nodes := t.allNodes()
	t.line("")
	t.line(fmt.Sprintf("  %-22s%11s%11s%12s%10s%12s", "process", "ids", "offset > 0", "largest", "undrawn", "full slots"))
	for _, n := range nodes[:min(len(nodes), nodesShown)] {
		t.line("  " + left(n.name, 22) + right(brief(n.IDs), 11) + right(brief(n.WithOffset), 11) +
			right(seconds(n.MaxOffset), 12) + right(brief(sum(n.Undrawn)), 10) + right(brief(n.FullSlots), 12))
	}
	t.moreNodes(nodes)
}

func (t *text) moreNodes(nodes []node) {
	if more := len(nodes) - nodesShown; more > 0 {
		t.line(fmt.Sprintf("  and %s; the JSON result has all", processes(int64(more))))
	}
}

// peaks says for each process which second was its fullest and, if chains,
// which run of full slots was the longest.
func (t *text) peaks(chains bool) {
	nodes := t.allNodes()
	t.line("")
	for _, n := range nodes[:min(len(nodes), nodesShown)] {
		s := fmt.Sprintf("fullest second %s: %s", clock(n.Peak.Second), counted(n.Peak.Count, "message"))
		if c := t.perSecond(); c > 0 {
			s += fmt.Sprintf(", %s of its %s", share(n.Peak.Count, c), count(c))
		}
		t.wrap("  "+left(n.name, 24), s)
		if c := n.Longest; c != nil && chains {
			t.wrap("  "+left("", 24), fmt.Sprintf("%s of full slots, the longest %s from %s, the next free one %s; at most %s walked past",
				counted(n.Chains, "run"), seconds(c.SpanS), clock(c.FirstSecond), clock(c.FirstNotFull), count(c.MaxHops)))
		}
	}
	if !chains {
		t.moreNodes(nodes)
	}
}

// headroom is the curve c*(d), a column a process.
func (t *text) headroom() {
	nodes := t.allNodes()
	nodes = nodes[:min(len(nodes), nodesShown)]
	var spans []span[node]
	have := map[int64]bool{}
	for _, n := range nodes {
		spans = append(spans, span[node]{name: n.name, things: []node{n}})
		for _, h := range n.Headroom {
			have[h.OffsetS] = true
		}
	}
	if len(have) == 0 {
		return
	}
	has, enough := t.perSecond(), ""
	if has > 0 {
		enough = fmt.Sprintf(", and how many times this traffic its %s are enough for", count(has))
	}
	t.line("")
	t.wrap("  ", "Headroom: the ids a second that a node must be able to make so that no offset is longer than on the left"+enough+
		", where messages come in the order of their seconds. Late ones find the seconds after theirs full and go further: --scale tries it.")
	var rows []row[node]
	for _, d := range slices.Sorted(maps.Keys(have)) {
		rows = append(rows, row[node]{label: seconds(d), cell: func(n node) string {
			for _, h := range n.Headroom {
				if h.OffsetS == d {
					return room(h.PerSecond, has)
				}
			}
			return ""
		}})
	}
	sideBySide(&t.page, shape{column: 22, abreast: min(3, max(2, len(spans)))}, spans, rows)
}

// room writes the ids a second that are needed, and how many times that is in those
// that there are, rounded down.
func room(needed float64, has int64) string {
	s := brief(int64(math.Ceil(needed)))
	if has == 0 || needed == 0 {
		return s
	}
	times, digits := float64(has)/needed, 0
	switch {
	case times < 0.01:
		return s + " (< 0.01 x)"
	case times < 1:
		digits = 2
	case times < 10:
		digits = 1
	}
	unit := math.Pow10(digits)
	return fmt.Sprintf("%s (%.*f x)", s, digits, math.Floor(times*unit*(1+1e-12))/unit) // a whole number is not to be missed
}

func processes(n int64) string {
	if n == 1 {
		return "1 process"
	}
	return count(n) + " processes"
}
