package site

import (
	"math"
	"slices"
)

// stretchRows is how many draws are made at a time, at most.
const stretchRows = 4096

// startAtOnce is startByArrival for the messages before a moment that are drawn as
// they arrive, where none has to wait: none does then, until something happens to
// the process. Those of one moment come in the order of their draws.
func (c *Consumer) startAtOnce(before int64) {
	d, first := c.draws, c.draws.Len()
	p := c.queues.first()
	if p == nil {
		return
	}
	if at := p.queue.firstNs(); at < c.free.last() || at < c.sinceNs || first > 0 && d.DrawNs[first-1] == at {
		return
	}
	d.settle()
	for {
		room := c.ready(before)
		if c.most > 0 {
			room = min(room, c.most-d.Len())
		}
		if room <= 0 || c.stretchAtOnce(before, room) == 0 {
			break
		}
	}
	n := d.Len()
	for i := max(first, n-len(c.free)); i < n; i++ {
		c.free.busyUntil(d.DrawNs[i])
	}
	for d.moment = n; d.moment > first && d.DrawNs[d.moment-1] == d.DrawNs[n-1]; {
		d.moment--
	}
}

// ready is how many messages arrive before a moment, as far as they are in memory; at
// most stretchRows.
func (c *Consumer) ready(beforeNs int64) int {
	n := 0
	for _, p := range c.parts {
		k, _ := slices.BinarySearch(p.queue.arrivalNs[p.queue.head:], beforeNs)
		if n += k; n >= stretchRows {
			return stretchRows
		}
	}
	return n
}

// stretchAtOnce draws for the next messages that arrive before a moment, at most
// room, and says how many those were.
func (c *Consumer) stretchAtOnce(before int64, room int) int {
	d, first := c.draws, c.draws.Len()
	d.extend(first + room)
	n := first
	for n < first+room {
		p, untilNs := c.queues.run()
		if p == nil || p.queue.firstNs() >= before {
			break
		}
		k := p.queue.count(min(untilNs, before), first+room-n)
		d.put(n, p, k)
		n += k
		p.passOn(k)
		c.queues.next()
	}
	d.cut(n)
	copy(d.DrawNs[first:], d.ArrivalNs[first:])
	c.clock.fillMs(d.DrawNs[first:], d.NowMs[first:])
	return n - first
}

// count is how many of the first limit messages arrive before a moment.
func (q *queue) count(beforeNs int64, limit int) int {
	arrivals := q.arrivalNs[q.head:]
	arrivals = arrivals[:min(limit, len(arrivals))]
	for i, at := range arrivals {
		if at >= beforeNs {
			return i
		}
	}
	return len(arrivals)
}

// fewRows is how many rows are copied faster one by one than column by column.
const fewRows = 8

// put fills the rows from n on with the first k messages of a partition, but for
// DrawNs and NowMs.
func (d *Draws) put(n int, p *partition, k int) {
	q, from, to := &p.queue, p.queue.head, p.queue.head+k
	arrivals, events, appends := q.arrivalNs[from:to], q.eventMs[from:to], q.appendMs[from:to]
	offsets, ordinals := q.offset[from:to], q.ordinal[from:to]
	if k > fewRows {
		copy(d.ArrivalNs[n:], arrivals)
		copy(d.EventMs[n:], events)
		copy(d.AppendMs[n:], appends)
		copy(d.Offset[n:], offsets)
		copy(d.Ordinal[n:], ordinals)
		for i := range d.Partition[n : n+k] {
			d.Partition[n+i] = p.index
		}
	} else {
		for i, at := range arrivals {
			d.ArrivalNs[n+i], d.EventMs[n+i], d.AppendMs[n+i] = at, events[i], appends[i]
			d.Offset[n+i], d.Ordinal[n+i], d.Partition[n+i] = offsets[i], ordinals[i], p.index
		}
	}
	copyRare(d.State[n:n+k], q.state, from)
	copyRare(d.Again[n:n+k], q.drawn, from)
	copyRare(d.Delivery[n:n+k], q.delivery, from)
}

// copyRare copies rows of a column that may end before them.
func copyRare[T any](to, column []T, from int) {
	if from < len(column) {
		copy(to, column[from:])
	}
}

// last is when the worker that is free last is free.
func (q workers) last() int64 {
	last := int64(math.MinInt64)
	for _, ns := range q {
		last = max(last, ns)
	}
	return last
}
