package site

import (
	"math"
	"slices"

	"twindrift/sim/delay"
	"twindrift/sim/luck"
)

// partition is one partition as a site sees it: the link and what waits.
type partition struct {
	index     int32
	messages  int64   // of the whole capture
	floorMs   []int64 // replay.Partition.BlockFloorMs
	blockRows int64   // replay.Plan.BlockRows
	rule      rule    // the business filter, as far as this partition goes
	storeOff  bool

	outages  windows // of the link
	again    redelivery
	luck     luck.Stream
	chances  *lucky // of a chunk of messages; shared by the partitions of a site
	random   bool   // the filter or any of the delays needs a draw of luck
	onlyLink bool   // nothing but the link does
	varies   bool   // some delay depends on the time of day
	baseMs   int64
	observed bool // messages arrive when the capture saw them processed
	link     delay.Dist
	service  delay.Dist
	handling delay.Dist

	taken       int64 // rows taken in, the ordinal of the next
	lastArrival int64 // arrival of the last message taken in

	nextObservedNs int64 // observed: of the first message not taken in

	queue  queue
	disk   onDisk
	freeNs int64 // when its message in work is done (parallel: partitions)

	// Of a process that loses uncommitted work (see restart.go):
	kept []waiting // drawn, and not known to be committed
}

// take brings an epoch's rows over the link: order is kept, so a message
// arrives no earlier than the one before it (MODEL 2).
func (p *partition) take(rows *Rows, clock *Clock) {
	p.queue.compact()
	for from := 0; from < rows.Len(); from += chunk {
		p.takeRows(rows, from, min(from+chunk, rows.Len()), clock)
	}
	p.taken += int64(rows.Len())
	if p.observed {
		p.nextObservedNs = math.MaxInt64
		if rows.NextObservedMs != math.MaxInt64 {
			p.nextObservedNs = clock.Ns(rows.NextObservedMs)
		}
	}
}

// chunk is how many messages have their luck drawn at a time.
const chunk = 256

// lucky is the luck of a chunk of messages, by purpose, and what comes of it.
type lucky struct {
	words                   [luck.Purposes][]uint64
	link, service, handling [chunk]int64
}

func newLucky() *lucky {
	l := new(lucky)
	for purpose := range l.words {
		l.words[purpose] = make([]uint64, chunk)
	}
	return l
}

// takeRows is take for some rows, at most a chunk.
func (p *partition) takeRows(rows *Rows, from, to int, clock *Clock) {
	l := p.chances
	p.drawLuck(l, rows, from, to)
	if p.isPlain(rows) {
		p.takePlain(rows, from, to, clock)
		return
	}
	behind := p.behind()
	for i := from; i < to; i++ {
		if len(rows.Absent) > 0 && rows.Absent[i] {
			continue
		}
		m := waiting{eventMs: rows.EventMs[i], appendMs: rows.AppendMs[i], offset: rows.Offset[i], ordinal: rows.First + int64(i),
			serviceNs: l.service[i-from], handlingNs: l.handling[i-from]}
		arrival := clock.Ns(m.appendMs) + l.link[i-from]
		if p.observed {
			arrival = clock.Ns(rows.ObservedMs[i])
		}
		switch {
		case !p.rule.keep && l.words[luck.Filter][i-from] >= p.rule.below || p.rule.drops(rows, i):
			m.state = Filtered
		case p.storeOff:
			m.state = StoreOff
		}
		arrival = p.outages.after(max(arrival, p.lastArrival))
		p.lastArrival = arrival
		m.arrivalNs = arrival
		if p.varies {
			word := l.of(i - from)
			p.spend(&m, &word)
		}
		behind.add(&m)
	}
}

// isPlain says whether rows come as the link brings them, all of them and to be
// stored.
func (p *partition) isPlain(rows *Rows) bool {
	return len(rows.Absent) == 0 && p.rule.keep && len(p.rule.dropped) == 0 && !p.storeOff &&
		!p.observed && !p.varies && len(p.outages) == 0
}

