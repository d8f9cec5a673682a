package records

import (
	"fmt"
	"math"
	"strconv"
	"strings"

	"github.com/cespare/xxhash/v2"

	"twindrift/replay"
)

// message is what a record says, as a row of a batch.
type message struct {
	topic       string
	partition   int32
	offset      int64
	hasOffset   bool // else its place in the partition
	timestamp   int64
	kind        int8 // timestamp type
	keyHash     uint64
	keyLen      int32
	valueLen    int32
	processedAt int64
	messageID   int64
}

// noTimestamp is the error of a record without a timestamp.
type noTimestamp struct {
	field bool   // there is not even the field
	json  string // of the record
}

func (e noTimestamp) Error() string {
	if !e.field || e.json == "" {
		return "there is no timestamp"
	}
	has := fieldPaths(e.json)
	if len(has) == 0 || has[0] == "" {
		return "there is no such field; the record has no fields at all"
	}
	return fmt.Sprintf("there is no such field; the record has %s; say --map timestamp=FIELD", strings.Join(has, ", "))
}

// reader turns the records of one file into messages.
type reader struct {
	*settings
	mapping *mapping // of this file
	topic   string   // where a record has none
	times   [targets]timeParser
}

func (s *settings) newReader(topic string, m *mapping) *reader {
	r := &reader{settings: s, mapping: m, topic: topic}
	for _, t := range timeTargets {
		r.times[t], _ = s.timeParser(t) // resolve has seen that it can be made
	}
	return r
}

// message reads a record into m. Its error names the field.
func (r *reader) message(rec *record, m *message) error {
	f := &rec.fields
	*m = message{topic: r.topic, timestamp: replay.NoTimestamp, processedAt: replay.NoTimestamp, messageID: replay.NoMessageID}
	bad := func(t target, err error) error {
		return &badRecord{line: rec.line, target: r.mapping.describe(t), err: err}
	}
	if f[topic].has == present {
		m.topic = f[topic].text
	}
	if err := r.partition(f, m); err != nil {
		return bad(partition, err)
	}
	if f[offset].has == present {
		v, err := strconv.ParseInt(f[offset].text, 10, 64)
		if err != nil || v < 0 || v == math.MaxInt64 { // no offset comes after the largest
			return bad(offset, fmt.Errorf("%q is not an offset", f[offset].text))
		}
		m.offset, m.hasOffset = v, true
	}
	m.payload(f)
	if f[messageID].has == present {
		v, err := strconv.ParseInt(f[messageID].text, 10, 64)
		if err != nil {
			return bad(messageID, fmt.Errorf("%q is not a whole number of 64 bits", f[messageID].text))
		}
		m.messageID = v
	}
	if err := r.timestamp(rec, m); err != nil {
		return bad(timestamp, err)
	}
	if f[processedAt].has == present {
		if a, ok := r.times[processedAt].(*after); ok {
			a.eventMs = m.timestamp
		}
		v, err := r.times[processedAt].parse(f[processedAt].text)
		if err != nil {
			return bad(processedAt, err)
		}
		m.processedAt = v
	}
	return nil
}

func (r *reader) partition(f *[targets]field, m *message) error {
	if r.Partitions > 0 {
		m.partition = int32(xxhash.Sum64String(f[partitionBy].text) % uint64(r.Partitions))
		return nil
	}
	if f[partition].has != present {
		return nil
	}
	v, err := strconv.ParseInt(f[partition].text, 10, 32)
	if err != nil || v < 0 {
		return fmt.Errorf("%q is not a partition number", f[partition].text)
	}
	m.partition = int32(v)
	return nil
}

// payload measures key and value. A record that came from Kafka, as its offset
// shows, has a null value where it has none: rpk leaves nulls out.
func (m *message) payload(f *[targets]field) {
	m.keyLen = replay.NullLen
	if k := f[key]; k.has == present {
		m.keyHash, m.keyLen = xxhash.Sum64String(k.text), int32(len(k.text))
	}
	switch v := f[value]; {
	case v.has == present:
		m.valueLen = int32(len(v.text))
	case f[valueLen].has == present:
		if n, err := strconv.ParseInt(f[valueLen].text, 10, 32); err == nil && n >= -1 {
			m.valueLen = int32(n)
		}
	case v.has == null || f[offset].has == present:
		m.valueLen = replay.NullLen
	}
}

// timestamp reads the timestamp and its type. A record without one is an
// error, unless it came from Kafka (kcat leaves the timestamp out where the
// message has none) or the policy is to keep it.
func (r *reader) timestamp(rec *record, m *message) error {
	f := &rec.fields
	kind, err := kindOf(f[timestampType])
	if err != nil {
		return err
	}
	t := f[timestamp]
	switch {
	case t.has == present && t.text != "":
		if m.timestamp, err = r.times[timestamp].parse(t.text); err != nil {
			return err
		}
	case t.has == absent && f[offset].has == present:
	case r.NullTimestamps == None:
	default:
		return noTimestamp{t.has == absent, rec.json}
	}
	m.kind = kind
	if m.timestamp == replay.NoTimestamp {
		m.kind = replay.TimestampNone
	}
	return nil
}

// kindOf reads a timestamp type as the Kafka tools write it.
func kindOf(f field) (int8, error) {
	if f.has != present {
		return replay.TimestampCreate, nil
	}
	switch strings.ToLower(f.text) {
	case "create", "createtime", "create_time", "0":
		return replay.TimestampCreate, nil
	case "logappend", "logappendtime", "log_append_time", "1":
		return replay.TimestampLogAppend, nil
	case "unknown", "none", "no_timestamp_type", "notimestamptype", "-1":
		return replay.TimestampNone, nil
	}
	return 0, fmt.Errorf("timestamp type %q is not one of create, logappend, unknown", f.text)
}
