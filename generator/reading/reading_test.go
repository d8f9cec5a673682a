package reading

import (
	"strings"
	"testing"
)

func TestParseTime(t *testing.T) {
	for text, want := range map[string]int64{
		"1757901600000":                  1757901600000,
		"2025-09-15T10:00:00+08:00":      1757901600000,
		"2025-09-15T02:00:00.250Z":       1757901600250,
		"1969-12-31T23:59:59.9999Z":      -1,
		"1970-01-01T00:00:00.123456789Z": 123,
	} {
		if got, err := ParseTime(text); err != nil || got != want {
			t.Errorf("%q: %d, %v; want %d", text, got, err, want)
		}
	}
	for text, want := range map[string]string{
		"1757901600":          "looks like seconds: append 000",
		"1757901600000000":    "has 16 digits, too many for milliseconds: keep 13",
		"1757901600000000000": "has 19 digits",
		"2025-09-15T10:00:00": "has no zone",
		"2025-09-15":          "has no zone or is not complete",
		"-175790160000":       "want 13 digits",
		"now":                 "want 13 digits",
		"":                    "want 13 digits",
	} {
		if got, err := ParseTime(text); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %d, error %v; want one with %q", text, got, err, want)
		}
	}
}
