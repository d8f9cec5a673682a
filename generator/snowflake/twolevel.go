package snowflake

import (
	"fmt"

	"twindrift/generator"
	"twindrift/generator/redis"
)

var (
	_ generator.Generator   = (*TwoLevel)(nil)
	_ generator.Batcher     = (*TwoLevel)(nil)
	_ generator.Snapshotter = (*TwoLevel)(nil)
	_ generator.Coster      = (*TwoLevel)(nil)
)

// TwoLevel takes its numbers from an allocation service, which takes large blocks of them
// from Redis and deals small ones to processes. There is one service around a server, and
// processes that hold the same server use it. It does not restart.
//
// A process that has used up its block waits for the service to answer, and the service,
// where its own is used up, for Redis. While Redis is down the service goes on with what
// it has; after that, draws are refused. How numbers become ids, and when an id can come
// twice, is told at blocks.
type TwoLevel struct {
	cfg     TwoLevelConfig
	s       blocks
	service *service
	costs   generator.Costs
}

// TwoLevelConfig says how TwoLevel draws. The first process around a server sets Block
// and Deal of its service. Start from DefaultTwoLevel.
type TwoLevelConfig struct {
	Server *redis.Server
	Worker int64 // 0 to 1023
	Block  int64 // numbers that the service takes from Redis at a time, at least Deal
	Deal   int64 // numbers that it deals to a process at a time, 1 to 4096
	TripNs int64 // from a process to the service and back, 0 or more
}

// DefaultTwoLevel is worker 0, blocks of 1,000,000 dealt out by 1024, and half a ms to
// the service and back.
func DefaultTwoLevel(s *redis.Server) TwoLevelConfig {
	return TwoLevelConfig{Server: s, Block: 1_000_000, Deal: 1024, TripNs: 500_000}
}

// service is the allocation service.
type service struct {
	block, deal int64
	from, to    int64 // numbers at hand, without to
	readyNs     int64 // when they arrived
}

// blocksKey is the counter that all blocks come from.
var blocksKey = redis.Key{Name: redis.Blocks}

// NewTwoLevel makes a generator that has no numbers.
func NewTwoLevel(cfg TwoLevelConfig) (*TwoLevel, error) {
	if cfg.Server == nil {
		return nil, errNoServer
	}
	if err := ownWorker("two-level", cfg.Worker); err != nil {
		return nil, err
	}
	switch {
	case cfg.Deal < 1 || cfg.Deal > seqs || cfg.Block < cfg.Deal || cfg.Block > 1<<40:
		return nil, fmt.Errorf("snowflake two-level: blocks of %d dealt out by %d: want 1 to %d, out of blocks of as many or more", cfg.Block, cfg.Deal, seqs)
	case cfg.TripNs < 0:
		return nil, fmt.Errorf("snowflake two-level: %d ns to the service and back: want 0 or more", cfg.TripNs)
	}
	shared := cfg.Server.Shared("snowflake allocation service", func() any { return &service{block: cfg.Block, deal: cfg.Deal} })
	return &TwoLevel{cfg: cfg, s: newBlocks(), service: shared.(*service)}, nil
}

// Draw gives an id of the clock. Refused with a *RefusedError: a call for which there are
// no numbers, while Redis is down.
func (g *TwoLevel) Draw(_, nowMs int64) (int64, generator.Outcome, error) { return drawOne(g, nowMs) }

// DrawBatch draws many ids in their order (generator.Batcher). The error is nil.
func (g *TwoLevel) DrawBatch(c generator.Calls, ids []int64, kinds []generator.Kind, hops []int32) error {
	drawBatch(g, c, ids, kinds, hops)
	return nil
}

func (g *TwoLevel) draw(nowMs, atNs int64) (int64, generator.Kind) {
	return g.s.draw(g, &g.costs, g.cfg.Worker, nowMs, atNs)
}

// block asks the service for numbers.
func (g *TwoLevel) block(ns int64) (from, to, readyNs int64, kind generator.Kind) {
	s, server := g.service, g.cfg.Server
	g.costs.ServiceTrips++
	there := ns + g.cfg.TripNs/2
	back := g.cfg.TripNs - g.cfg.TripNs/2
	if s.from == s.to {
		there = max(there, s.readyNs)
		reply, err := server.Incr(there+server.RoundTripNs()/2, blocksKey, s.block, 0)
		if err != nil {
			return 0, 0, there + back, generator.RedisDown
		}
		g.costs.RoundTrips++
		if reply.New {
			g.costs.Keys++
		}
		s.from, s.to, s.readyNs = reply.Value-s.block, reply.Value, there+server.RoundTripNs()
	}
	from, to = s.from, min(s.from+s.deal, s.to)
	s.from = to
	return from, to, max(there, s.readyNs) + back, generator.Drawn
}

// Costs is a trip to the service for every block it deals, and a round trip for each of
// the service's that this process was the first to need.
func (g *TwoLevel) Costs() generator.Costs { return g.costs }

// Reset is a restart: the numbers at hand are wasted. The service goes on.
func (g *TwoLevel) Reset() { g.costs.Wasted += g.s.restart() }

// Snapshot copies what the process knows, without the numbers that it has at hand: they
// could be given again.
func (g *TwoLevel) Snapshot() generator.State { s := g.s.saved(); return &s }

// Restore is a restart that knows what a snapshot says; a nil one says nothing.
func (g *TwoLevel) Restore(from generator.State) {
	g.Reset()
	if s, ok := from.(*blocks); ok {
		g.s.restore(s)
	}
}

// Floor is the ms of nowMs with nothing after it.
func (g *TwoLevel) Floor(_, nowMs int64) int64 { return floorOf(nowMs, g.cfg.Worker) }
