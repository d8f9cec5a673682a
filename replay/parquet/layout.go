package parquet

import (
	"fmt"
	"math"
	"slices"

	pq "github.com/parquet-go/parquet-go"
	"github.com/parquet-go/parquet-go/format"

	"twindrift/replay"
)

// role is what a column means to a capture.
type role int

const (
	topicRole role = iota
	partitionRole
	offsetRole
	timestampRole
	typeRole
	keyHashRole
	keyLenRole
	valueLenRole
	keyRole   // only for the hash and length
	valueRole // only for the length
	processedRole
	messageIDRole
	rawRole
	roles
)

// names lists, for each role, its column in our own files and then what others
// call it. Case does not matter.
var names = [roles][]string{
	topicRole:     {"topic", "kafka_topic", "topic_name", "_topic", "__topic"},
	partitionRole: {"partition", "kafka_partition", "partition_id", "_partition", "__partition"},
	offsetRole:    {"offset", "kafka_offset", "_offset", "__offset"},
	timestampRole: {"timestamp", "kafka_timestamp", "timestamp_ms", "kafka_timestamp_ms", "ts", "ts_ms", "event_time", "eventtime", "event_timestamp", "record_timestamp", "create_time", "rowtime", "_timestamp", "__timestamp", "time"},
	typeRole:      {"timestamp_type", "timestamptype", "kafka_timestamp_type", "tstype"},
	keyHashRole:   {"key_hash"},
	keyLenRole:    {"key_len"},
	valueLenRole:  {"value_len"},
	keyRole:       {"key", "kafka_key", "message_key", "_key", "__key"},
	valueRole:     {"value", "kafka_value", "message_value", "payload", "_value", "__value"},
	processedRole: {"processed_at"},
	messageIDRole: {"message_id"},
	rawRole:       {"raw_timestamp"},
}

// Columns are the columns of a capture, as Options.Map knows them.
func Columns() []string {
	var list []string
	for _, n := range names {
		list = append(list, n[0])
	}
	return list
}

// requiredColumns are those that each of our own files has.
const requiredColumns = keyRole

// layout is where a file keeps what a capture needs.
type layout struct {
	columns [roles]pq.LeafColumn
	has     [roles]bool
	sizes   [roles]bool // of a length: its column holds the bytes themselves
	hash    bool        // key_hash: its column holds what is to be hashed
	time    timeColumn
	seen    timeColumn // processed_at
	place   place      // what columns do not say, from the file's path or by default
}

// offsetSource says where a file's offsets come from.
type offsetSource int

const (
	offsetColumn offsetSource = iota
	offsetName                // counted on from the start in the file's name
	offsetRow                 // numbered in row order
)

func (l *layout) offsets() offsetSource {
	switch {
	case l.has[offsetRole]:
		return offsetColumn
	case l.place.start >= 0:
		return offsetName
	}
	return offsetRow
}

// findLayout says which column is what.
func (f *file) findLayout(o *Options) (*layout, error) {
	l := &layout{place: placeOf(f.name)}
	for r := range roles {
		if err := l.find(f, r, o.Map[names[r][0]]); err != nil {
			return nil, err
		}
	}
	if f.meta != nil {
		if err := l.checkOwn(f, o); err != nil {
			return nil, err
		}
	}
	l.deriveKeys(o)
	if !l.has[timestampRole] {
		return nil, fmt.Errorf("no column that looks like a timestamp; say which with --map timestamp=COLUMN; %s", f.columnNames())
	}
	var err error
	column := l.columns[timestampRole]
	if l.time, err = f.timeColumnOf(column, o.TimestampUnit); err != nil {
		return nil, &placed{f.name, -1, joinPath(column.Path), -1, err}
	}
	if column := l.columns[processedRole]; l.has[processedRole] {
		if l.seen, err = f.processedColumn(column, o.TimestampUnit); err != nil {
			return nil, &placed{f.name, -1, joinPath(column.Path), -1, err}
		}
	}
	return l, nil
}

