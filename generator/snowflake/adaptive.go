package snowflake

import (
	"twindrift/generator"
	"twindrift/generator/redis"
)

var (
	_ generator.Generator   = (*Adaptive)(nil)
	_ generator.Batcher     = (*Adaptive)(nil)
	_ generator.Snapshotter = (*Adaptive)(nil)
	_ generator.Coster      = (*Adaptive)(nil)
)

// Adaptive takes its numbers straight from Redis, in blocks whose size follows the recent
// rate: 128 at first, twice as many, up to 4096, after a block that lasted less than
// 100 ms, and half as many, down to 128, after one that lasted more than a second.
//
// A process that has used up its block waits for the next, and is refused one while Redis
// is down. How numbers become ids, and when an id can come twice, is told at blocks.
type Adaptive struct {
	cfg   AdaptiveConfig
	s     adaptiveState
	costs generator.Costs
}

// AdaptiveConfig says how Adaptive draws.
type AdaptiveConfig struct {
	Server *redis.Server
	Worker int64 // 0 to 1023
}

type adaptiveState struct {
	blocks
	size    int64 // of the last block; 0 before the first
	askedNs int64 // when that was asked for
}

const (
	smallestBlock = 128
	largestBlock  = seqs
	shortNs       = 100 * nsPerMs
	longNs        = 1000 * nsPerMs
)

// NewAdaptive makes a generator that has no numbers.
func NewAdaptive(cfg AdaptiveConfig) (*Adaptive, error) {
	if cfg.Server == nil {
		return nil, errNoServer
	}
	if err := ownWorker("adaptive", cfg.Worker); err != nil {
		return nil, err
	}
	return &Adaptive{cfg: cfg, s: adaptiveState{blocks: newBlocks()}}, nil
}

// Draw gives an id of the clock. A call that needs a block while Redis is down is refused
// with a *RefusedError.
func (g *Adaptive) Draw(_, nowMs int64) (int64, generator.Outcome, error) { return drawOne(g, nowMs) }

// DrawBatch draws many ids in their order (generator.Batcher). The error is nil.
func (g *Adaptive) DrawBatch(c generator.Calls, ids []int64, kinds []generator.Kind, hops []int32) error {
	drawBatch(g, c, ids, kinds, hops)
	return nil
}

func (g *Adaptive) draw(nowMs, atNs int64) (int64, generator.Kind) {
	return g.s.draw(g, &g.costs, g.cfg.Worker, nowMs, atNs)
}

// block takes numbers from Redis.
func (g *Adaptive) block(ns int64) (from, to, readyNs int64, kind generator.Kind) {
	s, server := &g.s, g.cfg.Server
	size := s.size
	switch lasted := ns - s.askedNs; {
	case size == 0:
		size = smallestBlock
	case lasted < shortNs:
		size = min(2*size, largestBlock)
	case lasted > longNs:
		size = max(size/2, smallestBlock)
	}
	reply, err := server.Incr(ns+server.RoundTripNs()/2, blocksKey, size, 0)
	if err != nil {
		return 0, 0, ns, generator.RedisDown
	}
	g.costs.RoundTrips++
	if reply.New {
		g.costs.Keys++
	}
	s.size, s.askedNs = size, ns
	return reply.Value - size, reply.Value, ns + server.RoundTripNs(), generator.Drawn
}

// Costs is a round trip for every block.
func (g *Adaptive) Costs() generator.Costs { return g.costs }

// Reset is a restart: the numbers at hand are wasted, and the rate is forgotten.
func (g *Adaptive) Reset() {
	g.costs.Wasted += g.s.restart()
	g.s.size = 0
}

// Snapshot copies what the process knows, without the numbers that it has at hand: they
// could be given again.
func (g *Adaptive) Snapshot() generator.State {
	return &adaptiveState{g.s.saved(), g.s.size, g.s.askedNs}
}

// Restore is a restart that knows what a snapshot says; a nil one says nothing.
func (g *Adaptive) Restore(from generator.State) {
	g.Reset()
	if s, ok := from.(*adaptiveState); ok {
		g.s.restore(&s.blocks)
		g.s.size, g.s.askedNs = s.size, s.askedNs
	}
}

// Floor is the ms of nowMs with nothing after it.
func (g *Adaptive) Floor(_, nowMs int64) int64 { return floorOf(nowMs, g.cfg.Worker) }
