package parquet

import (
	"fmt"
	"slices"
	"strings"

	"twindrift/replay"
	"twindrift/replay/figure"
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
		add("duplicates-dropped", dropped, "%s there more than once (by topic, partition and offset): each counts once", figure.Counted(dropped, "message"))
	}
	missing, explained := c.missing(plan)
	if explained > 0 {
		add("compacted", explained, "%s between the first and the last without a message: compacted away, a transaction marker, or aborted", figure.Counted(explained, "offset"))
	}
	if missing > 0 {
		add("gaps", missing, "%s between the first and the last not there%s", figure.Counted(missing, "offset"), c.gapReasons())
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
			add("null-timestamps", nulls, "%s with a NULL timestamp, left out", figure.Counted(nulls, "message"))
		} else {
			add("null-timestamps", nulls, "%s with a NULL timestamp, taken as without one", figure.Counted(nulls, "message"))
		}
	}
}

// missing counts the offsets that partitions leave out between their first and last:
// those that our own captures know to be no messages are explained, others are not.
func (c *Capture) missing(plan *replay.Plan) (missing, explained int64) {
	gaps := c.knownGaps()
	for _, pt := range c.parts {
		if pt.source == offsetRow {
			continue
		}
		p := plan.Partitions[pt.index]
		n := max(p.LastOffset-p.FirstOffset+1-p.Messages-pt.skipped.inside, 0)
		var known, lost int64 // of these, by the metadata
		for _, m := range gaps[pt.key] {
			known += m.MoreGaps
			for _, g := range m.Gaps {
				inside := max(0, min(g.To, p.LastOffset)-max(g.From, p.FirstOffset))
				if g.Reason == compacted {
					known += inside
				} else {
					lost += inside
				}
			}
		}
		known = min(known, max(0, n-lost)) // further gaps may lie outside
		explained += known
		missing += n - known
	}
	return missing, explained
}

// knownGaps is what our own captures, those without messages too, note of each partition.
func (c *Capture) knownGaps() map[partitionKey][]*PartitionMetadata {
	known := map[partitionKey][]*PartitionMetadata{}
	for _, m := range c.metadata() {
		for i := range m.Partitions {
			p := &m.Partitions[i]
			key := partitionKey{p.Topic, p.Number}
			known[key] = append(known[key], p)
		}
	}
	return known
}

// metadata is that of all files of ours.
func (c *Capture) metadata() []*Metadata {
	list := slices.Clone(c.rowless)
	for _, in := range c.inputs {
		if in.meta != nil {
			list = append(list, in.meta)
		}
	}
	return list
}

// gapReasons is what our own captures note of their gaps that are more than that.
func (c *Capture) gapReasons() string {
	var reasons []string
	for _, m := range c.metadata() {
		for _, p := range m.Partitions {
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
