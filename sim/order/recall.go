package order

import (
	"math"
	"math/bits"
)

// Recall tells how well a range of ids finds the messages of a range of time. The id
// of a message says an owner time, and a query for the messages of one cell of a
// grain (one second, say) asks for the ids with owner times in that cell. Of a
// cell's messages, those with their event time in it, the query finds the share that
// is its recall; of the ids in the cell, the share whose messages belong there is
// its precision. What is found is the same for both: the messages whose owner time
// and event time share a cell.
//
// At the grain of 1 ms only the totals are kept. The zero value is ready. A Recall
// belongs to one goroutine at a time. It keeps 1.6 KiB for every minute in which an
// owner time or an event time lies and that has not been released.
type Recall struct {
	n       int64
	foundMs int64 // at the grain of 1 ms
	minutes map[int64]*recallMinute
	event   *recallMinute // those used last
	owner   *recallMinute
	done    [Grains]RecallResult // of minutes that were released
}

// recallMinute holds counts of the cells in one minute.
type recallMinute struct {
	key     int64                  // floor(time / minute)
	events  [secondsInMinute]int64 // messages by event second
	owners  [secondsInMinute]int64 // ids by owner second
	seconds [secondsInMinute]int64 // found
	tens    [tensInMinute]int64
	minute  int64
}

// Add takes one message: the time its id says, and its event time. Messages come in
// any order.
func (r *Recall) Add(ownerMs, eventMs int64) {
	exact := int64(0)
	if ownerMs == eventMs {
		exact = 1
	}
	r.add(ownerMs, eventMs, 1, exact)
}

// AddEach is Add for one message after the other, ownersMs[i] and eventsMs[i] each.
// Neighbours mostly have one owner second and one event second, and are counted
// together.
func (r *Recall) AddEach(ownersMs, eventsMs []int64) {
	for i := 0; i < len(eventsMs); {
		n, exact := alike(ownersMs[i:], eventsMs[i:])
		r.add(ownersMs[i], eventsMs[i], n, exact)
		i += int(n)
	}
}

// alike tells how many messages from the first on have its owner second and its event
// second, and of how many of them both times are the same.
func alike(ownersMs, eventsMs []int64) (n, exact int64) {
	owner, event := floorDiv(ownersMs[0], secondMs)*secondMs, floorDiv(eventsMs[0], secondMs)*secondMs
	if max(owner, event) > math.MaxInt64-secondMs { // at the ends of int64, wrapped around or about to
		eventsMs = eventsMs[:1]
	}
	ownersMs = ownersMs[:len(eventsMs)]
	for i, e := range eventsMs {
		o := ownersMs[i]
		if uint64(e-event) >= secondMs || uint64(o-owner) >= secondMs {
			break
		}
		if e == o {
			exact++
		}
		n++
	}
	return n, exact
}

// add takes n messages of one owner second and one event second, in which these times
// lie; of so many of them both times are the same.
func (r *Recall) add(ownerMs, eventMs, n, exact int64) {
	if key := floorDiv(eventMs, minuteMs); r.event == nil || r.event.key != key {
		r.event = r.minute(key)
	}
	if key := floorDiv(ownerMs, minuteMs); r.owner == nil || r.owner.key != key {
		r.owner = r.minute(key)
	}
	r.n += n
	r.foundMs += exact
	m := r.event
	event, owner := m.second(eventMs), r.owner.second(ownerMs)
	m.events[event] += n
	r.owner.owners[owner] += n
	if m != r.owner {
		return
	}
	m.minute += n
	if event/secondsInTen != owner/secondsInTen {
		return
	}
	m.tens[event/secondsInTen] += n
	if event == owner {
		m.seconds[event] += n
	}
}

// minute finds or makes the minute with the key.
func (r *Recall) minute(key int64) *recallMinute {
	m := r.minutes[key]
	if m == nil {
		if r.minutes == nil {
			r.minutes = make(map[int64]*recallMinute)
		}
		m = &recallMinute{key: key}
		r.minutes[key] = m
	}
	return m
}

// second is the second of the minute in which a time lies.
func (m *recallMinute) second(ms int64) uint32 { return uint32(ms-m.key*minuteMs) / secondMs }

