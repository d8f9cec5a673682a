package reading

import (
	"strings"
	"testing"
)

// Between 2^59 and 2^60 float64 values lie 128 apart, and up to 2^53 each is one.
func TestScoreOf(t *testing.T) {
	for id, want := range map[int64]Score{
		638935272001000200: {"638935272001000192", false, "638935272001000128", "638935272001000256"},
		1 << 52:            {"4503599627370496", true, "4503599627370496", "4503599627370496"},
		-1024:              {"-1024", true, "-1024", "-1024"},
	} {
		if got := ScoreOf(id); got != want {
			t.Errorf("%d: %+v, want %+v", id, got, want)
		}
	}
	if got := ScoreOf(7).Note(); !strings.Contains(got, "it is 7, which no other number has") {
		t.Error(got)
	}
}

func TestMistaken(t *testing.T) {
	for id, want := range map[int64]string{
		1757901600:          "timestamp in s, of 2025-09-15T02:00:00Z",
		1757901600000:       "timestamp in ms, of 2025-09-15T02:00:00Z",
		1757901600000000:    "timestamp in us, of 2025-09-15T02:00:00Z",
		638935272001000200:  "a .NET tick value it says 2025-09-15 10:00:00",
		1541815603606036480: "",
		0:                   "",
		-1024:               "",
	} {
		if got := Mistaken(id); want == "" && got != "" || !strings.Contains(got, want) {
			t.Errorf("%d: %q, want %q", id, got, want)
		}
	}
}

func TestParseNumber(t *testing.T) {
	for text, want := range map[string]int64{"0": 0, "-1024": -1024, "9223372036854775807": 1<<63 - 1} {
		if id, err := ParseNumber(text); err != nil || id != want {
			t.Errorf("%q: %d, %v", text, id, err)
		}
	}
	for text, want := range map[string]string{
		"":                    "whole number of 64 bits",
		"x":                   "whole number of 64 bits",
		"NaN":                 "whole number of 64 bits",
		"1e18":                "has lost digits",
		"9223372036854775808": "does not fit into 64 bits",
	} {
		if id, err := ParseNumber(text); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %d, error %v; want %q", text, id, err, want)
		}
	}
}
