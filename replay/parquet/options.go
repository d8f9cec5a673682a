package parquet

import (
	"fmt"
	"maps"
	"slices"
	"strings"
)

// Options say how captures that others wrote are to be read. The zero value
// finds everything by itself or refuses.
type Options struct {
	// Map names the column of the files that holds one of the capture's
	// columns (see Columns): {"timestamp": "event_time"}. A column inside a
	// struct is named with dots. What is not mapped is found by its usual
	// names.
	Map map[string]string

	// TimestampUnit is the unit of plain integer timestamps: s, ms, us or ns.
	// Empty: it is told from the magnitude of the values (10 digits s, 13 ms,
	// 16 us, 19 ns), and refused where they disagree. Timestamps whose type
	// says the unit are not touched.
	TimestampUnit string

	// NullTimestamps says what to do with rows whose timestamp is NULL: fail
	// (the default), skip (leave the message out) or none (a message without
	// timestamp). They are counted in the plan's notes.
	NullTimestamps string

	// NoKeys and NoSizes leave key hashes and key lengths, or value lengths, unread:
	// for who does not look at them. Messages come as from files without such
	// columns, and the payloads that these would be taken from are passed over.
	NoKeys, NoSizes bool
}

// Policies for NULL timestamps.
const (
	nullsFail = "fail"
	nullsSkip = "skip"
	nullsNone = "none"
)

// units gives the timestamps of a unit in one ms, or the ms in one of its
// timestamps.
var units = map[string]unit{
	"s":  {name: "s", mul: 1000, div: 1},
	"ms": {name: "ms", mul: 1, div: 1},
	"us": {name: "us", mul: 1, div: 1000},
	"ns": {name: "ns", mul: 1, div: 1_000_000},
}

// Check says what is wrong with the options. Open does so too.
func (o Options) Check() error { return o.check() }

// check fills in defaults and refuses what is not known.
func (o *Options) check() error {
	if o.NullTimestamps == "" {
		o.NullTimestamps = nullsFail
	}
	if !slices.Contains([]string{nullsFail, nullsSkip, nullsNone}, o.NullTimestamps) {
		return fmt.Errorf("null timestamps: %q is not known; say fail, skip or none", o.NullTimestamps)
	}
	if _, ok := units[o.TimestampUnit]; !ok && o.TimestampUnit != "" {
		return fmt.Errorf("timestamp unit: %q is not known; say s, ms, us or ns", o.TimestampUnit)
	}
	for _, name := range slices.Sorted(maps.Keys(o.Map)) {
		to := o.Map[name]
		if !slices.Contains(Columns(), name) {
			return fmt.Errorf("map: a capture has no column %q; it has %s", name, strings.Join(Columns(), ", "))
		}
		if to == "" {
			return fmt.Errorf("map: column %s is mapped to nothing", name)
		}
	}
	return nil
}
