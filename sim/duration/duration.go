// Package duration reads and writes lengths of time the way scenarios spell
// them: as Go does (300ms, 1m30s), and with d for a day of 24 hours (1d12h).
package duration

import (
	"fmt"
	"math"
	"strings"
	"time"
)

// Duration is a length of time in nanoseconds.
type Duration int64

// Day is 24 hours.
const Day = Duration(24 * time.Hour)

// Std is the duration as package time has it.
func (d Duration) Std() time.Duration { return time.Duration(d) }

// Ms is the duration in whole milliseconds, rounded down.
func (d Duration) Ms() int64 {
	ms := int64(d) / int64(time.Millisecond)
	if int64(d)%int64(time.Millisecond) < 0 {
		ms--
	}
	return ms
}

// Parse reads a duration. A number without a unit is refused, except 0. Days
// come first and may have a fraction. The largest magnitude is 2^63-1 ns
// (292 years).
func Parse(s string) (Duration, error) {
	text, negative := s, false
	if text != "" && (text[0] == '-' || text[0] == '+') {
		negative = text[0] == '-'
		text = text[1:]
	}
	days, rest, hasDays := strings.Cut(text, "d")
	if !hasDays {
		days, rest = "", text
	}
	var sum uint64
	if hasDays {
		// A day is 24 of the hours that package time reads exactly.
		h, err := parsePart(days + "h")
		if err != nil || strings.Trim(days, "0123456789.") != "" || h > math.MaxInt64/24 {
			return 0, explain(s, text)
		}
		sum = h * 24
	}
	if rest != "" || !hasDays {
		r, err := parsePart(rest)
		if err != nil || r > math.MaxInt64-sum {
			return 0, explain(s, text)
		}
		sum += r
	}
	if negative {
		return -Duration(sum), nil
	}
	return Duration(sum), nil
}

// parsePart reads a duration without sign.
func parsePart(s string) (uint64, error) {
	if s == "" || s[0] == '-' || s[0] == '+' {
		return 0, fmt.Errorf("no number")
	}
	d, err := time.ParseDuration(s)
	if err != nil || d < 0 {
		return 0, fmt.Errorf("not a duration")
	}
	return uint64(d), nil
}

// explain says what is wrong with s, whose text without sign is text.
func explain(s, text string) error {
	number := strings.TrimRight(strings.TrimSpace(text), "0123456789.")
	switch {
	case strings.TrimSpace(text) == "":
		return fmt.Errorf("a duration is missing: write 0s, 20ms, 15m or 1d12h")
	case number == "":
		n := strings.TrimSpace(s)
		return fmt.Errorf("%q has no unit: write %sms, %ss or %sm", s, n, n, n)
	default:
		return fmt.Errorf("%q is not a duration: numbers with the units ns, us, ms, s, m, h and d, as in 1d12h, 15m or 1.5s", s)
	}
}

// String is the shortest plain form; Parse reads it back to the same value.
func (d Duration) String() string {
	if d == 0 {
		return "0s"
	}
	var b strings.Builder
	left := uint64(d)
	if d < 0 {
		b.WriteByte('-')
		left = -left
	}
	for _, unit := range []struct {
		ns   uint64
		name byte
	}{{uint64(Day), 'd'}, {uint64(time.Hour), 'h'}, {uint64(time.Minute), 'm'}} {
		if n := left / unit.ns; n > 0 {
			fmt.Fprintf(&b, "%d%c", n, unit.name)
			left %= unit.ns
		}
	}
	if left > 0 {
		b.WriteString(strings.Replace(time.Duration(left).String(), "µ", "u", 1))
	}
	return b.String()
}

// MarshalText is String.
func (d Duration) MarshalText() ([]byte, error) { return []byte(d.String()), nil }

// UnmarshalText is Parse.
func (d *Duration) UnmarshalText(b []byte) error {
	v, err := Parse(string(b))
	if err == nil {
		*d = v
	}
	return err
}
