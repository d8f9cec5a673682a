package kafka

import (
	"slices"

	"twindrift/replay"
)

// Chunk is what a stretch of one partition holds: its messages, and where they end.
type Chunk struct {
	Partition int          // index into Snapshot.Partitions, as in every row of Messages
	Messages  replay.Batch // in offset order
	Keys      []byte       // of all messages, one after the other, to be cut by Messages.KeyLen; where asked for
	Values    []byte       // the same

	Headers      []replay.Header // of all messages, one after the other, where asked for
	HeaderCounts []int32         // how many each message has

	Next int64 // offset to read on from
	Gaps []Gap // offsets before Next that are no messages, ascending
}

// Gap is a range of offsets, From to To-1, that are no messages.
type Gap struct {
	From, To int64
	Reason   Reason
}

// Reason is why offsets are no messages.
type Reason string

// The reasons.
const (
	Retention   Reason = "retention"             // deleted before they could be read
	Compaction  Reason = "compaction-or-control" // compacted away, transaction markers, aborted: nothing is lost
	NothingSent Reason = "nothing-sent"          // the brokers send nothing there, up to the end: compacted away, it seems
)

// reset empties a chunk for a partition from an offset on and keeps its memory.
func (c *Chunk) reset(partition int, from int64) {
	c.Partition, c.Next = partition, from
	c.Messages.Reset()
	c.Keys, c.Values, c.Gaps = c.Keys[:0], c.Values[:0], c.Gaps[:0]
	c.Headers, c.HeaderCounts = c.Headers[:0], c.HeaderCounts[:0]
}

// moveTo goes on to an offset: what lies before is no message.
func (c *Chunk) moveTo(offset int64) { c.gap(offset, Compaction) }

// gap goes on to an offset, for a reason.
func (c *Chunk) gap(to int64, reason Reason) {
	if to <= c.Next {
		return
	}
	if n := len(c.Gaps); n > 0 && c.Gaps[n-1].To == c.Next && c.Gaps[n-1].Reason == reason {
		c.Gaps[n-1].To = to
	} else {
		c.Gaps = append(c.Gaps, Gap{c.Next, to, reason})
	}
	c.Next = to
}

func (c *Chunk) reserve(n int) {
	b := &c.Messages
	b.Partition, b.Offset = slices.Grow(b.Partition, n), slices.Grow(b.Offset, n)
	b.TimestampMs, b.TimestampType = slices.Grow(b.TimestampMs, n), slices.Grow(b.TimestampType, n)
	b.KeyHash, b.KeyLen, b.ValueLen = slices.Grow(b.KeyHash, n), slices.Grow(b.KeyLen, n), slices.Grow(b.ValueLen, n)
}

// add adds a message.
func (c *Chunk) add(offset, ms int64, kind int8, key []byte, keyLen, valueLen int32) {
	b := &c.Messages
	b.Partition, b.Offset = append(b.Partition, int32(c.Partition)), append(b.Offset, offset)
	b.TimestampMs, b.TimestampType = append(b.TimestampMs, ms), append(b.TimestampType, kind)
	b.KeyHash = append(b.KeyHash, keyHash(key, keyLen))
	b.KeyLen, b.ValueLen = append(b.KeyLen, keyLen), append(b.ValueLen, valueLen)
}
