package report

import "testing"

// Timestamps of this century are taken as they stand; others for what they
// would be of this century.
func TestInUnit(t *testing.T) {
	const ms = 1_772_452_800_000 // 2026-03-02 12:00:00
	for _, c := range []struct {
		stamped int64
		unit    string
		then    int64
	}{
		{ms, "", 0},
		{ms / 1000, "seconds", ms},
		{ms * 1000, "microseconds", ms},
		{ms * 1_000_000, "nanoseconds", ms},
		{0, "", 0},
		{-1, "", 0},
		{plausibleFromMs, "", 0},
		{plausibleUntilMs - 1, "", 0},
		{253_402_300_799_999, "", 0}, // the year 9999: of this century in no unit
		{-9_223_372_036_854_775_808, "", 0},
		{9_223_372_036_854_775_807, "", 0},
	} {
		if unit, then := inUnit(c.stamped); unit != c.unit || then != c.then {
			t.Errorf("%d: %q, %d; want %q, %d", c.stamped, unit, then, c.unit, c.then)
		}
	}
}
