package figure

import (
	"math"
	"strconv"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

func TestFigures(t *testing.T) {
	for _, c := range []struct{ got, want string }{
		{Count(0), "0"}, {Count(999), "999"}, {Count(1000), "1,000"}, {Count(-1234567), "-1,234,567"},
		{Count(math.MinInt64), "-9,223,372,036,854,775,808"},
		{Counted(1, "id"), "1 id"}, {Counted(0, "id"), "0 ids"}, {Counted(4096, "id"), "4,096 ids"},
		{Share(0, 0), "-"}, {Share(3, 3), "100 %"},
		{Percent(0), "0 %"}, {Percent(1), "100 %"}, {Percent(0.5), "50.0 %"}, {Percent(0.0625), "6.2 %"},
		{Percent(0.00123), "0.12 %"}, {Percent(1e-5), "0.0010 %"}, {Percent(9e-7), "<0.0001 %"}, {Percent(5e-324), "<0.0001 %"},
		{Percent(0.9999), "99.990 %"}, {Percent(0.99951), "99.951 %"}, {Percent(1 - 1e-9), ">99.9999 %"}, {Percent(1.2246), "122.5 %"},
		{Short("abcdefghij", 5), "ab…ij"}, {Short("abc", 3), "abc"}, {Short("abcdef", 3), "abc"}, {Printable("a\nb\x1b"), "a?b?"},
		{Moment(1_772_449_200_012), "2026-03-02 11:00:00.012"},
		{Rate(0), "0"}, {Rate(0.7569), "0.76"}, {Rate(0.00001234), "0.000012"}, {Rate(59.84), "59.8"}, {Rate(1985.6), "1,985.6"},
		{Rate(1e7), "10,000,000.0"},
	} {
		if c.got != c.want {
			t.Errorf("%q, want %q", c.got, c.want)
		}
	}
}

func TestDurations(t *testing.T) {
	for ms, want := range map[int64]string{
		0: "0 ms", 1: "1 ms", 999: "999 ms", 1000: "1 s", 1049: "1 s", 1050: "1.1 s", 59_949: "59.9 s", 59_950: "1 min", 60_000: "1 min",
		61_000: "1 min 1 s", 900_000: "15 min", 3_599_499: "59 min 59 s", 3_599_500: "1 h", 3_600_000: "1 h", 5_400_000: "1 h 30 min",
		86_400_000: "1 d", 86_399_000: "1 d", 90_000_000: "1 d 1 h", -3200: "-3.2 s", -1: "-1 ms",
		math.MaxInt64: "106,751,991,167 d", math.MinInt64: "-106,751,991,167 d",
	} {
		if got := Duration(ms); got != want {
			t.Errorf("%d ms: %q, want %q", ms, got, want)
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
		got := Share(n, whole)
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
	got := Wrap("  a: ", "wait 15 min for 6.2 % of it (or 2 s), then s words", 16)
	want := []string{"  a: wait 15 min", "     for 6.2 %", "     of it (or", "     2 s), then", "     s words"}
	if strings.Join(got, "\n") != strings.Join(want, "\n") {
		t.Errorf("%q, want %q", got, want)
	}
}
