package parquet

import (
	pq "github.com/parquet-go/parquet-go"

	"twindrift/replay"
)

// rows is some consecutive messages on their way into a file.
type rows struct {
	*replay.Batch
	lo, hi int
	topic  []pq.Value // topic of each partition index
	number []pq.Value // number of each partition index
	cuts
}

// cuts is what is left of the payloads of a batch.
type cuts struct {
	key, value payloadCut
	headers    []replay.Header
	counts     []int32 // of headers, by message of the whole batch
}

// payloadCut is the rest of the keys (or values) of a batch, one after the
// other without separators.
type payloadCut struct{ rest []byte }

// column is one column of the capture file: its place in the schema, and how
// its values come out of a batch.
type column struct {
	name string
	node pq.Node // nil where the column before it has the node of both
	fill func(r *rows, values []pq.Value)

	// Instead of fill, for a column with any number of values a message: it appends them.
	each func(r *rows, values []pq.Value) []pq.Value
}

// columns lists the columns of a file in their order. Those that every capture
// has are required columns: an optional zero has been written as NULL, and back
// again, by versions of Parquet libraries.
func columns(opts WriterOptions) []column {
	dict := func(n pq.Node) pq.Node { return pq.Encoded(n, &pq.RLEDictionary) }
	delta := func(n pq.Node) pq.Node { return pq.Encoded(n, &pq.DeltaBinaryPacked) }
	int32s, int64s := pq.Leaf(pq.Int32Type), pq.Leaf(pq.Int64Type)

	list := []column{
		{name: "topic", node: dict(pq.String()), fill: fillTopic},
		{name: "partition", node: dict(int32s), fill: fillPartition},
		{name: "offset", node: delta(int64s), fill: fillInt64(func(b *replay.Batch) []int64 { return b.Offset })},
		{name: "timestamp", node: delta(pq.Timestamp(pq.Millisecond)), fill: fillInt64(func(b *replay.Batch) []int64 { return b.TimestampMs })},
		{name: "timestamp_type", node: dict(int32s), fill: fillTimestampType},
		{name: "key_hash", node: dict(int64s), fill: fillKeyHash},
		{name: "key_len", node: delta(int32s), fill: fillInt32(func(b *replay.Batch) []int32 { return b.KeyLen })},
		{name: "value_len", node: delta(int32s), fill: fillInt32(func(b *replay.Batch) []int32 { return b.ValueLen })},
	}
	optional := func(wanted bool, name string, n pq.Node, fill func(column int) func(*rows, []pq.Value)) {
		if wanted {
			list = append(list, column{name: name, node: pq.Optional(n), fill: fill(len(list))})
		}
	}
	optional(opts.RawTimestamp, "raw_timestamp", delta(int64s),
		fillOptional(func(b *replay.Batch) []int64 { return b.RawTimestamp }, replay.NoTimestamp))
	optional(opts.ProcessedAt, "processed_at", delta(int64s),
		fillOptional(func(b *replay.Batch) []int64 { return b.ProcessedAtMs }, replay.NoTimestamp))
	optional(opts.MessageID, "message_id", delta(int64s),
		fillOptional(func(b *replay.Batch) []int64 { return b.MessageID }, replay.NoMessageID))
	optional(opts.Keys, "key", pq.Leaf(pq.ByteArrayType), fillPayload(
		func(r *rows) (*payloadCut, []int32) { return &r.key, r.KeyLen }))
	optional(opts.Values, "value", pq.Leaf(pq.ByteArrayType), fillPayload(
		func(r *rows) (*payloadCut, []int32) { return &r.value, r.ValueLen }))
	if opts.Headers {
		bytes := pq.Leaf(pq.ByteArrayType)
		list = append(list,
			column{name: "headers", node: pq.List(pq.Group{"key": pq.String(), "value": pq.Optional(bytes)}), each: eachHeader(len(list), func(h *replay.Header) ([]byte, bool) { return h.Key, true }, 1)},
			column{name: "headers", each: eachHeader(len(list)+1, func(h *replay.Header) ([]byte, bool) { return h.Value, h.Value != nil }, 2)})
	}
	return list
}

