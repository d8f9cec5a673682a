package reading

import (
	"fmt"
	"math"
	"strconv"
	"strings"
	"time"

	"twindrift/generator/secondslot"
)

// lastTick is 9999-12-31 23:59:59.9999999, the last .NET tick.
const lastTick = 3_155_378_975_999_999_999

// ParseID reads an id from text. The error of what cannot be a second-slot id
// says what it looks like instead.
func ParseID(text string) (int64, error) {
	id, err := strconv.ParseInt(text, 10, 64)
	if err != nil {
		return 0, fmt.Errorf("%q is no id: %s", text, notWhole(text))
	}
	if id < secondslot.Epoch || id > lastTick {
		return 0, fmt.Errorf("%d is no second-slot id: %s", id, otherNumber(id))
	}
	return id, nil
}

// notWhole says why text is not an int64.
func notWhole(text string) string {
	f, err := strconv.ParseFloat(text, 64)
	switch {
	case err != nil || math.IsNaN(f) || math.IsInf(f, 0):
		return "an id is a whole number of 18 or 19 digits, such as 638935272001000000"
	case strings.ContainsAny(text, ".eE"):
		return "it is a floating-point number, which has lost digits; take the id itself, as an integer"
	}
	return "it has more digits than an id, which has 18 or 19"
}

// otherNumber says what an integer outside the range of ids may be.
func otherNumber(id int64) string {
	const (
		fromS, toS = 1_000_000_000, 10_000_000_000 // 2001 to 2286
		saw        = "it looks like a timestamp in %s (%s); for its id say: id encode --node N --time %s"
	)
	stamp := func(unit string, perMs float64) string {
		ms := int64(float64(id) / perMs)
		return fmt.Sprintf(saw, unit, time.UnixMilli(ms).UTC().Format(time.RFC3339), strconv.FormatInt(ms, 10))
	}
	switch {
	case id >= fromS && id < toS:
		return stamp("s", 1e-3)
	case id >= fromS*1000 && id < toS*1000:
		return stamp("ms", 1)
	case id >= fromS*1_000_000 && id < toS*1_000_000:
		return stamp("us", 1000)
	case id > lastTick:
		return "its digits say a year after 9999 (the ids of microsecond or nanosecond timestamps may: they overflow)"
	}
	return "its digits say a time before 1970 (the ids of microsecond or nanosecond timestamps may: they overflow)"
}

// ParseTime reads a moment from text: 13 digits of milliseconds since 1970, or
// RFC 3339 with its zone. It gives ms since the Unix epoch.
func ParseTime(text string) (int64, error) {
	const want = "want 13 digits of milliseconds (1757901600000) or RFC 3339 with a zone (2025-09-15T10:00:00+08:00)"
	if at, err := time.Parse(time.RFC3339, text); err == nil {
		return at.UnixMilli(), nil
	}
	ms, err := strconv.ParseInt(text, 10, 64)
	if err == nil && len(text) == 13 && ms > 0 {
		return ms, nil
	}
	digits := strings.TrimLeft(text, "0123456789") == "" && text != ""
	switch {
	case digits && len(text) == 10:
		return 0, fmt.Errorf("time %s looks like seconds: append 000; %s", text, want)
	case digits && (len(text) == 16 || len(text) == 19):
		return 0, fmt.Errorf("time %s has %d digits, too many for milliseconds: keep 13; %s", text, len(text), want)
	}
	for _, zoneless := range []string{"2006-01-02T15:04:05", "2006-01-02 15:04:05", "2006-01-02"} {
		if _, err := time.Parse(zoneless, text); err == nil {
			return 0, fmt.Errorf("time %q has no zone or is not complete; %s", text, want)
		}
	}
	return 0, fmt.Errorf("time %q: %s", text, want)
}
