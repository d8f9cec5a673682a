package parquet

import (
	"encoding/binary"
	"fmt"
	"math"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/cespare/xxhash/v2"
	"github.com/parquet-go/parquet-go/encoding"
	"github.com/parquet-go/parquet-go/format"

	"twindrift/replay"
)

// asInt64 copies integer values. Unsigned ones that do not fit are an error.
func asInt64(dst []int64, v *encoding.Values, from int, e *format.SchemaElement) (int, error) {
	switch v.Kind() {
	case encoding.Int64:
		copy(dst, v.Int64()[from:])
		if isUnsigned64(e) {
			for i, x := range dst {
				if x < 0 {
					return i, fmt.Errorf("value %d is too large", uint64(x))
				}
			}
		}
	case encoding.Int32:
		in := v.Int32()[from : from+len(dst)]
		if isUnsigned32(e) {
			for i, x := range in {
				dst[i] = int64(uint32(x))
			}
			break
		}
		for i, x := range in {
			dst[i] = int64(x)
		}
	default:
		return 0, wrongType(e, "an integer")
	}
	return len(dst), nil
}

func wrongType(e *format.SchemaElement, want string) error {
	return fmt.Errorf("%w: its type is %s, wanted is %s; map another column with --map", ErrUnsupported, typeName(e), want)
}

// eachBytes calls f with each value of a byte column.
func eachBytes(dst []int64, v *encoding.Values, from int, f func(b []byte) (int64, error)) (int, error) {
	var err error
	switch v.Kind() {
	case encoding.ByteArray:
		data, offsets := v.ByteArray()
		offsets = offsets[from : from+len(dst)+1]
		for i := range dst {
			if dst[i], err = f(data[offsets[i]:offsets[i+1]]); err != nil {
				return i, err
			}
		}
	case encoding.FixedLenByteArray:
		data, size := v.FixedLenByteArray()
		for i := range dst {
			at := (from + i) * size
			if dst[i], err = f(data[at : at+size]); err != nil {
				return i, err
			}
		}
	default:
		return 0, fmt.Errorf("%w: values of type %s, wanted are bytes", ErrUnsupported, v.Kind())
	}
	return len(dst), nil
}

// integers are whole numbers within bounds: offsets, partitions, lengths. They
// may be written as decimal text.
type integers struct {
	element  *format.SchemaElement
	min, max int64
}

func (m integers) convert(dst []int64, v *encoding.Values, from int) (n int, err error) {
	if v.Kind() == encoding.ByteArray {
		n, err = eachBytes(dst, v, from, func(b []byte) (int64, error) {
			x, err := strconv.ParseInt(strings.TrimSpace(string(b)), 10, 64)
			if err != nil {
				return 0, fmt.Errorf("%q is not a whole number", cut(b))
			}
			return x, nil
		})
	} else {
		n, err = asInt64(dst, v, from, m.element)
	}
	if err != nil {
		return n, err
	}
	for i, x := range dst {
		if x < m.min || x > m.max {
			return i, fmt.Errorf("value %d is not in %d..%d", x, m.min, m.max)
		}
	}
	return n, nil
}

// cut is the beginning of a value, for a message.
func cut(b []byte) string {
	if len(b) > 40 {
		return string(b[:40]) + "..."
	}
	return string(b)
}

// texts are names, of which each gets a number: its place in names.
type texts struct {
	element *format.SchemaElement
	names   *[]string
	known   map[string]int64
}

func newTexts(e *format.SchemaElement, names *[]string) *texts {
	return &texts{element: e, names: names, known: map[string]int64{}}
}

