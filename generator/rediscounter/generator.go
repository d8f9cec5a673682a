package rediscounter

import "twindrift/generator"

var (
	_ generator.Generator   = (*Generator)(nil)
	_ generator.Batcher     = (*Generator)(nil)
	_ generator.Snapshotter = (*Generator)(nil)
	_ generator.Coster      = (*Generator)(nil)
)

// Generator is the published form. All its state is in the server, so a restart changes
// nothing. Every id takes one round trip; the calls of a process do not wait for each
// other, as each of its workers sends an INCR of its own.
type Generator struct {
	cfg   Config
	costs generator.Costs
}

// New makes a generator. Node and Block play no part in it.
func New(cfg Config) (*Generator, error) {
	if err := cfg.check(); err != nil {
		return nil, err
	}
	return &Generator{cfg: cfg}, nil
}

// Draw gives an id of the clock, or of the event with Config.ByEvent. The virtual time is
// taken from the clock. Refused with a *RefusedError: a time without room, and every call
// while the server is down.
func (g *Generator) Draw(eventMs, nowMs int64) (int64, generator.Outcome, error) {
	id, kind := g.draw(eventMs, nowMs, nowMs*1_000_000)
	if kind.Refused() {
		return 0, generator.Outcome{}, refusal(kind, g.cfg.timeMs(eventMs, nowMs))
	}
	return id, generator.Outcome{Kind: kind}, nil
}

// DrawBatch draws for many messages in their order (generator.Batcher). The error is nil.
func (g *Generator) DrawBatch(c generator.Calls, ids []int64, kinds []generator.Kind, hops []int32) error {
	for i := range c.EventMs {
		ids[i], kinds[i] = g.draw(c.EventMs[i], c.NowMs[i], c.AtNs[i])
		hops[i] = 0
	}
	return nil
}

func (g *Generator) draw(eventMs, nowMs, atNs int64) (int64, generator.Kind) {
	// The time is read first, as published.
	s, day, kind := g.cfg.seconds(g.cfg.timeMs(eventMs, nowMs))
	if kind.Refused() {
		return 0, kind
	}
	reply, err := g.cfg.Server.Incr(atNs+g.cfg.Server.RoundTripNs()/2, key(day), 1, 0)
	if err != nil {
		return 0, generator.RedisDown
	}
	g.costs.RoundTrips++
	g.costs.Waits.Add(0)
	if reply.New {
		g.costs.Keys++
	}
	count := g.cfg.Start + reply.Value
	switch {
	case count > countMask:
		kind = generator.CounterOverflow
	case reply.Again:
		kind = generator.CounterBack
	}
	return s<<countBits | count, kind
}

// Costs is a round trip an id, and a key a day for ever.
func (g *Generator) Costs() generator.Costs { return g.costs }

// Reset changes nothing: the process keeps no state.
func (g *Generator) Reset() {}

// Snapshot is nil: the process keeps no state.
func (g *Generator) Snapshot() generator.State { return nil }

// Restore changes nothing.
func (g *Generator) Restore(generator.State) {}

// Floor is the second of nowMs, or of eventMs with Config.ByEvent, with a count of 0. A
// count that runs into the time only adds to it.
func (g *Generator) Floor(eventMs, nowMs int64) int64 {
	return g.cfg.floor(g.cfg.timeMs(eventMs, nowMs))
}
