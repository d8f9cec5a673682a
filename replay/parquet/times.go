package parquet

import (
	"bytes"
	"fmt"
	"math"
	"strconv"
	"time"

	pq "github.com/parquet-go/parquet-go"
	"github.com/parquet-go/parquet-go/deprecated"
	"github.com/parquet-go/parquet-go/encoding"
	"github.com/parquet-go/parquet-go/format"

	"twindrift/replay"
)

// nullTime stands for a NULL timestamp until the policy for NULLs is applied.
const nullTime = math.MinInt64

// timeColumn is what is known of how a column holds times.
type timeColumn struct {
	element *format.SchemaElement
	unit    unit   // of integers
	local   bool   // the type says: not UTC (read as if it were)
	text    bool   // date-time text
	plain   bool   // nothing but the values or the user says the unit
	guessed string // plain: the unit as told from the values; "" if the user named it
}

// timeColumnOf says how a column holds times, or why it cannot. Where the unit
// is to be told from the values, unit.name is empty.
func (f *file) timeColumnOf(c pq.LeafColumn, named string) (timeColumn, error) {
	e := f.element(c)
	t := timeColumn{element: e}
	if err := f.checkAnnotation(c); err != nil {
		return t, err
	}
	name, local := timestampUnit(e)
	switch typ := e.Type.V; {
	case typ == format.Int96:
		t.unit = unit{name: "INT96"}
	case typ == format.Int64 && name != "":
		t.unit, t.local = units[name], local
	case typ == format.Int32 && isDate(e):
		t.unit = unit{name: "days", mul: 86_400_000, div: 1}
	case (typ == format.Int64 || typ == format.Int32) && isPlainInteger(e):
		t.plain, t.unit = true, units[named]
	case typ == format.ByteArray && isTextType(e):
		t.text = true
	case isNullType(e):
		t.unit = units["ms"]
	default:
		return t, fmt.Errorf("%w: its type is %s, wanted is a timestamp: INT64 with TIMESTAMP or a unit of your naming, INT96, DATE, or date-time text; map another column", ErrUnsupported, typeName(e))
	}
	return t, nil
}

// processedColumn says how processed_at holds times: as timestamps do, but that
// plain integers are ms unless the user named a unit. In files of others, values
// that look like another unit are refused.
func (f *file) processedColumn(c pq.LeafColumn, named string) (timeColumn, error) {
	if named == "" || f.meta != nil {
		named = "ms"
	}
	t, err := f.timeColumnOf(c, named)
	if t.plain && f.meta == nil {
		t.guessed = named
	}
	return t, err
}

// isTextType reports whether a byte column may hold text; writers of old do
// not always say.
func isTextType(e *format.SchemaElement) bool {
	_, text := e.LogicalType.Value.(*format.StringType)
	return text || e.LogicalType.Value == nil && (!e.ConvertedType.Valid || e.ConvertedType.V == deprecated.UTF8)
}

func isNullType(e *format.SchemaElement) bool {
	_, null := e.LogicalType.Value.(*format.NullType)
	return null
}

func (t timeColumn) convert(dst []int64, v *encoding.Values, from int) (int, error) {
	switch v.Kind() {
	case encoding.Int96:
		for i, x := range v.Int96()[from : from+len(dst)] {
			dst[i] = int96Ms(x)
		}
		return len(dst), nil
	case encoding.ByteArray:
		return eachBytes(dst, v, from, t.parse)
	}
	if n, err := asInt64(dst, v, from, t.element); err != nil {
		return n, err
	}
	if t.guessed != "" {
		if n, err := t.checkMagnitudes(dst); err != nil {
			return n, err
		}
	}
	if t.unit.name == "ms" {
		return len(dst), nil
	}
	return t.toMs(dst)
}

