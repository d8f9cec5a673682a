package records

import (
	"fmt"
	"strings"

	"twindrift/replay"
)

// timeParser brings the values of a column to ms since 1970. String says what
// it took the values for.
type timeParser interface {
	parse(text string) (ms int64, err error)
	fmt.Stringer
}

// newTimeParser makes the parser of a column that a time format names.
func newTimeParser(column, format, zoneName string, year int) (timeParser, error) {
	z, err := newZone(zoneName)
	if err != nil {
		return nil, err
	}
	l := &local{zone: z, named: zoneName != ""}
	switch format {
	case "", "auto":
		return &auto{local: l, column: column}, nil
	case "mail":
		return mailDate{}, nil
	case "snowflake":
		return snowflake{}, nil
	}
	if u := unitNamed(format); u != unknownUnit {
		return &epoch{column: column, unit: u, told: true}, nil
	}
	if name, ok := strings.CutPrefix(format, "after:"); ok {
		return newAfter(name)
	}
	return newLayout(format, l, year)
}

func unitNamed(name string) unit {
	for u := seconds; u <= nanos; u++ {
		if u.String() == name {
			return u
		}
	}
	return unknownUnit
}

// auto takes its form from the first value: a number since 1970, a date and
// time, or a mail date. All other values must have the same form.
type auto struct {
	*local
	column string
	chosen timeParser
}

func (a *auto) parse(text string) (int64, error) {
	if a.chosen != nil {
		return a.chosen.parse(text)
	}
	p := a.choose(text)
	ms, err := p.parse(text)
	if err == nil {
		a.chosen = p
	}
	return ms, err
}

// choose gives the parser that a value looks like being for.
func (a *auto) choose(text string) timeParser {
	if _, err := parseDecimal(text); err == nil {
		return &epoch{column: a.column}
	}
	if _, err := (mailDate{}).parse(text); err == nil {
		return mailDate{}
	}
	return datetime{a.local, a.column}
}

func (a *auto) String() string {
	if a.chosen == nil {
		return "no value"
	}
	return a.chosen.String()
}

// after reads a duration after the message's own timestamp: a latency, a
// delay.
type after struct {
	name    string
	perUnit int64 // ms in a unit; 1 where the unit is shorter
	parts   int64 // units in a ms; 1 where the unit is longer
	eventMs int64 // timestamp of the row
}

func newAfter(name string) (*after, error) {
	a := &after{name: name, perUnit: 1, parts: 1}
	switch name {
	case "ns":
		a.parts = 1_000_000
	case "us":
		a.parts = 1000
	case "ms":
	case "s":
		a.perUnit = 1000
	case "min":
		a.perUnit = 60_000
	case "h":
		a.perUnit = 3_600_000
	default:
		return nil, fmt.Errorf("time format after:%s: the unit is one of ns, us, ms, s, min, h", name)
	}
	return a, nil
}

func (a *after) parse(text string) (int64, error) {
	n, err := parseDecimal(text)
	if err != nil {
		return 0, err
	}
	if a.eventMs == replay.NoTimestamp {
		return replay.NoTimestamp, nil
	}
	if n.whole > 1<<42/a.perUnit*a.parts {
		return 0, fmt.Errorf("%s %s is too long a time", text, a.name)
	}
	places := n.nano * a.perUnit // billionths of a ms, where parts is 1
	ms := n.whole*a.perUnit/a.parts + places/1_000_000_000
	rest := n.whole*a.perUnit%a.parts != 0 || places%1_000_000_000 != 0 || n.inexact
	if n.negative {
		ms = -ms
		if rest {
			ms--
		}
	}
	return a.eventMs + ms, nil
}

func (a *after) String() string { return a.name + " after the timestamp" }
