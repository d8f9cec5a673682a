package secondslot

import (
	"errors"
	"fmt"
	"maps"

	"twindrift/generator"
)

var (
	_ generator.Generator   = (*Corrected)(nil)
	_ generator.Batcher     = (*Corrected)(nil)
	_ generator.Snapshotter = (*Corrected)(nil)
	_ generator.Coster      = (*Corrected)(nil)
)

// Corrected gives second-slot ids without the faults of the published form, for one
// goroutine: an id is always drawn, says its own node and is given once. What it cannot
// give it refuses with a *TimestampError:
//
//   - A second that has no room borrows from later ones, also of the next day, up to
//     Reach seconds away; past that, ErrNoRoom.
//   - The seconds of a day keep their counters for KeepDays days after it, counted from
//     the latest day drawn for; an earlier event is refused with ErrTooOld, or drawn as of
//     the oldest second that is kept (ClampOld).
//   - An event more than AheadDays days after the latest one, which would make all the
//     others old, is refused with ErrTooFarAhead. The first event sets where to count from.
//
// The first second with room is found by way of pointers that every search shortens
// behind itself (path halving, as in Tarjan and van Leeuwen, Worst-case analysis of set
// union algorithms, 1984), so a search costs next to nothing however long the full run.
//
// With Block, the numbers of a second are reserved in blocks, as if a mark ahead of them
// were written to disk before the first of each is given: a restart, with a snapshot
// (Restore) or without (Reset), goes on behind the marks and wastes what was left.
//
// Memory: 0.7 MB for each day in use.
type Corrected struct {
	formula
	cfg    CorrectedConfig
	days   map[uint64]*dayCounters
	last   *dayCounters // that of lastDay
	lastOf uint64
	newest uint64 // the latest day drawn for
	any    bool
	wasted int64
}

// dayCounters holds a word for each second of a day: below, the numbers given out, and
// above how many seconds further a search goes on, 0 where there is room.
type dayCounters [secondsPerDay]uint64

const (
	countBits = 20
	countMask = 1<<countBits - 1
)

// CorrectedConfig says how Corrected draws. Start from DefaultCorrected.
type CorrectedConfig struct {
	Config          // JumpLimit and WrapIDs play no part
	Reach     int64 // seconds that an id may lie after its event's
	KeepDays  int64 // days before the latest whose events are still drawn for
	AheadDays int64 // days after the latest
	ClampOld  bool  // draw older events as of the oldest second kept instead of refusing
	Block     int   // numbers that are reserved at a time; 0 for none
}

// DefaultCorrected has a reach of ten minutes, keeps three days, and marks every 50
// numbers.
func DefaultCorrected() CorrectedConfig {
	return CorrectedConfig{Config: DefaultConfig(), Reach: 600, KeepDays: 3, AheadDays: 1, Block: 50}
}

// Why Corrected refuses, beside ErrTooEarly and ErrTooLate; test with errors.Is.
var (
	ErrNoRoom      = errors.New("of a second without room, and so are all those in reach")
	ErrTooOld      = errors.New("older than the days that are kept: its ids may have been given out already")
	ErrTooFarAhead = errors.New("days after all that came before; is it in milliseconds?")
)

// safeStep is the smallest step at which no two ids share a float64: between 2^59 and
// 2^60 those are 128 apart.
const safeStep = 129

// NewCorrected makes a generator that has given out nothing.
func NewCorrected(cfg CorrectedConfig) (*Corrected, error) {
	cfg.WrapIDs = false
	f, err := newFormula(cfg.Config)
	switch {
	case err != nil:
		return nil, err
	case cfg.Node < 0 || cfg.Node > 9:
		return nil, fmt.Errorf("second-slot corrected: node %d: want 0 to 9, the digit of an id that says it", cfg.Node)
	case cfg.Step < safeStep:
		return nil, fmt.Errorf("second-slot corrected: step %d: want %d or more; nearer ids share a float64, and so a score in a sorted set", cfg.Step, safeStep)
	case int64(cfg.PerSecond)*int64(cfg.Step) > nodeTicks:
		return nil, fmt.Errorf("second-slot corrected: %d ids a second at a step of %d run into the next node's; want %d at most", cfg.PerSecond, cfg.Step, nodeTicks/int64(cfg.Step))
	case cfg.Reach < 0 || cfg.Reach > secondsPerDay:
		return nil, fmt.Errorf("second-slot corrected: reach %d s: want 0 to %d", cfg.Reach, secondsPerDay)
	case cfg.KeepDays < 0 || cfg.KeepDays > 366 || cfg.AheadDays < 0 || cfg.AheadDays > 366:
		return nil, fmt.Errorf("second-slot corrected: %d days kept, %d ahead: want 0 to 366", cfg.KeepDays, cfg.AheadDays)
	case cfg.Block < 0 || cfg.Block > cfg.PerSecond:
		return nil, fmt.Errorf("second-slot corrected: blocks of %d: want 0 to %d", cfg.Block, cfg.PerSecond)
	}
	return &Corrected{formula: f, cfg: cfg, days: map[uint64]*dayCounters{}}, nil
}

// Draw gives the id of an event. The clock plays no part in it. A refused timestamp is
// a *TimestampError and gives out nothing.
func (c *Corrected) Draw(eventMs, _ int64) (int64, generator.Outcome, error) {
	id, how, refused := c.draw(eventMs)
	if refused != nil {
		return 0, generator.Outcome{}, refused
	}
	return id, how, nil
}

