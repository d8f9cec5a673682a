package measure

import (
	"cmp"
	"slices"

	"twindrift/generator"
)

// Causes of duplicates, as reports name them: what is wrong with an id by itself, by
// the names of generator.Kind, and what people do to generators.
const (
	StaleDay    = "stale-day"   // the slot belonged to a later day
	JumpLimit   = "jump-limit"  // the walk over full slots was given up
	DayEnd      = "day-end"     // the walk ran past the last second of the day
	SharedNode  = "shared-node" // two processes with one node number
	NodeRange   = "node-range"  // digits past the node's own range (sequence times step), or a node outside 0..9
	WrongUnit   = "wrong-unit"  // the timestamp is not in ms
	Restart     = "restart"     // the process had forgotten what it gave out
	SetBack     = "clock-back"  // the clock showed a time once more
	Program     = "program"     // a program of the user's own gave it so
	Apart       = "separate"    // ids are told apart by where they are kept: a stream, a Redis
	Unexplained = "unexplained"
)

// Causes are those that the duplicates of these processes can have, but Unexplained.
func (p *Processes) Causes() []string {
	var out []string
	for _, kind := range p.Kinds {
		out = append(out, kind.String())
	}
	if p.Layout.Node(0) != generator.NoNode {
		out = append(out, SharedNode, NodeRange)
	} else if p.Alone {
		out = append(out, SharedNode)
	}
	out = append(out, WrongUnit, Restart)
	if p.followsBack() {
		out = append(out, SetBack)
	}
	if p.SiteApart && (p.Sharded || p.Layout.Node(0) == generator.NoNode) {
		out = append(out, Apart)
	}
	if p.Foreign {
		out = append(out, Program)
	}
	return out
}

// followsBack says whether ids go by a clock that shows a time once more, and nothing
// keeps them apart then. Slots do: they count on.
func (p *Processes) followsBack() bool { return p.SetsBack && p.ByClock && p.Rules == nil }

// groupsShown is how many groups a cause is shown with.
const groupsShown = 3

// Processes is what is known of the consumers of a site when causes are told.
type Processes struct {
	Nodes   []int            // configured, by consumer
	Layout  generator.Layout // of their ids
	ByClock bool             // ids are of the clock's second, not the event's
	Overrun bool             // a sequence can run past its node's range of digits

	Rules *Rules // of ids that are second-slot ids; else nil

	Kinds     []generator.Kind // what ids can be beside drawn
	Foreign   bool             // ids are made by a program outside, of which nothing is known
	Unscored  bool             // ids are no scores: nothing keeps them as a float64
	SiteApart bool             // every site counts for itself, whatever the nodes: equal ids at two are to be expected
	Sharded   bool             // so does every partition of a site
	Alone     bool             // ids that say no node may yet say one, see saidNode
	SetsBack  bool             // the site's clock goes back, and ids are by it

	Redelivers bool // messages may come again
	MemberIsID bool // the member of the list is the id, not the message
}

// Group is one id that several messages have.
type Group struct {
	Cause       string // of its first extra copy
	Occurrences int64
	Entries     []Entry // the first of them, the one taken for the original first
	Sites       []int   // of each entry, where the group is of two sites
}

// Duplicates counts the ids that a site gave to several messages. They are
// found by looking at the ids; the cause is attached afterwards.
type Duplicates struct {
	Extra      int64 // occurrences - distinct
	Groups     int64
	Distinct   int64
	Scores     int64 // different ids with one float64
	ByCause    map[string]int64
	WithinNode map[int]int64 // extra copies within one node number
	First      []Group       // a few of each cause
	shown      map[string]int

	nodes []nodeCount // scratch
	first []Entry     // scratch: the first copies of an id
	extra Entry       // scratch
}

// nodeCount is how many copies of an id a node has.
type nodeCount struct {
	node int
	n    int64
}

// addGroup takes in two or more copies of an id.
func (d *Duplicates) addGroup(c *copies) {
	if d.ByCause == nil {
		d.ByCause, d.WithinNode, d.shown = map[string]int64{}, map[int]int64{}, map[string]int{}
	}
	d.Groups++
	d.Extra += int64(c.to - c.from - 1)
	d.countNodes(c)
	if d.countCauses(c) {
		d.show(c)
	}
}

// countNodes counts the extra copies within a node.
func (d *Duplicates) countNodes(c *copies) {
	d.nodes = d.nodes[:0]
	w, last, node := c.walk, int16(-1), (*nodeCount)(nil)
	for place := c.from; place < c.to; place++ {
		if _, consumer, _ := w.seek(place); consumer != last {
			last, node = consumer, d.node(c.of.Nodes[consumer])
		}
		node.n++
	}
	for _, node := range d.nodes {
		if node.n > 1 {
			d.WithinNode[node.node] += node.n - 1
		}
	}
}

// countCauses counts the extra copies by cause, and says whether there are causes that
// may still be shown with a group.
func (d *Duplicates) countCauses(c *copies) (show bool) {
	place, first := c.original()
	w := c.walk
	alike, last, n := likeness{}, "", int64(0) // neighbours mostly have one cause
	for extra := c.from; extra < c.to; extra++ {
		if extra == place {
			continue
		}
		like := c.likeness(&w, extra)
		if n > 0 && like == alike && c.of.Rules == nil {
			n++
			continue
		}
		alike, d.extra = like, w.entry(extra)
		cause := provenCause(&d.extra, &first, c.of, c.of, true)
		if cause != last {
			if n > 0 {
				d.ByCause[last] += n
			}
			last, n, show = cause, 0, show || d.shown[cause] < groupsShown
		}
		n++
	}
	d.ByCause[last] += n
	return show
}

