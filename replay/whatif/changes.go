package whatif

import (
	"fmt"
	"math"
	"strings"
	"time"
)

// DefaultSpreadMs is by how much copies are moved at most, unless told
// otherwise: within a second or so of their message.
const DefaultSpreadMs = 999

// Bounds of the fields of Changes.
const (
	MaxScale    = 1000
	MaxRepeat   = 100_000
	MaxSpreadMs = 3_600_000
)

// Changes are what is changed of a capture; Unchanged has the values that
// change nothing. The package says what each does, and in which order.
type Changes struct {
	Seed     uint64
	Only     []Partitions // of none: all
	Window   Window
	Repeat   int     // rounds, 1 or more
	Scale    float64 // from 0 to MaxScale
	Bursts   []Burst
	SpreadMs int64 // copies are moved by 0 to SpreadMs
	ShiftMs  int64
}

// Partitions are some partitions of one topic.
type Partitions struct {
	Topic       string
	First, Last int32 // both included; Last below 0 is all of the topic
}

func (p Partitions) String() string {
	switch {
	case p.Last < 0:
		return p.Topic
	case p.First == p.Last:
		return fmt.Sprintf("%s/%d", p.Topic, p.First)
	}
	return fmt.Sprintf("%s/%d-%d", p.Topic, p.First, p.Last)
}

func (p Partitions) holds(topic string, number int32) bool {
	return p.Topic == topic && (p.Last < 0 || p.First <= number && number <= p.Last)
}

// Window is a stretch of time, From included and To not.
type Window struct{ From, To Moment }

// Burst multiplies the traffic of a window by Scale, on top of Changes.Scale;
// below 1 it is a lull. It makes more of the messages that are there: where
// there are none, none come. Where bursts overlap, all of them hold.
type Burst struct {
	Window
	Scale float64 // from 0 to MaxScale
}

// Moment is a moment of the capture's time; the zero value is the capture's own
// end on that side.
type Moment struct {
	Kind Kind
	Ms   int64
}

// Kind says what the time of a Moment is counted from.
type Kind uint8

// Kinds of moments.
const (
	Open       Kind = iota // no bound
	AfterStart             // ms after the smallest timestamp of the whole capture
	Instant                // ms since the Unix epoch
)

func (m Moment) String() string {
	switch m.Kind {
	case AfterStart:
		return short(m.Ms)
	case Instant:
		return moment(m.Ms)
	}
	return ""
}

// short is a length of time without units that say 0.
func short(ms int64) string {
	s := (time.Duration(ms) * time.Millisecond).String()
	if strings.HasSuffix(s, "m0s") {
		s = strings.TrimSuffix(s, "0s")
	}
	if strings.HasSuffix(s, "h0m") {
		s = strings.TrimSuffix(s, "0m")
	}
	return s
}

// moment is a time for people.
func moment(ms int64) string { return time.UnixMilli(ms).UTC().Format("2006-01-02T15:04:05.999Z") }

func (w Window) String() string { return w.From.String() + ".." + w.To.String() }

// isOpen says whether the window holds all of time.
func (w Window) isOpen() bool { return w.From.Kind == Open && w.To.Kind == Open }

// Unchanged are the changes that change nothing.
func Unchanged() Changes { return Changes{Repeat: 1, Scale: 1, SpreadMs: DefaultSpreadMs} }

// None says whether the changes leave a capture as it is.
func (c *Changes) None() bool {
	return len(c.Only) == 0 && c.Window.isOpen() && c.Repeat == 1 && c.Scale == 1 && len(c.Bursts) == 0 && c.ShiftMs == 0
}

// copies says whether a message can be there more than once.
func (c *Changes) copies() bool {
	most := c.Scale
	for _, b := range c.Bursts {
		most *= max(b.Scale, 1)
	}
	return most > 1
}

// counts says whether the number of messages is changed at random.
func (c *Changes) counts() bool { return c.Scale != 1 || len(c.Bursts) > 0 }

// Check says what is wrong with the changes, whatever the capture.
func (c *Changes) Check() error {
	if !(c.Scale >= 0 && c.Scale <= MaxScale) {
		return fmt.Errorf("scale: %v is out of range: from 0 to %d", c.Scale, MaxScale)
	}
	if c.Repeat < 1 || c.Repeat > MaxRepeat {
		return fmt.Errorf("repeat: %d is out of range: from 1 to %d", c.Repeat, MaxRepeat)
	}
	if c.SpreadMs < 0 || c.SpreadMs > MaxSpreadMs {
		return fmt.Errorf("spread: %s is out of range: from 0s to 1h", short(c.SpreadMs))
	}
	if err := c.Window.check(); err != nil {
		return fmt.Errorf("window: %w", err)
	}
	for i, b := range c.Bursts {
		if !(b.Scale >= 0 && b.Scale <= MaxScale) {
			return fmt.Errorf("burst[%d].scale: %v is out of range: from 0 to %d", i, b.Scale, MaxScale)
		}
		if err := b.check(); err != nil {
			return fmt.Errorf("burst[%d]: %w", i, err)
		}
	}
	return nil
}

func (w Window) check() error {
	if w.From.Kind == w.To.Kind && w.From.Kind != Open && w.From.Ms >= w.To.Ms {
		return fmt.Errorf("it ends at %s, which is not after its start at %s", w.To, w.From)
	}
	return nil
}

// span is a window in ms since the Unix epoch, from included and to not.
type span struct{ from, to int64 }

func (s span) holds(ms int64) bool { return s.from <= ms && ms < s.to }

// in is the window in a capture that starts at startMs.
func (w Window) in(startMs int64) (span, error) {
	s := span{math.MinInt64, math.MaxInt64}
	var err error
	if w.From.Kind != Open {
		s.from, err = w.From.in(startMs)
	}
	if w.To.Kind != Open && err == nil {
		s.to, err = w.To.in(startMs)
	}
	if err == nil && s.from >= s.to {
		err = fmt.Errorf("it ends at %s, which is not after its start at %s; the capture starts at %s", moment(s.to), moment(s.from), moment(startMs))
	}
	return s, err
}

func (m Moment) in(startMs int64) (int64, error) {
	if m.Kind == Instant {
		return m.Ms, nil
	}
	ms, ok := add(startMs, m.Ms)
	if !ok {
		return 0, fmt.Errorf("%d ms after the capture's start is past the end of time (its earliest timestamp is %d ms); say a date and time", m.Ms, startMs)
	}
	return ms, nil
}

// add is the sum, and whether int64 holds it.
func add(a, b int64) (int64, bool) {
	s := a + b
	return s, (s > a) == (b > 0)
}
