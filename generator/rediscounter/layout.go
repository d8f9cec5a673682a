package rediscounter

import (
	"fmt"
	"time"

	"twindrift/generator"
)

// EpochS is 2022-01-01 00:00:00, where the seconds of ids begin; in s since 1970, local
// time read as UTC.
const EpochS int64 = 1_640_995_200

const (
	countBits = 32
	countMask = 1<<countBits - 1

	// localBit marks the counts that Corrected gives without Redis. Below it lie the node
	// and the place within the second.
	localBit   = 1 << 31
	nodeBits   = 10
	placeBits  = 21
	perMs      = 2048 // places of a ms; 1000 times this stays below 2^placeBits
	placeMask  = 1<<placeBits - 1
	maxNode    = 1<<nodeBits - 1
	maxSeconds = 1<<31 - 1
)

var _ generator.Layout = Layout{}

// Layout reads ids of this package. It holds what the digits do not say themselves.
type Layout struct {
	UTCOffsetMs int64 // local time less UTC
}

// Layout is that of the ids a generator with this configuration gives.
func (c Config) Layout() Layout { return Layout{c.UTCOffsetMs} }

// OwnerMs is the second that the id says, in ms since the Unix epoch, UTC.
func (l Layout) OwnerMs(id int64) int64 { return (id>>countBits+EpochS)*1000 - l.UTCOffsetMs }

// Node is generator.NoNode: a counter is the same for all.
func (l Layout) Node(int64) int64 { return generator.NoNode }

// OwnNode is the node that an id says which Corrected gave while Redis was down;
// generator.NoNode of others. Ids of the published form past 2^31 read as such.
func (l Layout) OwnNode(id int64) int64 {
	if f := l.Decode(id); f.Local {
		return f.Node
	}
	return generator.NoNode
}

// Count is the number of the id within its day, below 2^32. From 2^31 on it is one of
// Corrected's own (see Fields).
func (l Layout) Count(id int64) int64 { return id & countMask }

// Digits fills ownerMs and nodes, which are as long as ids; nodes may be nil.
func (l Layout) Digits(ids, ownerMs, nodes []int64) {
	ownerMs = ownerMs[:len(ids)]
	for i, id := range ids {
		ownerMs[i] = l.OwnerMs(id)
	}
	if nodes != nil {
		for i := range nodes[:len(ids)] {
			nodes[i] = generator.NoNode
		}
	}
}

// Name is how scenarios and the command line call the layout.
func (l Layout) Name() string { return "redis-counter" }

// Fields is what the digits of an id say.
type Fields struct {
	OwnerMs int64 // the second, ms since the Unix epoch, UTC
	Count   int64 // below 2^32

	// Where bit 31 of the count is set, the corrected form gave the id while Redis was
	// down, and the rest of the count says by whom and when.
	Local bool
	Node  int64 // 0..1023
	Ms    int64 // within the second; 1000 and above in no id that was given
	Seq   int64 // within the ms, 0..2047
}

// Decode reads the digits of any number.
func (l Layout) Decode(id int64) Fields {
	f := Fields{OwnerMs: l.OwnerMs(id), Count: l.Count(id)}
	if f.Count&localBit != 0 {
		place := f.Count & placeMask
		f.Local, f.Node, f.Ms, f.Seq = true, f.Count>>placeBits&maxNode, place/perMs, place%perMs
	}
	return f
}

// Text says in words what the digits of an id say, the time in local time.
func (l Layout) Text(id int64) string {
	f := l.Decode(id)
	second := time.UnixMilli(f.OwnerMs + l.UTCOffsetMs).UTC().Format("2006-01-02 15:04:05")
	if f.Local {
		return fmt.Sprintf("%s local time, without redis: node %d, number %d of ms %d; if redis counted it, number %d of the day",
			second, f.Node, f.Seq, f.Ms, f.Count)
	}
	return fmt.Sprintf("%s local time, number %d of the day", second, f.Count)
}
