package scenario

import (
	"fmt"
	"strings"
	"time"

	"twindrift/replay/whatif"
	"twindrift/sim/duration"
)

// Traffic changes the capture before it is replayed: what if there were more of
// it, or less, or only a part. The changes are made in the order of the fields.
// Moments in it are of the capture as it was recorded, those in the rest of the
// scenario of what is replayed.
type Traffic struct {
	// Only lists the partitions to replay: "orders/3", "orders/0-5", or "orders"
	// for all of a topic. Default: all.
	Only []string `json:"only,omitempty"`

	// Window is the stretch of the capture's time to replay, by the timestamps
	// of the messages. Times after a start in the rest of the scenario are after
	// that of what is replayed. Default: all.
	Window Window `json:"window"`

	// Repeat is how many times the capture is replayed, one round after the
	// other. A round is as long as the window, where it has ends, or else the
	// whole seconds from the first message to the last. Default 1.
	Repeat int `json:"repeat" min:"1" max:"100000"`

	// Scale is how many times as many messages there are: 2.5 has each message
	// twice and half of them once more, as copies with new keys; 0.3 keeps three
	// of ten. Which ones is a matter of luck. Above 0. Default 1.
	Scale float64 `json:"scale" above:"0" max:"1000"`

	// Burst lists stretches of time in which scale is multiplied by another one.
	Burst []Burst `json:"burst,omitempty"`

	// Spread is how much later than its message a copy can be; each whole
	// millisecond from 0 to it is as likely. At most 1h. Default 999ms.
	Spread duration.Duration `json:"spread"`

	// Shift moves the whole time axis, back where it is negative. Default 0s.
	Shift duration.Duration `json:"shift"`
}

// Window is a part of the capture's time.
type Window struct {
	// From is when it begins: so long after the capture's earliest timestamp
	// (10m), or a date and time. Default: with the capture.
	From *Moment `json:"from,omitempty"`

	// To is when it ends, just before that moment. Default: with the capture.
	To *Moment `json:"to,omitempty"`
}

// Burst is a stretch of time with more traffic, or less.
type Burst struct {
	// At is when it begins: so long after the capture's earliest timestamp
	// (10m), or a date and time; before shift.
	At Moment `json:"at" required:"true"`

	// For is how long it is.
	For duration.Duration `json:"for" required:"true"`

	// Scale is how many times as many messages there are, on top of the other
	// scale; below 1 it is a lull, and 0 a silence. It makes copies of the messages that are
	// there.
	Scale float64 `json:"scale" min:"0" max:"1000" required:"true"`
}

func (t *Traffic) defaults() {
	*t = Traffic{Repeat: 1, Scale: 1, Spread: duration.Duration(whatif.DefaultSpreadMs * time.Millisecond)}
}

// Changes are the changes that the scenario makes to a capture.
func (s *Scenario) Changes() (whatif.Changes, error) {
	t := &s.Traffic
	c := whatif.Changes{
		Seed: uint64(s.Seed), Repeat: t.Repeat, Scale: t.Scale, SpreadMs: t.Spread.Ms(), ShiftMs: t.Shift.Ms(),
	}
	for _, text := range t.Only {
		span, err := parseSpan(text)
		if err != nil {
			return c, err
		}
		c.Only = append(c.Only, whatif.Partitions{Topic: span.topic, First: span.first, Last: span.last})
	}
	if t.Window.From != nil {
		c.Window.From = t.Window.From.whatif()
	}
	if t.Window.To != nil {
		c.Window.To = t.Window.To.whatif()
	}
	for _, b := range t.Burst {
		w := whatif.Window{From: b.At.whatif(), To: b.At.whatif()}
		w.To.Ms += b.For.Ms()
		c.Bursts = append(c.Bursts, whatif.Burst{Window: w, Scale: b.Scale})
	}
	return c, c.Check()
}

// whatif is the moment as package whatif has it.
func (m Moment) whatif() whatif.Moment {
	if m.Instant {
		return whatif.Moment{Kind: whatif.Instant, Ms: m.UnixMs}
	}
	return whatif.Moment{Kind: whatif.AfterStart, Ms: m.After.Ms()}
}

// checkTraffic checks what the tags do not say.
func (p *problems) checkTraffic(s *Scenario) {
	t, before := &s.Traffic, len(*p)
	for i, text := range t.Only {
		if _, err := parseSpan(text); err != nil {
			p.add(fmt.Sprintf("traffic.only[%d]", i), "%v", err)
		}
	}
	p.checkNotBefore("traffic.window.from", t.Window.From)
	p.checkNotBefore("traffic.window.to", t.Window.To)
	for i, b := range t.Burst {
		path := fmt.Sprintf("traffic.burst[%d]", i)
		if b.For <= 0 {
			p.add(path+".for", "%s is no length of time: want more than 0s", b.For)
		}
		p.checkWholeMs(path+".for", b.For)
	}
	p.checkWholeMs("traffic.spread", t.Spread)
	p.checkWholeMs("traffic.shift", t.Shift)
	if len(*p) > before {
		return // Changes would say the same again
	}
	if _, err := s.Changes(); err != nil {
		field, message, _ := strings.Cut(err.Error(), ": ")
		p.add("traffic."+field, "%s", message)
	}
}

func (p *problems) checkNotBefore(path string, m *Moment) {
	if m != nil && !m.Instant && m.After < 0 {
		p.add(path, "%s after the capture's start is before it, where no message is", m.After)
	}
}
