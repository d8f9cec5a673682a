package measure

import (
	"cmp"
	"math"
	"slices"

	"twindrift/sim/order"
	"twindrift/sim/site"
	"twindrift/sim/spill"
	"twindrift/sim/tally"
)

// witnesses is how many messages a finding is shown with.
const witnesses = 5

// Second is one owner second of a list, closed and in order, or a piece of one: all
// entries with an id are in one piece. Its entries are on loan, and come back when Recycle
// and everybody who kept it are done with them.
type Second struct {
	At int64 // seconds since 1970

	entries *entries
}

// keep has the entries stay until giveBack is called once more.
func (s *Second) keep() { s.entries.users.Add(1) }

func (s *Second) giveBack() {
	if s.entries.users.Add(-1) == 0 {
		s.entries.putBack()
	}
	s.entries = nil
}

// Recycle takes back the entries of closed seconds from who got them of Close.
func Recycle(closed []Second) {
	for i := range closed {
		closed[i].giveBack()
	}
}

// List measures the order and the duplicates of one site's list by one lane.
type List struct {
	Discordance order.Discordance
	Reordering  order.Reordering
	Places      *Places       // nil where they are not asked for
	Drift       tally.Repeats // owner second - event second
	Duplicates  Duplicates
	Reordered   []Entry // the first reordered ones
	Again       Again

	processes Processes
	opens     map[int64]*open
	last      *open
	near      [nearOpens]*open // some of them, by second
	spare     []*open
	sorter    sorter
	standing  standing    // scratch
	block     order.Block // scratch
	owners    []int64     // scratch
	score     float64     // of the entry before
	any       bool
	lives     []uint8 // by consumer

	pace     int  // about how many entries to close in one go; 0 for no limit
	more     bool // seconds are left though nothing more will be drawn
	chunk    int  // entries of a chunk
	spill    *spill.Owner
	disk     entriesOnDisk
	shedding []*chunk // scratch
}

// chunkMost is how many entries a chunk has where the list is not paced.
const chunkMost = 1 << 15

// NewList is an empty list of a site with these consumers.
func NewList(p Processes) *List {
	return &List{processes: p, opens: map[int64]*open{}, lives: make([]uint8, len(p.Nodes)), chunk: chunkMost}
}

// Add takes in the stored messages among a consumer's draws.
func (l *List) Add(consumer int, d *site.Draws, g *Drawn) {
	from := 0
	for _, e := range d.Events {
		l.addRows(consumer, d, g, from, e.Row)
		from = e.Row
		l.happens(consumer, e.Kind)
	}
	l.addRows(consumer, d, g, from, d.Len())
}

// addRows is Add for the rows from..to. Neighbours mostly have one owner second
// and one event second.
func (l *List) addRows(consumer int, d *site.Draws, g *Drawn, from, to int) {
	again := from - 1 // the next row of a message with other deliveries
	for from < to {
		if again < from {
			again = l.nextAgain(d, from, to)
		}
		if g.State[from] != site.Store {
			from++
			continue
		}
		second := secondOf(g.OwnerMs[from])
		o := l.last
		if o == nil || o.second != second {
			o = l.open(second)
		}
		end := l.stretch(o, d, g, from, max(again, from+1))
		for from < end {
			c := o.last(l.chunk)
			next := min(end, from+l.chunk-c.len())
			c.add(consumer, l.lives[consumer], d, g, from, next)
			o.n += next - from
			if again == from {
				l.delivered(o, c, d.Ordinal[from], d.DrawNs[from], d.Delivery[from])
			}
			from = next
		}
	}
}

// nextAgain is the first of the rows from..to of a message that has other deliveries, as
// far as a site can tell; to where there is none.
func (l *List) nextAgain(d *site.Draws, from, to int) int {
	if l.processes.Redelivers {
		for ; from < to && d.Only(from); from++ {
		}
		return from
	}
	return to
}

