package rediscounter

import (
	"fmt"
	"math"

	"twindrift/generator"
)

var (
	_ generator.Generator   = (*Corrected)(nil)
	_ generator.Batcher     = (*Corrected)(nil)
	_ generator.Snapshotter = (*Corrected)(nil)
	_ generator.Coster      = (*Corrected)(nil)
)

// Corrected gives ids of the same format without the published faults:
//
//   - Counts stay below 2^31. When those of a day are used up, draws are refused with
//     ErrCounterFull.
//   - A process takes Config.Block numbers of a day at a time. A call that needs a block
//     waits for it, a round trip, and so do calls that come meanwhile. What is left of a
//     block at a restart is wasted; so is, once a process draws for a third day, what is
//     left of the day that it has not drawn for the longest.
//   - Keys expire two days after they were last used. With Config.ByEvent, messages of a
//     day that come again later than that get numbers from the start, which have the kind
//     generator.CounterBack.
//   - While Redis is down, the process goes on by itself (see local).
//   - A process remembers the highest number that it got of a day, and takes a block only
//     above it: where a failover has put the counter back, it first brings it up again.
//     What other processes got, and what itself got before a restart or of a day that it
//     has let go of since, it cannot see: a block with such a number has the kind
//     generator.CounterBack, and the ids are duplicates where the second is the same too.
type Corrected struct {
	cfg   Config
	days  [2]day // the one last drawn for first
	local local
	costs generator.Costs
}

// day is what a process has of the numbers of a day.
type day struct {
	of        int64 // local day
	next, end int64 // counts next..end-1 are there to give
	readyNs   int64 // when they arrive
	kind      generator.Kind
	highest   int64 // value of the counter that was seen
	full      bool
	used      bool // this is a day at all
}

// keepNs is how long a key lives after its last use: two days.
const keepNs = 2 * dayMs * 1_000_000

// NewCorrected makes a generator that has taken no numbers.
func NewCorrected(cfg Config) (*Corrected, error) {
	err := cfg.check()
	switch {
	case err != nil:
		return nil, err
	case cfg.Node < 0 || cfg.Node > maxNode:
		return nil, fmt.Errorf("redis-counter corrected: node %d: want 0 to %d, the digits that say it while redis is down", cfg.Node, maxNode)
	case cfg.Block < 1 || cfg.Block > localBit:
		return nil, fmt.Errorf("redis-counter corrected: blocks of %d: want 1 to 2^31", cfg.Block)
	}
	c := &Corrected{cfg: cfg}
	c.forget()
	return c, nil
}

// Draw gives an id of the clock, or of the event with Config.ByEvent. The virtual time is
// taken from the clock. Refused with a *RefusedError: a time without room, and a day
// whose numbers are used up.
func (c *Corrected) Draw(eventMs, nowMs int64) (int64, generator.Outcome, error) {
	id, kind := c.draw(eventMs, nowMs, nowMs*1_000_000)
	if kind.Refused() {
		return 0, generator.Outcome{}, refusal(kind, c.cfg.timeMs(eventMs, nowMs))
	}
	return id, generator.Outcome{Kind: kind}, nil
}

// DrawBatch draws for many messages in their order (generator.Batcher). The error is nil.
func (c *Corrected) DrawBatch(calls generator.Calls, ids []int64, kinds []generator.Kind, hops []int32) error {
	for i := range calls.EventMs {
		ids[i], kinds[i] = c.draw(calls.EventMs[i], calls.NowMs[i], calls.AtNs[i])
		hops[i] = 0
	}
	return nil
}

func (c *Corrected) draw(eventMs, nowMs, atNs int64) (int64, generator.Kind) {
	s, of, kind := c.cfg.seconds(c.cfg.timeMs(eventMs, nowMs))
	if kind.Refused() {
		return 0, kind
	}
	c.cfg.Server.Began(atNs)
	c.local.start(nowMs, atNs)
	d := c.day(of)
	if d.next == d.end {
		switch kind := c.take(d, atNs); kind {
		case generator.RedisDown:
			return c.drawLocal(nowMs, atNs)
		case generator.CounterFull:
			return 0, kind
		}
	}
	c.costs.Waits.Add(max(d.readyNs-atNs, 0) / 1000)
	count := d.next
	d.next++
	return s<<countBits | count, d.kind
}

// day is the first of the days after this.
func (c *Corrected) day(of int64) *day {
	if d := &c.days[0]; d.used && d.of == of {
		return d
	}
	c.days[0], c.days[1] = c.days[1], c.days[0]
	d := &c.days[0]
	if !d.used || d.of != of {
		c.costs.Wasted += d.end - d.next
		*d = day{of: of, used: true}
	}
	return d
}

// take gets a block of numbers; the kind is a refusal where it gets none.
func (c *Corrected) take(d *day, atNs int64) generator.Kind {
	if d.full {
		return generator.CounterFull
	}
	rttNs := c.cfg.Server.RoundTripNs()
	startNs := max(atNs, d.readyNs)
	for by := c.cfg.Block; ; {
		reply, err := c.cfg.Server.Incr(startNs+rttNs/2, key(d.of), by, keepNs)
		if err != nil {
			return generator.RedisDown
		}
		c.costs.RoundTrips++
		startNs += rttNs
		first := reply.Value - by // the counts are those above it
		if first >= d.highest {
			d.highest, d.readyNs, d.kind = reply.Value, startNs, generator.Drawn
			if reply.Again {
				d.kind = generator.CounterBack
			}
			d.next = min(c.cfg.Start+first+1, localBit)
			d.end = min(c.cfg.Start+reply.Value+1, localBit)
			d.full = d.end == localBit
			if d.next == d.end {
				return generator.CounterFull
			}
			return generator.Drawn
		}
		// A failover has put the counter back. Bring it up to what this process has had,
		// and then take a block.
		by = c.cfg.Block
		if reply.Value < d.highest {
			by = d.highest - reply.Value
		}
	}
}

// Costs is a round trip a block, and waits for those.
func (c *Corrected) Costs() generator.Costs { return c.costs }

// Reset is a restart: the numbers at hand are wasted, and the process has forgotten all.
// What Redis counts stays.
func (c *Corrected) Reset() {
	for _, d := range c.days {
		c.costs.Wasted += d.end - d.next
	}
	c.forget()
}

func (c *Corrected) forget() {
	c.days = [2]day{}
	c.local = local{lastMs: math.MinInt64, endNs: c.local.endNs}
}

// state is a snapshot: what has been seen, but no numbers. Those could be given again, as
// the process may have drawn after the snapshot.
type state struct {
	days   [2]day
	lastMs int64
}

// Snapshot copies what the process knows, without the numbers that it has at hand.
func (c *Corrected) Snapshot() generator.State {
	s := &state{c.days, c.local.lastMs}
	for i := range s.days {
		d := &s.days[i]
		d.next, d.end = 0, 0
	}
	return s
}

// Restore is a restart that knows what a snapshot says; a nil one says nothing.
func (c *Corrected) Restore(from generator.State) {
	c.Reset()
	if s, ok := from.(*state); ok {
		c.days, c.local.lastMs = s.days, s.lastMs
	}
}

// Floor is the second of nowMs with a count of 0. With Config.ByEvent it is that of
// eventMs, or of nowMs where that is before: ids that the process gives without Redis go
// by the clock.
func (c *Corrected) Floor(eventMs, nowMs int64) int64 {
	if c.cfg.ByEvent {
		return c.cfg.floor(min(eventMs, nowMs))
	}
	return c.cfg.floor(nowMs)
}
