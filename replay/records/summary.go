package records

import (
	"fmt"
	"io"

	"twindrift/replay"
	"twindrift/replay/figure"
)

// Summary is what an import did.
type Summary struct {
	Messages int64
	Files    []*FileSummary
}

// FileSummary is what became of one file.
type FileSummary struct {
	Name     string
	Format   Format
	Messages int64

	MinMs, MaxMs     int64 // of the timestamps; both 0 where there is none
	KeptWithout      int64 // messages without a timestamp
	WithoutTimestamp int64 // records left out because they have no timestamp
	Outside          int64 // records left out because their timestamps are out of bounds
	Bad              int64 // records left out because they cannot be read
	FirstBad         string

	Times []TimeColumn
}

// TimeColumn is how a column of times was read.
type TimeColumn struct {
	Name           string // and the field
	As             string // what its values were taken for
	Ambiguous      int64  // local times in an hour that came twice
	FirstAmbiguous string
}

func (f *FileSummary) count(m *message) {
	f.Messages++
	if m.timestamp == replay.NoTimestamp {
		f.KeptWithout++
		return
	}
	if f.Messages-f.KeptWithout == 1 {
		f.MinMs, f.MaxMs = m.timestamp, m.timestamp
	}
	f.MinMs, f.MaxMs = min(f.MinMs, m.timestamp), max(f.MaxMs, m.timestamp)
}

// finish takes from the parsers how they read their columns.
func (f *FileSummary) finish(r *reader) {
	for _, t := range timeTargets {
		if t != timestamp && !r.mapping.given[t] {
			continue
		}
		c := TimeColumn{Name: r.mapping.describe(t), As: r.times[t].String()}
		if l := localOf(r.times[t]); l != nil {
			c.Ambiguous, c.FirstAmbiguous = l.ambiguous, l.firstAmbiguous
		}
		f.Times = append(f.Times, c)
	}
}

func localOf(p timeParser) *local {
	switch p := p.(type) {
	case *auto:
		return p.local
	case *layout:
		return p.local
	}
	return nil
}

// Print writes a file's part as text: what was read, how the times were taken,
// what was left out.
func (f *FileSummary) Print(w io.Writer) {
	fmt.Fprintf(w, "%s (%s): %s", f.Name, f.Format, figure.Counted(f.Messages, "message"))
	if f.Messages > f.KeptWithout {
		fmt.Fprintf(w, "\n  %s to %s UTC (%s)", figure.Moment(f.MinMs), figure.Moment(f.MaxMs), figure.Duration(f.MaxMs-f.MinMs))
	}
	fmt.Fprintln(w)
	for _, c := range f.Times {
		fmt.Fprintf(w, "  %s: %s\n", c.Name, c.As)
		if c.Ambiguous > 0 {
			fmt.Fprintf(w, "    %s in an hour that came twice, the first at %s; taken as the instant\n    nearer to the record before\n",
				figure.Counted(c.Ambiguous, "local time"), c.FirstAmbiguous)
		}
	}
	if f.KeptWithout > 0 {
		fmt.Fprintf(w, "  without a timestamp: %s\n", figure.Counted(f.KeptWithout, "message"))
	}
	if f.WithoutTimestamp > 0 {
		fmt.Fprintf(w, "  left out: %s without a timestamp\n", figure.Counted(f.WithoutTimestamp, "record"))
	}
	if f.Outside > 0 {
		fmt.Fprintf(w, "  left out: %s with timestamps out of bounds\n", figure.Counted(f.Outside, "record"))
	}
	if f.Bad > 0 {
		fmt.Fprintf(w, "  left out: %s that cannot be read; the first: %s\n", figure.Counted(f.Bad, "record"), f.FirstBad)
	}
}
