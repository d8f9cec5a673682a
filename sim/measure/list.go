package measure

import (
	"cmp"
	"math"
	"slices"
	"sync"
	"sync/atomic"

	"twindrift/generator"
	"twindrift/sim/order"
	"twindrift/sim/site"
	"twindrift/sim/spill"
	"twindrift/sim/tally"
)

// witnesses is how many messages a finding is shown with.
const witnesses = 5

// Entry is one message of a site's list.
type Entry struct {
	ID        int64
	EventMs   int64
	NowMs     int64 // the site's clock at the draw
	Offset    int64
	Partition int32
	Consumer  int16
	Kind      generator.Kind
	Life      uint8 // restarts of the process before, modulo 128, and gone
}

// gone marks an entry that a later delivery of its message has taken out of the
// list; its id stays given out.
const gone uint8 = 1 << 7

func entryOf(consumer int, d *site.Draws, g *Drawn, i int) Entry {
	return Entry{
		ID: g.ID[i], EventMs: d.EventMs[i], NowMs: d.NowMs[i], Offset: d.Offset[i],
		Partition: d.Partition[i], Consumer: int16(consumer), Kind: g.Kind[i],
	}
}

// before is the order of the list: by id, ties by topic, partition and offset;
// deliveries of one message with one id by the clock.
func (e *Entry) before(o *Entry) bool {
	if e.ID != o.ID {
		return e.ID < o.ID
	}
	if e.Partition != o.Partition {
		return e.Partition < o.Partition
	}
	if e.Offset != o.Offset {
		return e.Offset < o.Offset
	}
	return cmp.Or(cmp.Compare(e.NowMs, o.NowMs), cmp.Compare(e.Consumer, o.Consumer), cmp.Compare(e.Life&^gone, o.Life&^gone)) < 0
}

// Second is one owner second of a list, closed and in order. Its entries are on
// loan, and come back when Recycle and everybody who kept it are done with them.
type Second struct {
	Second  int64
	Entries []Entry

	loan *loan
}

// loan is the memory of a second's entries.
type loan struct {
	entries []Entry
	users   atomic.Int32
}

var loans = sync.Pool{New: func() any { return new(loan) }}

// keep has the entries stay until giveBack is called once more.
func (s *Second) keep() { s.loan.users.Add(1) }

func (s *Second) giveBack() {
	if s.loan.users.Add(-1) == 0 {
		s.loan.entries = s.Entries[:0]
		loans.Put(s.loan)
	}
	s.Entries, s.loan = nil, nil
}

// Recycle takes back the entries of closed seconds from who got them of Close.
func Recycle(closed []Second) {
	for i := range closed {
		closed[i].giveBack()
	}
}

// open is an owner second that may still get entries.
type open struct {
	second   int64
	minEvent int64
	entries  []Entry
	loan     *loan        // that their memory came with
	kept     []spill.Kept // entries before those, on disk
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

	processes   Processes
	opens       map[int64]*open
	last        *open
	spare       []*open
	sort        []Entry // scratch
	ties        []int64 // scratch
	ids, owners []int64 // scratch: a second's ids and what they say
	events      []int64 // scratch: and its event times
	score       float64 // of the entry before
	any         bool
	lives       []uint8 // by consumer

	closeMost int  // entries; 0 for no limit
	more      bool // seconds that could be closed are left
	spill     *spill.Owner
	disk      entriesOnDisk
	shedding  []*open // scratch
}

