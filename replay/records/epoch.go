package records

import (
	"fmt"
	"math"
	"strconv"
	"strings"

	"twindrift/replay"
)

// unit is the unit of a number of seconds, or parts of them, since 1970.
type unit int

const (
	unknownUnit unit = iota
	seconds
	millis
	micros
	nanos
)

var unitNames = [...]string{unknownUnit: "?", seconds: "s", millis: "ms", micros: "us", nanos: "ns"}

func (u unit) String() string { return unitNames[u] }

// unitOf tells the unit from the digits before the point: with it the time
// falls between 1973 and 2286. Other sizes say nothing.
func unitOf(digits int) unit {
	switch digits {
	case 9, 10:
		return seconds
	case 12, 13:
		return millis
	case 15, 16:
		return micros
	case 18, 19:
		return nanos
	}
	return unknownUnit
}

// epoch reads numbers since 1970, whole or with a decimal point. Where the unit
// is not named, the first value whose size tells it decides, and all others
// must agree; 0 and -1 (Kafka's "none") agree with every unit.
type epoch struct {
	column  string // what the values are, for errors
	unit    unit
	told    bool   // by the user
	decider string // the value that told the unit
}

func (e *epoch) parse(text string) (int64, error) {
	n, err := parseDecimal(text)
	if err != nil {
		return 0, err
	}
	if n.whole == 0 && n.nano == 0 && !n.inexact {
		return 0, nil
	}
	if n == (decimal{negative: true, whole: 1, digits: 1}) && (e.unit == millis || !e.told) {
		return replay.NoTimestamp, nil
	}
	if !e.told {
		if err := e.agree(text, unitOf(n.digits)); err != nil {
			return 0, err
		}
	}
	return n.millis(e.unit)
}

// agree takes the unit of the first value and refuses values of another.
func (e *epoch) agree(text string, u unit) error {
	switch {
	case u == unknownUnit:
		return fmt.Errorf("the size of %s does not tell its unit; name it: --time-format %s=ms (or s, us, ns)", text, e.column)
	case e.unit == unknownUnit:
		e.unit, e.decider = u, text
	case e.unit != u:
		return fmt.Errorf("%s looks like %v, but %s before it looked like %v; if they are all of one unit, name it: --time-format %s=%v", text, u, e.decider, e.unit, e.column, e.unit)
	}
	return nil
}

func (e *epoch) String() string {
	switch {
	case e.told:
		return fmt.Sprintf("%v since 1970", e.unit)
	case e.unit == unknownUnit:
		return "no value"
	}
	return fmt.Sprintf("%v since 1970 (by the size of the values)", e.unit)
}

// decimal is a number with up to nine places; further ones only set inexact.
type decimal struct {
	negative bool
	whole    int64
	nano     int64 // the part behind the point, in billionths
	inexact  bool
	digits   int // before the point, leading zeros aside
}

func parseDecimal(text string) (decimal, error) {
	var n decimal
	bad := func() (decimal, error) { return n, fmt.Errorf("%q is not a number", text) }
	s := text
	if s != "" && (s[0] == '-' || s[0] == '+') {
		n.negative = s[0] == '-'
		s = s[1:]
	}
	whole, places, point := strings.Cut(s, ".")
	if whole == "" || point && places == "" {
		return bad()
	}
	for _, c := range []byte(whole) {
		if c < '0' || c > '9' {
			return bad()
		}
		if n.whole > math.MaxInt64/10-1 {
			return n, fmt.Errorf("%s is too large", text)
		}
		n.whole = n.whole*10 + int64(c-'0')
		if n.whole != 0 {
			n.digits++
		}
	}
	scale := int64(100_000_000)
	for _, c := range []byte(places) {
		if c < '0' || c > '9' {
			return bad()
		}
		n.nano += int64(c-'0') * scale
		n.inexact = n.inexact || scale == 0 && c != '0'
		scale /= 10
	}
	return n, nil
}

// millis gives the number, counted in u, in whole milliseconds, rounded down.
func (n decimal) millis(u unit) (int64, error) {
	ms, rest := n.whole, n.nano != 0 || n.inexact
	switch u {
	case seconds:
		if n.whole > math.MaxInt64/1000-1 {
			return 0, fmt.Errorf("%d is too large for seconds", n.whole)
		}
		ms = n.whole*1000 + n.nano/1_000_000
		rest = n.nano%1_000_000 != 0 || n.inexact
	case micros:
		ms, rest = n.whole/1000, rest || n.whole%1000 != 0
	case nanos:
		ms, rest = n.whole/1_000_000, rest || n.whole%1_000_000 != 0
	}
	if n.negative {
		ms = -ms
		if rest {
			ms--
		}
	}
	return ms, nil
}

// snowflakeEpochMs is when Twitter's ids begin to count, in ms since 1970.
const snowflakeEpochMs = 1288834974657

// snowflake reads the time at which a Twitter Snowflake id was made: its
// digits above bit 22 are ms since snowflakeEpochMs (Twitter, "Announcing
// Snowflake", 2010).
type snowflake struct{}

func (snowflake) parse(text string) (int64, error) {
	id, err := strconv.ParseInt(text, 10, 64)
	if err != nil || id < 0 {
		return 0, fmt.Errorf("%q is not a Snowflake id", text)
	}
	return id>>22 + snowflakeEpochMs, nil
}

func (snowflake) String() string { return "the time in a Snowflake id" }
