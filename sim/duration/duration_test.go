package duration

import (
	"math"
	"testing"
	"time"

	"pgregory.net/rapid"
)

func TestParse(t *testing.T) {
	for in, want := range map[string]time.Duration{
		"0":         0,
		"0s":        0,
		"20ms":      20 * time.Millisecond,
		"1m30s":     90 * time.Second,
		"1.5s":      1500 * time.Millisecond,
		"3us":       3 * time.Microsecond,
		"3µs":       3 * time.Microsecond,
		"1d":        24 * time.Hour,
		"1d12h":     36 * time.Hour,
		"0.5d":      12 * time.Hour,
		"-8h":       -8 * time.Hour,
		"+8h":       8 * time.Hour,
		"-1d1ns":    -24*time.Hour - 1,
		"106751d":   106751 * 24 * time.Hour,
		"2562047h":  2562047 * time.Hour,
		"1d0.5s1ms": 24*time.Hour + 501*time.Millisecond,
	} {
		got, err := Parse(in)
		if err != nil || got.Std() != want {
			t.Errorf("Parse(%q) = %v, %v; want %v", in, got, err, want)
		}
	}
}

func TestParseErrors(t *testing.T) {
	units := " is not a duration: numbers with the units ns, us, ms, s, m, h and d, as in 1d12h, 15m or 1.5s"
	for in, want := range map[string]string{
		"":           "a duration is missing: write 0s, 20ms, 15m or 1d12h",
		"-":          "a duration is missing: write 0s, 20ms, 15m or 1d12h",
		"15":         `"15" has no unit: write 15ms, 15s or 15m`,
		"-1.5":       `"-1.5" has no unit: write -1.5ms, -1.5s or -1.5m`,
		"15min":      `"15min"` + units,
		"12h1d":      `"12h1d"` + units,
		"1d-2h":      `"1d-2h"` + units,
		"--2h":       `"--2h"` + units,
		"d":          `"d"` + units,
		"1w":         `"1w"` + units,
		"106752d":    `"106752d"` + units,
		"106751d1d":  `"106751d1d"` + units,
		"106751d24h": `"106751d24h"` + units,
	} {
		if got, err := Parse(in); err == nil || err.Error() != want {
			t.Errorf("Parse(%q) = %v, %v\nwant %s", in, got, err, want)
		}
	}
}

func TestString(t *testing.T) {
	for want, d := range map[string]time.Duration{
		"0s":                         0,
		"15m":                        15 * time.Minute,
		"1d12h":                      36 * time.Hour,
		"1h1s":                       time.Hour + time.Second,
		"1m35ms":                     time.Minute + 35*time.Millisecond,
		"50us":                       50 * time.Microsecond,
		"-8h":                        -8 * time.Hour,
		"2.000001s":                  2*time.Second + time.Microsecond,
		"106751d23h47m16.854775807s": math.MaxInt64,
	} {
		if got := Duration(d).String(); got != want {
			t.Errorf("String of %d ns = %q, want %q", int64(d), got, want)
		}
	}
}

func TestRoundTrip(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		d := Duration(rapid.Int64Min(math.MinInt64+1).Draw(t, "ns"))
		if got, err := Parse(d.String()); err != nil || got != d {
			t.Fatalf("%d ns is written %q and read back as %d, %v", int64(d), d, int64(got), err)
		}
	})
}

func TestMs(t *testing.T) {
	for d, want := range map[Duration]int64{0: 0, 1: 0, -1: -1, 1e6: 1, -1e6: -1, -1e6 - 1: -2} {
		if got := d.Ms(); got != want {
			t.Errorf("%d ns is %d ms, want %d", int64(d), got, want)
		}
	}
}

func FuzzParse(f *testing.F) {
	for _, s := range []string{"0", "1d12h", "-1.5d3ns", "15", "9223372036854775807ns", "1e3s"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		d, err := Parse(s)
		if err != nil {
			return
		}
		if again, err := Parse(d.String()); err != nil || again != d {
			t.Fatalf("%q reads as %q, which reads as %v, %v", s, d, again, err)
		}
	})
}
