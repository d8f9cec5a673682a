package parquet

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"

	pq "github.com/parquet-go/parquet-go"
	"github.com/parquet-go/parquet-go/compress"
	"github.com/parquet-go/parquet-go/compress/snappy"
	"github.com/parquet-go/parquet-go/compress/zstd"

	"twindrift/replay"
)

// ErrOffsetOrder marks rows of a partition that do not come in offset order.
var ErrOffsetOrder = errors.New("offsets of a partition must rise")

const (
	rowGroupRows = 1 << 20 // most rows in a row group

	// rowGroupPayload is how many bytes of keys, values and headers end a row group: all
	// of it is in memory until then.
	rowGroupPayload = 128 << 20

	chunkRows = 4096 // rows handed to a column writer at a time

	// dictionaryBytes is how large a dictionary may grow before the rest of
	// the row group's column is written plain: about 16 thousand keys.
	dictionaryBytes = 128 << 10
)

// WriterOptions say how a capture is written. The zero value is a capture
// without payloads, compressed with snappy.
type WriterOptions struct {
	Compression string // snappy (the default) or zstd (smaller files, slower)
	Version     string // of the tool, for the file's metadata; default "devel"
	Cluster     string // Kafka cluster id, where known

	// Columns that only some captures have. The batches must then carry them.
	RawTimestamp bool
	ProcessedAt  bool
	MessageID    bool

	// Payload columns; rows must then come through WritePayload.
	Keys    bool
	Values  bool
	Headers bool
}

// Payload is the keys and values of the messages of a batch: each is the bytes
// of all messages one after the other, to be cut by the batch's KeyLen and
// ValueLen. The side that is not written stays empty.
type Payload struct {
	Keys, Values []byte

	Headers      []replay.Header // of all messages, one after the other
	HeaderCounts []int32         // how many each has
}

// Writer writes a capture as Parquet. It is not safe for concurrent use. It
// writes some 7 million messages a second on one core and buffers one row
// group (a million rows) of encoded columns.
type Writer struct {
	opts       WriterOptions
	out        *pq.GenericWriter[any]
	columns    []column
	partitions []PartitionMetadata
	index      map[partitionKey]int32
	rows       rows
	cuts       []cuts        // by column: what is left of the payloads of the batch
	values     [2][]pq.Value // scratch of chunkRows each, for columns side by side
	inGroup    int           // rows in the open row group
	payload    int           // bytes of payload in it
	err        error         // what went wrong first; nothing is written after it
}

type partitionKey struct {
	topic  string
	number int32
}

// NewWriter writes a capture to w. Create is the form for files.
func NewWriter(w io.Writer, opts WriterOptions) (*Writer, error) {
	codec, err := compression(opts.Compression)
	if err != nil {
		return nil, err
	}
	if opts.Version == "" {
		opts.Version = "devel"
	}
	list := columns(opts)
	return &Writer{
		opts: opts,
		out: pq.NewGenericWriter[any](w, newSchema(list),
			pq.Compression(codec),
			pq.DictionaryMaxBytes(dictionaryBytes),
			pq.WriteBufferSize(1<<20),
			pq.CreatedBy("twindrift", opts.Version, "")),
		columns: list,
		cuts:    make([]cuts, len(list)),
		index:   map[partitionKey]int32{},
		values:  [2][]pq.Value{make([]pq.Value, chunkRows), make([]pq.Value, chunkRows)},
	}, nil
}

func compression(name string) (compress.Codec, error) {
	switch name {
	case "", "snappy":
		return &snappy.Codec{}, nil
	case "zstd":
		return &zstd.Codec{Level: zstd.SpeedFastest}, nil
	}
	return nil, fmt.Errorf("compression %q is not known; say snappy or zstd", name)
}

// Partition gives the number that a partition goes by in the Partition column
// of the batches handed to this writer.
func (w *Writer) Partition(topic string, number int32) int32 {
	k := partitionKey{topic, number}
	if i, ok := w.index[k]; ok {
		return i
	}
	i := int32(len(w.partitions))
	w.index[k] = i
	w.partitions = append(w.partitions, PartitionMetadata{Topic: topic, Number: number})
	w.rows.topic = append(w.rows.topic, pq.ByteArrayValue([]byte(topic)))
	w.rows.number = append(w.rows.number, pq.Int32Value(number))
	return i
}

// Describe gives the metadata of a partition, for the caller to add before
// Close what only the broker knows. It is valid until the next call of
// Partition.
func (w *Writer) Describe(p int32) *PartitionMetadata { return &w.partitions[p] }

// Write adds messages. Batch.Partition holds what Partition gave. Offsets must
// rise within each partition (ErrOffsetOrder). After an error the file cannot
// be finished.
func (w *Writer) Write(b *replay.Batch) error { return w.WritePayload(b, Payload{}) }

// WritePayload is Write with keys and values.
func (w *Writer) WritePayload(b *replay.Batch, p Payload) error {
	if w.err == nil {
		w.err = w.write(b, p)
	}
	return w.err
}