// eachHeader appends one part of the headers of messages, of which there may be any
// number: the first of a message begins a list, and a message without any is an empty
// one. level is the definition level of a part that is there.
func eachHeader(column int, part func(*replay.Header) (text []byte, there bool), level int) func(*rows, []pq.Value) []pq.Value {
	empty := pq.NullValue().Level(0, 0, column)
	return func(r *rows, values []pq.Value) []pq.Value {
		for _, n := range r.counts[r.lo:r.hi] {
			if n == 0 {
				values = append(values, empty)
			}
			for i := range r.headers[:n] {
				v, at := pq.NullValue(), level-1
				if text, there := part(&r.headers[i]); there {
					v, at = pq.ByteArrayValue(text), level
				}
				values = append(values, v.Level(min(i, 1), at, column))
			}
			r.headers = r.headers[n:]
		}
		return values
	}
}

// group is a Parquet group that keeps its fields in the order given, where
// pq.Group sorts them by name.
type group struct {
	pq.Group
	fields []pq.Field
}

func (g group) Fields() []pq.Field { return g.fields }

func newSchema(list []column) *pq.Schema {
	g := group{Group: pq.Group{}}
	for _, c := range list {
		if c.node != nil {
			g.Group[c.name] = c.node
		}
	}
	byName := map[string]pq.Field{}
	for _, f := range g.Group.Fields() {
		byName[f.Name()] = f
	}
	for _, c := range list {
		if c.node != nil {
			g.fields = append(g.fields, byName[c.name])
		}
	}
	return pq.NewSchema("capture", g)
}

func fillTopic(r *rows, values []pq.Value) {
	for i, p := range r.Partition[r.lo:r.hi] {
		values[i] = r.topic[p]
	}
}

func fillPartition(r *rows, values []pq.Value) {
	for i, p := range r.Partition[r.lo:r.hi] {
		values[i] = r.number[p]
	}
}

func fillTimestampType(r *rows, values []pq.Value) {
	for i, t := range r.TimestampType[r.lo:r.hi] {
		values[i] = pq.Int32Value(int32(t))
	}
}

func fillKeyHash(r *rows, values []pq.Value) {
	for i, h := range r.KeyHash[r.lo:r.hi] {
		values[i] = pq.Int64Value(int64(h))
	}
}

func fillInt64(of func(*replay.Batch) []int64) func(*rows, []pq.Value) {
	return func(r *rows, values []pq.Value) {
		for i, v := range of(r.Batch)[r.lo:r.hi] {
			values[i] = pq.Int64Value(v)
		}
	}
}

func fillInt32(of func(*replay.Batch) []int32) func(*rows, []pq.Value) {
	return func(r *rows, values []pq.Value) {
		for i, v := range of(r.Batch)[r.lo:r.hi] {
			values[i] = pq.Int32Value(v)
		}
	}
}

// fillOptional writes NULL where the column holds the given absent value.
func fillOptional(of func(*replay.Batch) []int64, absent int64) func(int) func(*rows, []pq.Value) {
	return func(column int) func(*rows, []pq.Value) {
		null := pq.NullValue().Level(0, 0, column)
		return func(r *rows, values []pq.Value) {
			for i, v := range of(r.Batch)[r.lo:r.hi] {
				if v == absent {
					values[i] = null
				} else {
					values[i] = pq.Int64Value(v).Level(0, 1, column)
				}
			}
		}
	}
}

// fillPayload cuts keys or values by their lengths; a NullLen gives NULL.
func fillPayload(of func(*rows) (*payloadCut, []int32)) func(int) func(*rows, []pq.Value) {
	return func(column int) func(*rows, []pq.Value) {
		null := pq.NullValue().Level(0, 0, column)
		return func(r *rows, values []pq.Value) {
			cut, lens := of(r)
			for i, n := range lens[r.lo:r.hi] {
				if n == replay.NullLen {
					values[i] = null
					continue
				}
				values[i] = pq.ByteArrayValue(cut.rest[:n]).Level(0, 1, column)
				cut.rest = cut.rest[n:]
			}
		}
	}
}
