package kafka

import (
	"cmp"
	"encoding/binary"
	"errors"
	"fmt"
	"hash/crc32"
	"math"
	"slices"

	"github.com/cespare/xxhash/v2"
	"github.com/twmb/franz-go/pkg/kgo"

	"twindrift/replay"
)

// ErrCorrupt marks record batches that contradict themselves.
var ErrCorrupt = errors.New("corrupt record batch")

// The layout of a record batch, format 2 (Kafka's DefaultRecordBatch): the records
// follow the header.
const (
	atLength     = 8
	atMagic      = 16
	atCRC        = 17
	atAttributes = 21
	atLastDelta  = 23
	atFirstTime  = 27
	atMaxTime    = 35
	atProducer   = 43
	atCount      = 57
	headerBytes  = 61
	lengthFrom   = 12 // what the length does not count: base offset and length
)

// The attributes of a batch.
const (
	codecBits     = 0x07
	appendTimeBit = 0x08
	txnBit        = 0x10
	controlBit    = 0x20
)

var castagnoli = crc32.MakeTable(crc32.Castagnoli)

// header is the header of a record batch.
type header struct {
	base       int64 // offset of the first record that was in it
	next       int64 // offset after the last one
	attributes uint16
	firstTime  int64
	maxTime    int64
	producer   int64
	count      int32
	records    []byte // compressed as the attributes say
	bytes      int    // of the batch
}

// errPartial says that the rest is the beginning of a batch that was cut off, which
// brokers do at the end of what they send.
var errPartial = errors.New("cut off")

// errOldFormat says that what follows is a message set of a format before 2.
var errOldFormat = errors.New("message set of an older format")

// readHeader reads the header of the batch that raw begins with.
func readHeader(raw []byte) (h header, err error) {
	if len(raw) <= atMagic {
		return h, errPartial
	}
	h.base = int64(binary.BigEndian.Uint64(raw))
	length := int32(binary.BigEndian.Uint32(raw[atLength:]))
	if length < 0 {
		return h, fmt.Errorf("%w at offset %d: length %d", ErrCorrupt, h.base, length)
	}
	if int64(length)+lengthFrom > int64(len(raw)) {
		return h, errPartial
	}
	h.bytes = int(length) + lengthFrom
	switch magic := raw[atMagic]; {
	case magic < 2:
		return h, errOldFormat
	case magic > 2:
		return h, fmt.Errorf("record batch at offset %d: format %d is not known", h.base, magic)
	case h.bytes < headerBytes:
		return h, fmt.Errorf("%w at offset %d: %d bytes are less than its header", ErrCorrupt, h.base, h.bytes)
	}
	h.attributes = binary.BigEndian.Uint16(raw[atAttributes:])
	lastDelta := int32(binary.BigEndian.Uint32(raw[atLastDelta:]))
	h.firstTime = int64(binary.BigEndian.Uint64(raw[atFirstTime:]))
	h.maxTime = int64(binary.BigEndian.Uint64(raw[atMaxTime:]))
	h.producer = int64(binary.BigEndian.Uint64(raw[atProducer:]))
	h.count = int32(binary.BigEndian.Uint32(raw[atCount:]))
	h.records = raw[headerBytes:h.bytes]
	if lastDelta < 0 || h.count < 0 || h.base < 0 || h.base > math.MaxInt64-int64(lastDelta)-1 {
		return h, fmt.Errorf("%w at offset %d: last offset delta %d, %d records", ErrCorrupt, h.base, lastDelta, h.count)
	}
	h.next = h.base + int64(lastDelta) + 1
	return h, nil
}

// check holds the CRC of a batch against its bytes.
func (h *header) check(raw []byte) error {
	want := binary.BigEndian.Uint32(raw[atCRC:])
	if got := crc32.Checksum(raw[atAttributes:h.bytes], castagnoli); got != want {
		return fmt.Errorf("%w at offset %d: CRC %08x, its bytes have %08x", ErrCorrupt, h.base, want, got)
	}
	return nil
}

func (h *header) is(bit uint16) bool { return h.attributes&bit != 0 }

// nextOffset is the offset after the last whole batch in raw, or from where there is
// none: where a fetch goes on.
func nextOffset(raw []byte, from int64) (next int64, err error) {
	for next = from; ; {
		h, err := readHeader(raw)
		switch {
		case err == errPartial:
			return next, nil
		case err != nil:
			return next, err
		}
		next = max(next, h.next)
		raw = raw[h.bytes:]
	}
}

// walker goes over the record batches of one partition.
type walker struct {
	committed    bool // leaves out aborted transactions
	keys, values bool // payloads wanted
	headers      bool
	decompressor kgo.Decompressor

	aborting map[int64]bool // producers in the midst of an aborted transaction
}

// aborted is a transaction that was aborted: a producer and its first offset.
type aborted struct{ producer, first int64 }