func (w *Writer) write(b *replay.Batch, p Payload) error {
	if err := w.check(b, p); err != nil {
		return err
	}
	if err := w.count(b); err != nil {
		return err
	}
	w.rows.Batch = b
	for i := range w.cuts {
		w.cuts[i] = cuts{key: payloadCut{p.Keys}, value: payloadCut{p.Values}, headers: p.Headers, counts: p.HeaderCounts}
	}
	for lo := 0; lo < b.Len(); {
		hi := min(b.Len(), lo+rowGroupRows-w.inGroup)
		if err := w.writeRows(lo, hi); err != nil {
			return err
		}
		w.inGroup += hi - lo
		if hi == b.Len() {
			w.payload += payloadSize(&p)
		}
		if w.inGroup == rowGroupRows || w.payload >= rowGroupPayload {
			w.inGroup, w.payload = 0, 0
			if err := w.out.Flush(); err != nil {
				return err
			}
		}
		lo = hi
	}
	return nil
}

// payloadSize is the bytes of a payload.
func payloadSize(p *Payload) int {
	n := len(p.Keys) + len(p.Values)
	for i := range p.Headers {
		n += len(p.Headers[i].Key) + len(p.Headers[i].Value)
	}
	return n
}

// bothRows is from how many rows on it is worth writing columns side by side.
const bothRows = 2 * chunkRows

// writeRows writes rows lo to hi of one row group, every other column by a goroutine of
// its own.
func (w *Writer) writeRows(lo, hi int) error {
	if hi-lo < bothRows {
		return errors.Join(w.writeColumns(0, lo, hi), w.writeColumns(1, lo, hi))
	}
	odd := make(chan error, 1)
	go func() { odd <- w.writeColumns(1, lo, hi) }()
	even := w.writeColumns(0, lo, hi)
	return errors.Join(even, <-odd)
}

// writeColumns writes every other column, from the first on.
func (w *Writer) writeColumns(first, lo, hi int) error {
	out := w.out.ColumnWriters()
	for i := first; i < len(w.columns); i += 2 {
		c := w.columns[i]
		at := w.rows
		at.cuts = w.cuts[i]
		for at.lo = lo; at.lo < hi; at.lo = at.hi {
			at.hi = min(at.lo+chunkRows, hi)
			values := w.values[first][:at.hi-at.lo]
			if c.each != nil {
				values = c.each(&at, values[:0])
			} else {
				c.fill(&at, values)
			}
			if _, err := out[i].WriteRowValues(values); err != nil {
				return fmt.Errorf("column %s: %w", c.name, err)
			}
		}
		w.cuts[i] = at.cuts
	}
	return nil
}

// count keeps each partition's range and sees that offsets rise.
func (w *Writer) count(b *replay.Batch) error {
	for i, p := range b.Partition {
		if uint(p) >= uint(len(w.partitions)) {
			return fmt.Errorf("row %d of the batch: partition index %d, but only %d partitions are known", i, p, len(w.partitions))
		}
		m, offset := &w.partitions[p], b.Offset[i]
		switch {
		case m.Messages == 0:
			m.Start = offset
		case offset < m.End:
			return fmt.Errorf("topic %q partition %d: offset %d comes after offset %d: %w",
				m.Topic, m.Number, offset, m.End-1, ErrOffsetOrder)
		}
		m.End = offset + 1
		m.Messages++
	}
	return nil
}

// check sees that the batch's columns are as long as they must be.
func (w *Writer) check(b *replay.Batch, p Payload) error {
	n := b.Len()
	want := func(name string, have, want int) error {
		if have == want {
			return nil
		}
		return fmt.Errorf("a batch of %d messages has %d of %s, not %d", n, have, name, want)
	}
	optional := func(wanted bool) int {
		if wanted {
			return n
		}
		return 0
	}
	return errors.Join(
		want("partition", len(b.Partition), n),
		want("timestamp", len(b.TimestampMs), n),
		want("timestamp_type", len(b.TimestampType), n),
		want("key_hash", len(b.KeyHash), n),
		want("key_len", len(b.KeyLen), n),
		want("value_len", len(b.ValueLen), n),
		want("raw_timestamp", len(b.RawTimestamp), optional(w.opts.RawTimestamp)),
		want("processed_at", len(b.ProcessedAtMs), optional(w.opts.ProcessedAt)),
		want("message_id", len(b.MessageID), optional(w.opts.MessageID)),
		want("key bytes", len(p.Keys), payloadBytes(w.opts.Keys, b.KeyLen)),
		want("value bytes", len(p.Values), payloadBytes(w.opts.Values, b.ValueLen)),
		want("header counts", len(p.HeaderCounts), optional(w.opts.Headers)),
		want("headers", len(p.Headers), payloadBytes(w.opts.Headers, p.HeaderCounts)),
	)
}

// payloadBytes is how many bytes a payload of these lengths has, or how many headers
// there are of these counts.
func payloadBytes(wanted bool, lens []int32) int {
	sum := 0
	if wanted {
		for _, n := range lens {
			sum += max(0, int(n))
		}
	}
	return sum
}

// Close finishes the capture: the open row group, the metadata, the footer.
func (w *Writer) Close() error {
	if w.err != nil {
		return w.err
	}
	w.err = errClosed
	m, err := json.Marshal(Metadata{Version: w.opts.Version, Cluster: w.opts.Cluster, Partitions: w.partitions})
	if err != nil {
		return err
	}
	w.out.SetKeyValueMetadata(MetadataKey, string(m))
	return w.out.Close()
}

var errClosed = errors.New("the capture is closed")
