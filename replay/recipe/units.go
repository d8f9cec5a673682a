package recipe

import (
	"fmt"
	"math"
	"strconv"
	"strings"
	"time"

	"github.com/goccy/go-yaml"
	"github.com/goccy/go-yaml/ast"
)

const dayMs = 24 * 60 * 60 * 1000

// scalar gives the text of a node that must be a single value.
func scalar(n ast.Node, want string) (string, error) {
	if _, ok := n.(ast.ScalarNode); !ok {
		return "", wrong(n, "%s is wanted here", want)
	}
	return strings.TrimSpace(n.GetToken().Value), nil
}

// wrong is an error at the place of a node.
func wrong(n ast.Node, format string, args ...any) error {
	return &yaml.SyntaxError{Message: fmt.Sprintf(format, args...), Token: n.GetToken()}
}

// durationMs is a length of time in whole milliseconds.
type durationMs int64

func (d *durationMs) UnmarshalYAML(n ast.Node) error {
	s, err := scalar(n, "a duration such as 40ms, 15m or 1d12h")
	if err != nil {
		return err
	}
	ms, err := parseDuration(s)
	if err != nil {
		return wrong(n, "%v", err)
	}
	*d = durationMs(ms)
	return nil
}

// parseDuration reads a duration as Go writes them, with days before it, in
// whole milliseconds, not negative.
func parseDuration(s string) (int64, error) {
	rest, days := s, int64(0)
	if d, after, ok := strings.Cut(s, "d"); ok {
		n, err := strconv.ParseInt(d, 10, 32)
		if err != nil || n < 0 {
			return 0, fmt.Errorf("%q is not a duration: say 40ms, 15m or 1d12h", s)
		}
		days, rest = n, after
		if rest == "" {
			rest = "0s"
		}
	}
	d, err := time.ParseDuration(rest)
	switch {
	case err != nil:
		return 0, fmt.Errorf("%q is not a duration: say 40ms, 15m or 1d12h", s)
	case d < 0:
		return 0, fmt.Errorf("%q is negative", s)
	case d%time.Millisecond != 0:
		return 0, fmt.Errorf("%q is not a whole number of milliseconds", s)
	}
	return days*dayMs + d.Milliseconds(), nil
}

// instant is a date and time with its zone.
type instant struct {
	ms       int64 // since the Unix epoch
	offsetMs int64 // local time - UTC
}

func (t *instant) UnmarshalYAML(n ast.Node) error {
	s, err := scalar(n, "a date and time such as 2026-03-02T20:00:00+08:00")
	if err != nil {
		return err
	}
	*t, err = parseInstant(s)
	if err != nil {
		return wrong(n, "%v", err)
	}
	return nil
}

func parseInstant(s string) (instant, error) {
	v, err := time.Parse(time.RFC3339Nano, s)
	if err != nil {
		return instant{}, fmt.Errorf("%q is not a date and time with a zone: say 2026-03-02T20:00:00+08:00", s)
	}
	if v.Nanosecond()%1e6 != 0 {
		return instant{}, fmt.Errorf("%q is not a whole number of milliseconds", s)
	}
	_, offset := v.Zone()
	return instant{ms: v.UnixMilli(), offsetMs: int64(offset) * 1000}, nil
}

// moment is when something happens: a duration after the start, at a local time
// of day (every day), or at an instant.
type moment struct {
	kind momentKind
	ms   int64 // after the start, after midnight, or since the Unix epoch
}

type momentKind uint8

const (
	afterStart momentKind = iota
	everyDay
	atInstant
)

func (m *moment) UnmarshalYAML(n ast.Node) error {
	const want = "a duration after the start (10m), a time of day (\"23:50\") or a date and time"
	s, err := scalar(n, want)
	if err != nil {
		return err
	}
	if t, err := parseInstant(s); err == nil {
		*m = moment{atInstant, t.ms}
	} else if ms, err := parseTimeOfDay(s); err == nil {
		*m = moment{everyDay, ms}
	} else if ms, err := parseDuration(s); err == nil {
		*m = moment{afterStart, ms}
	} else {
		return wrong(n, "%q is not a moment: %s is wanted", s, want)
	}
	return nil
}

// parseTimeOfDay reads hh:mm, hh:mm:ss or hh:mm:ss.mmm: ms after midnight.
func parseTimeOfDay(s string) (int64, error) {
	for _, layout := range []string{"15:04", "15:04:05", "15:04:05.000"} {
		if t, err := time.Parse(layout, s); err == nil {
			midnight := time.Date(t.Year(), t.Month(), t.Day(), 0, 0, 0, 0, time.UTC)
			if since := t.Sub(midnight); since%time.Millisecond == 0 {
				return since.Milliseconds(), nil
			}
		}
	}
	return 0, fmt.Errorf("%q is not a time of day: say \"09:30\" or \"23:59:59\"", s)
}

// rate is messages a millisecond.
type rate float64

// maxRate keeps a second of one partition within memory.
const maxRate = rate(10_000) // a millisecond: ten million a second

func (r *rate) UnmarshalYAML(n ast.Node) error {
	s, err := scalar(n, "a rate such as 150/s")
	if err != nil {
		return err
	}
	*r, err = parseRate(s)
	if err != nil {
		return wrong(n, "%v", err)
	}
	return nil
}

func parseRate(s string) (rate, error) {
	unitMs := map[string]float64{"s": 1000, "m": 60_000, "h": 3_600_000, "d": dayMs}
	number, unit, _ := strings.Cut(s, "/")
	v, err := strconv.ParseFloat(strings.ReplaceAll(strings.TrimSpace(number), "_", ""), 64)
	ms := unitMs[strings.TrimSpace(unit)]
	switch {
	case err == nil && ms == 0:
		return 0, fmt.Errorf("%q has no unit: say 150/s, 150/m, 150/h or 150/d", s)
	case err != nil || math.IsNaN(v):
		return 0, fmt.Errorf("%q is not a rate: say 150/s, 150/m, 150/h or 150/d", s)
	case v < 0:
		return 0, fmt.Errorf("%q is negative", s)
	case rate(v/ms) > maxRate:
		return 0, fmt.Errorf("%q is too high: at most 10000000/s", s)
	}
	return rate(v / ms), nil
}

// share is a part of a whole, 0 to 1.
type share float64

func (f *share) UnmarshalYAML(n ast.Node) error {
	s, err := scalar(n, "a share such as 2% or 0.02")
	if err != nil {
		return err
	}
	number, percent := strings.CutSuffix(s, "%")
	v, err := strconv.ParseFloat(strings.TrimSpace(number), 64)
	if percent {
		v /= 100
	}
	if err != nil || !(v >= 0 && v <= 1) {
		return wrong(n, "%q is not a share: say 2%% or 0.02; it lies between 0 and 1", s)
	}
	*f = share(v)
	return nil
}