// NewList is an empty list of a site with these consumers.
func NewList(p Processes) *List {
	return &List{processes: p, opens: map[int64]*open{}, lives: make([]uint8, len(p.Nodes))}
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
	life := l.lives[consumer]
	o := l.last
	var ownerMs, eventMs, drift int64 // where the seconds of the row before begin, and how far they are apart
	known := false
	for i := from; i < to; i++ {
		if d.State[i] != site.Store {
			continue
		}
		event, owner := d.EventMs[i], g.OwnerMs[i]
		if !known || uint64(owner-ownerMs) >= 1000 {
			second := secondOf(owner)
			if o == nil || o.second != second {
				o = l.open(second)
			}
			ownerMs = second * 1000
			eventMs, drift, known = secondOf(event)*1000, second-secondOf(event), true
		} else if uint64(event-eventMs) >= 1000 {
			eventMs, drift = secondOf(event)*1000, o.second-secondOf(event)
		}
		l.Drift.Add(drift)
		o.minEvent = min(o.minEvent, event)
		n := len(o.entries)
		if n == cap(o.entries) {
			o.entries = slices.Grow(o.entries, max(64, n))
		}
		o.entries = o.entries[:n+1]
		e := &o.entries[n]
		e.ID, e.EventMs, e.NowMs, e.Offset = g.ID[i], event, d.NowMs[i], d.Offset[i]
		e.Partition, e.Consumer, e.Kind, e.Life = d.Partition[i], int16(consumer), g.Kind[i], life
		if l.processes.Redelivers {
			l.delivered(o, o.second, d.Ordinal[i], d.DrawNs[i])
		}
	}
}

// happens counts the lives of a process.
func (l *List) happens(consumer int, what site.EventKind) {
	if what != site.StateSaved {
		l.lives[consumer] = (l.lives[consumer] + 1) &^ gone
	}
}

func (l *List) open(second int64) *open {
	o := l.opens[second]
	if o == nil {
		if n := len(l.spare); n > 0 {
			o, l.spare = l.spare[n-1], l.spare[:n-1]
		} else {
			o = &open{}
		}
		o.second, o.minEvent, o.loan = second, math.MaxInt64, loans.Get().(*loan)
		o.entries = o.loan.entries
		l.opens[second] = o
	}
	l.last = o
	return o
}

// Close goes over the owner seconds before floorSecond, in which no later draw
// will fall; minEventMs is a lower bound of the event times of those draws, and
// settled the ordinals, by partition, before which no message comes again. It
// appends the closed seconds, ascending, to closed, and gives the second before
// which all are closed now.
func (l *List) Close(floorSecond, minEventMs int64, settled []int64, closed []Second) ([]Second, int64) {
	var ready []*open
	floorSecond = min(floorSecond, l.Again.settle(settled))
	low := minEventMs
	for second, o := range l.opens {
		if second < floorSecond {
			ready = append(ready, o)
			delete(l.opens, second)
		} else {
			low = min(low, o.minEvent)
		}
	}
	slices.SortFunc(ready, func(a, b *open) int {
		if a.second < b.second {
			return -1
		}
		return 1
	})
	ready, floorSecond, low = l.leave(ready, floorSecond, low)
	for _, o := range ready {
		l.recall(o)
		o.entries, l.sort = sortEntries(o.entries, l.sort)
		l.goOver(o.entries)
		o.loan.users.Store(1)
		closed = append(closed, Second{o.second, o.entries, o.loan})
		o.entries, o.loan = nil, nil
		l.spare = append(l.spare, o)
	}
	l.last = nil
	l.shed()
	if low != math.MaxInt64 {
		l.Discordance.Floor(low)
		l.Reordering.Floor(low)
		if l.Places != nil {
			l.Places.floor(floorSecond, low)
		}
	}
	return closed, floorSecond
}

// goOver measures one second's entries in order.
func (l *List) goOver(entries []Entry) {
	n := len(entries)
	l.ids, l.owners, l.events = resized(l.ids, n), resized(l.owners, n), resized(l.events, n)
	for i := range entries {
		l.ids[i], l.events[i] = entries[i].ID, entries[i].EventMs
	}
	l.processes.Layout.Digits(l.ids, l.owners, nil)
	alone := 0 // what follows up to i has ids of its own
	for i := 0; i < n; {
		id, j := l.ids[i], i+1
		for j < n && l.ids[j] == id {
			j++
		}
		if j > i+1 {
			l.inOrder(entries, alone, i)
			l.Duplicates.addGroup(entries[i:j], l.processes)
			l.goOverTied(entries, i, j)
			alone = j
		} else if entries[i].Life&gone != 0 {
			l.inOrder(entries, alone, i)
			alone = j
		}
		l.Duplicates.Distinct++
		score := float64(id)
		if l.any && score == l.score {
			l.Duplicates.Scores++
		}
		l.score, l.any = score, true
		i = j
	}
	l.inOrder(entries, alone, n)
}