// show keeps the first copies, as Explain would have them, unless there are enough groups
// of their cause.
func (d *Duplicates) show(c *copies) {
	d.first = d.first[:0]
	w := c.walk
	for place := c.from; place < c.to; place++ {
		e := w.entry(place)
		at := len(d.first)
		for at > 0 && original(&e, &d.first[at-1], c.of) < 0 {
			at--
		}
		if at < witnesses {
			d.first = slices.Insert(d.first[:min(len(d.first), witnesses-1)], at, e)
		}
	}
	if cause := provenCause(&d.first[1], &d.first[0], c.of, c.of, true); d.shown[cause] < groupsShown {
		d.shown[cause]++
		d.First = append(d.First, Group{Cause: cause, Occurrences: int64(c.to - c.from), Entries: slices.Clone(d.first)})
	}
}

// node finds or makes the count of a node; it is good until the next.
func (d *Duplicates) node(node int) *nodeCount {
	i := slices.IndexFunc(d.nodes, func(c nodeCount) bool { return c.node == node })
	if i < 0 {
		i = len(d.nodes)
		d.nodes = append(d.nodes, nodeCount{node: node})
	}
	return &d.nodes[i]
}

// Before is the order of the list.
func (e *Entry) Before(o *Entry) bool { return e.before(o) }

// Explain tells the entries of a site's list that have one id, in the order of
// the list, apart: order holds their indexes, the one taken for the original
// first, and causes why each has the id, in that order; "" for the original.
func Explain(entries []Entry, p Processes) (order []int, causes []string) {
	for i := range entries {
		order = append(order, i)
	}
	slices.SortStableFunc(order, func(a, b int) int { return original(&entries[a], &entries[b], &p) })
	causes = append(causes, "")
	for _, i := range order[1:] {
		causes = append(causes, provenCause(&entries[i], &entries[order[0]], &p, &p, true))
	}
	return order, causes
}

// original orders the copies of an id: what was properly drawn first, then by
// the clock; the first is taken for the original, the others are extra.
func original(a, b *Entry, p *Processes) int {
	if drawn := compareBool(fault(a, p) != "", fault(b, p) != ""); drawn != 0 {
		return drawn
	}
	if a.NowMs != b.NowMs {
		return cmp.Compare(a.NowMs, b.NowMs)
	}
	return cmp.Or(cmp.Compare(a.Partition, b.Partition), cmp.Compare(a.Offset, b.Offset))
}

func compareBool(a, b bool) int {
	switch {
	case a == b:
		return 0
	case b:
		return -1
	}
	return 1
}

// fault is what is wrong with an entry by itself; "" when it was properly
// drawn.
func fault(e *Entry, p *Processes) string {
	switch {
	case wrongUnit(p.askedMs(e)):
		return WrongUnit
	case e.Kind != generator.Drawn:
		return e.Kind.String()
	}
	if node := p.Layout.Node(e.ID); node != generator.NoNode && node != int64(p.Nodes[e.Consumer]) {
		return NodeRange
	}
	return ""
}

// askedMs is the time that an entry's id was to be of.
func (p *Processes) askedMs(e *Entry) int64 {
	if p.ByClock {
		return e.NowMs
	}
	return e.EventMs
}

// saidNode is the node that the digits of an id say; of ids that say none, that of one
// which a process gave without asking those that it shares numbers with.
func (p *Processes) saidNode(id int64) int64 {
	if l, ok := p.Layout.(interface{ OwnNode(id int64) int64 }); ok && p.Alone {
		return l.OwnNode(id)
	}
	return p.Layout.Node(id)
}

// wrongUnit says whether a timestamp's magnitude is that of present-day
// seconds (10 or 11 digits) or of microseconds and finer (15 digits and more).
func wrongUnit(ms int64) bool { return ms >= 1e9 && ms < 1e11 || ms >= 1e14 }

// WrongUnitOf says whether a timestamp in ms has the size of another unit.
func WrongUnitOf(ms int64) bool { return wrongUnit(ms) }

// provenCause is why an extra copy has the id of the original. A cause that the
// digits of the id contradict is none.
func provenCause(extra, first *Entry, extraOf, firstOf *Processes, sameSite bool) string {
	cause := causeOf(extra, first, extraOf, firstOf, sameSite)
	if cause == Unexplained && extraOf.Foreign {
		return Program
	}
	if r := extraOf.Rules; r != nil && !r.fits(cause, extra, first, extraOf, firstOf) {
		return Unexplained
	}
	return cause
}

// causeOf is why an extra copy has the id of the original: what is wrong with
// itself, or else, both being properly drawn, what their processes share.
func causeOf(extra, first *Entry, extraOf, firstOf *Processes, sameSite bool) string {
	if f := fault(extra, extraOf); f != "" {
		return f
	}
	if f := fault(first, firstOf); f != "" {
		return f
	}
	switch {
	case sameSite && extraOf.Sharded && extra.Partition != first.Partition || !sameSite && extraOf.SiteApart:
		return Apart
	case sameSite && extra.Consumer == first.Consumer && extra.Life&^gone != first.Life&^gone:
		return Restart
	case sameSite && extra.Consumer == first.Consumer && extraOf.Overrun:
		return NodeRange // past its range by a whole second, so that its own digit shows again
	case sameSite && extra.Consumer == first.Consumer && extraOf.followsBack():
		return SetBack
	case sameSite && extra.Consumer == first.Consumer:
		return Unexplained // a process does not draw an id twice unless it restarts
	case extraOf.saidNode(extra.ID) == generator.NoNode:
		return Unexplained // nodes play no part
	case extraOf.Nodes[extra.Consumer] == firstOf.Nodes[first.Consumer]:
		return SharedNode
	}
	return Unexplained
}