// stretch goes over the rows from..to as far as all are stored and of the open
// second, and gives the first that is not.
func (l *List) stretch(o *open, d *site.Draws, g *Drawn, from, to int) (end int) {
	ownerMs, event := o.second*1000, secondOf(d.EventMs[from])
	eventMs, low := event*1000, o.minEvent
	counted := from
	i := from
	for ; i < to && g.State[i] == site.Store && uint64(g.OwnerMs[i]-ownerMs) < 1000; i++ {
		ms := d.EventMs[i]
		low = min(low, ms)
		if uint64(ms-eventMs) >= 1000 {
			l.Drift.AddN(o.second-event, int64(i-counted))
			counted, event = i, secondOf(ms)
			eventMs = event * 1000
		}
	}
	l.Drift.AddN(o.second-event, int64(i-counted))
	o.minEvent = low
	return i
}

// happens counts the lives of a process.
func (l *List) happens(consumer int, what site.EventKind) {
	if what != site.StateSaved {
		l.lives[consumer] = (l.lives[consumer] + 1) &^ gone
	}
}

// nearOpens is how many open seconds are found without hashing, where ids alternate
// between a few.
const nearOpens = 16

func (l *List) open(second int64) *open {
	near := &l.near[uint64(second)%nearOpens]
	if o := *near; o != nil && o.second == second {
		l.last = o
		return o
	}
	o := l.opens[second]
	if o == nil {
		if n := len(l.spare); n > 0 {
			o, l.spare = l.spare[n-1], l.spare[:n-1]
		} else {
			o = &open{minEvent: math.MaxInt64}
		}
		o.second = second
		l.opens[second] = o
	}
	l.last, *near = o, o
	return o
}

// Close goes over the owner seconds before floorSecond, in which no later draw
// will fall; minEventMs is a lower bound of the event times of those draws, and
// settled the ordinals, by partition, before which no message comes again. It
// appends the closed seconds, ascending, to closed, a second of very many entries in
// pieces, also over several calls, and gives the second before which all are closed now.
func (l *List) Close(floorSecond, minEventMs int64, settled []int64, closed []Second) ([]Second, int64) {
	floorSecond = min(floorSecond, l.Again.settle(settled, floorSecond == math.MaxInt64))
	n := 0
	l.more = false
	for _, o := range l.ready(floorSecond) {
		if l.pace > 0 && n > 0 && n+o.n > l.pace || !l.closeOne(o, &n, &closed) {
			l.more = floorSecond == math.MaxInt64
			floorSecond = o.second
			break
		}
		delete(l.opens, o.second)
		o.clear()
		l.spare = append(l.spare, o)
	}
	l.last, l.near = nil, [nearOpens]*open{}
	l.shed()
	l.floor(floorSecond, minEventMs)
	return closed, floorSecond
}

// ready are the open seconds before one, ascending.
func (l *List) ready(floorSecond int64) (ready []*open) {
	for second, o := range l.opens {
		if second < floorSecond {
			ready = append(ready, o)
		}
	}
	slices.SortFunc(ready, func(a, b *open) int { return cmp.Compare(a.second, b.second) })
	return ready
}

// closeOne goes over an open second, or as many pieces of it as the pace lets; done says
// that nothing is left. n is how many entries this call of Close has gone over.
func (l *List) closeOne(o *open, n *int, closed *[]Second) (done bool) {
	if o.pieces == nil && !o.many() {
		l.closePiece(o, l.together(o), n, closed)
		return true
	}
	if o.pieces == nil {
		o.pieces = l.cut(o)
	}
	for more := true; more; {
		var piece *entries
		piece, more = l.next(o.pieces)
		l.closePiece(o, piece, n, closed)
		if more && l.pace > 0 && *n >= l.pace {
			return false
		}
	}
	return true
}

// closePiece goes over the entries of an open second, or some of them.
func (l *List) closePiece(o *open, e *entries, n *int, closed *[]Second) {
	if e.len() == 0 { // it could not be read back: see spill.Store.Err
		return
	}
	l.sorter.sort(e)
	l.goOver(e)
	e.users.Store(1)
	*closed = append(*closed, Second{o.second, e})
	*n += e.len()
}

