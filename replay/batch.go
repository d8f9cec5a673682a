package replay

import "math"

// Timestamp types as Kafka counts them.
const (
	TimestampNone      int8 = -1 // the record carries no timestamp
	TimestampCreate    int8 = 0  // set by the producer
	TimestampLogAppend int8 = 1  // set by the broker when it appended
)

// NoTimestamp is the timestamp of a record that carries none (Kafka's -1).
const NoTimestamp int64 = -1

// NullLen is the length of a key or value that is null (a value of NullLen is
// a tombstone).
const NullLen int32 = -1

// NoMessageID stands in Batch.MessageID where a message has no id.
const NoMessageID int64 = math.MinInt64

// Batch is some messages as columns, all of one length. Row i of every column
// belongs to message i. Rows of several partitions may be mixed; those of one
// partition stand in offset order.
type Batch struct {
	Partition     []int32  // index into Plan.Partitions
	Offset        []int64  // Kafka offset
	TimestampMs   []int64  // ms since the Unix epoch; NoTimestamp where there is none
	TimestampType []int8   // one of the Timestamp constants
	KeyHash       []uint64 // xxhash64 of the key; 0 for a null key
	KeyLen        []int32  // bytes; NullLen for a null key
	ValueLen      []int32  // bytes; NullLen for a tombstone

	// Columns that only some captures have: each is empty, or as long as the
	// others.
	ProcessedAtMs []int64 // when a site was seen to process the message, ms since the Unix epoch; NoTimestamp where unknown
	MessageID     []int64 // the id that a site gave the message; NoMessageID where unknown
	RawTimestamp  []int64 // the timestamp as it was found, where its unit was in doubt
}

// Len is the number of messages in the batch.
func (b *Batch) Len() int { return len(b.Offset) }

// Reset empties the batch and keeps its memory.
func (b *Batch) Reset() {
	b.Partition = b.Partition[:0]
	b.Offset = b.Offset[:0]
	b.TimestampMs = b.TimestampMs[:0]
	b.TimestampType = b.TimestampType[:0]
	b.KeyHash = b.KeyHash[:0]
	b.KeyLen = b.KeyLen[:0]
	b.ValueLen = b.ValueLen[:0]
	b.ProcessedAtMs = b.ProcessedAtMs[:0]
	b.MessageID = b.MessageID[:0]
	b.RawTimestamp = b.RawTimestamp[:0]
}

// Append adds row i of another batch, which has the same optional columns.
func (b *Batch) Append(o *Batch, i int) {
	b.Partition = append(b.Partition, o.Partition[i])
	b.Offset = append(b.Offset, o.Offset[i])
	b.TimestampMs = append(b.TimestampMs, o.TimestampMs[i])
	b.TimestampType = append(b.TimestampType, o.TimestampType[i])
	b.KeyHash = append(b.KeyHash, o.KeyHash[i])
	b.KeyLen = append(b.KeyLen, o.KeyLen[i])
	b.ValueLen = append(b.ValueLen, o.ValueLen[i])
	b.ProcessedAtMs = appendOptional(b.ProcessedAtMs, o.ProcessedAtMs, i)
	b.MessageID = appendOptional(b.MessageID, o.MessageID, i)
	b.RawTimestamp = appendOptional(b.RawTimestamp, o.RawTimestamp, i)
}

// AppendRows adds the rows from..to of another batch, which has the same optional columns.
func (b *Batch) AppendRows(o *Batch, from, to int) {
	b.Partition = append(b.Partition, o.Partition[from:to]...)
	b.Offset = append(b.Offset, o.Offset[from:to]...)
	b.TimestampMs = append(b.TimestampMs, o.TimestampMs[from:to]...)
	b.TimestampType = append(b.TimestampType, o.TimestampType[from:to]...)
	b.KeyHash = append(b.KeyHash, o.KeyHash[from:to]...)
	b.KeyLen = append(b.KeyLen, o.KeyLen[from:to]...)
	b.ValueLen = append(b.ValueLen, o.ValueLen[from:to]...)
	if len(o.ProcessedAtMs) > 0 {
		b.ProcessedAtMs = append(b.ProcessedAtMs, o.ProcessedAtMs[from:to]...)
	}
	if len(o.MessageID) > 0 {
		b.MessageID = append(b.MessageID, o.MessageID[from:to]...)
	}
	if len(o.RawTimestamp) > 0 {
		b.RawTimestamp = append(b.RawTimestamp, o.RawTimestamp[from:to]...)
	}
}

// appendOptional adds row i of a column that may be absent.
func appendOptional(to, from []int64, i int) []int64 {
	if len(from) == 0 {
		return to
	}
	return append(to, from[i])
}

// Header is one header of a message.
type Header struct {
	Key   []byte
	Value []byte // nil for null
}
