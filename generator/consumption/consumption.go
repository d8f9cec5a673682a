// Package consumption is the baseline that the second-slot generator was made
// to replace: the same ids by the same algorithm, but of the moment at which
// the consumer draws instead of the moment at which the event happened.
//
// Messages that wait get later ids, so the order of the ids is the order of
// consumption, and differs between sites. Every report shows this baseline
// beside the chosen generator (design page GENERATORS, section 5).
package consumption

import (
	"fmt"

	"twindrift/generator"
	"twindrift/generator/secondslot"
)

var _ generator.Generator = (*Generator)(nil)

// Generator draws second-slot ids by the clock. It belongs to one goroutine.
// Its ids have secondslot.Layout.
type Generator struct {
	bySecond *secondslot.Generator
}

// New makes a generator with empty slots. The configuration means what it
// means for the second-slot generator.
func New(cfg secondslot.Config) (*Generator, error) {
	g, err := secondslot.New(cfg)
	if err != nil {
		return nil, err
	}
	return &Generator{bySecond: g}, nil
}

// Draw gives an id of the second of nowMs; the event time plays no part in it.
// A clock outside the range of ids is a wrapped *secondslot.TimestampError.
func (g *Generator) Draw(_, nowMs int64) (int64, generator.Outcome, error) {
	id, how, err := g.bySecond.Draw(nowMs, nowMs)
	if err != nil {
		return 0, how, fmt.Errorf("clock of the consumer: %w", err)
	}
	return id, how, nil
}

// DrawBatch draws for many clock readings in their order (generator.Batcher).
// There is never an error.
func (g *Generator) DrawBatch(c generator.Calls, ids []int64, kinds []generator.Kind, hops []int32) error {
	c.EventMs = c.NowMs
	return g.bySecond.DrawBatch(c, ids, kinds, hops)
}

// Trace tells how Draw would go now (see secondslot.Generator.Trace).
func (g *Generator) Trace(_, nowMs int64) (secondslot.Trace, error) {
	return g.bySecond.Trace(nowMs, nowMs)
}

// Snapshot copies the slots.
func (g *Generator) Snapshot() generator.State { return g.bySecond.Snapshot() }

// Restore puts the slots back as they were at a Snapshot; nil empties them.
func (g *Generator) Restore(state generator.State) { g.bySecond.Restore(state) }

// Reset empties the slots, as a process restart does.
func (g *Generator) Reset() { g.bySecond.Reset() }

// Floor is the first id that the second of nowMs has for the node.
func (g *Generator) Floor(_, nowMs int64) int64 { return g.bySecond.Floor(nowMs, nowMs) }
