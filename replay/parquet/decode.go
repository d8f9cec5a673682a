package parquet

import (
	"encoding/binary"
	"fmt"
	"math"
	"slices"

	"github.com/parquet-go/parquet-go/encoding"
	"github.com/parquet-go/parquet-go/encoding/bytestreamsplit"
	"github.com/parquet-go/parquet-go/encoding/delta"
	"github.com/parquet-go/parquet-go/format"
)

// decoder decodes the values of one column.
type decoder struct {
	kind  format.Type
	width int // bytes of a value; 0 for byte arrays
	limit int64

	ints64  []int64
	ints32  []int32
	lengths []int32
	text    []byte
	offsets []uint32
}

func newDecoder(e *format.SchemaElement, limit int64) decoder {
	d := decoder{kind: e.Type.V, limit: limit}
	switch d.kind {
	case format.Int32, format.Float:
		d.width = 4
	case format.Int64, format.Double:
		d.width = 8
	case format.Int96:
		d.width = 12
	case format.FixedLenByteArray:
		d.width = int(e.TypeLength.V)
	}
	return d
}

// plainValues is n values of a type from their plain encoding, in place.
func (d *decoder) plainValues(b []byte, n int) (encoding.Values, error) {
	width := d.width
	switch d.kind {
	case format.ByteArray:
		return d.plainBytes(b, n)
	case format.Boolean:
		if len(b) < (n+7)/8 {
			return encoding.Values{}, short(len(b)*8, n)
		}
		return encoding.BooleanValues(b), nil
	}
	if width <= 0 || len(b)/width < n {
		return encoding.Values{}, short(len(b)/max(width, 1), n)
	}
	return d.fixedValues(b[:n*width]), nil
}

func short(have, want int) error {
	return fmt.Errorf("%w: a page of %d values holds %d", ErrCorrupt, want, have)
}

// fixedValues is values of fixed width, little endian, as they are.
func (d *decoder) fixedValues(b []byte) encoding.Values {
	switch d.kind {
	case format.Int32:
		return encoding.Int32ValuesFromBytes(b)
	case format.Int64:
		return encoding.Int64ValuesFromBytes(b)
	case format.Int96:
		return encoding.Int96ValuesFromBytes(b)
	case format.Float:
		return encoding.FloatValuesFromBytes(b)
	case format.Double:
		return encoding.DoubleValuesFromBytes(b)
	}
	return encoding.FixedLenByteArrayValues(b, d.width)
}

// plainBytes takes byte arrays, each after its length, apart.
func (d *decoder) plainBytes(b []byte, n int) (encoding.Values, error) {
	d.text, d.offsets = d.text[:0], slices.Grow(d.offsets[:0], n+1)
	d.offsets = append(d.offsets, 0)
	for i := range n {
		if len(b) < 4 {
			return encoding.Values{}, short(i, n)
		}
		size := binary.LittleEndian.Uint32(b)
		if uint64(size) > uint64(len(b)-4) {
			return encoding.Values{}, fmt.Errorf("%w: value %d has %d bytes, of which %d are there", ErrCorrupt, i, size, len(b)-4)
		}
		d.text = append(d.text, b[4:4+size]...)
		d.offsets = append(d.offsets, uint32(len(d.text)))
		b = b[4+size:]
	}
	return encoding.ByteArrayValues(d.text, d.offsets), nil
}

// inPlace reports whether values stay in the bytes that they are decoded from.
func (d *decoder) inPlace(enc format.Encoding) bool {
	return enc == format.Plain && d.kind != format.ByteArray || enc == format.DeltaLengthByteArray
}

// values decodes n values. They stay valid until the next call.
func (d *decoder) values(enc format.Encoding, b []byte, n int) (encoding.Values, error) {
	switch {
	case enc == format.Plain:
		return d.plainValues(b, n)
	case enc == format.DeltaBinaryPacked && (d.kind == format.Int64 || d.kind == format.Int32):
		return d.deltaValues(b, n)
	case enc == format.ByteStreamSplit && d.width > 0 && d.kind != format.Int96:
		return d.splitValues(b, n)
	case enc == format.DeltaLengthByteArray && d.kind == format.ByteArray:
		return d.deltaLengthBytes(b, n)
	case enc == format.DeltaByteArray && (d.kind == format.ByteArray || d.kind == format.FixedLenByteArray):
		return d.deltaBytes(b, n)
	case enc == format.RLE && d.kind == format.Boolean:
		if len(b) < 4 {
			return encoding.Values{}, short(0, n)
		}
		_, err := hybrid(b[4:], 1, n)
		return encoding.BooleanValues(make([]byte, (n+7)/8)), err // no column of a capture is boolean
	}
	return encoding.Values{}, fmt.Errorf("%w: encoding %s of %s; write the file with plain or dictionary encoding", ErrUnsupported, enc, d.kind)
}

