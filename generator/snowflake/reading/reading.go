// Package reading says in words and numbers what the digits of snowflake ids say:
// for programs (Reading, as JSON), in a few lines, and as the formula with its
// numbers filled in.
package reading

import (
	"fmt"
	"strconv"
	"time"

	"twindrift/generator"
	"twindrift/generator/reading"
	"twindrift/generator/snowflake"
)

// What the digits may say, beside the time.
const (
	workers = 1024
	seqs    = 4096
	// published is the larger of the two range sizes of the published preallocated
	// form; a scenario may set up to widest.
	published = 1024
	widest    = 4096
)

var _ reading.Reader = Reader{}

// Reader reads snowflake ids, which say UTC.
type Reader struct{}

// Reading is what the digits of one id say. Ids are strings, because many JSON
// readers round integers of this size.
type Reading struct {
	ID       string `json:"id"`
	Layout   string `json:"layout"`
	OwnerUTC string `json:"owner_utc"` // RFC 3339, with ms
	OwnerMs  int64  `json:"owner_ms"`
	Node     int64  `json:"node"` // the worker
	Sequence int64  `json:"sequence"`
	Suspect  string `json:"suspect"` // zero-id or negative-range, of ids whose digits say nothing; else ""
	reading.Score
}

// Parse reads any number of 64 bits: negative ones come out of generators too.
func (Reader) Parse(text string) (int64, error) { return reading.ParseNumber(text) }

// Of is a Reading.
func (Reader) Of(id int64) any { return of(id) }

func of(id int64) Reading {
	f := snowflake.Layout{}.Decode(id)
	r := Reading{
		ID:       strconv.FormatInt(id, 10),
		Layout:   snowflake.Layout{}.Name(),
		OwnerUTC: utc(f.OwnerMs),
		OwnerMs:  f.OwnerMs,
		Node:     f.Worker,
		Sequence: f.Seq,
		Score:    reading.ScoreOf(id),
	}
	if kind := suspect(id); kind != generator.Drawn {
		r.Suspect = kind.String()
	}
	return r
}

// suspect is the kind of an id that says neither time nor worker; Drawn of others.
func suspect(id int64) generator.Kind {
	switch {
	case id == 0:
		return generator.ZeroID
	case id < 0 && id >= -widest:
		return generator.NegativeRange
	}
	return generator.Drawn
}

func utc(ms int64) string { return time.UnixMilli(ms).UTC().Format("2006-01-02T15:04:05.000Z07:00") }

// Text writes a reading for people, in lines of at most 80 columns.
func (Reader) Text(id int64) string {
	r := of(id)
	var l reading.Lines
	fmt.Fprintln(&l, r.ID)
	l.Line("layout", "%s: ms since %s, node, sequence", r.Layout, utc(snowflake.EpochMs))
	l.Line("owner time", "%s", r.OwnerUTC)
	l.Line("", "%d ms", r.OwnerMs)
	l.Line("node", "%d", r.Node)
	l.Line("sequence", "%d", r.Sequence)
	l.Score(r.Score)
	if r.Suspect != "" {
		l.Wrapped("but", r.Suspect+": "+nothing(id))
	}
	if other := reading.Mistaken(id); other != "" {
		l.Wrapped("but", other)
	}
	return l.String()
}

// Encode makes an id. A worker or a number with more digits than it has room for
// runs into those above, as in the published code; the note says what it reads as.
func (Reader) Encode(ms, node, seq int64) (text, note string, err error) {
	layout := snowflake.Layout{}
	id, err := layout.Encode(ms, node, seq)
	if err != nil {
		return "", "", err
	}
	if f := layout.Decode(id); f.OwnerMs != ms || f.Worker != node || f.Seq != seq {
		note = fmt.Sprintf("node %d, sequence %d has more digits than there is room for: the id reads as node %d, sequence %d of %s",
			node, seq, f.Worker, f.Seq, utc(f.OwnerMs))
	}
	return strconv.FormatInt(id, 10), note, nil
}
