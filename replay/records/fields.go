package records

import (
	"fmt"
	"slices"
	"strings"
)

// target is what a field of a record can be for the message.
type target int

const (
	timestamp target = iota
	timestampType
	topic
	partition
	offset
	key
	value
	valueLen
	processedAt
	messageID
	partitionBy
	targets // how many there are
)

var targetNames = [targets]string{
	"timestamp", "timestamp_type", "topic", "partition", "offset", "key", "value", "value_len",
	"processed_at", "message_id", "partition_by",
}

func (t target) String() string { return targetNames[t] }

// usualNames are the fields that are taken for a target where no other is
// given: the first that a record has. They are what kcat -J, rpk -f json, kaf,
// AKHQ and Redpanda Connect call them.
var usualNames = [targets][]string{
	timestamp:     {"timestamp", "ts", "kafka_timestamp_ms", "event_time", "time"},
	timestampType: {"timestamp_type", "timestampType", "tstype"},
	topic:         {"topic", "kafka_topic"},
	partition:     {"partition", "kafka_partition"},
	offset:        {"offset", "kafka_offset"},
	key:           {"key", "kafka_key"},
	value:         {"value", "payload"},
	valueLen:      {"value_len", "value_size"},
}

// mapping says which fields of a record are which targets.
type mapping struct {
	names [targets][]string // the first that is there is taken
	given [targets]bool     // by the user: it must be there
}

// newMapping reads TARGET=FIELD pairs; an empty FIELD leaves the target out. by,
// where not empty, is the field that partitions are made from. Groups of a
// pattern that bear the name of a target are that target.
func newMapping(pairs []string, by string, groups []string) (mapping, error) {
	m := mapping{names: usualNames}
	if by != "" {
		pairs = append(slices.Clip(pairs), "partition_by="+by)
	}
	for _, p := range pairs {
		name, field, ok := strings.Cut(p, "=")
		if !ok {
			return m, fmt.Errorf("mapping %q is not TARGET=FIELD, as in timestamp=created_at", p)
		}
		t := target(slices.Index(targetNames[:], name))
		if t < 0 {
			return m, fmt.Errorf("mapping %q: there is no target %q; the targets are %s", p, name, strings.Join(targetNames[:partitionBy], ", "))
		}
		if m.given[t] {
			return m, fmt.Errorf("mapping: %s is given twice", name)
		}
		m.names[t], m.given[t] = []string{field}, true
		if field == "" {
			m.names[t] = nil
		}
	}
	for _, g := range groups {
		if t := target(slices.Index(targetNames[:], g)); t >= 0 && !m.given[t] {
			m.names[t], m.given[t] = []string{g}, true
		}
	}
	for t := range targets {
		m.given[t] = m.given[t] && m.names[t] != nil
	}
	return m, nil
}

// field is a field of a record.
type field struct {
	text string
	has  presence
}

type presence uint8

const (
	absent  presence = iota // the record has no such field
	null                    // it has, without a value
	present                 // it has one; the text may be empty
)

// record is one record of a file, its fields by target. Texts are good until
// the next record.
type record struct {
	line   int // where it begins, from 1
	fields [targets]field
	json   string // where the fields come from JSON: all of it
}

func (r *record) set(t target, text string) { r.fields[t] = field{text, present} }

// decoder reads the records of a file one after the other, into r; io.EOF ends
// them. After a *badRecord the next may be read; after another error not.
type decoder interface {
	next(r *record) error
}

// badRecord is a record that cannot be read.
type badRecord struct {
	line   int
	target string // and its field; empty where the whole record is bad
	err    error
}

func (e *badRecord) Error() string {
	if e.target == "" {
		return fmt.Sprintf("line %d: %v", e.line, e.err)
	}
	return fmt.Sprintf("line %d: %s: %v", e.line, e.target, e.err)
}

func (e *badRecord) Unwrap() error { return e.err }

// describe names a target and the field that it is read from.
func (m *mapping) describe(t target) string {
	if n := m.names[t]; len(n) == 1 && n[0] != t.String() {
		return fmt.Sprintf("%v (field %q)", t, n[0])
	}
	return t.String()
}
