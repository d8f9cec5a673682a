// Package generator holds what a message-id generator is, and what an id's
// digits say. Each algorithm is a package of its own below it.
//
// The words: the event time of a message is its Kafka timestamp; now is the
// wall clock of the site when the id is drawn; a node number tells generator
// processes apart; the owner time of an id is the time that its own digits
// say; its offset is its owner second less the second of the event.
package generator

import (
	"errors"
	"math"
)

// Generator draws ids for one process. It belongs to one goroutine.
type Generator interface {
	// Draw gives the id of a message with the given event time, at the wall
	// clock nowMs, both in ms since the Unix epoch, and says how the id came
	// about. An error means that no id could be given; a Refusal, that this message
	// gets none and the generator goes on.
	Draw(eventMs, nowMs int64) (id int64, how Outcome, err error)
	// Reset forgets all state, as a process restart does.
	Reset()
	// Floor is a lower bound of every id that Draw may still give for an event
	// at or after eventMs when the clock stands at or after nowMs.
	Floor(eventMs, nowMs int64) int64
}

// Snapshotter is a Generator whose state can be saved, and restored after a
// restart. Every generator with state is one.
type Snapshotter interface {
	Snapshot() State
	Restore(State)
}

// State is a snapshot of a generator; only the same kind of generator can read
// it. A nil State is that of a new process.
type State any

// Calls are draws of one process, in their order, as columns of one length.
type Calls struct {
	EventMs   []int64 // event times
	NowMs     []int64 // the site's clock
	AtNs      []int64 // virtual time, the same for all sites whatever their clocks say
	Partition []int32 // of the message, as an index into the capture's partitions
}

// Len is the number of calls.
func (c *Calls) Len() int { return len(c.EventMs) }

// Cut are the calls from..to.
func (c *Calls) Cut(from, to int) Calls {
	return Calls{c.EventMs[from:to], c.NowMs[from:to], c.AtNs[from:to], c.Partition[from:to]}
}

// Append adds call i of others.
func (c *Calls) Append(of Calls, i int) {
	c.EventMs, c.NowMs = append(c.EventMs, of.EventMs[i]), append(c.NowMs, of.NowMs[i])
	c.AtNs, c.Partition = append(c.AtNs, of.AtNs[i]), append(c.Partition, of.Partition[i])
}

// Batcher is a Generator that draws many ids in one call, in order. ids, kinds and hops
// are as long as the calls; they become what Draw would give for each, and where it
// refuses, 0 and the kind of the refusal. Other errors end the batch.
//
// A generator that goes by more than event time and clock is a Batcher; its Draw then
// takes the clock for the virtual time and 0 for the partition.
type Batcher interface {
	DrawBatch(c Calls, ids []int64, kinds []Kind, hops []int32) error
}

// DrawBatch draws many ids in order, in one call where g is a Batcher.
func DrawBatch(g Generator, c Calls, ids []int64, kinds []Kind, hops []int32) error {
	if b, ok := g.(Batcher); ok {
		return b.DrawBatch(c, ids, kinds, hops)
	}
	for i, ms := range c.EventMs {
		id, how, err := g.Draw(ms, c.NowMs[i])
		if err != nil {
			var refusal Refusal
			if !errors.As(err, &refusal) {
				return err
			}
			id, how = 0, Outcome{Kind: refusal.Kind()}
		}
		ids[i], kinds[i], hops[i] = id, how.Kind, how.Hops
	}
	return nil
}

// Outcome is how a generator came to an id. It is what the generator knows of
// itself; duplicates are found from the ids, never from it.
type Outcome struct {
	Kind Kind
	Hops int32 // later slots walked to
}

// LeastID is the lowest id. The two integers below it stand for none, where the ids of
// two sites are compared.
const LeastID = math.MinInt64 + 2

// NoNode is the node of ids that do not say one.
const NoNode = -1

// Layout says what the digits of an id mean.
type Layout interface {
	// OwnerMs is the time that the id's own digits say, ms since the Unix
	// epoch (floor).
	OwnerMs(id int64) int64
	// Node is the node number that the id's digits say; NoNode where they say none.
	Node(id int64) int64
	// Digits is OwnerMs and Node of many ids: it fills ownerMs and nodes, which
	// are as long as ids; nodes may be nil.
	Digits(ids, ownerMs, nodes []int64)
	// Name of the layout, as in scenarios and on the command line.
	Name() string
}
