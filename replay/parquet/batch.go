package parquet

import (
	"slices"

	"twindrift/replay"
)

// complete fills in columns that the row group does not have and that every capture has,
// or this one elsewhere.
func (c *Capture) complete(l *slab, lay *layout) {
	absent := func(r role, v int64) []int64 {
		c := slices.Grow(l.columns[r][:0], l.n)[:l.n]
		fillWith(c, v)
		return c
	}
	if !lay.has[keyHashRole] {
		l.columns[keyHashRole] = absent(keyHashRole, 0)
	}
	if !lay.has[keyLenRole] {
		// With a hash the key is there, of a length unknown.
		c := absent(keyLenRole, int64(replay.NullLen))
		for i, h := range l.columns[keyHashRole] {
			if h != 0 {
				c[i] = 0
			}
		}
		l.columns[keyLenRole] = c
	}
	if !lay.has[valueLenRole] {
		l.columns[valueLenRole] = absent(valueLenRole, 0)
	}
	for _, column := range optionalColumns {
		if r := column.role; c.optional[r] && !lay.has[r] {
			l.columns[r] = absent(r, column.none)
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
	b.KeyHash = appendAs(b.KeyHash, l.columns[keyHashRole][i:j])
	b.KeyLen = appendAs(b.KeyLen, l.columns[keyLenRole][i:j])
	b.ValueLen = appendAs(b.ValueLen, l.columns[valueLenRole][i:j])
	if c.optional[processedRole] {
		b.ProcessedAtMs = append(b.ProcessedAtMs, l.columns[processedRole][i:j]...)
	}
	if c.optional[messageIDRole] {
		b.MessageID = append(b.MessageID, l.columns[messageIDRole][i:j]...)
	}
	if c.optional[rawRole] {
		b.RawTimestamp = append(b.RawTimestamp, l.columns[rawRole][i:j]...)
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

func appendAs[T uint64 | int32](to []T, from []int64) []T {
	n := len(to)
	to = slices.Grow(to, len(from))[:n+len(from)]
	for i, v := range from {
		to[n+i] = T(v)
	}
	return to
}

// appendBatch adds all messages of another batch.
func appendBatch(b, o *replay.Batch) {
	b.Partition = append(b.Partition, o.Partition...)
	b.Offset = append(b.Offset, o.Offset...)
	b.TimestampMs = append(b.TimestampMs, o.TimestampMs...)
	b.TimestampType = append(b.TimestampType, o.TimestampType...)
	b.KeyHash = append(b.KeyHash, o.KeyHash...)
	b.KeyLen = append(b.KeyLen, o.KeyLen...)
	b.ValueLen = append(b.ValueLen, o.ValueLen...)
	b.ProcessedAtMs = append(b.ProcessedAtMs, o.ProcessedAtMs...)
	b.MessageID = append(b.MessageID, o.MessageID...)
	b.RawTimestamp = append(b.RawTimestamp, o.RawTimestamp...)
}
