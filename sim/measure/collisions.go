package measure

import (
	"twindrift/sim/spill"
)

// Collisions counts the ids that two sites gave to different messages. Of an
// id at both sites, the extra copies are the messages that hold it at one site
// and not at the other, counted at the site that has fewer of them: what comes
// on top of each site's own duplicates when the lists are put together.
type Collisions struct {
	Extra   int64
	Groups  int64
	ByCause map[string]int64
	First   []Group

	ofA, ofB Processes
	crossing Crossing     // scratch
	sameA    []Entry      // scratch: those with one id
	sameB    []Entry      // scratch
	a, b     []heldSecond // closed and not yet compared
	shown    map[string]int

	spill    *spill.Owner
	disk     entriesOnDisk
	shedding []*heldSecond // scratch
}

// heldSecond is a closed second that waits for the other site.
type heldSecond struct {
	Second
	kept spill.Kept // instead of its entries, on disk
}

// NewCollisions compares two sites with these consumers.
func NewCollisions(a, b Processes) *Collisions {
	return &Collisions{ByCause: map[string]int64{}, ofA: a, ofB: b, shown: map[string]int{}}
}

// Add takes in the seconds that each site's list has closed, ascending. Every
// second before floorA (floorB) is closed at A (B).
func (c *Collisions) Add(closedA, closedB []Second, floorA, floorB int64) {
	c.a, c.b = held(c.a, closedA), held(c.b, closedB)
	for {
		switch {
		case len(c.a) > 0 && len(c.b) > 0 && c.a[0].At == c.b[0].At:
			c.compare(c.recall(&c.a[0]), c.recall(&c.b[0]))
			c.forget(&c.a[0])
			c.forget(&c.b[0])
			c.a, c.b = c.a[1:], c.b[1:]
		case len(c.a) > 0 && (len(c.b) == 0 || c.a[0].At < c.b[0].At) && c.a[0].At < floorB:
			c.forget(&c.a[0])
			c.a = c.a[1:]
		case len(c.b) > 0 && (len(c.a) == 0 || c.b[0].At < c.a[0].At) && c.b[0].At < floorA:
			c.forget(&c.b[0])
			c.b = c.b[1:]
		default:
			c.shed()
			return
		}
	}
}

// held adds closed seconds to those that wait.
func held(waiting []heldSecond, closed []Second) []heldSecond {
	for _, s := range closed {
		s.keep()
		waiting = append(waiting, heldSecond{Second: s})
	}
	return waiting
}

// compare finds the ids that stand in both of two seconds.
func (c *Collisions) compare(a, b *entries) {
	wa, wb := walk{entries: a}, walk{entries: b}
	for i, j := 0, 0; i < len(a.ids) && j < len(b.ids); {
		switch x, y := a.ids[i], b.ids[j]; {
		case x < y:
			i++
		case x > y:
			j++
		default:
			na, nb := sameID(a.ids[i:]), sameID(b.ids[j:])
			if na != 1 || nb != 1 || !sameMessage(&wa, i, &wb, j) {
				c.sameA, c.sameB = wa.appendTo(c.sameA[:0], i, i+na), wb.appendTo(c.sameB[:0], j, j+nb)
				c.group(c.sameA, c.sameB)
			}
			i, j = i+na, j+nb
		}
	}
}

// sameID is how many ids equal the first of a sorted list.
func sameID(ids []int64) int {
	n := 1
	for n < len(ids) && ids[n] == ids[0] {
		n++
	}
	return n
}

// sameMessage says whether one message stands at two places.
func sameMessage(a *walk, placeA int, b *walk, placeB int) bool {
	i, _, _ := a.seek(placeA)
	j, _, _ := b.seek(placeB)
	return a.partition[i] == b.partition[j] && a.offset[i] == b.offset[j]
}

// group takes in the entries that have one id at both sites.
func (c *Collisions) group(a, b []Entry) {
	x := &c.crossing
	x.Of(a, b, c.ofA, c.ofB)
	if len(x.Extra) == 0 {
		return
	}
	base, other, baseSite, otherSite := a, b, 0, 1
	if x.OfB {
		base, other, baseSite, otherSite = b, a, 1, 0
	}
	g := Group{
		Cause: x.Causes[0], Occurrences: int64(len(base) + len(x.Extra)),
		Entries: []Entry{base[x.Original]}, Sites: []int{baseSite},
	}
	for k, i := range x.Extra {
		c.ByCause[x.Causes[k]]++
		c.Extra++
		if len(g.Entries) < witnesses {
			g.Entries, g.Sites = append(g.Entries, other[i]), append(g.Sites, otherSite)
		}
	}
	c.Groups++
	if c.shown[g.Cause] < groupsShown {
		c.shown[g.Cause]++
		c.First = append(c.First, g)
	}
}

// Crossing tells apart the entries that have one id at two sites.
type Crossing struct {
	OfB      bool     // the original is B's, which has the id for more messages; else A's
	Original int      // index at its site
	Extra    []int    // indexes at the other site of the extra copies
	Causes   []string // why each of them has the id
}

// Of fills x for the entries at two sites, both in the order of the list.
func (x *Crossing) Of(a, b []Entry, ofA, ofB Processes) {
	base, other, baseOf, otherOf := a, b, ofA, ofB
	*x = Crossing{OfB: distinctMessages(b) > distinctMessages(a), Extra: x.Extra[:0], Causes: x.Causes[:0]}
	if x.OfB {
		base, other, baseOf, otherOf = b, a, ofB, ofA
	}
	for i := range base {
		if original(&base[i], &base[x.Original], &baseOf) < 0 {
			x.Original = i
		}
	}
	for i := range other {
		extra := &other[i]
		if holds(base, extra) || i > 0 && extra.sameMessage(&other[i-1]) {
			continue
		}
		x.Extra = append(x.Extra, i)
		x.Causes = append(x.Causes, provenCause(extra, &base[x.Original], &otherOf, &baseOf, false))
	}
}

func (e *Entry) sameMessage(o *Entry) bool { return e.Partition == o.Partition && e.Offset == o.Offset }

// distinctMessages counts the messages among entries in list order.
func distinctMessages(entries []Entry) int {
	n := 1
	for i := 1; i < len(entries); i++ {
		if !entries[i].sameMessage(&entries[i-1]) {
			n++
		}
	}
	return n
}

// holds says whether a message is among entries that are in list order and
// have one id.
func holds(entries []Entry, e *Entry) bool {
	low, high := 0, len(entries)
	for low < high {
		middle := (low + high) / 2
		m := &entries[middle]
		if m.Partition < e.Partition || m.Partition == e.Partition && m.Offset < e.Offset {
			low = middle + 1
		} else {
			high = middle
		}
	}
	return low < len(entries) && entries[low].Partition == e.Partition && entries[low].Offset == e.Offset
}