// walk appends the messages with offsets from..end among the batches in raw to a
// chunk whose Next is from, and moves Next on. In what order the aborted transactions
// come does not matter.
func (w *walker) walk(raw []byte, end int64, transactions []aborted, c *Chunk) error {
	slices.SortFunc(transactions, func(a, b aborted) int { return cmp.Compare(a.first, b.first) })
	clear(w.aborting) // brokers name with every fetch all that matter to it
	for c.Next < end {
		h, err := readHeader(raw)
		switch {
		case err == errPartial:
			return nil
		case err != nil:
			return err
		}
		if err := h.check(raw); err != nil {
			return err
		}
		raw = raw[h.bytes:]
		for len(transactions) > 0 && transactions[0].first < h.next {
			w.abort(transactions[0].producer)
			transactions = transactions[1:]
		}
		switch {
		case h.next <= c.Next: // before what was asked for
		case h.base >= end:
			c.moveTo(end)
			return nil
		case h.is(controlBit):
			delete(w.aborting, h.producer) // a marker ends its transaction
			c.moveTo(min(h.next, end))
		case w.committed && h.is(txnBit) && w.aborting[h.producer]:
			c.moveTo(min(h.next, end))
		default:
			if err := w.records(&h, end, c); err != nil {
				return err
			}
			c.moveTo(min(h.next, end))
		}
	}
	return nil
}

func (w *walker) abort(producer int64) {
	if w.aborting == nil {
		w.aborting = map[int64]bool{}
	}
	w.aborting[producer] = true
}

// records appends the records of a batch. Its fields are varints, of 64 bits for the
// time (which may be decades from the batch's first).
func (w *walker) records(h *header, end int64, c *Chunk) error {
	in := h.records
	if codec := h.attributes & codecBits; codec != 0 && h.count > 0 {
		var err error
		if in, err = w.decompressor.Decompress(in, kgo.CompressionCodecType(codec)); err != nil {
			return fmt.Errorf("record batch at offset %d: %s: %w", h.base, codecName(codec), err)
		}
	}
	broken := func(what string, record int32) error {
		return fmt.Errorf("%w at offset %d: record %d of %d: %s", ErrCorrupt, h.base, record, h.count, what)
	}
	if int64(h.count) > int64(len(in)) {
		return broken("more records than bytes", 0)
	}
	c.reserve(int(h.count))
	kind := replay.TimestampCreate
	if h.is(appendTimeBit) {
		kind = replay.TimestampLogAppend
	}
	last := h.base - 1
	for i := range h.count {
		length, n := binary.Varint(in)
		if n <= 0 || length < 0 || length > int64(len(in)-n) {
			return broken("its length", i)
		}
		r := fields{rest: in[n : n+int(length)]}
		in = in[n+int(length):]
		r.skip(1) // attributes, of which none is in use
		delta := r.varint()
		offset := h.base + r.varint()
		key, keyLen := r.bytes()
		value, valueLen := r.bytes()
		was := len(c.Headers)
		if w.headers {
			c.Headers = r.headers(c.Headers)
		}
		if r.failed {
			return broken("its fields", i)
		}
		if offset <= last || offset >= h.next {
			return broken(fmt.Sprintf("offset %d after %d", offset, last), i)
		}
		last = offset
		if offset < c.Next || offset >= end {
			c.Headers = c.Headers[:was]
		}
		if offset < c.Next {
			continue
		}
		if offset >= end {
			return nil
		}
		ms, t := h.firstTime+delta, kind
		if kind == replay.TimestampLogAppend {
			ms = h.maxTime
		} else if ms == replay.NoTimestamp {
			t = replay.TimestampNone
		}
		c.moveTo(offset)
		c.add(offset, ms, t, key, keyLen, valueLen)
		c.Next = offset + 1
		if w.keys {
			c.Keys = append(c.Keys, key...)
		}
		if w.values {
			c.Values = append(c.Values, value...)
		}
		if w.headers {
			c.HeaderCounts = append(c.HeaderCounts, int32(len(c.Headers)-was))
		}
	}
	if len(in) > 0 {
		return broken(fmt.Sprintf("%d bytes behind the last", len(in)), h.count)
	}
	return nil
}

// fields reads the fields of a record.
type fields struct {
	rest   []byte
	failed bool
}

func (f *fields) skip(n int) {
	if n < 0 || n > len(f.rest) {
		f.failed, f.rest = true, nil
		return
	}
	f.rest = f.rest[n:]
}

func (f *fields) varint() int64 {
	v, n := binary.Varint(f.rest)
	if n <= 0 {
		f.failed, f.rest = true, nil
		return 0
	}
	f.rest = f.rest[n:]
	return v
}

// bytes are those of a key or value, nil of length replay.NullLen for null.
func (f *fields) bytes() ([]byte, int32) {
	n := f.varint()
	if n < 0 {
		f.failed = f.failed || n != int64(replay.NullLen)
		return nil, replay.NullLen
	}
	b := f.rest
	if f.skip(int(min(n, math.MaxInt32))); f.failed {
		return nil, 0
	}
	return b[:n], int32(n)
}

// headers appends the headers of a record. Their bytes stay those of what was fetched.
func (f *fields) headers(to []replay.Header) []replay.Header {
	n := f.varint()
	if n < 0 || n > int64(len(f.rest)) {
		f.failed = true
	}
	for ; n > 0 && !f.failed; n-- {
		key, _ := f.bytes()
		value, _ := f.bytes()
		to = append(to, replay.Header{Key: key, Value: value})
	}
	return to
}

// codecName is what Kafka calls a codec.
func codecName(codec uint16) string {
	names := [...]string{"none", "gzip", "snappy", "lz4", "zstd"}
	if int(codec) >= len(names) {
		return fmt.Sprintf("compression %d", codec)
	}
	return names[codec]
}

// keyHash is what a capture says of a key.
func keyHash(key []byte, length int32) uint64 {
	if length == replay.NullLen {
		return 0
	}
	return xxhash.Sum64(key)
}
