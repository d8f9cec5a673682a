package snowflake

import (
	"errors"

	"twindrift/generator"
	"twindrift/generator/redis"
)

var (
	_ generator.Generator   = (*Locked)(nil)
	_ generator.Batcher     = (*Locked)(nil)
	_ generator.Snapshotter = (*Locked)(nil)
	_ generator.Coster      = (*Locked)(nil)
)

// errNoServer is a configuration without a server.
var errNoServer = errors.New("snowflake: no redis server to share numbers by")

const (
	lockNs  = 5 * nsPerMs // after which a lock lets go by itself
	retryNs = 1 * nsPerMs // between two tries to get it
)

// Locked is the published generator with a Redis lock. A call
//
//  1. reads the clock; one before the last ms is refused (ErrClockBack);
//  2. in a ms after the last, sets the last ms and the sequence number 0, and gives 0,
//     which is no id (generator.ZeroID);
//  3. in the last ms, takes the lock snowflake:lock:{worker}:{ms} for 5 ms; where another
//     has it, sleeps 1 ms and starts again;
//  4. with the lock reads the clock again, adds 1 to the sequence number, modulo 4096, and
//     at 0 spins to the next ms;
//  5. gives the lock back, and the id of that ms and number.
//
// An id takes two round trips. The last ms and number are in the process, so the lock
// keeps nobody apart: two processes with one worker number give the same ids.
//
// A lock runs out under a holder that is slow, as when the round trip is long. What the
// holder's command to give it back then does to the next holder's is left out here.
type Locked struct {
	cfg   LockedConfig
	me    redis.Locker
	s     lockedState
	costs generator.Costs
}

// LockedConfig says how Locked draws.
type LockedConfig struct {
	Server *redis.Server
	Worker int64 // OR-ed into the id above the sequence number, whatever it is
}

type lockedState struct {
	timeline
	numbered
}

// NewLocked makes a generator as it is after a process start.
func NewLocked(cfg LockedConfig) (*Locked, error) {
	if cfg.Server == nil {
		return nil, errNoServer
	}
	g := &Locked{cfg: cfg, me: cfg.Server.Locker(cfg.Worker), s: lockedState{timeline: newTimeline()}}
	g.Reset()
	return g, nil
}

// Draw gives an id of the clock, or 0. Refused with a *RefusedError: a clock before the
// last id's, and a call that needs Redis while it is down.
func (g *Locked) Draw(_, nowMs int64) (int64, generator.Outcome, error) { return drawOne(g, nowMs) }

// DrawBatch draws many ids in their order (generator.Batcher). The error is nil.
func (g *Locked) DrawBatch(c generator.Calls, ids []int64, kinds []generator.Kind, hops []int32) error {
	drawBatch(g, c, ids, kinds, hops)
	return nil
}

func (g *Locked) draw(nowMs, atNs int64) (int64, generator.Kind) {
	g.cfg.Server.Began(atNs)
	c := g.s.begin(nowMs, atNs)
	g.me.Began(c.ns)
	id, kind := g.give(&c)
	g.s.end(&c)
	if !kind.Refused() {
		given(&g.costs, &c)
	}
	return id, kind
}

// give is the steps of Locked.
func (g *Locked) give(c *call) (int64, generator.Kind) {
	s, server := &g.s, g.cfg.Server
	halfNs := server.RoundTripNs() / 2
	var lock redis.Key
	var lockedNs int64
	for got := false; !got; {
		ms := c.now()
		switch kind := inTime(ms); {
		case kind.Refused():
			return 0, kind
		case ms < s.lastMs:
			return 0, generator.ClockBack
		case ms > s.lastMs:
			s.lastMs, s.seq = ms, 0
			return 0, generator.ZeroID
		}
		lock = redis.Key{Name: redis.Lock, Of: g.cfg.Worker, Window: ms}
		lockedNs = c.ns + halfNs
		var err error
		if got, err = server.TryLock(lockedNs, lock, lockNs); err != nil {
			return 0, generator.RedisDown
		}
		g.trip(c)
		if !got {
			c.wait(c.ns + retryNs)
		}
	}
	if s.seq = (s.seq + 1) % seqs; s.seq == 0 {
		c.spin(s.lastMs + 1)
	}
	s.lastMs = c.now()
	if kind := inTime(s.lastMs); kind.Refused() {
		return 0, kind
	}
	id := compose(s.lastMs, g.cfg.Worker, s.seq)
	if unlockNs := c.ns + halfNs; unlockNs < lockedNs+lockNs {
		if err := server.Unlock(unlockNs, lock); err != nil {
			return 0, generator.RedisDown // the id is lost with the error
		}
	}
	g.trip(c)
	return id, generator.Drawn
}

// trip is the time of a round trip.
func (g *Locked) trip(c *call) {
	c.ns += g.cfg.Server.RoundTripNs()
	g.costs.RoundTrips++
}

// Costs is two round trips an id, and more where the lock is taken.
func (g *Locked) Costs() generator.Costs { return g.costs }

// Reset forgets the last ms and number.
func (g *Locked) Reset() { g.s = lockedState{g.s.timeline, numbered{lastMs: -1}} }

// Snapshot copies the state.
func (g *Locked) Snapshot() generator.State { s := g.s; return &s }

// Restore puts the state back as it was at a Snapshot; nil is that of a new process.
func (g *Locked) Restore(from generator.State) {
	g.Reset()
	if s, ok := from.(*lockedState); ok {
		g.s = lockedState{g.s.timeline.later(s.timeline), s.numbered}
	}
}

// Floor is 0, as that may always come, or what lies below it.
func (g *Locked) Floor(_, nowMs int64) int64 { return min(0, floorOf(nowMs, g.cfg.Worker)) }
