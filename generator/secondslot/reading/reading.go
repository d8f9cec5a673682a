// Package reading says in words and numbers what the digits of second-slot ids
// say: for programs (Reading, as JSON), in a few lines (Text), and as the
// formula with its numbers filled in (Explain).
package reading

import (
	"fmt"
	"strconv"
	"strings"
	"time"

	"twindrift/generator"
	"twindrift/generator/reading"
	"twindrift/generator/secondslot"
)

// Reading is what the digits of one id say. Ids and scores are strings, because
// many JSON readers round integers of this size.
type Reading struct {
	ID            string `json:"id"`
	Layout        string `json:"layout"`
	OwnerLocal    string `json:"owner_local"` // the owner second, local time of the layout, as reading.Local writes it
	OwnerUTC      string `json:"owner_utc"`   // the same second in UTC
	OwnerSecondMs int64  `json:"owner_second_ms"`
	OwnerMs       int64  `json:"owner_ms"` // with the digits of node and sequence, floor
	Node          int64  `json:"node"`
	Sequence      int64  `json:"sequence"`
	Rest          int64  `json:"rest"` // left over by the step; 0 for every generated id
	Aligned       bool   `json:"aligned"`
	Score         string `json:"score"` // the float64 that a sorted set keeps
	ScoreExact    bool   `json:"score_exact"`
	SameScoreFrom string `json:"same_score_from"` // smallest and largest id with this score
	SameScoreTo   string `json:"same_score_to"`
}

// Of reads one id.
func Of(l secondslot.Layout, id int64) Reading {
	f := l.Decode(id)
	score, exact := generator.Score(id)
	low, high := generator.SharedScore(id)
	return Reading{
		ID:            strconv.FormatInt(id, 10),
		Layout:        l.Name(),
		OwnerLocal:    reading.Local(f.SecondMs, l.UTCOffsetMs),
		OwnerUTC:      time.UnixMilli(f.SecondMs).UTC().Format(time.RFC3339),
		OwnerSecondMs: f.SecondMs,
		OwnerMs:       f.OwnerMs,
		Node:          f.Node,
		Sequence:      f.Seq,
		Rest:          f.Rest,
		Aligned:       f.Aligned(),
		Score:         strconv.FormatFloat(score, 'f', 0, 64),
		ScoreExact:    exact,
		SameScoreFrom: strconv.FormatInt(low, 10),
		SameScoreTo:   strconv.FormatInt(high, 10),
	}
}

// local is a moment in the local time of a layout.
func local(l secondslot.Layout, ms int64) time.Time {
	return time.UnixMilli(ms).In(time.FixedZone("", int(l.UTCOffsetMs/1000)))
}

// Text writes a reading for people, in lines of at most 80 columns.
func Text(l secondslot.Layout, id int64) string {
	r := Of(l, id)
	var b strings.Builder
	line := func(name, format string, args ...any) {
		fmt.Fprintf(&b, "  %-11s %s\n", name, fmt.Sprintf(format, args...))
	}
	fmt.Fprintln(&b, r.ID)
	line("layout", "%s, local time UTC%s, step %d", r.Layout, reading.Zone(l.UTCOffsetMs), l.Step)
	line("owner time", "%s local = %s", r.OwnerLocal, r.OwnerUTC)
	line("", "%d ms; with node and sequence %d ms", r.OwnerSecondMs, r.OwnerMs)
	line("node", "%d", r.Node)
	if r.Aligned {
		line("sequence", "%d, on the step", r.Sequence)
	} else {
		line("sequence", "%d and %d over: not on the step, so not drawn with it", r.Sequence, r.Rest)
	}
	if r.ScoreExact {
		line("score", "%s, exact as a float64", r.Score)
	} else {
		line("score", "%s as a float64, not exact", r.Score)
	}
	line("", "shared by %s .. %s", r.SameScoreFrom, r.SameScoreTo)
	return b.String()
}
