package report

import (
	"math"
	"testing"
)

func TestNumbersForPeople(t *testing.T) {
	for _, c := range []struct{ got, want string }{
		{brief(9_999_999_999), "1.000e10"}, {brief(999_999_999), "999,999,999"},
		{brief(1_204_411_771_200_123), "1.204e15"}, {brief(math.MinInt64), "-9.223e18"},
		{part(0, 10), "none"}, {part(1234, 324_000), "1,234 (0.38 %)"},
		{pairName("east", "west", 20), "east and west"}, {pairName("cluster-1", "cluster-2", 20), "clu…r-1 and clu…er-2"},
		{pairName("a", "production-cluster-2", 20), "a and produc…uster-2"},
		{tau(nil, true), "all tied"}, {tau(new(1.0), true), "1"}, {tau(new(1.0), false), ">0.999999"}, {tau(new(-1.0), false), "-1"},
		{tau(new(1-1e-9), false), ">0.999999"}, {tau(new(1e-9-1), false), "<-0.999999"}, {tau(new(0.0), false), "0"},
		{tau(new(-3e-9), false), "-3.0e-09"}, {tau(new(0.25), false), "0.250000"},
		{zone(0), "UTC"}, {zone(8 * 3_600_000), "UTC+8"}, {zone(-12_600_000), "UTC-3:30"}, {zone(29_110_000), "UTC+8:05:10"}, {zone(-30_000), "UTC-0:00:30"},
		{and(nil), ""}, {and([]string{"a"}), "a"}, {and([]string{"a", "b"}), "a and b"}, {and([]string{"a", "b", "c"}), "a, b and c"},
		{clock(1_772_449_200), "2026-03-02 11:00:00"},
		{later(1_772_449_200_912, 1_772_449_200_012), "11:00:00.912"}, {later(1_772_535_600_000, 1_772_449_200_012), "2026-03-03 11:00:00.000"},
	} {
		if c.got != c.want {
			t.Errorf("%q, want %q", c.got, c.want)
		}
	}
}

func TestSecondsForPeople(t *testing.T) {
	for s, want := range map[int64]string{0: "0 s", 7: "7 s", 199: "3 min 19 s", -2: "-2 s", math.MaxInt64: "9.223e18 s"} {
		if got := seconds(s); got != want {
			t.Errorf("%d s: %q, want %q", s, got, want)
		}
	}
}
