package kafka

import (
	"fmt"
	"math"
	"regexp"
	"strconv"
	"strings"
	"time"
)

// Bound is one end of what is to be read of every partition.
type Bound struct {
	kind boundKind
	n    int64 // an offset, a number of offsets, or ms since the Unix epoch
}

type boundKind uint8

const (
	atStart   boundKind = iota // of the log
	atEnd                      // high watermark, or last stable offset
	atOffset                   // n
	afterOpen                  // n offsets after the start (of the log, or of what is read)
	beforeEnd                  // n offsets before the end
	atTime                     // first offset with a timestamp at or after n
)

// The ends of the log.
var (
	Start = Bound{kind: atStart}
	End   = Bound{kind: atEnd}
)

// BoundGrammar tells how bounds are written.
const BoundGrammar = "start, end, N, +N, -N or @TIME (13-digit ms, 10-digit s, 2026-03-02, 2026-03-02T20:00:00+08:00, or back from now: @-2h)"

// ParseBound reads a bound: start and end of the log; N, an offset; +N, so many after
// the start; -N, so many before the end; @T, the first message at or after a time.
// Times are ms or s since the Unix epoch, dates (UTC) and RFC 3339, or a duration back
// from now.
func ParseBound(text string, now time.Time) (Bound, error) {
	fail := func(why string) (Bound, error) {
		return Bound{}, fmt.Errorf("%q is no place in a topic%s; want %s", text, why, BoundGrammar)
	}
	switch {
	case text == "start":
		return Start, nil
	case text == "end":
		return End, nil
	case strings.HasPrefix(text, "@"):
		ms, err := parseTime(text[1:], now)
		if err != nil {
			return Bound{}, fmt.Errorf("%q: %w", text, err)
		}
		return Bound{atTime, ms}, nil
	case !number.MatchString(text):
		if _, err := parseTime(text, now); err == nil {
			return fail(": for a time write @" + text)
		}
		return fail("")
	}
	n, err := strconv.ParseInt(strings.TrimLeft(text, "+-"), 10, 64)
	if err != nil {
		return fail(": the number is too large")
	}
	switch text[0] {
	case '+':
		return Bound{afterOpen, n}, nil
	case '-':
		return Bound{beforeEnd, n}, nil
	}
	return Bound{atOffset, n}, nil
}

var number = regexp.MustCompile(`^[+-]?\d+$`)

// parseTime is a time in ms since the Unix epoch.
func parseTime(text string, now time.Time) (int64, error) {
	if number.MatchString(text) && text[0] != '-' && text[0] != '+' {
		n, err := strconv.ParseInt(text, 10, 64)
		switch {
		case err != nil || len(text) >= 14:
			return 0, fmt.Errorf("a time of %d digits is neither in ms (13) nor in s (10)%s", len(text), unitHint(len(text)))
		case len(text) == 13:
			return n, nil
		case len(text) == 9 || len(text) == 10:
			return n * 1000, nil
		}
		return 0, fmt.Errorf("a time of %d digits is neither in ms (13) nor in s (10)", len(text))
	}
	if back, ok := strings.CutPrefix(text, "-"); ok {
		d, err := parseBack(back)
		if err != nil {
			return 0, fmt.Errorf("%s is no duration back from now, such as -90m, -2h or -3d", text)
		}
		return now.Add(-d).UnixMilli(), nil
	}
	for _, layout := range []string{time.DateOnly, time.RFC3339, "2006-01-02T15:04Z07:00", "2006-01-02 15:04:05Z07:00"} {
		if t, err := time.Parse(layout, text); err == nil {
			return t.UnixMilli(), nil
		}
	}
	for _, layout := range []string{"2006-01-02T15:04:05", "2006-01-02T15:04", time.DateTime} {
		if _, err := time.Parse(layout, text); err == nil {
			return 0, fmt.Errorf("%s has no zone: write %sZ for UTC, or +08:00 behind it", text, text)
		}
	}
	return 0, fmt.Errorf("%s is no time; want 13-digit ms, 10-digit s, 2026-03-02, 2026-03-02T20:00:00+08:00, or -2h for two hours back from now", text)
}

func unitHint(digits int) string {
	switch digits {
	case 16:
		return "; it looks like microseconds: leave off the last three digits"
	case 19:
		return "; it looks like nanoseconds: leave off the last six digits"
	}
	return ""
}

// parseBack reads a duration, of days too.
func parseBack(text string) (time.Duration, error) {
	if days, ok := strings.CutSuffix(text, "d"); ok {
		n, err := strconv.ParseInt(days, 10, 64)
		if err != nil || n > math.MaxInt64/int64(24*time.Hour) {
			return 0, fmt.Errorf("%s is no number of days", days)
		}
		return time.Duration(n) * 24 * time.Hour, nil
	}
	return time.ParseDuration(text)
}

// String is how the bound is written.
func (b Bound) String() string {
	switch b.kind {
	case atStart:
		return "start"
	case atEnd:
		return "end"
	case afterOpen:
		return fmt.Sprintf("+%d", b.n)
	case beforeEnd:
		return fmt.Sprintf("-%d", b.n)
	case atTime:
		return "@" + time.UnixMilli(b.n).UTC().Format(time.RFC3339Nano)
	}
	return strconv.FormatInt(b.n, 10)
}

// IsTime says whether the bound is a time.
func (b Bound) IsTime() bool { return b.kind == atTime }

// offset is the offset that the bound stands for, of a partition whose log is from
// logStart to end; first is the first offset read, or logStart where that is asked for,
// and atTime the first offset at or after the bound's time, where it is one.
func (b Bound) offset(logStart, end, first, timed int64) int64 {
	n := b.n
	switch b.kind {
	case atStart:
		n = logStart
	case atEnd:
		n = end
	case afterOpen:
		n = first + min(b.n, math.MaxInt64-first)
	case beforeEnd:
		n = end - b.n
	case atTime:
		n = timed
	}
	return min(max(n, logStart), end)
}