// floor tells what is measured below what no later entry lies.
func (l *List) floor(floorSecond, low int64) {
	for _, o := range l.opens {
		low = min(low, o.minEvent)
	}
	if low != math.MaxInt64 {
		l.Discordance.Floor(low)
		l.Reordering.Floor(low)
		if l.Places != nil {
			l.Places.floor(floorSecond, low)
		}
	} else if l.Places != nil {
		l.Places.end()
	}
}

// Pace has Close go over about so many entries at most, and leave others for the calls
// that follow: where a late message has held up many, the stages after this one would
// wait for all of them. A second of very many is closed in pieces of about so many.
func (l *List) Pace(entries int) { l.pace, l.chunk = entries, entries }

// More says whether the last Close, after which nothing more is drawn, has left
// seconds for another.
func (l *List) More() bool { return l.more }

// goOver measures one second's entries in order.
func (l *List) goOver(e *entries) {
	l.standing.all(e)
	if l.countIDs(e.ids) < e.len() || len(e.gone) > 0 {
		l.goOverGroups(e)
	}
	l.inOrder(e)
}

// countIDs counts the different ids of a second, in order, and those of them that
// have the score of the one before.
func (l *List) countIDs(ids []int64) (distinct int) {
	last := ids[0] - 1
	for _, id := range ids {
		if id == last {
			continue
		}
		last = id
		distinct++
		if score := float64(id); score != l.score || !l.any {
			l.score, l.any = score, true
		} else if !l.processes.Unscored {
			l.Duplicates.Scores++
		}
	}
	l.Duplicates.Distinct += int64(distinct)
	return distinct
}

// goOverGroups measures what entries of one id have in common, and tells which stand in
// the list.
func (l *List) goOverGroups(e *entries) {
	w := walk{entries: e}
	l.standing.byGroups(l.processes.MemberIsID || len(e.gone) > 0)
	for i, j := 0, 0; i < e.len(); i = j {
		j = i + sameID(e.ids[i:])
		stand := j
		if j > i+1 {
			w.seek(i)
			l.Duplicates.addGroup(&copies{w, i, j, &l.processes, 0})
		}
		if l.processes.MemberIsID { // one entry for all
			l.Again.Lost += int64(j - i - 1)
			stand = i + 1
		}
		if tied := l.standing.group(&w, i, stand); len(tied) > 1 {
			l.Discordance.Tie(tied)
		}
	}
}

// inOrder measures the order of what stands in the list.
func (l *List) inOrder(e *entries) {
	s := &l.standing
	for ys := s.byTime; len(ys) > 0; { // nothing stands the wrong way round within one id
		n := l.block.Take(ys)
		l.Discordance.AddBlock(&l.block)
		ys = ys[n:]
	}
	for from := 0; from < len(s.events); {
		end := from + l.block.Take(s.events[from:])
		if len(s.byTime) == 0 {
			l.Discordance.AddBlock(&l.block)
		}
		events, owners := s.events[from:end], l.ownersOf(s.ids[from:end])
		if l.Places != nil {
			l.Places.add(owners, events)
		}
		if len(l.Reordered) == witnesses || l.Reordering.InOrder(events) == len(events) {
			l.Reordering.AddBlock(owners, &l.block)
		} else {
			l.reordering(e, owners, from, end)
		}
		from = end
	}
}

// reordering measures which of the entries from..to of those that stand, with these owner
// times, are reordered, and keeps the first.
func (l *List) reordering(e *entries, owners []int64, from, to int) {
	s := &l.standing
	for ; from < to && len(l.Reordered) < witnesses; from, owners = from+1, owners[1:] {
		if _, reordered := l.Reordering.Add(owners[0], s.events[from]); reordered {
			w := walk{entries: e}
			l.Reordered = append(l.Reordered, w.entry(s.place(from)))
		}
	}
	l.Reordering.AddEach(owners, s.events[from:to])
}

// ownersOf are the times that ids say; good until the next call.
func (l *List) ownersOf(ids []int64) []int64 {
	l.owners = resized(l.owners, len(ids))
	l.processes.Layout.Digits(ids, l.owners, nil)
	return l.owners
}
