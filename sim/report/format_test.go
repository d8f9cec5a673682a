package report

import (
	"math"
	"strconv"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

func TestNumbersForPeople(t *testing.T) {
	for _, c := range []struct{ got, want string }{
		{count(0), "0"}, {count(999), "999"}, {count(1000), "1,000"}, {count(-1234567), "-1,234,567"},
		{count(math.MinInt64), "-9,223,372,036,854,775,808"},
		{brief(9_999_999_999), "1.000e10"}, {brief(999_999_999), "999,999,999"},
		{brief(1_204_411_771_200_123), "1.204e15"}, {brief(math.MinInt64), "-9.223e18"},
		{counted(1, "id"), "1 id"}, {counted(0, "id"), "0 ids"}, {counted(4096, "id"), "4,096 ids"},
		{part(0, 10), "none"}, {part(1234, 324_000), "1,234 (0.38 %)"}, {share(0, 0), "-"}, {share(3, 3), "100 %"},
		{percent(0), "0 %"}, {percent(1), "100 %"}, {percent(0.5), "50.0 %"}, {percent(0.0625), "6.2 %"},
		{percent(0.00123), "0.12 %"}, {percent(1e-5), "0.0010 %"}, {percent(9e-7), "<0.0001 %"}, {percent(5e-324), "<0.0001 %"},
		{percent(0.9999), "99.990 %"}, {percent(0.99951), "99.951 %"}, {percent(1 - 1e-9), ">99.9999 %"}, {percent(1.2246), "122.5 %"},
		{tau(nil, true), "all tied"}, {tau(new(1.0), true), "1"}, {tau(new(1.0), false), ">0.999999"}, {tau(new(-1.0), false), "-1"},
		{tau(new(1-1e-9), false), ">0.999999"}, {tau(new(1e-9-1), false), "<-0.999999"}, {tau(new(0.0), false), "0"},
		{tau(new(-3e-9), false), "-3.0e-09"}, {tau(new(0.25), false), "0.250000"},
		{zone(0), "UTC"}, {zone(8 * 3_600_000), "UTC+8"}, {zone(-12_600_000), "UTC-3:30"},
		{short("abcdefghij", 5), "ab…ij"}, {short("abc", 3), "abc"}, {short("abcdef", 3), "abc"}, {printable("a\nb\x1b"), "a?b?"},
		{and(nil), ""}, {and([]string{"a"}), "a"}, {and([]string{"a", "b"}), "a and b"}, {and([]string{"a", "b", "c"}), "a, b and c"},
		{moment(1_772_449_200_012), "2026-03-02 11:00:00.012"}, {clock(1_772_449_200), "2026-03-02 11:00:00"},
		{later(1_772_449_200_912, 1_772_449_200_012), "11:00:00.912"}, {later(1_772_535_600_000, 1_772_449_200_012), "2026-03-03 11:00:00.000"},
	} {
		if c.got != c.want {
			t.Errorf("%q, want %q", c.got, c.want)
		}
	}
}

func TestDurationsForPeople(t *testing.T) {
	for ms, want := range map[int64]string{
		0: "0 ms", 1: "1 ms", 999: "999 ms", 1000: "1 s", 1049: "1 s", 1050: "1.1 s", 59_949: "59.9 s", 59_950: "1 min", 60_000: "1 min",
		61_000: "1 min 1 s", 900_000: "15 min", 3_599_499: "59 min 59 s", 3_599_500: "1 h", 3_600_000: "1 h", 5_400_000: "1 h 30 min",
		86_400_000: "1 d", 86_399_000: "1 d", 90_000_000: "1 d 1 h", -3200: "-3.2 s", -1: "-1 ms",
		math.MaxInt64: "106,751,991,167 d", math.MinInt64: "-106,751,991,167 d",
	} {
		if got := duration(ms); got != want {
			t.Errorf("%d ms: %q, want %q", ms, got, want)
		}
	}
	for s, want := range map[int64]string{0: "0 s", 7: "7 s", 199: "3 min 19 s", -2: "-2 s", math.MaxInt64: "9.223e18 s"} {
		if got := seconds(s); got != want {
			t.Errorf("%d s: %q, want %q", s, got, want)
		}
	}
}

// A share that is printed is the share, to the digits printed; 0 is nothing and
// 100 is all.
func TestPercentNeverLies(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		whole := rapid.Int64Range(1, 1e15).Draw(t, "whole")
		n := rapid.OneOf(
			rapid.Int64Range(0, whole), rapid.Int64Range(0, min(whole, 100)), rapid.Int64Range(max(0, whole-100), whole),
		).Draw(t, "part")
		got := share(n, whole)
		if (got == "0 %") != (n == 0) || (got == "100 %") != (n == whole) {
			t.Fatalf("%d of %d: %q", n, whole, got)
		}
		digits := strings.TrimSuffix(got, " %")
		exact := 100 * float64(n) / float64(whole)
		switch digits[0] {
		case '<':
			if n == 0 || exact >= 0.0001 {
				t.Fatalf("%d of %d: %q", n, whole, got)
			}
			return
		case '>':
			if n == whole || exact <= 99.9998 {
				t.Fatalf("%d of %d: %q", n, whole, got)
			}
			return
		}
		printed, err := strconv.ParseFloat(digits, 64)
		if err != nil {
			t.Fatal(err)
		}
		_, after, _ := strings.Cut(digits, ".")
		if unit := math.Pow(10, -float64(len(after))); math.Abs(printed-exact) > unit*0.51 {
			t.Fatalf("%d of %d is %v %%, printed %q", n, whole, exact, got)
		}
		if printed == 0 && n > 0 || printed == 100 && n < whole {
			t.Fatalf("%d of %d: %q", n, whole, got)
		}
	})
}

func TestWrapKeepsNumbersWithTheirUnits(t *testing.T) {
	got := wrapped("  a: ", "wait 15 min for 6.2 % of it (or 2 s), then s words", 16)
	want := []string{"  a: wait 15 min", "     for 6.2 %", "     of it (or", "     2 s), then", "     s words"}
	if strings.Join(got, "\n") != strings.Join(want, "\n") {
		t.Errorf("%q, want %q", got, want)
	}
}
