package site

import (
	"math"
	"slices"

	"twindrift/sim/luck"
)

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

	// Of the messages whose link delay matters, see partition.drawLink:
	rows   [chunk]uint8
	picked [chunk]uint64
	delays [chunk]int64
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
	p.drawWords(l, rows.Offset[from:to])
	if p.isPlain(rows) {
		p.takePlain(rows, from, to, clock)
		return
	}
	p.drawLuck(l, rows, from, to)
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
		!p.observed && !p.varies
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
	p.arrive(rows.AppendMs[from:to], q.arrivalNs[first:], clock)
	p.hold(q.arrivalNs[first:])
	if !p.service.IsZero() {
		p.service.SampleBatch(l.words[luck.Service][:n], l.service[:n])
		q.serviceNs = append(zeros(q.serviceNs, first), l.service[:n]...)
	}
	if !p.handling.IsZero() {
		p.handling.SampleBatch(l.words[luck.Handling][:n], l.handling[:n])
		q.handlingNs = append(zeros(q.handlingNs, first), l.handling[:n]...)
	}
}

// arrive fills arrivals from append times.
func (p *partition) arrive(appendMs, arrivalNs []int64, clock *Clock) {
	arrivalNs = arrivalNs[:len(appendMs)]
	last := p.lastArrival
	if p.link.Fixed() {
		link := p.link.Min()
		for i, ms := range appendMs {
			last = max(last, clock.Ns(ms)+link)
			arrivalNs[i] = last
		}
		p.lastArrival = last
		return
	}
	l := p.chances
	p.drawLink(l, appendMs, clock)
	link := l.link[:len(appendMs)]
	for i, ms := range appendMs {
		last = max(last, clock.Ns(ms)+link[i])
		arrivalNs[i] = last
	}
	p.lastArrival = last
}

// hold has arrivals during outages wait for their end. None then comes before the one
// before it, since of two arrivals the earlier is not held until after the later.
func (p *partition) hold(arrivalNs []int64) {
	if len(p.outages) == 0 {
		return
	}
	for i, ns := range arrivalNs {
		arrivalNs[i] = p.outages.after(ns)
	}
	p.lastArrival = p.outages.after(p.lastArrival)
}

// drawLink fills l.link for messages of which each arrives no earlier than the one
// before it, whatever its delay. So most delays need not be known where messages
// are close: as long as the largest that its word can give brings a message no
// further than the least of those before it, it is put down as 0.
func (p *partition) drawLink(l *lucky, appendMs []int64, clock *Clock) {
	words := l.words[luck.Link][:len(appendMs)]
	if p.bounds == nil {
		p.link.SampleBatch(words, l.link[:])
		return
	}
	n, reached := 0, p.lastArrival
	for i, word := range words {
		low, high := p.bounds.Of(word)
		appendNs := clock.Ns(appendMs[i])
		l.link[i], l.rows[n&(chunk-1)], l.picked[n&(chunk-1)] = 0, uint8(i), word
		if appendNs+high > reached {
			n++
		}
		reached = max(reached, appendNs+low)
	}
	p.link.SampleBatch(l.picked[:n], l.delays[:])
	for k, i := range l.rows[:n] {
		l.link[i] = l.delays[k]
	}
}

// drawWords fills the words of l for some messages, as far as they are needed.
func (p *partition) drawWords(l *lucky, offsets []int64) {
	switch {
	case p.onlyLink:
		p.luck.FillLink(offsets, l.words[luck.Link])
	case p.random:
		p.luck.Fill(offsets, &l.words)
	}
}

// drawLuck fills l for some rows whose words are drawn. What varies over the day is
// not in it, but for the link.
func (p *partition) drawLuck(l *lucky, rows *Rows, from, to int) {
	n := to - from
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