func (c *Corrected) draw(eventMs int64) (int64, generator.Outcome, *TimestampError) {
	s, ok := c.second(eventMs)
	if !ok {
		return 0, generator.Outcome{}, c.refuse(eventMs)
	}
	s, err := c.admit(s)
	if err == nil {
		var at uint64
		var hops int32
		if at, hops, ok = c.find(s); ok {
			word := c.word(at)
			seq := *word & countMask
			*word++
			return c.id(at, seq, c.nodeTicks), generator.Outcome{Hops: hops}, nil
		}
		err = ErrNoRoom
	}
	return 0, generator.Outcome{}, &TimestampError{EventMs: eventMs, Err: err}
}

// DrawBatch draws for many events in their order (generator.Batcher). Of the calls only
// the event times are looked at. There is never an error.
func (c *Corrected) DrawBatch(calls generator.Calls, ids []int64, kinds []generator.Kind, hops []int32) error {
	for i, ms := range calls.EventMs {
		id, how, refused := c.draw(ms)
		if refused != nil {
			id, how.Kind = 0, refused.Kind()
		}
		ids[i], kinds[i], hops[i] = id, how.Kind, how.Hops
	}
	return nil
}

// Costs are the numbers wasted at restarts (generator.Coster).
func (c *Corrected) Costs() generator.Costs { return generator.Costs{Wasted: c.wasted} }

// DrawNode is Draw; the node must be the generator's own.
func (c *Corrected) DrawNode(node int32, eventMs int64) (int64, generator.Outcome, error) {
	if int(node) != c.cfg.Node {
		return 0, generator.Outcome{}, fmt.Errorf("second-slot corrected: a draw for node %d from the generator of node %d", node, c.cfg.Node)
	}
	return c.Draw(eventMs, 0)
}

// admit sees that the counters of a second are kept, and those of its day there. It
// gives the second to draw as of.
func (c *Corrected) admit(s uint64) (uint64, error) {
	day := s / secondsPerDay
	switch keep := uint64(c.cfg.KeepDays); {
	case !c.any:
		c.newest, c.any = day, true
	case day > c.newest+uint64(c.cfg.AheadDays):
		return 0, ErrTooFarAhead
	case day > c.newest:
		c.newest = day
		maps.DeleteFunc(c.days, func(d uint64, _ *dayCounters) bool { return d+keep < day })
		c.last = nil
	case day+keep < c.newest:
		if !c.cfg.ClampOld {
			return 0, ErrTooOld
		}
		return (c.newest - keep) * secondsPerDay, nil
	}
	return s, nil
}

// word is the word of a second.
func (c *Corrected) word(s uint64) *uint64 {
	day := s / secondsPerDay
	if c.last == nil || c.lastOf != day {
		counters := c.days[day]
		if counters == nil {
			counters = new(dayCounters)
			c.days[day] = counters
		}
		c.last, c.lastOf = counters, day
	}
	return &c.last[s%secondsPerDay]
}

// find gives the first second from s on that has room, and how many steps it took; false
// where that is out of reach.
func (c *Corrected) find(s uint64) (at uint64, hops int32, ok bool) {
	end := s + uint64(c.cfg.Reach)
	var before *uint64 // the word whose pointer led here
	beforeAt := s
	for at = s; ; hops++ {
		word := c.word(at)
		further := *word >> countBits
		if further == 0 {
			if *word&countMask < c.perSecond {
				return at, hops, true
			}
			further = 1
			*word |= further << countBits
		}
		if before != nil { // it leads past this one from now on
			*before = *before&countMask | (at+further-beforeAt)<<countBits
		}
		before, beforeAt = word, at
		if at += further; at > end {
			return 0, hops, false
		}
	}
}

// Reset is a restart that has lost all but the marks of Block, where there are any. What
// had been reserved and not given is wasted.
func (c *Corrected) Reset() {
	c.last = nil
	if c.cfg.Block == 0 {
		clear(c.days)
		c.any = false
		return
	}
	block := uint64(c.cfg.Block)
	for _, counters := range c.days {
		for i, word := range counters {
			count := word & countMask
			if reserved := min((count+block-1)/block*block, c.perSecond); reserved > count {
				c.wasted += int64(reserved - count)
				counters[i] = word + reserved - count
			}
		}
	}
}

// Wasted is how many numbers were reserved and never given, at restarts.
func (c *Corrected) Wasted() int64 { return c.wasted }

// correctedState is a snapshot of Corrected.
type correctedState struct {
	days   map[uint64]*dayCounters
	newest uint64
	any    bool
}

// Snapshot copies the counters.
func (c *Corrected) Snapshot() generator.State {
	return &correctedState{copied(c.days), c.newest, c.any}
}

// Restore puts the counters back as they were at a Snapshot, but for seconds whose marks
// say that more was reserved since; a nil state is that of a new process.
func (c *Corrected) Restore(state generator.State) {
	c.Reset()
	if state == nil {
		return
	}
	s := state.(*correctedState)
	if !c.any || s.any && s.newest > c.newest {
		c.newest, c.any = s.newest, s.any
	}
	marked := c.days
	c.days = copied(s.days)
	maps.DeleteFunc(c.days, func(day uint64, _ *dayCounters) bool { return day+uint64(c.cfg.KeepDays) < c.newest })
	for day, marks := range marked {
		counters := c.days[day]
		if counters == nil {
			c.days[day] = marks
			continue
		}
		for i, mark := range marks {
			if mark&countMask > counters[i]&countMask {
				counters[i] = mark
			}
		}
	}
}

func copied(days map[uint64]*dayCounters) map[uint64]*dayCounters {
	to := make(map[uint64]*dayCounters, len(days))
	for day, counters := range days {
		c := *counters
		to[day] = &c
	}
	return to
}

// Floor is the first id that the event's own second has: borrowing only leads forward,
// and so does ClampOld.
func (c *Corrected) Floor(eventMs, _ int64) int64 { return c.floor(eventMs) }
