package scenario

import (
	"fmt"
	"time"

	"twindrift/sim/duration"
)

// Moment is a point of virtual time: so long after the capture's earliest
// timestamp (10m), or a date and time (RFC 3339). The zero value is the
// capture's start.
type Moment struct {
	After   duration.Duration // where Instant is not used
	Instant bool
	UnixMs  int64 // where it is
}

// Ms is the moment in ms since the Unix epoch, in a capture whose earliest
// timestamp is startMs.
func (m Moment) Ms(startMs int64) int64 {
	if m.Instant {
		return m.UnixMs
	}
	return startMs + m.After.Ms()
}

// String is what UnmarshalText reads.
func (m Moment) String() string {
	if m.Instant {
		return time.UnixMilli(m.UnixMs).UTC().Format(time.RFC3339Nano)
	}
	return m.After.String()
}

// MarshalText is String.
func (m Moment) MarshalText() ([]byte, error) { return []byte(m.String()), nil }

// UnmarshalText reads a duration or a date and time.
func (m *Moment) UnmarshalText(b []byte) error {
	text := string(b)
	if t, err := time.Parse(time.RFC3339, text); err == nil {
		if t.Nanosecond()%int(time.Millisecond) != 0 {
			return fmt.Errorf("%q is not a whole number of milliseconds", text)
		}
		*m = Moment{Instant: true, UnixMs: t.UnixMilli()}
		return nil
	}
	d, err := duration.Parse(text)
	if err != nil {
		return fmt.Errorf("%q is no moment: want a time after the capture's start (10m) or a date and time (2026-03-03T20:00:00+08:00)", text)
	}
	*m = Moment{After: d}
	return nil
}
