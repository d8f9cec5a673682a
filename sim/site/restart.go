package site

import (
	"cmp"
	"math"
	"slices"

	"twindrift/sim/luck"
)

// Restart is a process that dies and comes back (MODEL 7a). What it had started
// and not drawn is not drawn. What it had not committed comes again, first and
// in order. It commits every ConsumerConfig.CommitNs the messages of each
// partition that are drawn without a gap.
type Restart struct {
	AtNs   int64
	DownNs int64 // until it starts messages again
	State  EventKind
	AgeNs  int64 // of the snapshot, for StateRestored
}

// moment is when something happens to a process of itself.
type moment struct {
	atNs int64
	what momentKind
	restart
}

type restart struct {
	downNs int64
	state  EventKind
}

type momentKind uint8

// Of what happens at one time, the last is first in effect: a commit is taken
// before the process dies.
const (
	commits momentKind = iota
	snapshots
	restarts
	handsOver // partitions to another process; the site does it
)

// moments are ascending.
type moments []moment

func (m moments) next() int64 {
	if len(m) == 0 {
		return math.MaxInt64
	}
	return m[0].atNs
}

// open says whether work done now comes again: the last commit before the next
// loss of work has been.
func (m moments) open() bool {
	for i := range m {
		switch m[i].what {
		case commits:
			return false
		case restarts, handsOver:
			return true
		}
	}
	return false
}

// losing says whether any work is still to be lost.
func (m moments) losing() bool {
	return slices.ContainsFunc(m, func(x moment) bool { return x.what >= restarts })
}

// newMoments are a process's restarts and the moments at which it hands
// partitions over, each with its last commit before, and the snapshots.
// Commits are counted from startNs.
func newMoments(list []Restart, handovers []int64, commitNs, startNs int64) moments {
	var m moments
	lastCommit := func(at int64) {
		if commitNs > 0 && at > startNs {
			at = startNs + (at-startNs)/commitNs*commitNs
		}
		m = append(m, moment{atNs: at, what: commits})
	}
	for _, r := range list {
		lastCommit(r.AtNs)
		if r.State == StateRestored {
			m = append(m, moment{atNs: r.AtNs - r.AgeNs, what: snapshots})
		}
		m = append(m, moment{atNs: r.AtNs, what: restarts, restart: restart{r.DownNs, r.State}})
	}
	for _, at := range handovers {
		lastCommit(at)
		m = append(m, moment{atNs: at, what: handsOver})
	}
	slices.SortStableFunc(m, func(a, b moment) int {
		return cmp.Or(cmp.Compare(a.atNs, b.atNs), cmp.Compare(a.what, b.what))
	})
	return slices.CompactFunc(m, func(a, b moment) bool { return a == b && a.what == commits })
}

// pass lets the next moment happen. No start before it is still to come.
func (c *Consumer) pass() {
	m := c.moments[0]
	c.emit(m.atNs)
	c.keep()
	c.moments = c.moments[1:]
	c.draws.losing = c.loses()
	switch m.what {
	case commits:
		for _, p := range c.parts {
			p.commit(c.firstUndrawn(p))
		}
	case snapshots:
		c.draws.Events = append(c.draws.Events, Event{c.draws.Len(), StateSaved})
	case restarts:
		c.draws.Events = append(c.draws.Events, Event{c.draws.Len(), m.state})
		for _, p := range c.parts {
			c.bringBack(p, m.atNs)
			p.freeNs = m.atNs + m.downNs
		}
		for w := range c.free {
			c.free[w] = m.atNs + m.downNs
		}
	}
}

// loses says whether work done now may be lost. What is drawn in the order of starts has
// no gaps: all of it is committed by the last commit before a loss.
func (c *Consumer) loses() bool {
	if c.inOrder {
		return c.moments.open()
	}
	return c.moments.losing()
}

// keep remembers what was drawn in this epoch and may come again.
func (c *Consumer) keep() {
	c.draws.settle()
	if c.moments.losing() {
		for i := c.keptRow; i < c.draws.Len(); i++ {
			if c.draws.Repeat[i] {
				continue
			}
			p := c.part(c.draws.Partition[i])
			m := c.draws.message(i)
			m.drawn++
			p.kept = append(p.kept, m)
		}
	}
	c.keptRow = c.draws.Len()
}

// settle forgets what has been drawn and cannot come again.
func (c *Consumer) settle() {
	for _, p := range c.parts {
		switch {
		case !c.moments.losing():
			p.kept = nil
		case !c.moments.open():
			p.commit(c.firstUndrawn(p))
		}
	}
}

// commit forgets what was drawn before an ordinal.
func (p *partition) commit(ordinal int64) {
	p.kept = slices.DeleteFunc(p.kept, func(m waiting) bool { return m.ordinal < ordinal })
}

// firstUndrawn is the first message of a partition that has not been drawn
// since the process last had it.
func (c *Consumer) firstUndrawn(p *partition) int64 {
	first := p.nextOrdinal()
	for i := range c.pending {
		if c.pending[i].partition == p && !c.pending[i].message.repeat {
			first = min(first, c.pending[i].message.ordinal)
		}
	}
	return first
}

// bringBack puts what a partition's process loses at a moment in front of what
// waits: what it has drawn since the last commit, and what it has started.
func (c *Consumer) bringBack(p *partition, atNs int64) {
	c.repeats.forget(p, atNs)
	back := p.kept
	p.kept = nil
	rest := c.pending[:0]
	for _, s := range c.pending {
		switch {
		case s.partition != p:
			rest = append(rest, s)
		case s.message.repeat:
			s.message.delivery++
			p.work(&s.message)
			c.repeats.add(repeat{message: s.message, partition: p, afterNs: math.MinInt64})
		default:
			back = append(back, s.message)
		}
	}
	c.pending = rest
	c.pending.order()
	slices.SortFunc(back, func(a, b waiting) int { return cmp.Compare(a.ordinal, b.ordinal) })
	var q queue
	for i := range back {
		back[i].delivery++
		p.work(&back[i])
		q.add(&back[i])
	}
	q.addAll(&p.queue, p.queue.head, len(p.queue.arrivalNs))
	p.queue = q
}

// workAnew draws how long the messages of a queue take.
func (p *partition) workAnew(q *queue) {
	q.drop(q.head)
	q.serviceNs, q.handlingNs = q.serviceNs[:0], q.handlingNs[:0]
	for i := range q.arrivalNs {
		m := q.at(i)
		p.work(&m)
		q.work(i, &m)
	}
}

// work draws how long a delivery takes.
func (p *partition) work(m *waiting) {
	var word [luck.Purposes]uint64
	if p.random {
		word = p.luck.Words(m.offset, m.delivery)
	}
	p.spend(m, &word)
}

// settled lowers limits, by partition, to the first message of each that this
// consumer may still draw.
func (c *Consumer) settled(limits []int64) {
	for _, p := range c.parts {
		limits[p.index] = p.nextOrdinal()
		for i := range p.kept {
			limits[p.index] = min(limits[p.index], p.kept[i].ordinal)
		}
	}
	for i := range c.pending {
		p := c.pending[i].partition
		limits[p.index] = min(limits[p.index], c.pending[i].message.ordinal)
	}
	again := c.repeats.waiting()
	for i := range again {
		p := again[i].partition
		limits[p.index] = min(limits[p.index], again[i].message.ordinal)
	}
}