func (l *layout) find(f *file, r role, mapped string) error {
	if mapped != "" {
		if l.columns[r], l.has[r] = f.column(mapped); !l.has[r] {
			if slices.ContainsFunc(f.leaves, func(c pq.LeafColumn) bool { return joinPath(c.Path) == mapped }) {
				return fmt.Errorf("column %q for %s is inside a list or map, where a message has any number of values; map another column", mapped, names[r][0])
			}
			return fmt.Errorf("no column %q for %s; %s", mapped, names[r][0], f.columnNames())
		}
		return nil
	}
	for _, name := range names[r] {
		c, ok := f.column(name)
		if ok && ((r != keyRole && r != valueRole) || isBytes(f.element(c))) {
			l.columns[r], l.has[r] = c, true
			break
		}
	}
	return nil
}

// deriveKeys takes hash and lengths from the key and value themselves where
// there are no columns for them.
func (l *layout) deriveKeys(o *Options) {
	l.hash = o.Map[names[keyHashRole][0]] != ""
	if !l.has[keyHashRole] && l.has[keyRole] {
		l.columns[keyHashRole], l.has[keyHashRole], l.hash = l.columns[keyRole], true, true
	}
	if !l.has[keyLenRole] && l.hash {
		l.columns[keyLenRole], l.has[keyLenRole], l.sizes[keyLenRole] = l.columns[keyHashRole], true, true
	}
	if !l.has[valueLenRole] && l.has[valueRole] {
		l.columns[valueLenRole], l.has[valueLenRole], l.sizes[valueLenRole] = l.columns[valueRole], true, true
	}
	if o.NoKeys {
		l.has[keyHashRole], l.has[keyLenRole] = false, false
	}
	if o.NoSizes {
		l.has[valueLenRole] = false
	}
}

func isBytes(e *format.SchemaElement) bool {
	return e != nil && (e.Type.V == format.ByteArray || e.Type.V == format.FixedLenByteArray)
}

// ownTypes are how our own files store the required columns.
var ownTypes = [requiredColumns]format.Type{
	format.ByteArray, format.Int32, format.Int64, format.Int64, format.Int32, format.Int64, format.Int32, format.Int32,
}

// checkOwn sees that a file of our own has what our writer gave it. A column
// that is missing there, or of another type, is a damaged footer and not a
// layout of others.
func (l *layout) checkOwn(f *file, o *Options) error {
	for r := range requiredColumns {
		name := names[r][0]
		if o.Map[name] != "" {
			continue
		}
		if c := l.columns[r]; !l.has[r] || joinPath(c.Path) != name || c.MaxDefinitionLevel > 0 {
			return fmt.Errorf("%w: a capture of twindrift without a required column %q; %s", ErrCorrupt, name, f.columnNames())
		}
		e := f.element(l.columns[r])
		unit, local := timestampUnit(e)
		if e.Type.V != ownTypes[r] || (r == timestampRole) != (unit == "ms") || local {
			return fmt.Errorf("%w: a capture of twindrift whose column %q is %s", ErrCorrupt, name, typeName(e))
		}
	}
	return nil
}

// open starts reading what a role's column says in a row group. names is where
// topics get their numbers.
func (l *layout) open(f *file, group int, r role, o *Options, topics *[]string) (*leaf, error) {
	c := l.columns[r]
	e := f.element(c)
	var m meaning
	null, nullErr := int64(0), error(nil)
	switch r {
	case topicRole:
		m, nullErr = newTexts(e, topics), errNull
	case partitionRole:
		m, nullErr = integers{e, 0, math.MaxInt32}, errNull
	case offsetRole:
		m, nullErr = integers{e, 0, math.MaxInt64}, errNull
	case timestampRole:
		m, null = l.time, nullTime
		if o.NullTimestamps == nullsFail {
			nullErr = errNullTime
		}
	case typeRole:
		m, null = timestampTypes{e}, int64(replay.TimestampCreate)
	case keyHashRole:
		m = hashes{e, !l.hash}
	case keyLenRole, valueLenRole:
		m, null = integers{e, int64(replay.NullLen), math.MaxInt32}, int64(replay.NullLen)
		if l.sizes[r] {
			m = sizes{e}
		}
	case processedRole:
		m, null = l.seen, replay.NoTimestamp
	case messageIDRole:
		m, null = integers{e, math.MinInt64, math.MaxInt64}, replay.NoMessageID
	case rawRole:
		m, null = integers{e, math.MinInt64, math.MaxInt64}, replay.NoTimestamp
	}
	leaf, err := f.openLeaf(group, c, m)
	if err != nil {
		return nil, err
	}
	leaf.null, leaf.nullErr = null, nullErr
	return leaf, nil
}
