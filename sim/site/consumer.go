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
	Stalls     []Window   // in which nothing starts, ascending
	Restarts   []Restart  // ascending
	CommitNs   int64      // between two commits; 0 commits each message as it is drawn
}

// Consumer is a process at work. Between epochs it holds the messages that
// have not been started and those that are started and not drawn.
type Consumer struct {
	Node      int
	Consumed  int64 // deliveries
	MaxWaitNs int64 // longest time from arrival to start

	clock    *Clock
	parallel Parallel
	inOrder  bool         // no handling delay: draws happen in the order of starts
	inRuns   bool         // nor does anything come again by chance
	atOnce   bool         // what arrives starts, as long as nothing waits
	service  delay.Dist   // of a message of any partition it is given
	handling delay.Dist   //
	parts    []*partition // ascending
	queues   arrivals
	turns    turns
	free     workers
	stalls   windows
	overrun  bool // virtual time has run over
	pending  drawQueue
	repeats  repeats // messages to be delivered once more
	draws    *Draws  // of the epoch, or the part of it
	most     int     // draws in a part; 0 for no limit
	pause    *paused // why the part ended before the epoch did
	nextNs   int64   // no later start is earlier
	sinceNs  int64   // nor than this, when partitions were last handed to it

	moments moments // of restarts, and of commits and snapshots for them
	keptRow int     // rows of the epoch before it are in partition.kept
}

// take takes in an epoch's rows.
func (c *Consumer) take(rows []Rows, draws *Draws) {
	c.turn(draws)
	expected := 0
	for _, p := range c.parts {
		expected += rows[p.index].Len()
		p.take(&rows[p.index], c.clock)
	}
	draws.reserve(expected + expected/16)
}

// advance takes the draws as far as the messages taken in allow (MODEL 3 and
// 4), and to no start at or after until.
func (c *Consumer) advance(nextAppendMs, until int64) {
	bound := int64(math.MaxInt64)
	for _, p := range c.parts {
		bound = min(bound, p.boundNs(nextAppendMs, c.clock))
	}
	for {
		stop := min(until, c.moments.next())
		if c.parallel == Partitions {
			c.startByPartition(bound, stop)
		} else {
			c.startByArrival(bound, stop)
		}
		c.nextNs = c.nextStart(bound)
		if c.nextNs < stop || stop == until {
			break
		}
		c.pass()
	}
}

// finish ends an epoch: what is final is in the epoch's columns. At until the
// process may be given messages that have waited elsewhere.
func (c *Consumer) finish(until int64) {
	c.nextNs = min(c.nextNs, until)
	c.draws.settle()
	c.emit(c.nextNs)
	c.holdBack(c.nextNs)
	c.keep()
	c.settle()
	c.Consumed += int64(c.draws.Len())
}

// nextStart is a lower bound of the starts to come, and where the messages
// taken in make it so, the next start itself.
func (c *Consumer) nextStart(bound int64) int64 {
	next := int64(math.MaxInt64)
	can := func(p *partition, arrivalNs int64) {
		if c.parallel == Partitions {
			arrivalNs = max(arrivalNs, p.freeNs)
		}
		next = min(next, arrivalNs)
	}
	for _, p := range c.parts {
		can(p, p.nextArrivalNs(bound))
	}
	again := c.repeats.waiting()
	for i := range again {
		can(again[i].partition, again[i].message.arrivalNs)
	}
	return c.stalls.after(max(next, c.free.next(), c.sinceNs))
}

// startByArrival starts waiting messages, the earliest arrival first (ties by
// partition, offset), each as soon as a worker is free and no stall holds the
// process. A message that may still be overtaken by one not yet taken in
// (arrival at or after bound) stays, and so does one that would start at or
// after stop.
func (c *Consumer) startByArrival(bound, stop int64) {
	c.queues.reset(c.parts)
	for {
		if c.inRuns && len(c.pending) == 0 && len(c.repeats.waiting()) == 0 {
			c.startInRuns(bound, stop)
		}
		p, repeated := c.queues.first(), false
		var m waiting
		if p != nil {
			m = p.queue.first()
		}
		if again := c.repeats.waiting(); len(again) > 0 && (p == nil || again[0].beats(&m, p)) {
			m, p, repeated = again[0].message, again[0].partition, true
		}
		if p == nil || m.arrivalNs >= bound {
			return
		}
		at := c.stalls.after(max(m.arrivalNs, c.free.next(), c.sinceNs))
		if at >= stop || c.pauses(&m, p, at) {
			return
		}
		if repeated {
			c.repeats.remove(0)
			c.start(&m, p, at)
			continue
		}
		c.start(&m, p, at)
		p.passOn(1)
		c.queues.next()
	}
}