// goOverTied measures the entries from..to, which have one id.
func (l *List) goOverTied(entries []Entry, from, to int) {
	l.ties = l.ties[:0]
	for k := from; k < to; k++ {
		if entries[k].Life&gone != 0 {
			continue
		}
		l.ties = append(l.ties, l.events[k])
		l.places(entries, k, k+1)
		if l.processes.MemberIsID { // one entry for all
			l.Again.Lost += int64(to - from - 1)
			break
		}
	}
	if len(l.ties) > 0 {
		l.Discordance.AddTied(l.ties)
	}
}

// inOrder measures the entries from..to, which have ids of their own.
func (l *List) inOrder(entries []Entry, from, to int) {
	l.Discordance.AddEach(l.events[from:to])
	l.places(entries, from, to)
}

// places measures where the entries from..to stand.
func (l *List) places(entries []Entry, from, to int) {
	if l.Places != nil {
		l.Places.add(l.owners[from:to], l.events[from:to])
	}
	for ; from < to && len(l.Reordered) < witnesses; from++ {
		if _, reordered := l.Reordering.Add(l.owners[from], l.events[from]); reordered {
			l.Reordered = append(l.Reordered, entries[from])
		}
	}
	l.Reordering.AddEach(l.owners[from:to], l.events[from:to])
}

// sortEntries sorts in the order of the list. Each consumer's entries come as a
// few ascending runs, most of which only have to be put one behind the other;
// others are merged. It gives the sorted entries and memory for the next call,
// which are the two slices it got, either way round.
func sortEntries(entries, scratch []Entry) (sorted, rest []Entry) {
	var some [16]run
	runs := some[:0]
	start, ascending := 0, true
	for i := 1; i < len(entries); i++ {
		e, last := &entries[i], &entries[i-1]
		if e.ID > last.ID && e.Consumer == last.Consumer {
			continue
		}
		if before := e.before(last); before || e.Consumer != last.Consumer {
			ascending = ascending && !before
			runs = append(runs, run{start, i})
			start = i
		}
	}
	if ascending {
		return entries, scratch
	}
	runs = append(runs, run{start, len(entries)})
	scratch = resized(scratch, len(entries))
	slices.SortFunc(runs, func(a, b run) int {
		return compareBool(entries[b.from].before(&entries[a.from]), entries[a.from].before(&entries[b.from]))
	})
	n := 0
	for k, r := range runs {
		if k > 0 && entries[r.from].before(&entries[runs[k-1].to-1]) {
			return mergeRuns(entries, scratch, runs)
		}
		n += copy(scratch[n:], entries[r.from:r.to])
	}
	return scratch, entries
}

// run is a stretch of entries that ascend.
type run struct{ from, to int }

// mergeRuns merges runs, two by two, until one is left.
func mergeRuns(entries, scratch []Entry, runs []run) (sorted, rest []Entry) {
	for len(runs) > 1 {
		merged, n := runs[:0], 0
		for i := 0; i < len(runs); i += 2 {
			a, b := runs[i], run{}
			if i+1 < len(runs) {
				b = runs[i+1]
			}
			from := n
			n += merge(scratch[n:], entries[a.from:a.to], entries[b.from:b.to])
			merged = append(merged, run{from, n})
		}
		runs = merged
		entries, scratch = scratch, entries
	}
	return entries, scratch
}

// merge merges two runs and gives their length.
func merge(to, a, b []Entry) (n int) {
	if len(b) == 0 || !b[0].before(&a[len(a)-1]) {
		n = copy(to, a)
		return n + copy(to[n:], b)
	}
	for len(a) > 0 && len(b) > 0 {
		if b[0].before(&a[0]) {
			to[n], b = b[0], b[1:]
		} else {
			to[n], a = a[0], a[1:]
		}
		n++
	}
	n += copy(to[n:], a)
	return n + copy(to[n:], b)
}
