package figure

import (
	"fmt"
	"math"
	"strconv"
	"strings"
	"time"
	"unicode"
)

// Count writes an integer with thousands separators.
func Count(n int64) string {
	digits, negative := strings.CutPrefix(strconv.FormatInt(n, 10), "-")
	if negative {
		return "-" + grouped(digits)
	}
	return grouped(digits)
}

// grouped puts a comma before every three digits.
func grouped(digits string) string {
	var b strings.Builder
	for i, d := range digits {
		if i > 0 && (len(digits)-i)%3 == 0 {
			b.WriteByte(',')
		}
		b.WriteRune(d)
	}
	return b.String()
}

// Counted writes a count and what it counts: "1 id", "4,096 ids".
func Counted(n int64, one string) string {
	if n == 1 {
		return "1 " + one
	}
	return Count(n) + " " + one + "s"
}

// Share writes part of whole in percent.
func Share(part, whole int64) string {
	if whole == 0 {
		return "-"
	}
	return Percent(float64(part) / float64(whole))
}

// Percent writes a share between 0 and 1 with two digits that say something. 0
// is only what is 0, and 100 only what is all.
func Percent(f float64) string {
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
		return fmt.Sprintf("%.*f %%", DigitsAfter(p), p)
	case p < 100 && p > 99.9:
		return fmt.Sprintf("%.*f %%", DigitsAfter(100-p), p)
	}
	return fmt.Sprintf("%.1f %%", p)
}

// DigitsAfter is how many digits after the point show two of a small number.
func DigitsAfter(p float64) int { return 1 - int(math.Floor(math.Log10(p))) }

// Rate writes how many come in a second: "1,985.6", and below 1 two digits that
// say something, "0.76".
func Rate(perSecond float64) string {
	if perSecond == 0 {
		return "0"
	}
	if perSecond > 0 && perSecond < 1 {
		return fmt.Sprintf("%.*f", DigitsAfter(perSecond), perSecond)
	}
	whole, tenths, _ := strings.Cut(strconv.FormatFloat(perSecond, 'f', 1, 64), ".")
	return grouped(whole) + "." + tenths
}

// Duration writes ms for people: "12 ms", "3.2 s", "15 min", "2 d 3 h". From a
// minute on it is rounded to the smaller of the two units; from 1000 days on, to days.
func Duration(ms int64) string {
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
		return sign + Count(int64((s+43_200)/86_400)) + " d"
	}
	return sign + two((s+1800)/3600, 24, "d", "h")
}

func two(n, per uint64, large, small string) string {
	if n%per == 0 {
		return fmt.Sprintf("%s %s", Count(int64(n/per)), large)
	}
	return fmt.Sprintf("%s %s %d %s", Count(int64(n/per)), large, n%per, small)
}

// Moment writes ms since the Unix epoch as date and time, UTC.
func Moment(ms int64) string { return time.UnixMilli(ms).UTC().Format("2006-01-02 15:04:05.000") }

// Short makes text fit n columns, leaving out its middle.
func Short(s string, n int) string {
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

// Printable shows characters that would move the cursor as ?.
func Printable(s string) string {
	return strings.Map(func(r rune) rune {
		if unicode.IsPrint(r) {
			return r
		}
		return '?'
	}, s)
}