// toMs converts integers in place. A plain -1 is Kafka's "no timestamp" in any
// unit.
func (t timeColumn) toMs(dst []int64) (int, error) {
	for i, x := range dst {
		if t.plain && x == -1 {
			continue // replay.NoTimestamp
		}
		ms, ok := t.unit.ms(x)
		if !ok {
			return i, fmt.Errorf("value %d %s does not fit in ms", x, t.unit.name)
		}
		dst[i] = ms
	}
	return len(dst), nil
}

// checkMagnitudes refuses values that look as if they had another unit than
// the one told from the first.
func (t timeColumn) checkMagnitudes(values []int64) (int, error) {
	var largest, smallest uint64 = 0, math.MaxUint64
	for _, v := range values {
		m := magnitude(v)
		largest = max(largest, m)
		if m >= smallTimestamp {
			smallest = min(smallest, m)
		}
	}
	for i, v := range values {
		if smallest != math.MaxUint64 && inBand(int64(smallest), t.guessed) && inBand(int64(largest), t.guessed) {
			break // the usual case, told from the extremes
		}
		if !inBand(v, t.guessed) {
			return i, fmt.Errorf("values disagree on the unit: %s looks like %s, others like %s; say --timestamp-unit if one is right for all",
				digits(v), unitOf(v), t.guessed)
		}
	}
	return len(values), nil
}

// int96Ms is the time of an INT96: a Julian day and ns of the day, which some
// writers let run below 0 or past the day. Rounded down.
func int96Ms(x deprecated.Int96) int64 {
	const epochDay = 2440588 // the Julian day that begins (by Parquet's use) at 1970-01-01 00:00
	ns := int64(x[1])<<32 | int64(x[0])
	return (int64(int32(x[2]))-epochDay)*86_400_000 + floorDiv(ns, 1_000_000)
}

// parse reads date-time text: RFC 3339, the same with a space for the T, and
// without a zone, which is taken as UTC; or a whole number in the unit that the
// user named.
func (t timeColumn) parse(b []byte) (int64, error) {
	b = bytes.TrimSpace(b)
	if t.unit.name != "" || len(b) > 0 && allDigits(b) {
		x, err := strconv.ParseInt(string(b), 10, 64)
		if err == nil {
			return t.number(x)
		}
	}
	for _, layout := range dateTimeLayouts {
		if at, err := time.Parse(layout, string(b)); err == nil {
			return at.UnixMilli(), nil
		}
	}
	return 0, fmt.Errorf("%q is not a date and time; known are RFC 3339 (2026-01-31T23:59:59.999Z), 2026-01-31 23:59:59.999 (read as UTC) and numbers with --timestamp-unit", cut(b))
}

// number is a timestamp that was written as digits.
func (t timeColumn) number(x int64) (int64, error) {
	if x == -1 {
		return replay.NoTimestamp, nil
	}
	if t.unit.name == "" {
		return 0, fmt.Errorf("%d is a number whose unit is not known; say --timestamp-unit s, ms, us or ns", x)
	}
	if t.guessed != "" && !inBand(x, t.guessed) {
		return 0, fmt.Errorf("values disagree on the unit: %s looks like %s, others like %s; say --timestamp-unit if one is right for all",
			digits(x), unitOf(x), t.guessed)
	}
	ms, ok := t.unit.ms(x)
	if !ok {
		return 0, fmt.Errorf("value %d %s does not fit in ms", x, t.unit.name)
	}
	return ms, nil
}

func allDigits(b []byte) bool {
	for i, c := range b {
		if (c < '0' || c > '9') && !(i == 0 && c == '-' && len(b) > 1) {
			return false
		}
	}
	return true
}

// dateTimeLayouts take fractions of seconds of any length: Go's parser accepts
// them wherever a layout has seconds.
var dateTimeLayouts = []string{
	time.RFC3339,
	"2006-01-02 15:04:05Z07:00",
	"2006-01-02T15:04:05",
	"2006-01-02 15:04:05",
	"2006-01-02 15:04:05 Z07:00",
	"2006-01-02 15:04:05 -0700 MST", // how Go prints a time
	"2006-01-02",
}
