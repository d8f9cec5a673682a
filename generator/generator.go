// Package generator holds what a message-id generator is, and what an id's
// digits say. Each algorithm is a package of its own below it.
//
// The words: the event time of a message is its Kafka timestamp; now is the
// wall clock of the site when the id is drawn; a node number tells generator
// processes apart; the owner time of an id is the time that its own digits
// say; its offset is its owner second less the second of the event.
package generator

// Generator draws ids for one process. It belongs to one goroutine.
type Generator interface {
	// Draw gives the id of a message with the given event time, at the wall
	// clock nowMs, both in ms since the Unix epoch, and says how the id came
	// about. An error means that no id could be given.
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

// Batcher is a Generator that draws many ids in one call, in order: ids[i],
// kinds[i] and hops[i] become what Draw would give for eventMs[i] and nowMs[i].
// The outputs are at least as long as eventMs; nowMs is as long. It stops at
// the first error.
type Batcher interface {
	DrawBatch(eventMs, nowMs, ids []int64, kinds []Kind, hops []int32) error
}

// DrawBatch draws many ids in order, in one call where g is a Batcher.
func DrawBatch(g Generator, eventMs, nowMs, ids []int64, kinds []Kind, hops []int32) error {
	if b, ok := g.(Batcher); ok {
		return b.DrawBatch(eventMs, nowMs, ids, kinds, hops)
	}
	for i, ms := range eventMs {
		id, how, err := g.Draw(ms, nowMs[i])
		if err != nil {
			return err
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

// Kind tells drawn ids from those that were handed out without being drawn.
type Kind uint8

// The kinds.
const (
	Drawn     Kind = iota // taken from a sequence, this id only
	StaleDay              // the slot belonged to a later day: first id of the second, undrawn
	JumpLimit             // the walk over full slots was given up: undrawn
	DayEnd                // the walk ran past the last second of the day: undrawn
)

// String is the name used in reports.
func (k Kind) String() string {
	return [...]string{"drawn", "stale-day", "jump-limit", "day-end"}[k]
}

// Layout says what the digits of an id mean.
type Layout interface {
	// OwnerMs is the time that the id's own digits say, ms since the Unix
	// epoch (floor).
	OwnerMs(id int64) int64
	// Node is the node number that the id's digits say.
	Node(id int64) int64
	// Digits is OwnerMs and Node of many ids: it fills ownerMs and nodes, which
	// are as long as ids; nodes may be nil.
	Digits(ids, ownerMs, nodes []int64)
	// Name of the layout, as in scenarios and on the command line.
	Name() string
}