func (m *texts) convert(dst []int64, v *encoding.Values, from int) (int, error) {
	if v.Kind() != encoding.ByteArray {
		return 0, wrongType(m.element, "text")
	}
	last, have := int64(0), false
	return eachBytes(dst, v, from, func(b []byte) (int64, error) {
		if have && string(b) == (*m.names)[last] {
			return last, nil
		}
		n, ok := m.known[string(b)]
		if !ok {
			if len(b) == 0 || !utf8.Valid(b) {
				return 0, fmt.Errorf("%q is no name of a topic", cut(b))
			}
			n = int64(len(*m.names))
			*m.names = append(*m.names, string(b))
			m.known[string(b)] = n
		}
		last, have = n, true
		return n, nil
	})
}

// hashes are xxhash64 of the values' bytes: those of text and binary as they
// are, those of numbers as Parquet stores them, little endian. asIs is for a
// column that holds hashes already.
type hashes struct {
	element *format.SchemaElement
	asIs    bool
}

func (m hashes) convert(dst []int64, v *encoding.Values, from int) (int, error) {
	var buf [12]byte
	switch v.Kind() {
	case encoding.Int64:
		copy(dst, v.Int64()[from:])
		if m.asIs {
			break
		}
		for i, x := range dst {
			binary.LittleEndian.PutUint64(buf[:], uint64(x))
			dst[i] = int64(xxhash.Sum64(buf[:8]))
		}
	case encoding.Int32, encoding.Double, encoding.Float, encoding.Int96:
		data, _ := v.Data()
		size := map[encoding.Kind]int{encoding.Double: 8, encoding.Int96: 12}[v.Kind()]
		if size == 0 {
			size = 4
		}
		for i := range dst {
			at := (from + i) * size
			dst[i] = int64(xxhash.Sum64(data[at : at+size]))
		}
	case encoding.ByteArray, encoding.FixedLenByteArray:
		return eachBytes(dst, v, from, func(b []byte) (int64, error) { return int64(xxhash.Sum64(b)), nil })
	default:
		return 0, wrongType(m.element, "an integer or text")
	}
	return len(dst), nil
}

// sizes are the lengths of the values in bytes.
type sizes struct{ element *format.SchemaElement }

func (m sizes) convert(dst []int64, v *encoding.Values, from int) (int, error) {
	fixed := map[encoding.Kind]int64{
		encoding.Int32: 4, encoding.Float: 4, encoding.Int64: 8, encoding.Double: 8, encoding.Int96: 12, encoding.Boolean: 1,
	}
	if n, ok := fixed[v.Kind()]; ok {
		for i := range dst {
			dst[i] = n
		}
		return len(dst), nil
	}
	return eachBytes(dst, v, from, func(b []byte) (int64, error) {
		return int64(min(len(b), math.MaxInt32)), nil
	})
}

// timestampTypes are Kafka's: its numbers, or the names that clients give them.
type timestampTypes struct{ element *format.SchemaElement }

var timestampTypeNames = map[string]int8{
	"create": replay.TimestampCreate, "createtime": replay.TimestampCreate, "create_time": replay.TimestampCreate, "0": replay.TimestampCreate,
	"logappend": replay.TimestampLogAppend, "logappendtime": replay.TimestampLogAppend, "log_append_time": replay.TimestampLogAppend, "1": replay.TimestampLogAppend,
	"": replay.TimestampNone, "none": replay.TimestampNone, "unknown": replay.TimestampNone, "notavailable": replay.TimestampNone,
	"no_timestamp_type": replay.TimestampNone, "notimestamptype": replay.TimestampNone, "-1": replay.TimestampNone,
}

func (m timestampTypes) convert(dst []int64, v *encoding.Values, from int) (int, error) {
	if v.Kind() == encoding.ByteArray {
		return eachBytes(dst, v, from, func(b []byte) (int64, error) {
			t, ok := timestampTypeNames[strings.ToLower(string(b))]
			if !ok {
				return 0, fmt.Errorf("%q is not a timestamp type; Kafka has CreateTime and LogAppendTime", cut(b))
			}
			return int64(t), nil
		})
	}
	return integers{m.element, int64(replay.TimestampNone), int64(replay.TimestampLogAppend)}.convert(dst, v, from)
}
