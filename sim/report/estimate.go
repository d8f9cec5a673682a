package report

import (
	"math"
	"strconv"
	"strings"

	"twindrift/replay/figure"
)

// amount writes a number of any unit with four digits that say something; whole
// numbers in full, as long as they are not too long.
func amount(x float64) string {
	size := math.Abs(x)
	switch {
	case x == 0:
		return "0"
	case math.IsNaN(x) || size >= 1e12:
		return strconv.FormatFloat(x, 'g', 4, 64)
	case x == math.Trunc(x):
		return count(int64(x))
	case size < 1e-4:
		return strconv.FormatFloat(x, 'g', 2, 64)
	}
	s := fixedPoint(x, max(0, 3-int(math.Floor(math.Log10(size)))))
	if strings.Contains(s, ".") {
		s = strings.TrimRight(strings.TrimRight(s, "0"), ".")
	}
	return s
}

// fixedPoint writes a number with thousands separators and so many digits after
// the point.
func fixedPoint(x float64, digits int) string {
	s := strconv.FormatFloat(x, 'f', digits, 64)
	whole, after, _ := strings.Cut(s, ".")
	sign := ""
	if whole[0] == '-' {
		sign, whole = "-", whole[1:]
	}
	n, err := strconv.ParseInt(whole, 10, 64)
	if err != nil {
		return strconv.FormatFloat(x, 'g', 4, 64)
	}
	s = sign + count(n)
	if after != "" {
		s += "." + after
	}
	return s
}

// around writes a number and how far an interval reaches to both sides of it:
// that with two digits that say something, and both with as many after the
// point.
func around(x, half float64) string {
	if half == 0 {
		return amount(x)
	}
	digits := math.MaxInt
	if half > 0 {
		digits = max(0, figure.DigitsAfter(half))
	}
	if digits > 7 || math.Abs(x) >= 1e12 || half >= 1e12 {
		return amount(x) + " ± " + strconv.FormatFloat(half, 'g', 2, 64)
	}
	return fixedPoint(x, digits) + " ± " + fixedPoint(half, digits)
}
