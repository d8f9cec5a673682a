package kafka

import (
	"math"
	"strings"
	"testing"
	"time"
)

func TestParseBound(t *testing.T) {
	now := time.Date(2026, 3, 2, 12, 0, 0, 0, time.UTC)
	for text, want := range map[string]Bound{
		"start": Start, "end": End, "0": {atOffset, 0}, "17": {atOffset, 17}, "+5": {afterOpen, 5}, "-5": {beforeEnd, 5},
		"@1772540000123":             {atTime, 1_772_540_000_123},
		"@1772540000":                {atTime, 1_772_540_000_000},
		"@999999999":                 {atTime, 999_999_999_000},
		"@2026-03-02":                {atTime, now.Add(-12 * time.Hour).UnixMilli()},
		"@2026-03-02T20:00:00+08:00": {atTime, now.UnixMilli()},
		"@2026-03-02T12:00:00.250Z":  {atTime, now.UnixMilli() + 250},
		"@2026-03-02T12:00Z":         {atTime, now.UnixMilli()},
		"@-2h":                       {atTime, now.Add(-2 * time.Hour).UnixMilli()},
		"@-1h30m":                    {atTime, now.Add(-90 * time.Minute).UnixMilli()},
		"@-3d":                       {atTime, now.Add(-72 * time.Hour).UnixMilli()},
	} {
		got, err := ParseBound(text, now)
		if err != nil || got != want {
			t.Errorf("%s: %v, %v; want %v", text, got, err, want)
		}
		if again, err := ParseBound(got.String(), now); err != nil || again != got {
			t.Errorf("%s is written %s, and read %v, %v", text, got, again, err)
		}
	}
	for text, want := range map[string]string{
		"":                     `"" is no place in a topic; want start, end, N`,
		"begin":                "is no place in a topic",
		"99999999999999999999": "the number is too large",
		"2026-03-02":           "for a time write @2026-03-02",
		"@1772540000123456":    "a time of 16 digits is neither in ms (13) nor in s (10); it looks like microseconds: leave off the last three digits",
		"@1772540000123456789": "it looks like nanoseconds",
		"@12345":               "a time of 5 digits is neither",
		"@2026-03-02T12:00:00": "has no zone: write 2026-03-02T12:00:00Z for UTC",
		"@yesterday":           "yesterday is no time",
		"@-2x":                 "-2x is no duration back from now",
		"@-99999999999999999d": "is no duration back from now",
		"+-5":                  "is no place in a topic",
	} {
		if _, err := ParseBound(text, now); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, want %s", text, err, want)
		}
	}
}

// A bound stays within the log, however far out it is.
func TestBoundsStayInTheLog(t *testing.T) {
	for _, kind := range []boundKind{atStart, atEnd, atOffset, afterOpen, beforeEnd, atTime} {
		for _, n := range []int64{0, 1, 50, 99, math.MaxInt64} {
			if o := (Bound{kind, n}).offset(10, 90, 20, n); o < 10 || o > 90 {
				t.Errorf("%v: %d", Bound{kind, n}, o)
			}
		}
	}
}