func (d *decoder) deltaValues(b []byte, n int) (v encoding.Values, err error) {
	used, err := deltaLength(b, n)
	if err != nil {
		return v, fmt.Errorf("%w: DELTA_BINARY_PACKED: %w", ErrCorrupt, err)
	}
	var enc delta.BinaryPackedEncoding
	if d.kind == format.Int64 {
		d.ints64, err = enc.DecodeInt64(d.ints64[:0], b[:used])
		v = encoding.Int64Values(d.ints64)
	} else {
		d.ints32, err = enc.DecodeInt32(d.ints32[:0], b[:used])
		v = encoding.Int32Values(d.ints32)
	}
	if err != nil {
		return v, fmt.Errorf("%w: %w", ErrCorrupt, err)
	}
	if have := valueCount(&v); have != n {
		return v, short(have, n)
	}
	return v, nil
}

// splitValues puts BYTE_STREAM_SPLIT values together.
func (d *decoder) splitValues(b []byte, n int) (v encoding.Values, err error) {
	if len(b) != n*d.width {
		return v, short(len(b)/d.width, n)
	}
	d.text, err = new(bytestreamsplit.Encoding).DecodeFixedLenByteArray(d.text[:0], b, d.width)
	if err != nil {
		return v, fmt.Errorf("%w: %w", ErrCorrupt, err)
	}
	return d.fixedValues(d.text), nil
}

func (d *decoder) deltaLengthBytes(b []byte, n int) (v encoding.Values, err error) {
	if d.lengths, b, err = deltaInts(d.lengths, b, n); err != nil {
		return v, err
	}
	d.offsets = append(slices.Grow(d.offsets[:0], n+1), 0)
	at := int64(0)
	for i, size := range d.lengths {
		if at += int64(size); size < 0 || at > int64(len(b)) {
			return v, fmt.Errorf("%w: value %d has %d bytes, of which %d are there", ErrCorrupt, i, size, int64(len(b))-at+int64(size))
		}
		d.offsets = append(d.offsets, uint32(at))
	}
	return encoding.ByteArrayValues(b, d.offsets), nil
}

// deltaBytes puts DELTA_BYTE_ARRAY values together: each begins like the one
// before it.
func (d *decoder) deltaBytes(b []byte, n int) (v encoding.Values, err error) {
	if d.lengths, b, err = deltaInts(d.lengths, b, n); err != nil {
		return v, err
	}
	if d.ints32, b, err = deltaInts(d.ints32, b, n); err != nil {
		return v, err
	}
	d.text, d.offsets = d.text[:0], append(slices.Grow(d.offsets[:0], n+1), 0)
	last := 0
	for i, size := range d.ints32 {
		prefix, before := int(d.lengths[i]), len(d.text)-last
		if size < 0 || prefix < 0 || prefix > before || int(size) > len(b) {
			return v, fmt.Errorf("%w: value %d has %d bytes of the %d before it and %d of %d", ErrCorrupt, i, prefix, before, size, len(b))
		}
		if int64(len(d.text)+prefix+int(size)) > min(d.limit, math.MaxUint32) {
			return v, fmt.Errorf("%w: a page's values take more than %d bytes; write it with smaller pages", ErrTooLarge, d.limit)
		}
		start := len(d.text)
		d.text = append(d.text, d.text[last:last+prefix]...)
		d.text = append(d.text, b[:size]...)
		b, last = b[size:], start
		d.offsets = append(d.offsets, uint32(len(d.text)))
	}
	if d.kind == format.FixedLenByteArray {
		if len(d.text) != n*d.width {
			return v, short(len(d.text)/max(d.width, 1), n)
		}
		return d.fixedValues(d.text), nil
	}
	return encoding.ByteArrayValues(d.text, d.offsets), nil
}

// valueCount is the number of values that a page's bytes hold.
func valueCount(v *encoding.Values) int {
	data, offsets := v.Data()
	switch v.Kind() {
	case encoding.Boolean:
		return 8 * len(data)
	case encoding.Int32, encoding.Float:
		return len(data) / 4
	case encoding.Int64, encoding.Double:
		return len(data) / 8
	case encoding.Int96:
		return len(data) / 12
	case encoding.ByteArray:
		return max(len(offsets)-1, 0)
	case encoding.FixedLenByteArray:
		if _, size := v.FixedLenByteArray(); size > 0 {
			return len(data) / size
		}
	}
	return 0
}
