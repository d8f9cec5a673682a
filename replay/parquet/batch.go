package parquet

import (
	"slices"

	"twindrift/replay"
)

// complete empties the columns that the row group does not have, of which each message is
// to have the same; but with a hash the key is there, of a length unknown.
func (l *slab) complete(lay *layout) {
	for _, r := range []role{keyHashRole, keyLenRole, valueLenRole, processedRole, messageIDRole, rawRole} {
		if !lay.has[r] {
			l.columns[r] = l.columns[r][:0]
		}
	}
	if lay.has[keyHashRole] && !lay.has[keyLenRole] {
		for _, h := range l.columns[keyHashRole] {
			length := int64(0)
			if h == 0 {
				length = int64(replay.NullLen)
			}
			l.columns[keyLenRole] = append(l.columns[keyLenRole], length)
		}
	}
}

// appendRows adds rows i to j of a slab, all columns but Partition.
func (c *Capture) appendRows(b *replay.Batch, l *slab, i, j int) {
	b.Offset = append(b.Offset, l.offset[i:j]...)
	b.TimestampMs = append(b.TimestampMs, l.timestamp[i:j]...)
	if l.types != nil {
		b.TimestampType = append(b.TimestampType, l.types[i:j]...)
	} else {
		b.TimestampType = appendTypes(b.TimestampType, l.timestamp[i:j])
	}
	b.KeyHash = appendAs(b.KeyHash, l.columns[keyHashRole], i, j, 0)
	b.KeyLen = appendAs(b.KeyLen, l.columns[keyLenRole], i, j, replay.NullLen)
	b.ValueLen = appendAs(b.ValueLen, l.columns[valueLenRole], i, j, 0)
	if c.optional[processedRole] {
		b.ProcessedAtMs = appendAs(b.ProcessedAtMs, l.columns[processedRole], i, j, replay.NoTimestamp)
	}
	if c.optional[messageIDRole] {
		b.MessageID = appendAs(b.MessageID, l.columns[messageIDRole], i, j, replay.NoMessageID)
	}
	if c.optional[rawRole] {
		b.RawTimestamp = appendAs(b.RawTimestamp, l.columns[rawRole], i, j, replay.NoTimestamp)
	}
}

// appendTypes adds the timestamp types that follow from timestamps.
func appendTypes(to []int8, timestamp []int64) []int8 {
	n := len(to)
	to = slices.Grow(to, len(timestamp))[:n+len(timestamp)]
	for i, ms := range timestamp {
		t := replay.TimestampCreate
		if ms == replay.NoTimestamp {
			t = replay.TimestampNone
		}
		to[n+i] = t
	}
	return to
}

// appendAs adds rows i to j of a column; where there is none, as many times none.
func appendAs[T uint64 | int64 | int32](to []T, column []int64, i, j int, none T) []T {
	n := len(to)
	to = slices.Grow(to, j-i)[:n+j-i]
	if len(column) == 0 {
		fillWith(to[n:], none)
		return to
	}
	for k, v := range column[i:j] {
		to[n+k] = T(v)
	}
	return to
}
