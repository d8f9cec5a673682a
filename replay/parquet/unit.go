package parquet

import (
	"fmt"
	"math"
)

// unit is what a stored integer timestamp counts.
type unit struct {
	name     string
	mul, div int64
}

// ms converts a stored timestamp, rounding down. Where the result would not
// fit, ok is false.
func (u unit) ms(v int64) (ms int64, ok bool) {
	if u.mul > 1 {
		if v > math.MaxInt64/u.mul || v < math.MinInt64/u.mul {
			return 0, false
		}
		return v * u.mul, true
	}
	return floorDiv(v, u.div), true
}

// floorDiv is a/b rounded down, for b > 0.
func floorDiv(a, b int64) int64 {
	q := a / b
	if a%b < 0 {
		q--
	}
	return q
}

// Plain integer timestamps of an unknown unit: a value of at least
// smallTimestamp (in 1973 if seconds) tells its unit by its magnitude; smaller
// ones (0, -1 and such) tell nothing.
const smallTimestamp = 1e8

// bands are the magnitudes of the units: each takes the years 1973 to 5138.
var bands = []struct {
	unit string
	from uint64
	to   uint64 // exclusive
}{
	{"s", smallTimestamp, 1e11},
	{"ms", 1e11, 1e14},
	{"us", 1e14, 1e17},
	{"ns", 1e17, 1 << 63},
}

// magnitude is |v|.
func magnitude(v int64) uint64 {
	if v < 0 {
		return -uint64(v)
	}
	return uint64(v)
}

// unitOf tells the unit of a timestamp from its magnitude; "" where it tells
// nothing.
func unitOf(v int64) string {
	m := magnitude(v)
	for _, b := range bands {
		if m >= b.from && m < b.to {
			return b.unit
		}
	}
	return ""
}

// inBand reports whether a value may stand among timestamps of the unit.
func inBand(v int64, unit string) bool {
	u := unitOf(v)
	return u == "" || u == unit
}

func digits(v int64) string {
	n := len(fmt.Sprint(magnitude(v)))
	return fmt.Sprintf("%d (%d digits)", v, n)
}
