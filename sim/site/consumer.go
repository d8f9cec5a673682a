package site

import (
	"math"

	"twindrift/sim/delay"
)

// Parallel says which messages the workers of a process may take at one time.
type Parallel uint8

// The ways.
const (
	Messages   Parallel = iota // any worker takes any message
	Partitions                 // one message of a partition at a time
)

// ConsumerConfig is one consumer process.
type ConsumerConfig struct {
	Node       int
	Partitions []int // indexes into the plan's partitions
	Workers    int   // at least 1
	Parallel   Parallel
	Service    delay.Dist // how long a message keeps its worker
	Handling   delay.Dist // from start to draw; keeps the worker too, if longer
}

// Consumer is a process at work. Between epochs it holds the messages that
// have not been started and those that are started and not drawn.
type Consumer struct {
	Node      int
	Consumed  int64
	MaxWaitNs int64 // longest time from arrival to start

	clock    Clock
	parallel Parallel
	inOrder  bool         // no handling delay: draws happen in the order of starts
	parts    []*partition // ascending
	queues   arrivals
	free     workers
	overrun  bool // virtual time has run over
	pending  drawQueue
	draws    *Draws // of the epoch
	nextNs   int64  // no later start is earlier
}

// advance takes the draws as far as the epoch allows (MODEL 3 and 4).
func (c *Consumer) advance(rows []Rows, nextAppendMs int64, draws *Draws) {
	draws.reset()
	c.draws = draws
	expected := 0
	for _, p := range c.parts {
		expected += rows[p.index].Len()
	}
	draws.reserve(expected + expected/16)
	bound := int64(math.MaxInt64)
	for _, p := range c.parts {
		p.take(&rows[p.index], c.clock)
		bound = min(bound, p.boundNs(nextAppendMs, c.clock))
	}
	if c.parallel == Partitions {
		c.startByPartition(bound)
	} else {
		c.startByArrival(bound)
	}
	next := int64(math.MaxInt64)
	for _, p := range c.parts {
		next = min(next, p.nextArrivalNs(bound))
	}
	c.nextNs = max(next, c.free.next())
	c.emit(c.nextNs)
	c.holdBack(c.nextNs)
}

// startByArrival starts waiting messages, the earliest arrival first (ties by
// partition, offset), each as soon as a worker is free. A message that may
// still be overtaken by one not yet taken in (arrival at or after bound) stays.
func (c *Consumer) startByArrival(bound int64) {
	c.queues.reset(c.parts)
	for {
		p := c.queues.first()
		if p == nil || p.queue[p.head].arrivalNs >= bound {
			return
		}
		m := &p.queue[p.head]
		c.start(m, p, max(m.arrivalNs, c.free.next()))
		p.head++
		c.queues.next()
	}
}

// startByPartition is startByArrival where a partition has one message in work
// at a time: at the moment when a worker is free, the earliest arrival among
// the partitions that are not in work goes first.
func (c *Consumer) startByPartition(bound int64) {
	for {
		at := int64(math.MaxInt64)
		for _, p := range c.parts {
			if p.head < len(p.queue) {
				at = min(at, max(p.queue[p.head].arrivalNs, p.freeNs))
			}
		}
		if at == math.MaxInt64 {
			return
		}
		at = max(at, c.free.next())
		if at >= bound {
			return
		}
		var first *partition
		for _, p := range c.parts {
			if p.head < len(p.queue) && p.freeNs <= at && p.queue[p.head].arrivalNs <= at &&
				(first == nil || p.queue[p.head].arrivalNs < first.queue[first.head].arrivalNs) {
				first = p
			}
		}
		first.freeNs = c.start(&first.queue[first.head], first, at)
		first.head++
	}
}

// start has the worker that is free first take up a message, and tells when it
// is done. Starts never go back in time, so what draws before this start is
// final.
func (c *Consumer) start(m *waiting, p *partition, atNs int64) (doneNs int64) {
	c.Consumed++
	c.MaxWaitNs = max(c.MaxWaitNs, atNs-m.arrivalNs)
	doneNs = atNs + max(m.serviceNs, m.handlingNs)
	if doneNs < atNs {
		c.overrun, doneNs = true, math.MaxInt64
	}
	c.free.busyUntil(doneNs)
	c.emit(atNs)
	if c.inOrder && len(c.pending) == 0 {
		c.draws.addInOrder(m, p.index, atNs, c.clock.Ms(atNs))
		return doneNs
	}
	c.pending.push(started{drawNs: atNs + m.handlingNs, partition: p.index, message: *m})
	return doneNs
}

// holdBack takes back the last draws of the epoch when a later start may tie
// with them. Only draws that did not go through pending can stand so late.
func (c *Consumer) holdBack(fromNs int64) {
	d := c.draws
	for n := d.Len(); n > 0 && d.DrawNs[n-1] >= fromNs; n-- {
		c.pending.push(d.removeLast())
	}
}

// emit moves the draws before a moment into the epoch's columns.
func (c *Consumer) emit(beforeNs int64) {
	for len(c.pending) > 0 && c.pending[0].drawNs < beforeNs {
		s := c.pending.pop()
		c.draws.add(&s.message, s.partition, s.drawNs, c.clock.Ms(s.drawNs))
	}
}

// NextNowMs is a lower bound of the clock at every draw still to come.
func (c *Consumer) NextNowMs() int64 {
	next := c.nextNs
	if len(c.pending) > 0 {
		next = min(next, c.pending[0].drawNs)
	}
	if next == math.MaxInt64 {
		return math.MaxInt64
	}
	return c.clock.Ms(next)
}

// MinEventMs is a lower bound of the event times of every draw still to come.
func (c *Consumer) MinEventMs() int64 {
	low := int64(math.MaxInt64)
	for i := range c.pending {
		low = min(low, c.pending[i].message.eventMs)
	}
	for _, p := range c.parts {
		low = min(low, p.minEventMs())
	}
	return low
}
