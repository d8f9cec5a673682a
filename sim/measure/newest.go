package measure

import (
	"cmp"
	"math"
	"slices"

	"twindrift/generator"
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
// each minute tell all. Where a delivery can take out an entry, those that come up
// behind it are kept too: all that have less than newestMost above them that stay, or
// limit of them, of more. Should so many go at once that these do not suffice, a Top
// says so by being Cut and short.
type Newest struct {
	clock   *site.Clock
	again   bool
	limit   int // how many entries are kept at least, of more
	minutes map[int64]*newestMinute
	spare   []*newestMinute
	rows    int64           // how many came
	kept    []Shown         // the largest of the list, ascending
	ids     map[int64]int64 // of the kept, by message, of those that may come again
	cut     bool            // kept are only those above below
	below   Shown
	last    map[int64]*newestDraw // scratch: of what comes again, the last delivery
	recurs  map[int64]bool        // scratch: what has other deliveries, or may have
	scratch []Shown
}

// newestMinute is a minute of virtual time that is not over.
type newestMinute struct {
	minute int64
	draws  []newestDraw // that are not in the list yet
}

// newestDraw is a draw that may have others before it.
type newestDraw struct {
	Shown
	drawNs   int64
	delivery int32
	recurs   bool
	row      int64 // ascending as a process draws
}

// after says whether a delivery comes after another of the same message.
func (d *newestDraw) after(o *newestDraw) bool {
	return cmp.Or(cmp.Compare(d.drawNs, o.drawNs), cmp.Compare(d.delivery, o.delivery), cmp.Compare(d.row, o.row)) > 0
}

// NewNewest follows the list of a site with this clock, of which only the
// virtual time matters; again says that messages may come again.
func NewNewest(clock *site.Clock, again bool) *Newest {
	n := &Newest{clock: clock, again: again, limit: newestMost, minutes: map[int64]*newestMinute{}}
	if again {
		n.limit, n.ids, n.last, n.recurs = 1<<13, map[int64]int64{}, map[int64]*newestDraw{}, map[int64]bool{}
	}
	return n
}

// Add takes in what a consumer drew.
func (n *Newest) Add(d *site.Draws, g *Drawn) {
	for end := d.Len(); end > 0; {
		minute := n.minuteOf(d.DrawNs[end-1])
		from, _ := slices.BinarySearch(d.DrawNs[:end], n.clock.Ns(minute*minuteMs))
		n.addMinute(minute, d, g, from, end)
		end = from
	}
	n.rows += int64(d.Len())
}

// addMinute takes in the draws from..end, all of one minute: those of messages that come
// again, and the newest of the others, which are there as the minute ends. From the last to
// the first, most are soon seen not to be among these.
func (n *Newest) addMinute(minute int64, d *site.Draws, g *Drawn, from, end int) {
	m := n.minutes[minute]
	add := func(draw newestDraw) {
		if m == nil {
			m = n.open(minute)
		}
		m.draws = append(m.draws, draw)
	}
	top, floor := n.scratch[:0], int64(math.MinInt64)
	for i := end - 1; i >= from; i-- {
		others := n.again && !d.Only(i)
		if g.ID[i] < floor && !others || g.State[i] != site.Store {
			continue
		}
		if others {
			add(newestDraw{shown(d, g, i), d.DrawNs[i], d.Delivery[i], d.Recurs[i], n.rows + int64(i)})
			continue
		}
		if top = withNewest(top, shown(d, g, i)); len(top) == newestMost {
			floor = top[newestMost-1].ID
		}
	}
	for _, s := range top {
		add(newestDraw{Shown: s, drawNs: d.DrawNs[from]})
	}
	n.scratch = top
}

// withNewest puts an entry among the newest, which stand newest first; newestMost at most
// stay.
func withNewest(top []Shown, s Shown) []Shown {
	i := len(top)
	if i > 0 && s.compare(top[i-1]) > 0 {
		i, _ = slices.BinarySearchFunc(top, s, func(a, b Shown) int { return b.compare(a) })
	}
	if len(top) == newestMost {
		if i == newestMost {
			return top
		}
		top = top[:newestMost-1]
	}
	return slices.Insert(top, i, s)
}

func (n *Newest) open(minute int64) *newestMinute {
	var m *newestMinute
	if last := len(n.spare) - 1; last >= 0 {
		m, n.spare = n.spare[last], n.spare[:last]
	} else {
		m = &newestMinute{}
	}
	m.minute = minute
	n.minutes[minute] = m
	return m
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
	floor := int64(math.MaxInt64)
	if nextNs != math.MaxInt64 {
		floor = n.minuteOf(nextNs)
	}
	var ready []*newestMinute
	for minute, m := range n.minutes {
		if minute <= floor {
			ready = append(ready, m)
		}
	}
	slices.SortFunc(ready, func(a, b *newestMinute) int { return cmp.Compare(a.minute, b.minute) })
	for _, m := range ready {
		if m.minute == floor { // some of its draws may still come
			m.draws = n.take(m.draws, nextNs)
			continue
		}
		m.draws = n.take(m.draws, math.MaxInt64)
		tops = append(tops, n.top(m.minute))
		delete(n.minutes, m.minute)
		n.spare = append(n.spare, m)
	}
	return tops, floor
}

func (n *Newest) top(minute int64) Top {
	entries := slices.Clone(n.kept[max(0, len(n.kept)-newestMost):])
	slices.Reverse(entries)
	return Top{minute, entries, n.cut}
}

// take puts the draws before a moment, of one minute, into the list, and gives
// the rest. What comes again takes the place of its entry before; of its
// deliveries here, the last counts.
func (n *Newest) take(draws []newestDraw, beforeNs int64) (rest []newestDraw) {
	clear(n.last)
	clear(n.recurs)
	for i := range draws {
		d := &draws[i]
		if d.drawNs >= beforeNs {
			continue
		}
		if d.recurs || d.delivery > 0 {
			n.recurs[d.Message] = true
		}
		if d.delivery == 0 {
			continue
		}
		if o := n.last[d.Message]; o == nil || d.after(o) {
			n.last[d.Message] = d
		}
	}
	for message := range n.last {
		n.remove(message)
	}
	fresh := n.scratch[:0]
	for i := len(draws) - 1; i >= 0; i-- {
		d := &draws[i]
		if d.drawNs >= beforeNs || n.cut && d.compare(n.below) <= 0 {
			continue
		}
		if last := n.last[d.Message]; last != nil && last != d {
			continue
		}
		if fresh = append(fresh, d.Shown); len(fresh) == 2*n.limit {
			fresh = n.drop(fresh)
		}
	}
	n.scratch = fresh
	if n.cut { // by drop, maybe above some of kept
		i, _ := slices.BinarySearchFunc(n.kept, n.below, Shown.compare)
		n.shorten(i)
	}
	slices.SortFunc(fresh, Shown.compare)
	for _, s := range fresh {
		n.put(s)
	}
	n.trim()
	rest = draws[:0]
	for i := range draws {
		if draws[i].drawNs >= beforeNs {
			rest = append(rest, draws[i])
		}
	}
	return rest
}

// drop leaves the limit largest of more entries that are not in kept yet.
func (n *Newest) drop(fresh []Shown) []Shown {
	slices.SortFunc(fresh, func(a, b Shown) int { return b.compare(a) })
	n.cut, n.below = true, fresh[n.limit]
	return fresh[:n.limit]
}

// remove takes the entry of a message out of kept, if it is there.
func (n *Newest) remove(message int64) {
	if id, ok := n.ids[message]; ok {
		i, _ := slices.BinarySearchFunc(n.kept, Shown{id, message}, Shown.compare)
		n.kept = slices.Delete(n.kept, i, i+1)
		delete(n.ids, message)
	}
}

// put stores a message that has no entry in kept, if its entry is one to keep.
func (n *Newest) put(s Shown) {
	if n.cut && s.compare(n.below) <= 0 {
		return
	}
	if n.recurs[s.Message] {
		n.ids[s.Message] = s.ID
	}
	i := len(n.kept)
	if i > 0 && s.compare(n.kept[i-1]) < 0 {
		i, _ = slices.BinarySearchFunc(n.kept, s, Shown.compare)
	}
	n.kept = slices.Insert(n.kept, i, s)
	if len(n.kept) >= 2*n.limit {
		n.cut, n.below = true, n.kept[n.limit-1]
		n.shorten(n.limit)
	}
}

// trim drops what can never be shown: there are as many above it that stay.
func (n *Newest) trim() {
	if len(n.kept) < 2*newestMost {
		return
	}
	stay := 0
	for i := len(n.kept) - 1; i > 0; i-- {
		if _, goes := n.ids[n.kept[i].Message]; goes {
			continue
		}
		if stay++; stay == newestMost {
			n.cut, n.below = true, n.kept[i-1]
			n.shorten(i)
			return
		}
	}
}

// shorten drops the smallest of kept.
func (n *Newest) shorten(by int) {
	if len(n.ids) > 0 {
		for _, gone := range n.kept[:by] {
			delete(n.ids, gone.Message)
		}
	}
	n.kept = n.kept[:copy(n.kept, n.kept[by:])]
}

// minuteOf is the minute of a moment of virtual time.
func (n *Newest) minuteOf(ns int64) int64 {
	return generator.FloorDiv(n.clock.BaseMs+generator.FloorDiv(ns, 1_000_000), minuteMs)
}
