package measure

import (
	"cmp"
	"math"
	"slices"

	"twindrift/sim/site"
)

// NewestLengths are how many entries of a list a user is taken to look at.
var NewestLengths = [...]int{20, 50, 100}

// newestMost is the largest of them.
const newestMost = 100

// Shown is one message in what a user sees.
type Shown struct {
	ID      int64
	Message int64 // which message it is: equal at all sites, ascending by partition and offset
}

func (s Shown) compare(o Shown) int {
	return cmp.Or(cmp.Compare(s.ID, o.ID), cmp.Compare(s.Message, o.Message))
}

// Top is the newest of a list at the end of a minute of virtual time in which
// something was stored.
type Top struct {
	Minute  int64   // index since 1970
	Entries []Shown // newest first, newestMost at most
	Cut     bool    // there are more, also where there are fewer than newestMost
}

// Newest follows the newest entries of a site's list, those with the largest
// ids (ties: the later in the list), through virtual time. Of each message its
// last delivery so far counts, whatever the member of the list is.
//
// Where no message comes again, the list only grows, and the largest ids of
// each minute tell all. Where a delivery can take out an entry, more entries are
// kept than are shown, since others come up behind it. Should so many of them
// go at once that the kept ones do not suffice, a Top says so by being Cut and
// short.
type Newest struct {
	clock   *site.Clock
	again   bool
	limit   int // how many entries are kept at least, of more
	drawn   []newestDraw
	kept    []Shown         // the largest of the list, ascending
	ids     map[int64]int64 // of the kept, by message, where messages come again
	cut     bool            // entries up to below have been dropped from kept
	below   Shown
	minute  int64 // of what was put in kept last
	changed bool  // in that minute
	scratch []Shown
}

// newestDraw is a draw that may have others before it.
type newestDraw struct {
	Shown
	drawNs   int64
	delivery int32
	repeat   bool
}

// NewNewest follows the list of a site with this clock, of which only the
// virtual time matters; again says that messages may come again.
func NewNewest(clock *site.Clock, again bool) *Newest {
	n := &Newest{clock: clock, again: again, limit: newestMost}
	if again {
		n.limit, n.ids = 1<<14, map[int64]int64{}
	}
	return n
}

// Add takes in what a consumer drew.
func (n *Newest) Add(d *site.Draws, g *Drawn) {
	if n.again {
		for i, state := range d.State {
			if state == site.Store {
				n.drawn = append(n.drawn, newestDraw{shown(d, g, i), d.DrawNs[i], d.Delivery[i], d.Repeat[i]})
			}
		}
		return
	}
	for end := d.Len(); end > 0; {
		start := n.clock.Ns(n.minuteOf(d.DrawNs[end-1]) * minuteMs)
		from, _ := slices.BinarySearch(d.DrawNs[:end], start)
		n.addMinute(d, g, from, end)
		end = from
	}
}

// addMinute takes in the newest of the draws from..end, all of one minute. From
// the last to the first, most are soon seen not to be among them.
func (n *Newest) addMinute(d *site.Draws, g *Drawn, from, end int) {
	top, floor := n.scratch[:0], int64(math.MinInt64)
	for i := end - 1; i >= from; i-- {
		if g.ID[i] < floor || d.State[i] != site.Store {
			continue
		}
		if top = append(top, shown(d, g, i)); len(top) == 2*newestMost {
			top = largest(top)
			floor = top[newestMost-1].ID
		}
	}
	for _, s := range largest(top) {
		n.drawn = append(n.drawn, newestDraw{Shown: s, drawNs: d.DrawNs[from]})
	}
	n.scratch = top
}

// largest are the newestMost largest, descending.
func largest(entries []Shown) []Shown {
	slices.SortFunc(entries, func(a, b Shown) int { return b.compare(a) })
	return entries[:min(len(entries), newestMost)]
}

// ordinalBits leave room for 2^40 messages a partition.
const ordinalBits = 40

func shown(d *site.Draws, g *Drawn, i int) Shown {
	return Shown{g.ID[i], int64(d.Partition[i])<<ordinalBits | d.Ordinal[i]}
}

// Close takes the list through the draws before nextNs, than which no later
// draw is earlier. It appends the tops of the minutes that are over, ascending,
// to tops, and gives the minute before which all are over.
func (n *Newest) Close(nextNs int64, tops []Top) ([]Top, int64) {
	slices.SortStableFunc(n.drawn, func(a, b newestDraw) int {
		return cmp.Or(cmp.Compare(a.drawNs, b.drawNs), cmp.Compare(a.delivery, b.delivery), compareBool(a.repeat, b.repeat))
	})
	done := 0
	for ; done < len(n.drawn) && n.drawn[done].drawNs < nextNs; done++ {
		d := &n.drawn[done]
		if minute := n.minuteOf(d.drawNs); minute != n.minute {
			tops = n.turn(tops)
			n.minute = minute
		}
		n.changed = true
		n.put(d.Shown)
	}
	n.drawn = n.drawn[:copy(n.drawn, n.drawn[done:])]
	floor := int64(math.MaxInt64)
	if nextNs != math.MaxInt64 {
		floor = n.minuteOf(nextNs)
	}
	if n.minute < floor {
		tops = n.turn(tops)
	}
	return tops, floor
}

// turn ends a minute.
func (n *Newest) turn(tops []Top) []Top {
	if !n.changed {
		return tops
	}
	n.changed = false
	entries := slices.Clone(n.kept[max(0, len(n.kept)-newestMost):])
	slices.Reverse(entries)
	return append(tops, Top{n.minute, entries, n.cut})
}

// put stores a message, instead of its entry before if it has one.
func (n *Newest) put(s Shown) {
	if n.again {
		if old, ok := n.ids[s.Message]; ok {
			i, _ := slices.BinarySearchFunc(n.kept, Shown{old, s.Message}, Shown.compare)
			n.kept = slices.Delete(n.kept, i, i+1)
			delete(n.ids, s.Message)
		}
	}
	if n.cut && s.compare(n.below) < 0 {
		return
	}
	if n.again {
		n.ids[s.Message] = s.ID
	}
	i := len(n.kept)
	if i > 0 && s.compare(n.kept[i-1]) < 0 {
		i, _ = slices.BinarySearchFunc(n.kept, s, Shown.compare)
	}
	n.kept = slices.Insert(n.kept, i, s)
	if len(n.kept) < 2*n.limit {
		return
	}
	for _, gone := range n.kept[:n.limit] {
		delete(n.ids, gone.Message)
	}
	n.cut, n.below = true, n.kept[n.limit-1]
	n.kept = n.kept[:copy(n.kept, n.kept[n.limit:])]
}

// minuteOf is the minute of a moment of virtual time.
func (n *Newest) minuteOf(ns int64) int64 {
	return floorDiv(n.clock.BaseMs+floorDiv(ns, 1_000_000), minuteMs)
}
