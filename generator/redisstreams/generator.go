package redisstreams

import (
	"math"
	"slices"

	"twindrift/generator"
	"twindrift/generator/redis"
)

var (
	_ generator.Generator   = (*Generator)(nil)
	_ generator.Batcher     = (*Generator)(nil)
	_ generator.Snapshotter = (*Generator)(nil)
	_ generator.Coster      = (*Generator)(nil)
)

// Generator is one process that writes entries. Its ids have Layout.
type Generator struct {
	server  *redis.Server
	site    int64
	retry   bool
	auto    bool
	lastSeq uint64 // that above goes to in one ms
	numbers []int32
	write   func(*Generator, call) (entry, error)

	counters []counter // by partition; the first alone where partitions play no part
	costs    generator.Costs
}

// counter is what a producer remembers of the ids it chose.
type counter struct {
	id  redis.EntryID // the last one
	any bool          // there is one
}

// call is one draw, when its commands reach the server.
type call struct {
	eventMs   int64
	clockMs   int64 // the server's
	atNs      int64
	partition int32
}

// entry is one that was written, and whether its id is what it should be.
type entry struct {
	id   redis.EntryID
	kind generator.Kind
}

// Draw gives the id of the entry that is written for a message, of partition 0 and with
// the clock for the virtual time. An error that is a *Refused is an outcome; others end
// the run.
func (g *Generator) Draw(eventMs, nowMs int64) (int64, generator.Outcome, error) {
	id, kind, err := g.draw(eventMs, nowMs, nowMs*1e6, 0)
	if err != nil {
		if kind.Refused() {
			err = &Refused{EventMs: eventMs, NowMs: nowMs, Err: err}
		}
		return 0, generator.Outcome{}, err
	}
	return id, generator.Outcome{Kind: kind}, nil
}

// DrawBatch draws for many calls in order (generator.Batcher).
func (g *Generator) DrawBatch(c generator.Calls, ids []int64, kinds []generator.Kind, hops []int32) error {
	for i, eventMs := range c.EventMs {
		id, kind, err := g.draw(eventMs, c.NowMs[i], c.AtNs[i], c.Partition[i])
		if err != nil && !kind.Refused() {
			return err
		}
		ids[i], kinds[i], hops[i] = id, kind, 0
	}
	return nil
}

// draw is one draw. With an error, kind is that of the refusal, or Drawn where it is none.
func (g *Generator) draw(eventMs, nowMs, atNs int64, partition int32) (id int64, kind generator.Kind, err error) {
	half := g.server.RoundTripNs() / 2
	c := call{eventMs: eventMs, clockMs: nowMs + half/1e6, atNs: atNs + half, partition: partition}
	own := eventMs
	if g.auto {
		own = c.clockMs
	}
	if own < 0 {
		return 0, generator.TooEarly, errTooEarly
	}
	if own >= endMs {
		return 0, generator.TooLate, errTooLate
	}
	e, err := g.write(g, c)
	if err == nil {
		err = fits(e.id)
	}
	if err != nil {
		return 0, kindOf(err), err
	}
	if pin := int64(e.id.Ms) - own; pin > 0 {
		g.costs.Pinned++
		g.costs.MaxPinMs = max(g.costs.MaxPinMs, pin)
	}
	return pack(e.id), e.kind, nil
}

// Costs are those of all draws of the process, restarts included: commands that were
// answered, streams made, writes refused (made good or not), and ids whose ms is past the
// event's own, or with Auto past the server's clock.
func (g *Generator) Costs() generator.Costs { return g.costs }

// Snapshot copies what the producer remembers.
func (g *Generator) Snapshot() generator.State { return slices.Clone(g.counters) }

// Restore has the producer remember what it did at a Snapshot; with nil, nothing. The
// streams stay as they are.
func (g *Generator) Restore(state generator.State) {
	g.Reset()
	if state != nil {
		g.counters = append(g.counters, state.([]counter)...)
	}
}

// Reset forgets what the producer remembers, not the streams, which are the server's.
func (g *Generator) Reset() { g.counters = g.counters[:0] }

// Floor is the first id of the event's ms, or with Auto of the clock's: every strategy
// writes the ms of the message itself or a later one. An id that is not the message's own
// (monotonic, a retry) lies above one that was at least as high as its own would be.
func (g *Generator) Floor(eventMs, nowMs int64) int64 {
	own := eventMs
	if g.auto {
		own = nowMs
	}
	switch {
	case own >= endMs:
		return math.MaxInt64 // there are no ids
	case own < 0:
		return 0
	}
	return own << seqBits
}

// counter is that of a partition.
func (g *Generator) counter(partition int32) *counter {
	for int(partition) >= len(g.counters) {
		g.counters = append(g.counters, counter{})
	}
	return &g.counters[partition]
}
