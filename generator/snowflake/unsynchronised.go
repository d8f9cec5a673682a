package snowflake

import (
	"fmt"

	"twindrift/generator"
)

var (
	_ generator.Generator   = (*Unsynchronised)(nil)
	_ generator.Batcher     = (*Unsynchronised)(nil)
	_ generator.Snapshotter = (*Unsynchronised)(nil)
	_ generator.Coster      = (*Unsynchronised)(nil)
)

// UnsynchronisedConfig says how Unsynchronised draws.
type UnsynchronisedConfig struct {
	Worker  int64 // OR-ed into the id above the sequence number, whatever it is
	Workers int   // of the process, which call at the same time; at least 1
	CallNs  int64 // how long a call takes from reading the state to writing it, at least 1
}

// Unsynchronised is a snowflake generator that many workers call without a lock: calls
// that overlap in time read the same last ms and sequence number, and so give the same id
// where their clocks say the same ms. The last of them to write leaves its state.
//
// Calls overlap with the first of a group while that is at it: for CallNs, or until the
// next ms if it waits for that. Those after the first have the kind generator.Overlap; they
// are Workers - 1 at most, and calls beyond that come when the first is done.
type Unsynchronised struct {
	cfg   UnsynchronisedConfig
	s     unsynchronisedState
	costs generator.Costs
}

// numbered is what the published code keeps: the last ms and its last number.
type numbered struct{ lastMs, seq int64 }

type unsynchronisedState struct {
	timeline // free when the first of the group is done
	written  numbered
	read     numbered // by all of the group
	callers  int      // of the group
	startNs  int64    // when its first began
	startMs  int64    // what the clock said then
}

// NewUnsynchronised makes a generator as it is after a process start.
func NewUnsynchronised(cfg UnsynchronisedConfig) (*Unsynchronised, error) {
	if cfg.Workers < 1 || cfg.CallNs < 1 {
		return nil, fmt.Errorf("snowflake unsynchronised: %d workers, %d ns a call: want 1 or more of both", cfg.Workers, cfg.CallNs)
	}
	g := &Unsynchronised{cfg: cfg, s: unsynchronisedState{timeline: newTimeline()}}
	g.Reset()
	return g, nil
}

// Draw gives an id of the clock. A clock before the last id's is refused (ErrClockBack).
func (g *Unsynchronised) Draw(_, nowMs int64) (int64, generator.Outcome, error) {
	return drawOne(g, nowMs)
}

// DrawBatch draws many ids in their order (generator.Batcher). The error is nil.
func (g *Unsynchronised) DrawBatch(c generator.Calls, ids []int64, kinds []generator.Kind, hops []int32) error {
	drawBatch(g, c, ids, kinds, hops)
	return nil
}

func (g *Unsynchronised) draw(nowMs, atNs int64) (int64, generator.Kind) {
	s := &g.s
	c, kind := s.begin(nowMs, atNs), generator.Drawn
	if c.waitNs > 0 && s.callers < g.cfg.Workers {
		c, kind = s.join(nowMs), generator.Overlap
	} else {
		s.read, s.callers = s.written, 1
		s.startNs, s.startMs = c.ns, c.now()
	}
	ms := c.now()
	if kind := inTime(ms); kind.Refused() {
		return 0, kind
	}
	to := numbered{ms, 0}
	switch {
	case ms < s.read.lastMs:
		return 0, generator.ClockBack
	case ms == s.read.lastMs:
		if to.seq = (s.read.seq + 1) % seqs; to.seq == 0 {
			to.lastMs = ms + 1
			c.spin(to.lastMs)
		}
	}
	s.written = to
	given(&g.costs, &c)
	if kind == generator.Drawn {
		c.ns += g.cfg.CallNs
		s.end(&c)
	}
	return compose(to.lastMs, g.cfg.Worker, to.seq), kind
}

// join starts a call that comes while the first of a group is at it; where that has
// still to begin, since all workers are busy before, it begins with it.
func (s *unsynchronisedState) join(nowMs int64) call {
	s.callers++
	c := call{clockMs: nowMs, atNs: s.atNs, ns: s.atNs}
	if s.startNs > c.ns {
		c.wait(s.startNs)
		if c.now() == s.startMs-1 { // as in begin
			c.clockMs, c.atNs = s.startMs, s.startNs
		}
	}
	return c
}

// Costs is only waiting.
func (g *Unsynchronised) Costs() generator.Costs { return g.costs }

// Reset forgets the last ms and number.
func (g *Unsynchronised) Reset() {
	fresh := numbered{lastMs: -1} // as published
	// The new process has no part in the group that may still be at it.
	g.s = unsynchronisedState{timeline: g.s.timeline, written: fresh, read: fresh, callers: g.cfg.Workers}
}

// Snapshot copies the state.
func (g *Unsynchronised) Snapshot() generator.State { s := g.s; return &s }

// Restore puts the state back as it was at a Snapshot; nil is that of a new process.
func (g *Unsynchronised) Restore(from generator.State) {
	g.Reset()
	if s, ok := from.(*unsynchronisedState); ok {
		t := g.s.timeline
		g.s = *s
		g.s.timeline = t.later(s.timeline)
	}
}

// Floor is the ms of nowMs with nothing after it.
func (g *Unsynchronised) Floor(_, nowMs int64) int64 { return floorOf(nowMs, g.cfg.Worker) }
