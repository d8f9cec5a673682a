package report

import (
	"cmp"
	"fmt"
	"strings"
	"time"

	"twindrift/sim/result"
)

// message tells what became of a message.
func (s *story) message(m *result.ExplainedMessage) {
	s.heading("MESSAGE " + messageName(m.Topic, m.Partition, m.Offset))
	if m.EventMs == -1 {
		s.field("produced", "it has no timestamp, which is -1 and counts as the end of 1969, UTC")
		s.field("appended", moment(m.AppendMs))
	} else {
		s.field("produced", moment(m.EventMs)+" (event time)")
		s.field("appended", later(m.AppendMs, m.EventMs)+", "+after(m.AppendMs-m.EventMs, "the event time"))
	}
	for i := range m.Sites {
		at := &m.Sites[i]
		if len(at.Deliveries) == 0 {
			s.line("")
			s.line("  at " + at.Site + ": not delivered before the end")
		}
		for k := range at.Deliveries {
			d := &at.Deliveries[k]
			s.line("")
			title := fmt.Sprintf("at %s, node %d", at.Site, d.Node)
			if len(at.Deliveries) > 1 {
				title += fmt.Sprintf(", delivery %d of %d", k+1, len(at.Deliveries))
			}
			s.styled(bold, "  "+title)
			s.delivery(m, d)
		}
	}
}

// after writes how long after something something happened.
func after(ms int64, what string) string {
	switch {
	case ms == 0:
		return "at " + what
	case ms < 0:
		return duration(-ms) + " before " + what
	}
	return duration(ms) + " after " + what
}

// nanos writes a duration in ns.
func nanos(ns int64) string {
	if ns != 0 && ns > -1_000_000 && ns < 1_000_000 {
		return time.Duration(ns).String()
	}
	return duration(ns / 1_000_000)
}

func (s *story) delivery(m *result.ExplainedMessage, d *result.ExplainedDelivery) {
	s.field("came again", d.Reason)
	arrived := later(d.ArrivalMs, m.AppendMs)
	if d.Reason == "" {
		arrived = withDetail(arrived+", "+nanos(d.LinkNs)+" after the append", d.Link)
	}
	s.field("arrived", arrived)
	if d.WaitNs == 0 {
		s.field("started", "at once")
	} else {
		s.field("started", fmt.Sprintf("%s, after %s: %s", later(d.StartMs, d.ArrivalMs), nanos(d.WaitNs), d.Wait))
	}
	what := "drawn"
	if d.State == "filtered" || d.State == "refused" {
		what = d.State
	}
	when := later(d.DrawMs, d.ArrivalMs)
	if d.HandlingNs > 0 {
		when += ", after " + nanos(d.HandlingNs) + " of handling"
	}
	if d.NowMs != d.DrawMs {
		when += "; the site's clock said " + later(d.NowMs, d.DrawMs)
	}
	s.field(what, when)
	switch {
	case d.State == "refused":
		s.field("", cmp.Or(d.Drawn, "no id"))
		return
	case d.ID == "":
		s.field("", "the business filter dropped it: it drew no id")
		return
	}
	s.field("id", d.ID)
	s.field("digits", s.digits(d.Digits))
	s.field("how", s.how(d))
	s.walk(d.Walk)
	switch age := duration(d.AgeMs) + " old"; d.State {
	case "pushed":
		s.field("pushed", age)
	case "late":
		s.field("late", "stored and not pushed, "+age)
	case "store-off":
		s.field("not stored", "storing is off for its topic; "+age)
	case "deduplicated":
		s.field("not stored", "the list has this message already; "+age)
	}
}

// how says how a delivery came to its id, unless that was said of the id.
func (s *story) how(d *result.ExplainedDelivery) string {
	for i := range s.IDs {
		for _, rule := range s.IDs[i].Causes {
			if s.IDs[i].ID != d.ID || rule.Cause != d.Kind {
				continue
			}
			if strings.HasPrefix(d.Drawn, "not drawn") {
				return "not drawn: " + d.Kind + ", see above"
			}
			return d.Kind + ", see above"
		}
	}
	return d.Drawn
}
