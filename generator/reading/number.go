package reading

import (
	"fmt"
	"math"
	"strconv"
	"strings"
	"time"
)

// ParseNumber reads an id that may be any int64. The error of what is none says
// what it looks like instead.
func ParseNumber(text string) (int64, error) {
	id, err := strconv.ParseInt(text, 10, 64)
	if err == nil {
		return id, nil
	}
	f, err := strconv.ParseFloat(text, 64)
	switch {
	case err != nil || math.IsNaN(f) || math.IsInf(f, 0):
		return 0, fmt.Errorf("%q is no id: an id is a whole number of 64 bits", text)
	case strings.ContainsAny(text, ".eE"):
		return 0, fmt.Errorf("%q is no id: it is a floating-point number, which has lost digits; take the id itself, as an integer", text)
	}
	return 0, fmt.Errorf("%q is no id: it does not fit into 64 bits", text)
}

// Stamp says which unit a number could be a timestamp in, and the ms that it then
// says: whole numbers of s, ms or us from 2001 to 2286.
func Stamp(number int64) (unit string, ms int64) {
	const fromS, toS = 1_000_000_000, 10_000_000_000
	switch {
	case number >= fromS && number < toS:
		return "s", number * 1000
	case number >= fromS*1000 && number < toS*1000:
		return "ms", number
	case number >= fromS*1_000_000 && number < toS*1_000_000:
		return "us", number / 1000
	}
	return "", 0
}

// Mistaken says what else a number may be, taken for an id of another layout: a
// timestamp, or a second-slot id, which is a .NET tick value. "" is nothing.
func Mistaken(id int64) string {
	if unit, ms := Stamp(id); unit != "" {
		return fmt.Sprintf("It looks like a timestamp in %s, of %s, taken for an id.", unit, time.UnixMilli(ms).UTC().Format(time.RFC3339))
	}
	const ticks1970, ticksPerSecond = 621_355_968_000_000_000, 10_000_000
	at := time.Unix((id-ticks1970)/ticksPerSecond, 0).UTC()
	if id > ticks1970 && at.Year() >= 2015 && at.Year() < 2045 {
		return fmt.Sprintf("It may be a second-slot id: as a .NET tick value it says %s, local time (id decode %d).", at.Format(time.DateTime), id)
	}
	return ""
}