// takePlain is takeRows where isPlain, column by column.
func (p *partition) takePlain(rows *Rows, from, to int, clock *Clock) {
	q, l, n := p.behind(), p.chances, to-from
	first := len(q.arrivalNs)
	q.eventMs, q.offset = append(q.eventMs, rows.EventMs[from:to]...), append(q.offset, rows.Offset[from:to]...)
	q.appendMs = append(q.appendMs, rows.AppendMs[from:to]...)
	q.ordinal = slices.Grow(q.ordinal, n)[:first+n]
	for i := range q.ordinal[first:] {
		q.ordinal[first+i] = rows.First + int64(from+i)
	}
	q.arrivalNs = slices.Grow(q.arrivalNs, n)[:first+n]
	arrivals, link, last := q.arrivalNs[first:], l.link[:n], p.lastArrival
	for i, ms := range rows.AppendMs[from:to] {
		last = max(last, clock.Ns(ms)+link[i])
		arrivals[i] = last
	}
	p.lastArrival = last
	if !p.service.IsZero() {
		q.serviceNs = append(zeros(q.serviceNs, first), l.service[:n]...)
	}
	if !p.handling.IsZero() {
		q.handlingNs = append(zeros(q.handlingNs, first), l.handling[:n]...)
	}
}

// drawLuck fills l for some rows. What varies over the day is not in it, but for
// the link.
func (p *partition) drawLuck(l *lucky, rows *Rows, from, to int) {
	n := to - from
	switch {
	case p.onlyLink:
		p.luck.FillLink(rows.Offset[from:to], l.words[luck.Link])
	case p.random:
		p.luck.Fill(rows.Offset[from:to], &l.words)
	}
	if p.varies {
		for i := range n {
			l.link[i] = p.link.SampleAt(l.words[luck.Link][i], rows.AppendMs[from+i])
		}
		return
	}
	p.link.SampleBatch(l.words[luck.Link][:n], l.link[:n])
	p.service.SampleBatch(l.words[luck.Service][:n], l.service[:n])
	p.handling.SampleBatch(l.words[luck.Handling][:n], l.handling[:n])
}

// of is the luck of one message of the chunk.
func (l *lucky) of(i int) (w [luck.Purposes]uint64) {
	for purpose := range w {
		w[purpose] = l.words[purpose][i]
	}
	return w
}

// spend sets how long a message keeps its worker and when it draws. What varies
// over the day goes by the time at which it arrived, as it does on the link by
// the time at which it was appended: the true time, whatever the site's clock
// says.
func (p *partition) spend(m *waiting, word *[luck.Purposes]uint64) {
	if p.varies {
		right := Clock{BaseMs: p.baseMs}
		atMs := right.Ms(m.arrivalNs)
		m.serviceNs = p.service.SampleAt(word[luck.Service], atMs)
		m.handlingNs = p.handling.SampleAt(word[luck.Handling], atMs)
		return
	}
	m.serviceNs = p.service.Sample(word[luck.Service])
	m.handlingNs = p.handling.Sample(word[luck.Handling])
}

// boundNs is a lower bound of the arrivals still to come when everything
// appended before nextAppendMs has been taken in. It holds too where the
// broker's clock falls back: the first message to come is appended at or after
// nextAppendMs, and those behind it do not overtake it. Observed arrivals have
// nothing to do with the append; there the next one is known.
func (p *partition) boundNs(nextAppendMs int64, clock *Clock) int64 {
	if p.taken >= p.messages {
		return math.MaxInt64
	}
	if p.observed {
		return p.outages.after(max(p.lastArrival, p.nextObservedNs))
	}
	return p.outages.after(max(p.lastArrival, clock.Ns(nextAppendMs)+p.link.Min()))
}

// nextArrivalNs is the arrival of the first waiting message, else boundNs.
func (p *partition) nextArrivalNs(boundNs int64) int64 {
	if p.queue.len() > 0 {
		return p.queue.firstNs()
	}
	return boundNs
}

// minEventMs is a lower bound of the event times of the messages that are still
// to be started, for the first time or once more after a restart.
func (p *partition) minEventMs() int64 {
	low := int64(math.MaxInt64)
	if next := p.nextOrdinal(); next < p.messages {
		low = p.floorMs[next/p.blockRows]
	}
	for i := range p.kept {
		low = min(low, p.kept[i].eventMs)
	}
	return low
}

// nextOrdinal is the first message that waits to be started, or the first that
// has not been taken in.
func (p *partition) nextOrdinal() int64 {
	if q := &p.queue; q.len() > 0 {
		return q.ordinal[q.head]
	}
	return p.taken
}
