package measure

import (
	"slices"

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
	extra    Entry        // scratch
	a, b     []heldSecond // closed and not yet compared
	shown    map[string]int

	spill    *spill.Owner
	disk     entriesOnDisk
	shedding []*heldSecond // scratch
}

// heldSecond is a closed second, or a piece of one, that waits for the other site.
type heldSecond struct {
	Second
	first, last int64        // ids
	kept        []spill.Kept // instead of its entries, on disk
}

// NewCollisions compares two sites with these consumers.
func NewCollisions(a, b Processes) *Collisions {
	return &Collisions{ByCause: map[string]int64{}, ofA: a, ofB: b, shown: map[string]int{}}
}

// Add takes in the seconds that each site's list has closed, ascending. Every
// second before floorA (floorB) is closed at A (B).
func (c *Collisions) Add(closedA, closedB []Second, floorA, floorB int64) {
	c.a, c.b = held(c.a, closedA), held(c.b, closedB)
	for len(c.a) > 0 && len(c.b) > 0 {
		a, b := &c.a[0], &c.b[0]
		if a.first <= b.last && b.first <= a.last {
			c.compare(c.recall(a), c.recall(b))
		}
		throughA, throughB := a.last, b.last
		if throughA <= throughB { // the other may have ids that come in the next one
			c.drop(&c.a)
		}
		if throughB <= throughA {
			c.drop(&c.b)
		}
	}
	for len(c.a) > 0 && c.a[0].At < floorB {
		c.drop(&c.a)
	}
	for len(c.b) > 0 && c.b[0].At < floorA {
		c.drop(&c.b)
	}
	c.shed()
}

// held adds closed seconds to those that wait.
func held(waiting []heldSecond, closed []Second) []heldSecond {
	for _, s := range closed {
		s.keep()
		ids := s.entries.ids
		waiting = append(waiting, heldSecond{Second: s, first: ids[0], last: ids[len(ids)-1]})
	}
	return waiting
}

// drop lets go of the first that waits.
func (c *Collisions) drop(waiting *[]heldSecond) {
	c.forget(&(*waiting)[0])
	*waiting = (*waiting)[1:]
}

// compare finds the ids that stand in both of two seconds.
func (c *Collisions) compare(a, b *entries) {
	wa, wb := walk{entries: a}, walk{entries: b}
	for i, j := 0, 0; i < len(a.ids) && j < len(b.ids); {
		switch x, y := a.ids[i], b.ids[j]; {
		case x < y:
			i = firstFrom(a.ids, i, y)
		case x > y:
			j = firstFrom(b.ids, j, x)
		default:
			na, nb := sameID(a.ids[i:]), sameID(b.ids[j:])
			if na != 1 || nb != 1 || !sameMessage(&wa, i, &wb, j) {
				c.group(&copies{wa, i, i + na, &c.ofA, 0}, &copies{wb, j, j + nb, &c.ofB, 1})
			}
			i, j = i+na, j+nb
		}
	}
}

// firstFrom is the place of the first id behind a place that is not below least; the id at
// the place is. Those of other nodes mostly stand far away, so steps are doubled up to it.
func firstFrom(ids []int64, place int, least int64) int {
	step := 1
	for place+step < len(ids) && ids[place+step] < least {
		place += step
		step *= 2
	}
	place++
	n, _ := slices.BinarySearch(ids[place:min(place+step-1, len(ids))], least)
	return place + n
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
	return a.message(placeA) == b.message(placeB)
}

// group takes in the entries that have one id at both sites, as Crossing tells them apart.
func (c *Collisions) group(a, b *copies) {
	base, other := a, b
	if b.messages() > a.messages() {
		base, other = b, a
	}
	var g Group
	_, first := base.original()
	held, at, last := base.walk, base.from, message{partition: -1}
	because, n := "", int64(0) // neighbours mostly have one cause
	for place := other.from; place < other.to; place++ {
		m := other.walk.message(place)
		for at < base.to && held.message(at).before(m) {
			at++
		}
		if m == last || at < base.to && held.message(at) == m {
			continue
		}
		last = m
		c.extra = other.walk.entry(place)
		cause := provenCause(&c.extra, &first, other.of, base.of, false)
		if g.Occurrences == 0 {
			g = Group{Cause: cause, Occurrences: int64(base.to - base.from), Entries: []Entry{first}, Sites: []int{base.site}}
		}
		g.Occurrences++
		if cause != because && n > 0 {
			c.ByCause[because] += n
			n = 0
		}
		because, n = cause, n+1
		if len(g.Entries) < witnesses {
			g.Entries, g.Sites = append(g.Entries, c.extra), append(g.Sites, other.site)
		}
	}
	if n == 0 {
		return
	}
	c.ByCause[because] += n
	c.Extra += g.Occurrences - int64(base.to-base.from)
	c.Groups++
	if c.shown[g.Cause] < groupsShown {
		c.shown[g.Cause]++
		c.First = append(c.First, g)
	}
}
