package site

import (
	"math"
	"slices"
)

// stretchRows is how many draws are made at a time, at most.
const stretchRows = 4096

// startInRuns is startByArrival where nothing is started and not drawn: the messages
// of a partition that arrive before those of all others go to the draws together.
func (c *Consumer) startInRuns(bound, stop int64) {
	if c.atOnce {
		c.startAtOnce(min(bound, stop))
	}
	for room := 1; room > 0; {
		if room = c.room(bound); room > 0 && c.stretch(bound, stop, room) < room {
			return
		}
	}
}

// stretch starts the next messages, at most room, and says how many those were.
func (c *Consumer) stretch(bound, stop int64, room int) int {
	d, first := c.draws, c.draws.Len()
	unclocked := min(first, d.moment)
	d.extend(first + room)
	n := first
	for n < first+room {
		p, untilNs := c.queues.run()
		if p == nil {
			break
		}
		run := p.queue.count(min(untilNs, bound), first+room-n)
		k := c.times(&p.queue, d.DrawNs[n:n+run], stop)
		d.put(n, p, k)
		d.tie(n, n+k)
		n += k
		p.passOn(k)
		if k == 0 || k < run {
			break
		}
		c.queues.next()
	}
	d.cut(n)
	c.clock.fillMs(d.DrawNs[unclocked:], d.NowMs[unclocked:])
	return n - first
}

// times fills when the first messages of a queue start, up to the first that would at
// or after stop, and keeps workers busy with them. It says how many those were.
func (c *Consumer) times(q *queue, startNs []int64, stop int64) int {
	for i := range startNs {
		row := q.head + i
		arrivalNs := q.arrivalNs[row]
		at := c.stalls.after(max(arrivalNs, c.free.next(), c.sinceNs))
		if at >= stop {
			return i
		}
		doneNs := at + orZero(q.serviceNs, row)
		if doneNs < at {
			c.overrun, doneNs = true, math.MaxInt64
		}
		c.free.busyUntil(doneNs)
		c.MaxWaitNs = max(c.MaxWaitNs, at-arrivalNs)
		startNs[i] = at
	}
	return len(startNs)
}

// startAtOnce is startInRuns for the messages before a moment that are drawn as
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
	for room := 1; room > 0; {
		if room = c.room(before); room > 0 && c.stretchAtOnce(before, room) < room {
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

// room is how many messages that arrive before a moment may be drawn for at a time:
// no more than are in memory and the part still takes.
func (c *Consumer) room(beforeNs int64) int {
	most := stretchRows
	if c.most > 0 {
		most = min(most, c.most-c.draws.Len())
	}
	n := 0
	for _, p := range c.parts {
		if n >= most {
			break
		}
		k, _ := slices.BinarySearch(p.queue.arrivalNs[p.queue.head:], beforeNs)
		n += k
	}
	return min(n, most)
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
	q, from := &p.queue, p.queue.head
	if k > fewRows {
		copy(d.ArrivalNs[n:], q.arrivalNs[from:from+k])
		copy(d.EventMs[n:], q.eventMs[from:from+k])
		copy(d.AppendMs[n:], q.appendMs[from:from+k])
		copy(d.Offset[n:], q.offset[from:from+k])
		copy(d.Ordinal[n:], q.ordinal[from:from+k])
		for i := range d.Partition[n : n+k] {
			d.Partition[n+i] = p.index
		}
	} else {
		for i := from; i < from+k; i++ {
			to := n + i - from
			d.ArrivalNs[to], d.EventMs[to], d.AppendMs[to] = q.arrivalNs[i], q.eventMs[i], q.appendMs[i]
			d.Offset[to], d.Ordinal[to], d.Partition[to] = q.offset[i], q.ordinal[i], p.index
		}
	}
	if len(q.state)+len(q.drawn)+len(q.delivery) > 0 {
		copyRare(d.State[n:n+k], q.state, from)
		copyRare(d.Again[n:n+k], q.drawn, from)
		copyRare(d.Delivery[n:n+k], q.delivery, from)
	}
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
