package records

import (
	"errors"
	"fmt"
	"math"
	"regexp"
	"slices"
	"strings"
)

// Policy is what becomes of records that something is wrong with.
type Policy string

// The policies.
const (
	Fail Policy = "fail" // the import ends with an error (the default)
	Skip Policy = "skip" // they are left out and counted
	None Policy = "none" // timestamps only: the message is kept without one
)

// Options say how text becomes messages. The zero value reads what the Kafka
// tools print, and CSV with columns of the same names.
type Options struct {
	Format    Format
	Map       []string // TARGET=FIELD, as in timestamp=created_at
	Pattern   string   // Log: the regular expression
	Records   string   // JSON: path to the array that holds the records
	Separator rune     // CSV: 0 finds it out
	NoHeader  bool     // CSV: the first line is data

	Topic       string // for records without one; default: the file's name up to its first point
	PartitionBy string // field whose hash, modulo Partitions, is the partition
	Partitions  int32

	// TimeFormats and Zones are for all columns of times, or COLUMN=... for
	// one of timestamp, processed_at. Time formats: auto (the default), s, ms,
	// us, ns, mail, snowflake, after:UNIT (a duration after the timestamp), or
	// a layout of Go's package time. Zones: UTC (the default), a name, or an
	// offset; for times that have none.
	TimeFormats []string
	Zones       []string
	Year        int // of the first record, where the layout has no year

	// From and To bound the timestamps: earlier ones, and those at To or later,
	// are left out. A date and time (UTC unless it has a zone), a date, or a
	// number since 1970; empty is no bound.
	From, To string

	NullTimestamps Policy // for records without a timestamp
	BadRows        Policy // for records that cannot be read; Fail or Skip

	Keys, Values bool // write the payloads too
}

// settings is what the options come to.
type settings struct {
	*Options
	mapping mapping
	pattern *regexp.Regexp
	formats map[target]string
	zones   map[target]string
	from    int64 // ms since 1970
	to      int64
}

// timeTargets are the targets that hold times.
var timeTargets = []target{timestamp, processedAt}

// resolve checks the options.
func (o *Options) resolve() (*settings, error) {
	s := &settings{Options: o}
	var err error
	if err = checkFormat(o.Format); err != nil {
		return nil, err
	}
	if o.Pattern != "" {
		if s.pattern, err = regexp.Compile(o.Pattern); err != nil {
			return nil, fmt.Errorf("pattern: %w", err)
		}
	}
	switch {
	case o.Format == Log && s.pattern == nil:
		return nil, errors.New("format log needs a pattern: a regular expression with a group (?P<timestamp>...)")
	case o.Format != Detect && o.Format != Log && s.pattern != nil:
		return nil, fmt.Errorf("a pattern is for logs, not for format %s", o.Format)
	case o.Format != Detect && o.Format != JSON && o.Records != "":
		return nil, fmt.Errorf("a path to the records is for format json, not for %s", o.Format)
	case (o.PartitionBy == "") != (o.Partitions == 0) || o.Partitions < 0:
		return nil, errors.New("the field to make partitions from, and their number (1 or more), go together")
	}
	if s.mapping, err = newMapping(o.Map, o.PartitionBy, s.groups()); err != nil {
		return nil, err
	}
	if s.mapping.given[partition] && o.PartitionBy != "" {
		return nil, errors.New("partitions come from a column, or are made from another; not both")
	}
	if o.NullTimestamps, err = checkPolicy("--null-timestamps", o.NullTimestamps, Fail, Skip, None); err != nil {
		return nil, err
	}
	if o.BadRows, err = checkPolicy("--bad-rows", o.BadRows, Fail, Skip); err != nil {
		return nil, err
	}
	if s.formats, err = byColumn(o.TimeFormats); err != nil {
		return nil, err
	}
	if s.zones, err = byColumn(o.Zones); err != nil {
		return nil, err
	}
	for _, t := range timeTargets {
		if _, err := s.timeParser(t); err != nil {
			return nil, fmt.Errorf("%v: %w", t, err)
		}
	}
	if s.from, err = bound("--from", o.From, math.MinInt64); err != nil {
		return nil, err
	}
	if s.to, err = bound("--to", o.To, math.MaxInt64); err != nil {
		return nil, err
	}
	if s.from >= s.to {
		return nil, fmt.Errorf("--from %s is not before --to %s", o.From, o.To)
	}
	if strings.HasPrefix(s.formats[timestamp], "after:") {
		return nil, errors.New("timestamp: a duration after the timestamp cannot be the timestamp; say --time-format processed_at=after:UNIT")
	}
	return s, nil
}

// bound reads a bound of the timestamps.
func bound(flag, text string, none int64) (int64, error) {
	if text == "" {
		return none, nil
	}
	p, err := newTimeParser("timestamp", "auto", "UTC", 0)
	if err != nil {
		return 0, err
	}
	ms, err := p.parse(text)
	if err != nil {
		return 0, fmt.Errorf("%s: %q is not a time like 2026-01-02T03:04:05Z, 2026-01-02 or 1767323045000", flag, text)
	}
	return ms, nil
}

func (s *settings) groups() []string {
	if s.pattern == nil {
		return nil
	}
	return s.pattern.SubexpNames()
}

func checkPolicy(what string, p Policy, known ...Policy) (Policy, error) {
	if p == "" {
		return Fail, nil
	}
	if slices.Contains(known, p) {
		return p, nil
	}
	names := make([]string, len(known))
	for i, k := range known {
		names[i] = string(k)
	}
	return "", fmt.Errorf("%s: %q is not one of %s", what, p, strings.Join(names, ", "))
}

// byColumn sorts values that are for all columns of times, or COLUMN=VALUE for
// one. Those for one win.
func byColumn(values []string) (map[target]string, error) {
	all, one := map[target]string{}, map[target]string{}
	for _, v := range values {
		name, rest, ok := strings.Cut(v, "=")
		t := target(slices.Index(targetNames[:], name))
		if ok && t >= 0 && !slices.Contains(timeTargets, t) {
			return nil, fmt.Errorf("%q: %s is no time; the columns of times are timestamp and processed_at", v, name)
		}
		if ok && t >= 0 {
			one[t] = rest
			continue
		}
		for _, t := range timeTargets {
			all[t] = v
		}
	}
	for t, v := range one {
		all[t] = v
	}
	return all, nil
}

// timeParser makes a fresh parser for a column of times.
func (s *settings) timeParser(t target) (timeParser, error) {
	return newTimeParser(t.String(), s.formats[t], s.zones[t], s.Year)
}
