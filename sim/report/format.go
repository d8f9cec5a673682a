package report

import (
	"fmt"
	"math"
	"strconv"
	"strings"
	"time"
	"unicode"
)

// count writes an integer with thousands separators.
func count(n int64) string {
	digits := strconv.FormatInt(n, 10)
	sign := ""
	if n < 0 {
		sign, digits = "-", digits[1:]
	}
	var b strings.Builder
	b.WriteString(sign)
	for i, d := range digits {
		if i > 0 && (len(digits)-i)%3 == 0 {
			b.WriteByte(',')
		}
		b.WriteRune(d)
	}
	return b.String()
}

// brief is count where that takes no more than twelve columns, else four
// digits and a power of ten.
func brief(n int64) string {
	if s := count(n); len(s) <= 12 {
		return s
	}
	mantissa, exponent, _ := strings.Cut(strconv.FormatFloat(float64(n), 'e', 3, 64), "e+")
	return mantissa + "e" + strings.TrimLeft(exponent, "0")
}

// counted writes a count and what it counts: "1 id", "4,096 ids".
func counted(n int64, one string) string {
	if n == 1 {
		return "1 " + one
	}
	return count(n) + " " + one + "s"
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

// share writes part of whole in percent.
func share(part, whole int64) string {
	if whole == 0 {
		return "-"
	}
	return percent(float64(part) / float64(whole))
}

// percent writes a share between 0 and 1 with two digits that say something. 0
// is only what is 0, and 100 only what is all.
func percent(f float64) string {
	const least = 0.0001
	p := 100 * f
	switch {
	case f == 0:
		return "0 %"
	case f == 1:
		return "100 %"
	case p > 0 && p < least:
		return "<0.0001 %"
	case p < 100 && 100-p < least:
		return ">99.9999 %"
	case p > 0 && p < 1:
		return fmt.Sprintf("%.*f %%", digitsAfter(p), p)
	case p < 100 && p > 99.9:
		return fmt.Sprintf("%.*f %%", digitsAfter(100-p), p)
	}
	return fmt.Sprintf("%.1f %%", p)
}

// digitsAfter is how many digits after the point show two of a small number.
func digitsAfter(p float64) int { return 1 - int(math.Floor(math.Log10(p))) }

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

// duration writes ms for people: "12 ms", "3.2 s", "15 min", "2 d 3 h". From a
// minute on it is rounded to the smaller of the two units; from 1000 days on, to days.
func duration(ms int64) string {
	sign, n := "", uint64(ms)
	if ms < 0 {
		sign, n = "-", -n
	}
	switch {
	case n < 1000:
		return fmt.Sprintf("%s%d ms", sign, n)
	case n < 59_950:
		return sign + strings.TrimSuffix(fmt.Sprintf("%.1f", float64(n)/1000), ".0") + " s"
	}
	s := (n + 500) / 1000
	switch {
	case s < 3600:
		return sign + two(s, 60, "min", "s")
	case s < 86_400-30:
		return sign + two((s+30)/60, 60, "h", "min")
	}
	if s >= 1000*86_400 {
		return sign + count(int64((s+43_200)/86_400)) + " d"
	}
	return sign + two((s+1800)/3600, 24, "d", "h")
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

func two(n, per uint64, large, small string) string {
	if n%per == 0 {
		return fmt.Sprintf("%s %s", count(int64(n/per)), large)
	}
	return fmt.Sprintf("%s %s %d %s", count(int64(n/per)), large, n%per, small)
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

// moment writes ms since the Unix epoch as date and time, UTC.
func moment(ms int64) string { return time.UnixMilli(ms).UTC().Format("2006-01-02 15:04:05.000") }

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

// zone names an offset from UTC: "UTC+8", "UTC-3:30".
func zone(ms int64) string {
	if ms == 0 {
		return "UTC"
	}
	sign, m := '+', ms/60_000
	if m < 0 {
		sign, m = '-', -m
	}
	if m%60 == 0 {
		return fmt.Sprintf("UTC%c%d", sign, m/60)
	}
	return fmt.Sprintf("UTC%c%d:%02d", sign, m/60, m%60)
}

// short makes text fit n columns, leaving out its middle.
func short(s string, n int) string {
	runes := []rune(s)
	if len(runes) <= n {
		return string(runes)
	}
	if n < 4 {
		return string(runes[:max(n, 0)])
	}
	head := (n - 1) / 2
	return string(runes[:head]) + "…" + string(runes[len(runes)-(n-1-head):])
}

// printable shows characters that would move the cursor as ?.
func printable(s string) string {
	return strings.Map(func(r rune) rune {
		if unicode.IsPrint(r) {
			return r
		}
		return '?'
	}, s)
}

// and joins names: "a", "a and b", "a, b and c".
func and(names []string) string {
	if len(names) < 2 {
		return strings.Join(names, "")
	}
	return strings.Join(names[:len(names)-1], ", ") + " and " + names[len(names)-1]
}
