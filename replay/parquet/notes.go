package parquet

import (
	"fmt"
	"slices"
	"strings"

	"twindrift/replay"
)

// notes says what the user should know of a capture, in a fixed order.
func (c *Capture) notes(plan *replay.Plan, dropped int64) []replay.Note {
	var notes []replay.Note
	add := func(kind string, rows int64, format string, args ...any) {
		notes = append(notes, replay.Note{Kind: kind, Rows: rows, Text: fmt.Sprintf(format, args...)})
	}
	c.noteLayout(add)
	c.noteTimes(add)
	if dropped > 0 {
		add("duplicates-dropped", dropped, "%d messages (topic, partition, offset) were there more than once and count once", dropped)
	}
	missing := c.missing(plan)
	explained := min(c.explained(plan), missing)
	if explained > 0 {
		add("compacted", explained, "%d offsets between the first and the last are no messages: they were compacted away, are transaction markers, or were aborted", explained)
	}
	if missing -= explained; missing > 0 {
		add("gaps", missing, "%d offsets between the first and the last are not there%s", missing, c.gapReasons())
	}
	return notes
}

// noteLayout says what was not read from columns.
func (c *Capture) noteLayout(add func(string, int64, string, ...any)) {
	var path, name [3]int64 // topic, partition, offset: rows
	for _, in := range c.inputs {
		rows, l := in.pq.Metadata().NumRows, in.layout
		for i, from := range []struct{ has, path bool }{
			{l.has[topicRole], l.place.topicFrom == byPath},
			{l.has[partitionRole], l.place.partitionFrom == byPath},
			{l.has[offsetRole], l.place.start >= 0},
		} {
			switch {
			case from.has:
			case from.path:
				path[i] += rows
			default:
				name[i] += rows
			}
		}
	}
	what := []string{"topic", "partition", "offset"}
	instead := []string{"the file's name", "0", "the row's number"}
	var fromPath []string
	for i, rows := range path {
		if rows > 0 {
			fromPath = append(fromPath, what[i])
		}
	}
	if len(fromPath) > 0 {
		add("from-path", slices.Max(path[:]), "%s taken from the files' paths", strings.Join(fromPath, ", "))
	}
	for i, rows := range name {
		if rows > 0 {
			add("no-"+what[i], rows, "no %s column: %s is taken; map one with --map %s=COLUMN", what[i], instead[i], what[i])
		}
	}
}

// noteTimes says how timestamps were understood.
func (c *Capture) noteTimes(add func(string, int64, string, ...any)) {
	var guessed, local, text, nulls int64
	unit := ""
	for _, in := range c.inputs {
		t, rows := in.layout.time, in.pq.Metadata().NumRows
		if t.guessed != "" && t.guessed != "ms" {
			guessed += rows
			unit = t.guessed
		}
		if t.local {
			local += rows
		}
		if t.text && t.unit.name == "" {
			text += rows
		}
		nulls += in.nulls
	}
	if guessed > 0 {
		add("unit", guessed, "timestamps are plain integers and were taken as %s, from their magnitude; say --timestamp-unit if that is wrong", unit)
	}
	if local > 0 {
		add("zone", local, "timestamps are said not to be UTC and were read as if they were")
	}
	if text > 0 {
		add("zone", text, "timestamps are text; those without a zone were read as UTC")
	}
	if nulls > 0 {
		if c.opts.NullTimestamps == nullsSkip {
			add("null-timestamps", nulls, "%d messages have a NULL timestamp and were left out", nulls)
		} else {
			add("null-timestamps", nulls, "%d messages have a NULL timestamp and count as without one", nulls)
		}
	}
}

// missing counts the offsets that a partition leaves out between its first and
// last.
func (c *Capture) missing(plan *replay.Plan) int64 {
	sum := int64(0)
	for _, pt := range c.parts {
		if pt.source != offsetRow {
			p := plan.Partitions[pt.index]
			sum += max(p.LastOffset-p.FirstOffset+1-p.Messages-pt.skipped.inside, 0)
		}
	}
	return sum
}

// explained counts those of the missing offsets that our own captures know to be no
// messages.
func (c *Capture) explained(plan *replay.Plan) (sum int64) {
	at := map[partitionKey]*replay.Partition{}
	for i := range plan.Partitions {
		p := &plan.Partitions[i]
		at[partitionKey{p.Topic, p.Number}] = p
	}
	for _, in := range c.inputs {
		if in.meta == nil {
			continue
		}
		for _, m := range in.meta.Partitions {
			p := at[partitionKey{m.Topic, m.Number}]
			if p == nil {
				continue
			}
			sum += m.MoreGaps
			for _, g := range m.Gaps {
				if g.Reason == compacted {
					sum += max(0, min(g.To, p.LastOffset)-max(g.From, p.FirstOffset))
				}
			}
		}
	}
	return sum
}

// gapReasons is what our own captures note of their gaps that are more than that.
func (c *Capture) gapReasons() string {
	var reasons []string
	for _, in := range c.inputs {
		if in.meta == nil {
			continue
		}
		for _, p := range in.meta.Partitions {
			for _, g := range p.Gaps {
				if g.Reason != "" && g.Reason != compacted && !slices.Contains(reasons, g.Reason) {
					reasons = append(reasons, g.Reason)
				}
			}
		}
	}
	if len(reasons) == 0 {
		return "; compaction and transactions leave such gaps"
	}
	slices.Sort(reasons)
	return " (" + strings.Join(reasons, ", ") + ")"
}
