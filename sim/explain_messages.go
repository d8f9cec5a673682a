package sim

import (
	"cmp"
	"slices"
	"time"

	"twindrift/generator"
	"twindrift/generator/secondslot"
	"twindrift/generator/secondslot/reading"
	"twindrift/sim/result"
	"twindrift/sim/site"
)

// explainer makes the explanation of what a rehearsal has found.
type explainer struct {
	run    *run
	found  []found
	layout secondslot.Layout // of second-slot ids
	ids    generator.Layout  // of the run's
	sites  []site.Config     // what happens at them, and when
	out    *result.Explanation
}

// tell tells the messages in full, and who has the ids.
func (x *explainer) tell(messages []messageAt, ids []int64) {
	x.out.Found = true
	slices.SortFunc(x.found, func(a, b found) int {
		return cmp.Or(cmp.Compare(a.site, b.site), cmp.Compare(a.drawNs, b.drawNs), cmp.Compare(a.entry.Consumer, b.entry.Consumer), cmp.Compare(a.row, b.row))
	})
	told := map[messageAt]bool{}
	for _, m := range messages {
		told[m] = true
		x.out.Messages = append(x.out.Messages, x.message(m))
	}
	for _, id := range ids {
		x.out.IDs = append(x.out.IDs, x.id(id))
	}
	for i := range x.found {
		if m := x.found[i].message(); !told[m] {
			told[m] = true
			x.out.OtherMessages++
		}
	}
}

// message tells one message, at every site.
func (x *explainer) message(m messageAt) result.ExplainedMessage {
	p := &x.run.plan.Partitions[m.partition]
	out := result.ExplainedMessage{Topic: p.Topic, Partition: p.Number, Offset: m.offset}
	for i, s := range x.run.sites {
		at := result.MessageAtSite{Site: s.model.Name}
		var before *found
		for k := range x.found {
			f := &x.found[k]
			if f.site != i || f.message() != m {
				continue
			}
			out.EventMs, out.AppendMs = f.entry.EventMs, f.appendMs
			at.Deliveries = append(at.Deliveries, x.delivery(f, before))
			before = f
		}
		out.Sites = append(out.Sites, at)
	}
	return out
}

// delivery tells one delivery; before is the one of the same message before it
// at the site, nil for none.
func (x *explainer) delivery(f, before *found) result.ExplainedDelivery {
	e := &f.entry
	clock := x.run.clock
	d := result.ExplainedDelivery{
		Node: x.run.sites[f.site].nodes[e.Consumer], Consumer: int(e.Consumer),
		Reason:    x.reason(f, before),
		ArrivalMs: clock.Ms(f.arrivalNs), LinkNs: f.arrivalNs - clock.Ns(f.appendMs), Link: x.heldOnLink(f),
		StartMs: clock.Ms(f.startNs), WaitNs: f.startNs - f.arrivalNs, Wait: x.waitedFor(f),
		DrawMs: clock.Ms(f.drawNs), HandlingNs: f.drawNs - f.startNs, NowMs: e.NowMs,
		State: x.state(f), AgeMs: e.NowMs - e.EventMs,
	}
	if f.state == site.Filtered {
		return d
	}
	if f.state == site.Refused {
		d.Kind, d.Drawn = e.Kind.String(), x.refused(e.Kind)
		return d
	}
	digits := x.digits(e.ID)
	d.ID, d.Digits, d.Kind = x.written(e.ID), &digits, e.Kind.String()
	d.OffsetS = generator.FloorDiv(x.run.sites[f.site].lanes[chosen].layout.OwnerMs(e.ID), 1000) - generator.FloorDiv(x.askedMs(f), 1000)
	if f.trace != nil {
		d.Walk = x.walk(f.trace)
	}
	d.Drawn = x.drawn(f)
	return d
}

// askedMs is the time that a delivery's id was to be of.
func (x *explainer) askedMs(f *found) int64 {
	if x.byClock(f) {
		return f.entry.NowMs
	}
	return f.entry.EventMs
}

func (x *explainer) state(f *found) string {
	state := result.Pushed
	switch {
	case f.state == site.Filtered:
		state = result.Filtered
	case f.state == site.Refused:
		state = result.Refused
	case f.state == site.Deduplicated:
		state = result.Deduplicated
	case f.state == site.StoreOff:
		state = result.StoreOff
	case f.entry.NowMs-f.entry.EventMs > x.run.cfg.Scenario.Deadline.Ms():
		state = result.Late
	}
	return result.DeliveryStateNames[state]
}

func (x *explainer) digits(id int64) result.Digits {
	if _, ok := x.ids.(secondslot.Layout); !ok {
		return x.otherDigits(id)
	}
	r := reading.Of(x.layout, id)
	return result.Digits{OwnerSecondMs: r.OwnerSecondMs, OwnerLocal: r.OwnerLocal, Node: r.Node, Sequence: r.Sequence, Rest: r.Rest}
}

func (x *explainer) witness(f *found) result.Witness {
	s := x.run.sites[f.site]
	detail := undrawnBy(f.entry.Kind)
	switch kind := f.entry.Kind; {
	case f.state == site.Refused:
		detail = "no id: " + kind.String()
	case kind != generator.Drawn && !x.slots(f):
		detail = kind.String()
	}
	w := x.run.witness(s, s.lanes[chosen].layout, &f.entry, detail)
	if w.ID = x.written(f.entry.ID); f.state.NoID() {
		w.ID = ""
	}
	return w
}

// walk is the slots that a draw read.
func (x *explainer) walk(t *secondslot.Trace) (slots []result.SlotRead) {
	for _, r := range t.Reads {
		s := result.SlotRead{SecondMs: x.slotMs(t, r.Second), IDs: r.Next, Found: r.Found.String()}
		if r.Day > 0 || r.Next > 0 {
			s.Day = dayName(r.Day)
		}
		if r.Found == secondslot.Full {
			s.JumpToMs = x.slotMs(t, r.JumpTo)
		}
		slots = append(slots, s)
	}
	return slots
}

// slotMs is a second of the local day that a draw asks for.
func (x *explainer) slotMs(t *secondslot.Trace, second int64) int64 {
	return (t.Day*86_400+second)*1000 - x.layout.UTCOffsetMs
}

// dayName is a day counted since 1970.
func dayName(day int64) string { return time.UnixMilli(day * 86_400_000).UTC().Format(time.DateOnly) }

// local writes a moment in the local time of the ids.
func (x *explainer) local(ms int64) string {
	return time.UnixMilli(ms + x.layout.UTCOffsetMs).UTC().Format(time.DateTime)
}

// localClock is local without the date.
func (x *explainer) localClock(ms int64) string {
	return time.UnixMilli(ms + x.layout.UTCOffsetMs).UTC().Format(time.TimeOnly)
}

// moment writes virtual time, UTC.
func (x *explainer) moment(ns int64) string {
	return time.UnixMilli(x.run.clock.Ms(ns)).UTC().Format("2006-01-02 15:04:05.000")
}
