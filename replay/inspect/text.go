package inspect

import (
	"bufio"
	"encoding/json"
	"fmt"
	"io"
	"slices"
	"strings"

	"twindrift/replay/figure"
)

// JSON writes the summary as JSON.
func (s *Summary) JSON(w io.Writer) error {
	e := json.NewEncoder(w)
	e.SetIndent("", "  ")
	e.SetEscapeHTML(false)
	return e.Encode(s)
}

// partitionsShown is how many partitions the text lists; JSON has them all.
const partitionsShown = 32

// Text writes the summary for people, 80 columns wide. name is what the capture
// is called.
func (s *Summary) Text(w io.Writer, name string) error {
	b := bufio.NewWriter(w)
	fmt.Fprintf(b, "%s\n\n", name)
	s.textWhat(b)
	s.textTime(b)
	s.textPartitions(b)
	s.textNotes(b)
	return b.Flush()
}

func line(w io.Writer, label, format string, args ...any) {
	wrap(w, fmt.Sprintf("  %-12s", label), fmt.Sprintf(format, args...))
}

func wrap(w io.Writer, first, text string) {
	for _, l := range figure.Wrap(first, text, 80) {
		fmt.Fprintln(w, l)
	}
}

func (s *Summary) textWhat(w io.Writer) {
	if len(s.Files) > 0 {
		line(w, "files", "%s, %s", figure.Counted(int64(len(s.Files)), "file"), size(s.Bytes))
	}
	line(w, "messages", "%s in %s of %s", figure.Count(s.Messages),
		figure.Counted(int64(len(s.Partitions)), "partition"), figure.Counted(int64(s.Topics), "topic"))
	line(w, "replay", "%s deliveries with two sites", figure.Count(2*s.Messages))
}

func (s *Summary) textTime(w io.Writer) {
	if s.FirstMs == nil {
		line(w, "event time", "no message has a timestamp")
		return
	}
	line(w, "event time", "%s to %s UTC", s.First, s.Last)
	average := ""
	if s.SpanMs >= 1000 {
		average = fmt.Sprintf("%s a second on average over %s; ", figure.Rate(s.MeanPerSecond), figure.Duration(s.SpanMs))
	}
	line(w, "rate", "%smost in one second: %s at %s UTC, %s of the %s that one node can number", average, figure.Count(s.PeakMessages),
		strings.TrimSuffix(s.Peak, ".000"), figure.Share(s.PeakMessages, NodeCapacity), figure.Count(NodeCapacity))
	if s.Reordered == 0 {
		line(w, "disorder", "none: in every partition timestamps never go back")
	} else {
		line(w, "disorder", "%s (%s) with a timestamp below one before it in the partition, at most %s below",
			figure.Counted(s.Reordered, "message"), figure.Percent(s.ReorderedShare), figure.Duration(s.MaxBehindMs))
	}
	if s.NoTimestamp > 0 {
		line(w, "timestamps", "%s (%s) without one", figure.Counted(s.NoTimestamp, "message"), figure.Share(s.NoTimestamp, s.Messages))
	}
	if s.LogAppend > 0 {
		line(w, "timestamps", "%s (%s) set by the broker", figure.Count(s.LogAppend), figure.Share(s.LogAppend, s.Messages))
	}
	var types []string
	for _, f := range s.Files {
		if f.Time != "" && !slices.Contains(types, f.Time) {
			types = append(types, f.Time)
		}
	}
	if len(types) > 0 {
		line(w, "stored as", "%s", strings.Join(types, "; "))
	}
}

func (s *Summary) textPartitions(w io.Writer) {
	const name = 20
	fmt.Fprintf(w, "\n  %-*s%12s%9s%12s%11s%13s\n", name, "partition", "messages", "gaps", "reordered", "share", "at most")
	for i, p := range s.Partitions {
		if i == partitionsShown {
			fmt.Fprintf(w, "  ... and %s; -o json lists them all\n", figure.Counted(int64(len(s.Partitions)-i), "more partition"))
			break
		}
		most, share := "", ""
		if p.Reordered > 0 {
			most, share = figure.Duration(p.MaxBehindMs), figure.Percent(p.ReorderedShare)
		}
		number := fmt.Sprintf("/%d", p.Partition)
		fmt.Fprintf(w, "  %-*s%12s%9s%12s%11s%13s\n", name, figure.Short(figure.Printable(p.Topic), name-len(number))+number, brief(p.Messages, 11),
			brief(max(p.LastOffset-p.FirstOffset+1-p.Messages, 0), 8), brief(p.Reordered, 11), share, most)
	}
}

func (s *Summary) textNotes(w io.Writer) {
	if len(s.Notes) == 0 {
		return
	}
	fmt.Fprintln(w, "\n  notes")
	for _, n := range s.Notes {
		wrap(w, "  - ", n.Text)
	}
}

func size(bytes int64) string {
	units := []string{"bytes", "kB", "MB", "GB", "TB"}
	f, i := float64(bytes), 0
	for f >= 1000 && i < len(units)-1 {
		f, i = f/1000, i+1
	}
	if i == 0 {
		return figure.Counted(bytes, "byte")
	}
	return fmt.Sprintf("%.3g %s", f, units[i])
}

// brief is a count, or where that takes more than width columns, three digits
// and a letter.
func brief(n int64, width int) string {
	if s := figure.Count(n); len(s) <= width {
		return s
	}
	f, letter := float64(n), 0
	for f >= 999.5 && letter < 6 {
		f, letter = f/1000, letter+1
	}
	return fmt.Sprintf("%.3g %c", f, " kMGTPE"[letter])
}