// Release counts the minutes before a moment for good, and lets their memory go: no
// later message has an owner time or an event time below it. least is what Result
// will be asked for. What has released minutes is not to be merged any more.
func (r *Recall) Release(beforeMs, least int64) {
	before := floorDiv(beforeMs, minuteMs)
	for key, m := range r.minutes {
		if key < before {
			m.look(&r.done, max(least, 1))
			delete(r.minutes, key)
			r.event, r.owner = nil, nil
		}
	}
}

// Merge adds the messages of another Recall, which stays as it is. Merging in any
// order gives the same counts.
func (r *Recall) Merge(other *Recall) {
	r.n += other.n
	r.foundMs += other.foundMs
	for key, from := range other.minutes {
		m := r.minute(key)
		for s := range m.events {
			m.events[s] += from.events[s]
			m.owners[s] += from.owners[s]
			m.seconds[s] += from.seconds[s]
		}
		for t := range m.tens {
			m.tens[t] += from.tens[t]
		}
		m.minute += from.minute
	}
}

// RecallResult is the recall and the precision of all queries for one cell of a
// grain.
type RecallResult struct {
	N     int64 // messages, hence ids
	Found int64 // those whose owner time and event time share a cell

	// Cells with as many messages, or ids, as Result was asked for, and the worst of
	// them; the earliest of equals. Not at the grain of 1 ms.
	RecallCells    int64
	WorstRecall    RecallCell
	PrecisionCells int64
	WorstPrecision RecallCell
}

// RecallCell is one cell: its start, its messages (of a recall) or ids (of a
// precision), and those of them that a query for the cell finds.
type RecallCell struct{ StartMs, N, Found int64 }

// Share is Found / N, the recall or the precision; false for a cell of nothing.
func (c RecallCell) Share() (float64, bool) { return share(c.Found, c.N) }

// Share is Found / N: over all cells together, each counting as much as it holds,
// recall and precision are the same. False when there is nothing.
func (r RecallResult) Share() (float64, bool) { return share(r.Found, r.N) }

func share(part, of int64) (float64, bool) {
	if of == 0 {
		return 0, false
	}
	return float64(part) / float64(of), true
}

// Result gives the counts at each grain of GrainsMs. Only cells of at least so many
// messages, or ids, are looked at for the worst; below 1 means 1. More messages may
// follow.
func (r *Recall) Result(least int64) (results [Grains]RecallResult) {
	results = r.done
	results[0].Found = r.foundMs
	for _, m := range r.minutes {
		m.look(&results, max(least, 1))
	}
	for g := range results {
		results[g].N = r.n
	}
	return results
}

// look takes the cells of the minute into the results.
func (m *recallMinute) look(results *[Grains]RecallResult, least int64) {
	for s, found := range m.seconds {
		results[1].look(m.cell(s), m.events[s], m.owners[s], found, least)
	}
	var events, owners int64
	for t, found := range m.tens {
		from := t * secondsInTen
		e, o := sum(m.events[from:from+secondsInTen]), sum(m.owners[from:from+secondsInTen])
		results[2].look(m.cell(from), e, o, found, least)
		events, owners = events+e, owners+o
	}
	results[3].look(m.cell(0), events, owners, m.minute, least)
}

// cell is the start of a cell, or the smallest int64 when it starts before that.
func (m *recallMinute) cell(second int) int64 {
	start := m.key*minuteMs + int64(second)*secondMs
	if start > 0 && m.key < 0 { // wrapped around
		return math.MinInt64
	}
	return start
}

// look takes a cell into the result.
func (r *RecallResult) look(startMs, events, owners, found, least int64) {
	r.Found += found
	if events >= least {
		r.RecallCells++
		r.WorstRecall = worse(r.WorstRecall, RecallCell{startMs, events, found})
	}
	if owners >= least {
		r.PrecisionCells++
		r.WorstPrecision = worse(r.WorstPrecision, RecallCell{startMs, owners, found})
	}
}

// worse is the cell with the smaller share, exactly, or the earlier of equals.
func worse(a, b RecallCell) RecallCell {
	if a.N == 0 {
		return b
	}
	// a.Found / a.N against b.Found / b.N, multiplied out.
	ha, la := bits.Mul64(uint64(a.Found), uint64(b.N))
	hb, lb := bits.Mul64(uint64(b.Found), uint64(a.N))
	switch {
	case ha < hb || ha == hb && la < lb:
		return a
	case ha == hb && la == lb && a.StartMs < b.StartMs:
		return a
	}
	return b
}

func sum(counts []int64) (total int64) {
	for _, n := range counts {
		total += n
	}
	return total
}
