package snowflake

import (
	"fmt"

	"twindrift/generator"
	"twindrift/generator/redis"
)

var (
	_ generator.Generator   = (*Preallocated)(nil)
	_ generator.Batcher     = (*Preallocated)(nil)
	_ generator.Snapshotter = (*Preallocated)(nil)
	_ generator.Coster      = (*Preallocated)(nil)
)

// Preallocated is the published generator that takes ranges of sequence numbers from
// Redis, out of the counter snowflake:alloc:{worker}:{second}. It keeps these faults:
//
//   - The allocator adds Range to the counter and gives [old - Range, old - 1]: the first
//     range of every second is negative. OR-ed, its numbers wipe time and worker, so all
//     workers give the ids -Range to -1 (generator.NegativeRange).
//   - Numbers past 4095 run into the worker (generator.SequenceSpill).
//   - The first number of a range is followed by the one after the next.
//   - The numbers have nothing to do with the ms, nor the range at hand with the second: one
//     of an earlier second (generator.StaleRange) can have a number that this second's
//     counter gives too.
//   - A clock that goes back is not noticed.
//   - The keys never expire. Numbers at hand are lost at a restart.
//
// A call reads the clock first. One that needs a range waits for it; without Redis it is
// refused.
type Preallocated struct {
	cfg   PreallocatedConfig
	s     preallocatedState
	costs generator.Costs
}

// PreallocatedConfig says how Preallocated draws.
type PreallocatedConfig struct {
	Server *redis.Server
	Worker int64 // OR-ed into the id above the sequence number, whatever it is
	Range  int64 // numbers taken at a time, at least 1; published are 512 and 1024
}

// DefaultPreallocated is worker 0 and ranges of 1024.
func DefaultPreallocated(s *redis.Server) PreallocatedConfig {
	return PreallocatedConfig{Server: s, Range: 1024}
}

type preallocatedState struct {
	timeline
	current, last int64 // the numbers after current, up to last, are at hand
	second        int64 // that they were allotted for
	kind          generator.Kind
}

// NewPreallocated makes a generator as it is after a process start.
func NewPreallocated(cfg PreallocatedConfig) (*Preallocated, error) {
	if cfg.Server == nil {
		return nil, errNoServer
	}
	if cfg.Range < 1 || cfg.Range > 1<<32 {
		return nil, fmt.Errorf("snowflake preallocated: ranges of %d: want 1 to 2^32", cfg.Range)
	}
	return &Preallocated{cfg: cfg, s: preallocatedState{timeline: newTimeline()}}, nil
}

// Draw gives an id of the clock. A call that needs a range while Redis is down is refused
// with a *RefusedError.
func (g *Preallocated) Draw(_, nowMs int64) (int64, generator.Outcome, error) {
	return drawOne(g, nowMs)
}

// DrawBatch draws many ids in their order (generator.Batcher). The error is nil.
func (g *Preallocated) DrawBatch(c generator.Calls, ids []int64, kinds []generator.Kind, hops []int32) error {
	drawBatch(g, c, ids, kinds, hops)
	return nil
}

func (g *Preallocated) draw(nowMs, atNs int64) (int64, generator.Kind) {
	s := &g.s
	c := s.begin(nowMs, atNs)
	ms := c.now()
	if kind := inTime(ms); kind.Refused() {
		return 0, kind
	}
	seq := s.current + 1
	if seq <= s.last {
		s.current++
	} else {
		first, ok := g.refill(&c, ms)
		if !ok {
			return 0, generator.RedisDown
		}
		seq = first
	}
	s.end(&c)
	given(&g.costs, &c)
	kind := s.kind
	switch {
	case seq < 0:
		kind = generator.NegativeRange
	case seq >= seqs:
		kind = generator.SequenceSpill
	case kind == generator.Drawn && s.second != generator.FloorDiv(ms, 1000):
		kind = generator.StaleRange
	}
	return compose(ms, g.cfg.Worker, seq), kind
}

// refill takes a range and gives its first number; the second one is skipped.
func (g *Preallocated) refill(c *call, ms int64) (first int64, ok bool) {
	s, server := &g.s, g.cfg.Server
	key := redis.Key{Name: redis.Alloc, Of: g.cfg.Worker, Window: generator.FloorDiv(ms, 1000)}
	reply, err := server.Incr(c.ns+server.RoundTripNs()/2, key, g.cfg.Range, 0)
	if err != nil {
		return 0, false
	}
	g.costs.RoundTrips++
	if reply.New {
		g.costs.Keys++
	}
	c.wait(c.ns + server.RoundTripNs())
	s.kind = generator.Drawn
	if reply.Again {
		s.kind = generator.CounterBack
	}
	old := reply.Value - g.cfg.Range
	first, s.last = old-g.cfg.Range, old-1
	s.current, s.second = first+1, key.Window
	if g.cfg.Range > 1 {
		g.costs.Wasted++
	}
	return first, true
}

// Costs is a round trip for Range - 1 ids, and a key for every second with a refill.
func (g *Preallocated) Costs() generator.Costs { return g.costs }

// Reset loses the numbers at hand.
func (g *Preallocated) Reset() {
	g.costs.Wasted += max(g.s.last-g.s.current, 0)
	g.s = preallocatedState{timeline: g.s.timeline}
}

// Snapshot copies the state.
func (g *Preallocated) Snapshot() generator.State { s := g.s; return &s }

// Restore puts the state back as it was at a Snapshot, with the numbers that were at hand
// then, whether they have been given since or not; nil is that of a new process.
func (g *Preallocated) Restore(from generator.State) {
	g.Reset()
	if s, ok := from.(*preallocatedState); ok {
		t := g.s.timeline
		g.s = *s
		g.s.timeline = t.later(s.timeline)
	}
}

// Floor is the smallest number of a negative range, which may always come, or what lies
// below it.
func (g *Preallocated) Floor(_, nowMs int64) int64 {
	return min(-g.cfg.Range, floorOf(nowMs, g.cfg.Worker))
}
