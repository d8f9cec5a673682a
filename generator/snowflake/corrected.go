package snowflake

import (
	"fmt"
	"math"

	"twindrift/generator"
	"twindrift/generator/redis"
)

var (
	_ generator.Generator   = (*Corrected)(nil)
	_ generator.Batcher     = (*Corrected)(nil)
	_ generator.Snapshotter = (*Corrected)(nil)
	_ generator.Coster      = (*Corrected)(nil)
)

// Corrected takes ranges of sequence numbers from Redis, as Preallocated, and gives no id
// twice. The numbers belong to a window, the ms that the id says: the counter
// snowflake:alloc:{worker}:{ms} counts how many of its 4096 are taken, and a range is a
// part of them. A process
//
//   - uses a window until the clock is past it, and then leaves the rest of its numbers;
//   - asks for the window that lies LeadMs after the answer comes, so that one answer does
//     for that long: ids say up to a round trip and LeadMs more than the clock;
//   - asks ahead when 80 % of a range are used, or of the time until the window is past,
//     and waits only where the answer is not there yet;
//   - when a window has no more ranges goes on with the next, ahead of the clock;
//   - when the clock goes back, leaves the numbers it has and asks for windows of the clock
//     as it is now: Redis knows what is taken of them, as long as their keys live. Beyond
//     half of that, by what the process remembers of its latest window, it refuses
//     (ErrClockBack);
//   - without Redis gives ids of windows of its own (see lockstep), which are the odd ms.
//     Those from Redis are the even ones.
//
// An answer that is not above what the process has of the window (a failover has put the
// counter back) is left, and it asks again. What it had before a restart it cannot know;
// ids of such a range have the kind generator.CounterBack.
//
// Two processes with one worker number on one server share its windows without harm, if
// their clocks are not further apart than keys live, but not while Redis is down. What can still give an id twice is a clock that is put back
// across a restart, further than keys live or while Redis is down.
type Corrected struct {
	cfg      CorrectedConfig
	s        correctedState
	costs    generator.Costs
	tripMs   int64 // a round trip, rounded up
	earlyMs  int64 // how long before the end of a window the next is asked for
	mostUsed int64 // numbers left of a range at which the next is asked for
}

// CorrectedConfig says how Corrected draws. Start from DefaultCorrected.
type CorrectedConfig struct {
	Server *redis.Server
	Worker int64 // 0 to 1023
	Range  int64 // numbers taken at a time: 512 or 1024
	// LeadMs is how far after the answer a window lies that is asked for, 0 to 1000. At 0
	// every ms of the clock takes a round trip of its own.
	LeadMs int64
	// KeyLifeMs is when a key expires after its last use, at least 60,000. A clock that
	// goes back by half of it stops the process until it has caught up.
	KeyLifeMs int64
}

// DefaultCorrected is worker 0, ranges of 1024, a lead of 5 ms, and keys of ten minutes.
func DefaultCorrected(s *redis.Server) CorrectedConfig {
	return CorrectedConfig{Server: s, Range: 1024, LeadMs: 5, KeyLifeMs: 600_000}
}

type correctedState struct {
	timeline
	now   span // what ids are taken from
	ahead span // what was asked for beside it

	// The latest window taken, how many of its numbers, and when.
	highest, highestEnd, highestNs int64

	local lockstep
}

// NewCorrected makes a generator that has taken nothing.
func NewCorrected(cfg CorrectedConfig) (*Corrected, error) {
	if cfg.Server == nil {
		return nil, errNoServer
	}
	if err := ownWorker("corrected", cfg.Worker); err != nil {
		return nil, err
	}
	switch {
	case cfg.Range != 512 && cfg.Range != 1024:
		return nil, fmt.Errorf("snowflake corrected: ranges of %d: want 512 or 1024", cfg.Range)
	case cfg.LeadMs < 0 || cfg.LeadMs > 1000:
		return nil, fmt.Errorf("snowflake corrected: a lead of %d ms: want 0 to 1000", cfg.LeadMs)
	case cfg.KeyLifeMs < 60_000 || cfg.KeyLifeMs > 366*86_400_000:
		return nil, fmt.Errorf("snowflake corrected: keys of %d ms: want a minute to a year", cfg.KeyLifeMs)
	}
	tripMs := (cfg.Server.RoundTripNs() + nsPerMs - 1) / nsPerMs
	g := &Corrected{cfg: cfg, tripMs: tripMs, earlyMs: max(cfg.LeadMs/5, tripMs), mostUsed: cfg.Range / 5}
	if tripMs == 0 {
		g.earlyMs = -1 // no answer takes time: nothing is gained
	}
	g.s.timeline = newTimeline()
	g.forget()
	return g, nil
}

// Draw gives an id of the clock. Refused with a *RefusedError: a clock that has gone back
// too far.
func (g *Corrected) Draw(_, nowMs int64) (int64, generator.Outcome, error) {
	return drawOne(g, nowMs)
}

// DrawBatch draws many ids in their order (generator.Batcher). The error is nil.
func (g *Corrected) DrawBatch(c generator.Calls, ids []int64, kinds []generator.Kind, hops []int32) error {
	drawBatch(g, c, ids, kinds, hops)
	return nil
}

func (g *Corrected) draw(nowMs, atNs int64) (int64, generator.Kind) {
	g.cfg.Server.Began(atNs)
	c := g.s.begin(nowMs, atNs)
	ms := c.now()
	if kind := inTime(ms); kind.Refused() {
		return 0, kind
	}
	g.s.local.start(ms)
	if ms < g.s.readMs {
		g.drop(&g.s.now)
		g.drop(&g.s.ahead)
	}
	id, kind := g.give(&c, ms)
	g.s.end(&c)
	if !kind.Refused() {
		given(&g.costs, &c)
	}
	return id, kind
}

// Costs is a round trip for every range, of which much is wasted where ids are rare.
func (g *Corrected) Costs() generator.Costs { return g.costs }

// Reset is a restart: the numbers at hand are wasted, and the process has forgotten all.
// What Redis counts stays.
func (g *Corrected) Reset() {
	g.drop(&g.s.now)
	g.drop(&g.s.ahead)
	g.forget()
}

func (g *Corrected) forget() {
	g.s = correctedState{timeline: g.s.timeline, local: lockstep{window: math.MinInt64}}
}

// Snapshot copies what the process knows, without the numbers that it has at hand: they
// could be given again.
func (g *Corrected) Snapshot() generator.State {
	s := g.s
	s.now, s.ahead = span{}, span{}
	return &s
}

// Restore is a restart that knows what a snapshot says; a nil one says nothing.
func (g *Corrected) Restore(from generator.State) {
	g.Reset()
	if s, ok := from.(*correctedState); ok {
		t := g.s.timeline
		g.s = *s
		g.s.timeline, g.s.local.started = t.later(s.timeline), false
	}
}

// Floor is the ms of nowMs with nothing after it: windows lie at or after the clock.
func (g *Corrected) Floor(_, nowMs int64) int64 { return floorOf(nowMs, g.cfg.Worker) }