// startByPartition is startByArrival where a partition has one message in work
// at a time: at the moment when a worker is free, the earliest arrival among
// the partitions that are not in work goes first.
func (c *Consumer) startByPartition(bound, stop int64) {
	c.turns.reset(c.parts)
	for {
		at := c.turns.next()
		again := c.repeats.waiting()
		for i := 0; i < len(again) && again[i].message.arrivalNs < at; i++ {
			at = min(at, max(again[i].message.arrivalNs, again[i].partition.freeNs))
		}
		if at == math.MaxInt64 {
			return
		}
		at = c.stalls.after(max(at, c.free.next(), c.sinceNs))
		if at >= bound || at >= stop || c.pauses(nil, nil, at) {
			return
		}
		c.startEligible(at)
	}
}

// startEligible starts the earliest arrival among those that can go at a moment.
func (c *Consumer) startEligible(at int64) {
	p := c.turns.first(at)
	var m waiting
	if p != nil {
		m = p.queue.first()
	}
	which := -1
	again := c.repeats.waiting()
	for i := range again {
		r := &again[i]
		if r.message.arrivalNs > at || p != nil && !r.beats(&m, p) {
			break
		}
		if r.partition.freeNs <= at {
			m, p, which = r.message, r.partition, i
			break
		}
	}
	if which >= 0 {
		c.repeats.remove(which)
	}
	p.freeNs = c.start(&m, p, at)
	if which < 0 {
		p.passOn(1)
		c.turns.gone()
	}
}

// start has the worker that is free first take up a message, and tells when it
// is done. Starts never go back in time, so what draws before this start is
// final.
func (c *Consumer) start(m *waiting, p *partition, atNs int64) (doneNs int64) {
	c.MaxWaitNs = max(c.MaxWaitNs, atNs-m.arrivalNs)
	doneNs = atNs + max(m.serviceNs, m.handlingNs)
	if doneNs < atNs {
		c.overrun, doneNs = true, math.MaxInt64
	}
	c.free.busyUntil(doneNs)
	c.emit(atNs)
	m.recurs = c.tellRepeat(p, m, atNs+m.handlingNs)
	if c.inOrder && len(c.pending) == 0 {
		c.draws.addInOrder(m, p.index, atNs, c.clock.Ms(atNs))
		return doneNs
	}
	c.pending.push(started{drawNs: atNs + m.handlingNs, partition: p, message: *m})
	return doneNs
}

// holdBack takes back the last draws of the epoch when a later start may tie
// with them. Only draws that did not go through pending can stand so late.
func (c *Consumer) holdBack(fromNs int64) {
	d := c.draws
	for n := d.Len(); n > 0 && d.DrawNs[n-1] >= fromNs && !c.pause.after(d, n-1); n-- {
		c.pending.push(started{drawNs: d.DrawNs[n-1], partition: c.part(d.Partition[n-1]), message: d.message(n - 1)})
		d.cut(n - 1)
	}
}

// part is the partition with a plan index.
func (c *Consumer) part(index int32) *partition {
	low, high := 0, len(c.parts)
	for low < high {
		middle := (low + high) / 2
		if c.parts[middle].index < index {
			low = middle + 1
		} else {
			high = middle
		}
	}
	return c.parts[low]
}

// emit moves the draws before a moment into the epoch's columns.
func (c *Consumer) emit(beforeNs int64) {
	if len(c.pending) > 0 && c.pending[0].drawNs < beforeNs {
		c.draws.settle()
		c.draws.losing = c.loses()
	}
	for len(c.pending) > 0 && c.pending[0].drawNs < beforeNs {
		s := c.pending.pop()
		c.draws.add(&s.message, s.partition.index, s.drawNs, c.clock.Ms(s.drawNs))
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
	return c.clock.FloorMs(next)
}

// MinEventMs is a lower bound of the event times of every draw still to come.
func (c *Consumer) MinEventMs() int64 {
	low := int64(math.MaxInt64)
	for i := range c.pending {
		low = min(low, c.pending[i].message.eventMs)
	}
	again := c.repeats.waiting()
	for i := range again {
		low = min(low, again[i].message.eventMs)
	}
	for _, p := range c.parts {
		low = min(low, p.minEventMs())
	}
	return low
}
