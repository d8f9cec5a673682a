package report

import (
	"fmt"
	"math"
	"strconv"
	"strings"
	"time"

	"twindrift/replay/figure"
)

// How every command writes figures.
func count(n int64) string               { return figure.Count(n) }
func counted(n int64, one string) string { return figure.Counted(n, one) }
func share(part, whole int64) string     { return figure.Share(part, whole) }
func percent(f float64) string           { return figure.Percent(f) }
func duration(ms int64) string           { return figure.Duration(ms) }
func moment(ms int64) string             { return figure.Moment(ms) }
func short(s string, n int) string       { return figure.Short(s, n) }
func printable(s string) string          { return figure.Printable(s) }

// brief is count where that takes no more than twelve columns, else four
// digits and a power of ten.
func brief(n int64) string {
	if s := count(n); len(s) <= 12 {
		return s
	}
	mantissa, exponent, _ := strings.Cut(strconv.FormatFloat(float64(n), 'e', 3, 64), "e+")
	return mantissa + "e" + strings.TrimLeft(exponent, "0")
}

// orNone writes a count, and none for 0.
func orNone(n int64, write func(int64) string) string {
	if n == 0 {
		return "none"
	}
	return write(n)
}

// part writes a count and its share: "1,234 (0.34 %)", "none".
func part(n, whole int64) string {
	if n == 0 {
		return "none"
	}
	return brief(n) + " (" + share(n, whole) + ")"
}

// tau writes a rank correlation. 1 and -1 are only what is exactly that:
// agrees says that no pair stands in the wrong order.
func tau(f *float64, agrees bool) string {
	if f == nil {
		return "all tied"
	}
	switch s := fmt.Sprintf("%.6f", *f); {
	case *f == math.Trunc(*f) && (*f != 1 || agrees):
		return fmt.Sprintf("%.0f", *f)
	case s == "1.000000":
		return ">0.999999"
	case s == "-1.000000":
		return "<-0.999999"
	case strings.TrimLeft(s, "-") == "0.000000":
		return fmt.Sprintf("%.1e", *f)
	default:
		return s
	}
}

// micros writes µs: "500 µs", "1.5 ms", then as duration does.
func micros(us int64) string {
	if size := max(us, -us); size >= 0 && size < 1000 {
		return fmt.Sprintf("%d µs", us)
	} else if size >= 0 && size < 10_000 {
		return strings.TrimSuffix(fmt.Sprintf("%.1f", float64(us)/1000), ".0") + " ms"
	}
	return duration(us / 1000)
}

// seconds writes a duration in s.
func seconds(s int64) string {
	if s == 0 {
		return "0 s"
	}
	if s > math.MaxInt64/1000 || s < math.MinInt64/1000 {
		return brief(s) + " s"
	}
	return duration(s * 1000)
}

// clock writes seconds since the Unix epoch as date and time, UTC.
func clock(s int64) string { return time.Unix(s, 0).UTC().Format(time.DateTime) }

// minute writes ms since the Unix epoch as date and minute, UTC.
func minute(ms int64) string { return time.UnixMilli(ms).UTC().Format("2006-01-02 15:04") }

// later writes a moment after another: without the date if that is the same.
func later(ms, than int64) string {
	a, b := moment(ms), moment(than)
	if day, hour, _ := strings.Cut(a, " "); strings.HasPrefix(b, day+" ") {
		return hour
	}
	return a
}

// zone names an offset from UTC: "UTC+8", "UTC-3:30", "UTC+8:05:10".
func zone(ms int64) string {
	if ms == 0 {
		return "UTC"
	}
	sign, s := '+', ms/1000
	if s < 0 {
		sign, s = '-', -s
	}
	name := fmt.Sprintf("UTC%c%d", sign, s/3600)
	if s%3600 != 0 {
		name += fmt.Sprintf(":%02d", s/60%60)
	}
	if s%60 != 0 {
		name += fmt.Sprintf(":%02d", s%60)
	}
	return name
}

// pairName names two sites in n columns, leaving out the middle of each name.
func pairName(a, b string, n int) string {
	n -= len(" and ")
	a = short(a, max(n/2, n-columns(b)))
	return a + " and " + short(b, n-columns(a))
}

// and joins names: "a", "a and b", "a, b and c".
func and(names []string) string {
	if len(names) < 2 {
		return strings.Join(names, "")
	}
	return strings.Join(names[:len(names)-1], ", ") + " and " + names[len(names)-1]
}
