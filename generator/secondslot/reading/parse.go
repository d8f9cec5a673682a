package reading

import (
	"fmt"
	"math"
	"strconv"
	"strings"
	"time"

	"twindrift/generator/reading"
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
	unit, ms := reading.Stamp(id)
	switch {
	case unit != "":
		return fmt.Sprintf("it looks like a timestamp in %s (%s); for its id say: id encode --node N --time %d",
			unit, time.UnixMilli(ms).UTC().Format(time.RFC3339), ms)
	case id > lastTick:
		return "its digits say a year after 9999 (the ids of microsecond or nanosecond timestamps may: they overflow)"
	}
	return "its digits say a time before 1970 (the ids of microsecond or nanosecond timestamps may: they overflow)"
}
