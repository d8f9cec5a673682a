package secondslot

import (
	"sync/atomic"

	"twindrift/generator"
)

var _ generator.Generator = (*Concurrent)(nil)

// Concurrent is the published second-slot generator for many goroutines: every
// slot is a word that changes by compare-and-swap only, as in production. In
// one goroutine it gives the ids that Generator gives.
type Concurrent struct {
	formula
	slots [secondsPerDay]atomic.Uint64
}

// NewConcurrent makes a generator with empty slots, as after a process start.
func NewConcurrent(cfg Config) (*Concurrent, error) {
	f, err := newFormula(cfg)
	if err != nil {
		return nil, err
	}
	return &Concurrent{formula: f}, nil
}

// Draw gives the id of an event for the configured node. Any number of
// goroutines may call it at once. The clock plays no part in it. A refused
// timestamp is a *TimestampError and changes nothing.
func (c *Concurrent) Draw(eventMs, _ int64) (int64, generator.Outcome, error) {
	return c.draw(c.nodeTicks, eventMs)
}

// DrawNode is Draw for any node, as Generator.DrawNode.
func (c *Concurrent) DrawNode(node int32, eventMs int64) (int64, generator.Outcome, error) {
	return c.draw(int64(node)*nodeTicks, eventMs)
}

func (c *Concurrent) draw(node, eventMs int64) (int64, generator.Outcome, error) {
	s, ok := c.second(eventMs) // step 1
	if !ok {
		return 0, generator.Outcome{}, c.refuse(eventMs)
	}
	day, sec := s/secondsPerDay, s%secondsPerDay
	slot := &c.slots[sec]
	if word := slot.Load(); word>>dayShift == day && word&(1<<dayShift-1) < c.perSecond && slot.CompareAndSwap(word, word+1) {
		return c.id(s, word&nextMask, node), generator.Outcome{}, nil // steps 5 and 11, as mostly
	}
	at, seq, how := c.walk(day, sec)
	return c.id(s-sec+at, seq, node), how, nil // step 11
}

// walk is steps 2 to 10 for second sec of a day: it gives the second of the
// day and the sequence number that the id has to say.
func (c *Concurrent) walk(day, sec uint64) (at, seq uint64, how generator.Outcome) {
	for at = sec; ; {
		var jump uint64
		var stale bool
		if seq, jump, stale = c.enter(at, day); stale {
			return sec, 0, generator.Outcome{Kind: generator.StaleDay, Hops: how.Hops}
		}
		if jump == 0 {
			break
		}
		at = jump // step 9; the slot at at has not been read
		if at >= secondsPerDay {
			how.Kind = generator.DayEnd
			break
		}
		how.Hops++
		if how.Hops > c.jumpLimit {
			how.Kind = generator.JumpLimit
			break
		}
	}
	if how.Hops > 2 && at-sec > 1 {
		c.shorten(sec, at, day)
	}
	return at, seq, how
}

// shorten is step 10: slot sec leads to slot at at once from now on. It keeps a
// published fault: the day of the word is not looked at, so a newer day that
// has taken the slot meanwhile is put back to this one, and draws its ids again.
func (c *Concurrent) shorten(sec, at, day uint64) {
	word := c.slots[sec].Load()
	if _, jump, _ := unpack(word); jump < at {
		c.slots[sec].CompareAndSwap(word, pack(day, at, c.perSecond))
	}
}

// enter is steps 2 to 8 at one slot. It gives the sequence number drawn there
// (jump 0), or the slot to go on to and the number that the full slot stands
// at, or says that the slot belongs to a later day.
func (c *Concurrent) enter(at, day uint64) (seq, jump uint64, stale bool) {
	slot := &c.slots[at]
	for {
		word := slot.Load()
		slotDay, jump, next := unpack(word)
		var to uint64
		switch {
		case slotDay > day: // step 3
			return 0, 0, true
		case slotDay < day: // step 4
			jump, next, to = 0, 0, pack(day, 0, 1)
		case jump > 0: // step 7
			return next, jump, false
		case next < c.perSecond: // step 5
			to = word + 1
		default: // step 6
			jump = at + 1
			to = pack(day, jump, next)
		}
		if slot.CompareAndSwap(word, to) { // step 8
			return next, jump, false
		}
	}
}

// Reset empties the slots: a restarted process has forgotten what it gave out.
// Draws that run at the same time may see some slots emptied and others not.
func (c *Concurrent) Reset() {
	for i := range c.slots {
		c.slots[i].Store(0)
	}
}

// Floor is as Generator.Floor.
func (c *Concurrent) Floor(eventMs, _ int64) int64 { return c.floor(eventMs) }
