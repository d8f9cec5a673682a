// Package reading says in words and numbers what the digits of redis-counter ids
// say: for programs (Reading, as JSON), in a few lines, and as the formula with
// its numbers filled in.
package reading

import (
	"fmt"
	"strconv"
	"time"

	"twindrift/generator/reading"
	"twindrift/generator/rediscounter"
)

var _ reading.Reader = Reader{}

// Reader reads redis-counter ids that have a layout.
type Reader struct{ Layout rediscounter.Layout }

// Reading is what the digits of one id say. Ids are strings, because many JSON
// readers round integers of this size.
type Reading struct {
	ID         string    `json:"id"`
	Layout     string    `json:"layout"`
	OwnerLocal string    `json:"owner_local"` // local time of the layout, as reading.Local writes it
	OwnerUTC   string    `json:"owner_utc"`   // the same second in UTC
	OwnerMs    int64     `json:"owner_ms"`
	Count      int64     `json:"count"`    // of the local day, below 2^32
	Fallback   *Fallback `json:"fallback"` // of a count with bit 31 set; else null
	reading.Score
}

// Fallback is what a count says that the corrected form gave without Redis.
type Fallback struct {
	Node     int64 `json:"node"`
	Ms       int64 `json:"ms"` // within the second
	Sequence int64 `json:"sequence"`
}

// Parse reads any number of 64 bits: ids of times before 2022 are negative.
func (Reader) Parse(text string) (int64, error) { return reading.ParseNumber(text) }

// Of is a Reading.
func (r Reader) Of(id int64) any { return r.of(id) }

func (r Reader) of(id int64) Reading {
	f := r.Layout.Decode(id)
	out := Reading{
		ID:         strconv.FormatInt(id, 10),
		Layout:     r.Layout.Name(),
		OwnerLocal: reading.Local(f.OwnerMs, r.Layout.UTCOffsetMs),
		OwnerUTC:   time.UnixMilli(f.OwnerMs).UTC().Format(time.RFC3339),
		OwnerMs:    f.OwnerMs,
		Count:      f.Count,
		Score:      reading.ScoreOf(id),
	}
	if f.Local {
		out.Fallback = &Fallback{f.Node, f.Ms, f.Seq}
	}
	return out
}

// local is a moment in the local time of the layout.
func (r Reader) local(ms int64) time.Time {
	return time.UnixMilli(ms).In(time.FixedZone("", int(r.Layout.UTCOffsetMs/1000)))
}

// key is where Redis counts the day of a moment.
func (r Reader) key(ms int64) string { return "icr:{prefix}:" + r.local(ms).Format("2006:01:02") }

// Text writes a reading for people, in lines of at most 80 columns.
func (r Reader) Text(id int64) string {
	f := r.of(id)
	var l reading.Lines
	fmt.Fprintln(&l, f.ID)
	l.Line("layout", "%s, local time UTC%s", f.Layout, reading.Zone(r.Layout.UTCOffsetMs))
	l.Line("owner time", "%s local = %s", f.OwnerLocal, f.OwnerUTC)
	l.Line("", "%d ms", f.OwnerMs)
	l.Line("count", "%d of the day, as counted in %s", f.Count, r.key(f.OwnerMs))
	if b := f.Fallback; b != nil {
		l.Wrapped("or", fmt.Sprintf("given without Redis by the corrected form: node %d, ms %d of the second, sequence %d", b.Node, b.Ms, b.Sequence))
	}
	l.Score(f.Score)
	if f.Count == 0 {
		l.Wrapped("but", zero)
	}
	if other := reading.Mistaken(id); other != "" {
		l.Wrapped("but", other)
	}
	return l.String()
}

const countEnd = 1 << 32

// Encode makes an id; what is below the second is dropped, and so is the node, as
// a counter is the same for all. A count past 32 bits runs into the time, as in
// the published code; the note says what it reads as.
func (r Reader) Encode(ms, _, count int64) (text, note string, err error) {
	s := r.local(ms).Unix() + r.Layout.UTCOffsetMs/1000 - rediscounter.EpochS
	switch {
	case s >= 1<<31 || s < -1<<31:
		return "", "", fmt.Errorf("redis-counter: time %d ms: the 31 bits of its seconds reach from 1953-12-13 to 2090-01-19", ms)
	case count < 0:
		return "", "", fmt.Errorf("redis-counter: count %d: want 1 or more", count)
	}
	id := s*countEnd | count
	switch f := r.of(id); {
	case count >= countEnd:
		note = fmt.Sprintf("count %d is past 32 bits: the id reads as count %d of %s", count, f.Count, f.OwnerLocal)
	case f.Fallback != nil:
		note = fmt.Sprintf("count %d has bit 31 set: the id reads as the corrected form's without Redis too, of node %d", count, f.Fallback.Node)
	case count == 0:
		note = zero
	}
	return strconv.FormatInt(id, 10), note, nil
}
