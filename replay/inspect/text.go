package inspect

import (
	"bufio"
	"encoding/json"
	"fmt"
	"io"
	"strconv"
	"strings"
	"time"
	"unicode/utf8"
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
	fmt.Fprintf(w, "  %-11s%s\n", label, fmt.Sprintf(format, args...))
}

func (s *Summary) textWhat(w io.Writer) {
	if len(s.Files) > 0 {
		line(w, "files", "%s, %s", counted(int64(len(s.Files)), "file"), size(s.Bytes))
	}
	line(w, "messages", "%s in %s of %s", count(s.Messages), counted(int64(len(s.Partitions)), "partition"), counted(int64(s.Topics), "topic"))
	line(w, "replay", "%s deliveries with two sites", count(2*s.Messages))
}

func (s *Summary) textTime(w io.Writer) {
	if s.FirstMs == nil {
		line(w, "span", "no message has a timestamp")
		return
	}
	line(w, "span", "%s to %s UTC", s.First, s.Last)
	line(w, "", "%s", (time.Duration(s.SpanMs) * time.Millisecond))
	line(w, "rate", "%s/s on average, %s in the peak second, %s", rate(s.MeanPerSecond), count(s.PeakMessages), strings.TrimSuffix(s.Peak, ".000"))
	line(w, "", "(%s of what one node can number in a second, %s)", percent(float64(s.PeakMessages)/NodeCapacity), count(NodeCapacity))
	if s.Reordered == 0 {
		line(w, "disorder", "none: timestamps never fall within a partition")
	} else {
		line(w, "disorder", "%s (%s) below the largest timestamp", counted(s.Reordered, "message"), percent(s.ReorderedShare))
		line(w, "", "before them in their partition, by %s at most", lateness(s.MaxBehindMs))
	}
	if s.NoTimestamp > 0 {
		line(w, "timestamps", "%s (%s) have none", counted(s.NoTimestamp, "message"), percent(share(s.NoTimestamp, s.Messages)))
	}
	if s.LogAppend > 0 {
		line(w, "timestamps", "%s (%s) were set by the broker", count(s.LogAppend), percent(share(s.LogAppend, s.Messages)))
	}
	var types []string
	for _, f := range s.Files {
		if f.Time != "" && !contains(types, f.Time) {
			types = append(types, f.Time)
		}
	}
	if len(types) > 0 {
		line(w, "stored as", "%s", strings.Join(types, "; "))
	}
}

func contains(list []string, s string) bool {
	for _, l := range list {
		if l == s {
			return true
		}
	}
	return false
}

func (s *Summary) textPartitions(w io.Writer) {
	fmt.Fprintf(w, "\n  %-20s %5s %11s %9s %12s %7s %8s\n", "topic", "part", "messages", "gaps", "reordered", "", "worst")
	for i, p := range s.Partitions {
		if i == partitionsShown {
			fmt.Fprintf(w, "  ... and %s; -o json lists them all\n", counted(int64(len(s.Partitions)-i), "more partition"))
			break
		}
		worst, part := "", ""
		if p.Reordered > 0 {
			worst, part = lateness(p.MaxBehindMs), percent(p.ReorderedShare)
		}
		fmt.Fprintf(w, "  %-20s %5d %11s %9s %12s %7s %8s\n", short(p.Topic, 20), p.Partition, brief(p.Messages, 11),
			brief(max(p.LastOffset-p.FirstOffset+1-p.Messages, 0), 9), brief(p.Reordered, 12), part, worst)
	}
}

func (s *Summary) textNotes(w io.Writer) {
	if len(s.Notes) == 0 {
		return
	}
	fmt.Fprintln(w, "\n  notes")
	for _, n := range s.Notes {
		wrap(w, "  - ", n.Text, 80)
	}
}

// wrap writes text over lines of at most width columns, the first after
// indent.
func wrap(w io.Writer, indent, text string, width int) {
	at := len(indent)
	fmt.Fprint(w, indent)
	for i, word := range strings.Fields(text) {
		if n := utf8.RuneCountInString(word); i > 0 && at+1+n > width {
			fmt.Fprint(w, "\n", strings.Repeat(" ", len(indent)))
			at = len(indent)
		} else if i > 0 {
			fmt.Fprint(w, " ")
			at++
		}
		fmt.Fprint(w, word)
		at += utf8.RuneCountInString(word)
	}
	fmt.Fprintln(w)
}

// count writes an integer with thousands separators.
func count(n int64) string {
	digits := strconv.FormatInt(n, 10)
	for i := len(digits) - 3; i > 0 && digits[i-1] != '-'; i -= 3 {
		digits = digits[:i] + "," + digits[i:]
	}
	return digits
}

func counted(n int64, what string) string {
	if n != 1 {
		what += "s"
	}
	return count(n) + " " + what
}

// percent writes a share with two digits at least.
func percent(f float64) string {
	switch p := 100 * f; {
	case p != 0 && p < 0.01:
		return "<0.01 %"
	case p < 10:
		return fmt.Sprintf("%.2f %%", p)
	default:
		return fmt.Sprintf("%.1f %%", p)
	}
}

func rate(perSecond float64) string {
	if perSecond >= 100 {
		return count(int64(perSecond + 0.5))
	}
	return fmt.Sprintf("%.3g", perSecond)
}

func size(bytes int64) string {
	units := []string{"bytes", "kB", "MB", "GB", "TB"}
	f, i := float64(bytes), 0
	for f >= 1000 && i < len(units)-1 {
		f, i = f/1000, i+1
	}
	if i == 0 {
		return counted(bytes, "byte")
	}
	return fmt.Sprintf("%.3g %s", f, units[i])
}

// lateness writes a length of time in the unit that suits it.
func lateness(ms int64) string {
	switch {
	case ms < 10_000:
		return fmt.Sprintf("%d ms", ms)
	case ms < 600_000:
		return fmt.Sprintf("%.1f s", float64(ms)/1000)
	case ms < 36_000_000:
		return fmt.Sprintf("%.1f min", float64(ms)/60_000)
	case ms < 864_000_000:
		return fmt.Sprintf("%.1f h", float64(ms)/3_600_000)
	case ms < 1_000*86_400_000:
		return fmt.Sprintf("%.1f d", float64(ms)/86_400_000)
	}
	if y := float64(ms) / (365.2425 * 86_400_000); y < 10_000 {
		return fmt.Sprintf("%.0f y", y)
	}
	return ">9999 y"
}

// brief is count, or where that takes more than width columns, three digits
// and a letter.
func brief(n int64, width int) string {
	if s := count(n); len(s) <= width {
		return s
	}
	f, letter := float64(n), 0
	for f >= 999.5 && letter < 6 {
		f, letter = f/1000, letter+1
	}
	return fmt.Sprintf("%.3g %c", f, " kMGTPE"[letter])
}

func moment(ms int64) string { return time.UnixMilli(ms).UTC().Format("2006-01-02 15:04:05.000") }

// short cuts a name to n columns, and replaces what does not print.
func short(s string, n int) string {
	runes := []rune(strings.Map(func(r rune) rune {
		if !strconv.IsPrint(r) {
			return '?'
		}
		return r
	}, s))
	if len(runes) > n {
		return string(runes[:n-1]) + "…"
	}
	return string(runes)
}
