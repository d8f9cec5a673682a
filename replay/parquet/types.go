package parquet

import (
	"fmt"

	pq "github.com/parquet-go/parquet-go"
	"github.com/parquet-go/parquet-go/deprecated"
	"github.com/parquet-go/parquet-go/format"
)

// typeName is a column's type as messages show it: INT64, INT64
// TIMESTAMP(MILLIS), BYTE_ARRAY STRING.
func typeName(e *format.SchemaElement) string {
	if e == nil || !e.Type.Valid {
		return "a group"
	}
	name := e.Type.V.String()
	if l := e.LogicalType.String(); l != "" {
		return name + " " + l
	}
	if e.ConvertedType.Valid {
		return name + " " + convertedNames[e.ConvertedType.V]
	}
	return name
}

// convertedNames are those of the annotations of old (ConvertedType).
var convertedNames = map[deprecated.ConvertedType]string{
	deprecated.UTF8: "UTF8", deprecated.Map: "MAP", deprecated.MapKeyValue: "MAP_KEY_VALUE",
	deprecated.List: "LIST", deprecated.Enum: "ENUM", deprecated.Decimal: "DECIMAL",
	deprecated.Date: "DATE", deprecated.TimeMillis: "TIME_MILLIS", deprecated.TimeMicros: "TIME_MICROS",
	deprecated.TimestampMillis: "TIMESTAMP_MILLIS", deprecated.TimestampMicros: "TIMESTAMP_MICROS",
	deprecated.Uint8: "UINT_8", deprecated.Uint16: "UINT_16", deprecated.Uint32: "UINT_32", deprecated.Uint64: "UINT_64",
	deprecated.Int8: "INT_8", deprecated.Int16: "INT_16", deprecated.Int32: "INT_32", deprecated.Int64: "INT_64",
	deprecated.Json: "JSON", deprecated.Bson: "BSON", deprecated.Interval: "INTERVAL",
}

// timestampUnit is the unit that a column's type says its timestamps have; ""
// if the type does not say. local is set if they are said not to be UTC.
func timestampUnit(e *format.SchemaElement) (name string, local bool) {
	if t, ok := e.LogicalType.Value.(*format.TimestampType); ok {
		local = !t.IsAdjustedToUTC
		switch t.Unit.Value.(type) {
		case *format.MilliSeconds:
			return "ms", local
		case *format.MicroSeconds:
			return "us", local
		case *format.NanoSeconds:
			return "ns", local
		}
		return "", local
	}
	if e.LogicalType.Value == nil && e.ConvertedType.Valid {
		switch e.ConvertedType.V {
		case deprecated.TimestampMillis:
			return "ms", false
		case deprecated.TimestampMicros:
			return "us", false
		}
	}
	return "", false
}

// isDate reports whether a column holds DATEs (days).
func isDate(e *format.SchemaElement) bool {
	if _, ok := e.LogicalType.Value.(*format.DateType); ok {
		return true
	}
	return e.LogicalType.Value == nil && e.ConvertedType.Valid && e.ConvertedType.V == deprecated.Date
}

// isPlainInteger reports whether nothing but the physical type (or a width and
// sign) says what an integer column means.
func isPlainInteger(e *format.SchemaElement) bool {
	switch e.LogicalType.Value.(type) {
	case nil:
	case *format.IntType:
		return true
	default:
		return false
	}
	if !e.ConvertedType.Valid {
		return true
	}
	switch e.ConvertedType.V {
	case deprecated.Int8, deprecated.Int16, deprecated.Int32, deprecated.Int64,
		deprecated.Uint8, deprecated.Uint16, deprecated.Uint32, deprecated.Uint64:
		return true
	}
	return false
}

// isUnsigned64 reports whether a column's values do not fit int64.
func isUnsigned64(e *format.SchemaElement) bool {
	if t, ok := e.LogicalType.Value.(*format.IntType); ok {
		return !t.IsSigned && t.BitWidth == 64
	}
	return e.ConvertedType.Valid && e.ConvertedType.V == deprecated.Uint64
}

// isUnsigned32 reports whether a column's values do not fit int32.
func isUnsigned32(e *format.SchemaElement) bool {
	if t, ok := e.LogicalType.Value.(*format.IntType); ok {
		return !t.IsSigned && t.BitWidth == 32
	}
	return e.ConvertedType.Valid && e.ConvertedType.V == deprecated.Uint32
}

// checkAnnotation sees that what a column's type says fits how it is stored:
// the library takes the one, the file holds the other.
func (f *file) checkAnnotation(c pq.LeafColumn) (err error) {
	defer rescue(&err) // lists and the like have no Kind
	e := f.element(c)
	if e == nil {
		return fmt.Errorf("%w: it is not in the schema", ErrCorrupt)
	}
	if t := c.Node.Type(); t.LogicalType() != nil || t.ConvertedType() != nil {
		if kind := t.Kind(); kind >= 0 && format.Type(kind) != e.Type.V {
			return fmt.Errorf("%w: type %s, which is to be stored as %s", ErrCorrupt, typeName(e), kind)
		}
	}
	return nil
}
