package replay

import "context"

// BlockRows is how many consecutive messages of one partition share an entry in
// Partition.BlockAppendMs and Partition.BlockFloorMs, unless a Planner is told
// otherwise.
const BlockRows = 1024

// Source is a capture. Plan must be called before Open. Neither is safe for
// concurrent use; a Stream is used by one goroutine at a time.
type Source interface {
	// Plan reads the capture once and says what is in it. progress, which may
	// be nil, is called now and then with the rows gone over so far and the
	// rows in all.
	Plan(ctx context.Context, progress func(done, total int64)) (*Plan, error)
	// Open starts a pass over the rows that Plan counted.
	Open(ctx context.Context) (Stream, error)
}

// Stream hands out the rows of one pass. Every row comes exactly once. The
// rows of a partition come in offset order; between partitions no order is
// promised.
type Stream interface {
	// Next appends to b a batch in which partition p (an index into
	// Plan.Partitions) has at least one row; rows of other partitions may come
	// with it and are not repeated later. It returns io.EOF, and appends
	// nothing, when partition p has no row left.
	Next(p int, b *Batch) error
	Close() error
}

// Plan is what one pass over a capture found. It depends on the messages
// alone: not on how they are cut into files, nor on how the rows of different
// partitions are interleaved.
type Plan struct {
	Messages   int64
	Partitions []Partition // by topic (bytes), then number
	PeakSecond int64       // the second (Unix, of the timestamps) with most messages; the earliest of equals
	PeakCount  int64       // messages in it
	BlockRows  int64       // messages of a partition that share a block, see Partition
	Notes      []Note      // what the user should know, in a fixed order

	// Silent are partitions that are known to be there and have no message in
	// this capture, by topic, then number: those that a change (package whatif)
	// took all messages from. Consumers have them assigned still.
	Silent []Partition
}

// Partition is one partition of a capture. Where it says append time, it means
// when the source log must have held the message: the timestamp itself for
// TimestampLogAppend, else the largest timestamp of the partition so far,
// NoTimestamp rows left aside.
type Partition struct {
	Topic       string
	Number      int32
	Messages    int64
	FirstOffset int64
	LastOffset  int64
	MinMs       int64 // smallest and largest timestamp, NoTimestamp left aside
	MaxMs       int64
	NoTimestamp int64 // messages without a timestamp
	LogAppend   int64 // messages whose timestamp the broker set
	Reordered   int64 // messages with a timestamp below the largest before them (RFC 4737)
	MaxBehindMs int64 // by how much at most

	// BlockAppendMs[i] is the append time of message i*Plan.BlockRows;
	// BlockFloorMs[i] the smallest timestamp of it and all later ones
	// (NoTimestamp counts as -1).
	BlockAppendMs []int64
	BlockFloorMs  []int64
}

// Note is something found in a capture that did not stop it from being read.
type Note struct {
	Kind string // a short name: gaps, duplicates-dropped, null-timestamps, unit, ...
	Text string // a sentence for the user
	Rows int64  // how many rows it concerns; 0 where that has no meaning
}
