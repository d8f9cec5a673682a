package sim

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"twindrift/generator"
	"twindrift/sim/measure"
	"twindrift/sim/result"
	"twindrift/sim/site"
)

// rules are why copies have an id, by cause.
type rules map[string][]string

// add keeps a text that says something new. What the slots were like is said
// once, best by a draw that was traced; which processes it was, for each.
func (r rules) add(cause, text string) {
	switch cause {
	case measure.Restart, measure.SharedNode, measure.NodeRange:
		if !slices.Contains(r[cause], text) {
			r[cause] = append(r[cause], text)
		}
	default:
		r[cause] = []string{text}
	}
}

// rule says why copy k of an id has it as well as the original.
func (x *explainer) rule(to rules, cause string, k int, extra, original *found) {
	of := extra // the one that the cause is about
	kinds := map[string]generator.Kind{measure.StaleDay: generator.StaleDay, measure.JumpLimit: generator.JumpLimit, measure.DayEnd: generator.DayEnd}
	if kind, ok := kinds[cause]; ok && extra.entry.Kind != kind {
		of = original
	}
	if to[cause] != nil && (k >= result.CopiesShown || kinds[cause] != generator.Drawn) && of.trace == nil {
		return
	}
	var text string
	switch cause {
	case measure.StaleDay:
		text = x.staleDay(of)
	case measure.JumpLimit:
		text = x.jumpLimit(of)
	case measure.DayEnd:
		text = x.dayEnd(of)
	case measure.Restart:
		text = x.restart(extra, original)
	case measure.SharedNode:
		text = x.sharedNode(extra, original)
	case measure.NodeRange:
		if node := int64(x.node(extra)); x.slots(extra) && node >= 0 && node <= 9 || !x.slots(extra) && node == x.ids.Node(extra.entry.ID) {
			of = original
		}
		text = x.nodeRange(of)
	case measure.WrongUnit:
		if !measure.WrongUnitOf(x.askedMs(extra)) {
			of = original
		}
		text = x.wrongUnit(of)
	default:
		text = x.otherRule(cause, extra, original)
	}
	to.add(cause, text)
}

func (x *explainer) node(f *found) int { return x.run.sites[f.site].nodes[f.entry.Consumer] }

func (x *explainer) staleDay(f *found) string {
	own := generator.FloorDiv(x.askedMs(f)+x.layout.UTCOffsetMs, 86_400_000)
	slot, taken, taker := "a slot on its way", "a later day", ""
	if f.trace != nil {
		last := &f.trace.Reads[len(f.trace.Reads)-1]
		taken = fmt.Sprintf("%s (day %d)", dayName(last.Day), last.Day)
		if len(f.trace.Reads) == 1 {
			slot = "the slot of its second"
		}
		second := (last.Day*86_400+last.Second)*1000 - x.layout.UTCOffsetMs
		if id, err := x.layout.Encode(second, int64(x.node(f)), 0); err == nil {
			taker = fmt.Sprintf(", by the message with the id %d", id)
		}
	}
	return fmt.Sprintf("a message of %s (day %d) found that %s had been taken over by %s%s; such a call gets the first id of its own second, sequence 0, undrawn, and every further call gets it again",
		dayName(own), own, slot, taken, taker)
}

// undrawnDigits says how the digits of an id that left the walk read.
func (x *explainer) undrawnDigits(f *found) string {
	g := &x.run.cfg.Scenario.Generator
	d := x.digits(f.entry.ID)
	return fmt.Sprintf("sequence %d x %d reaches past the digits of node %d, so that the id reads as sequence %d of node %d",
		g.PerSecond, g.Step, x.node(f), d.Sequence, d.Node)
}

func (x *explainer) jumpLimit(f *found) string {
	seconds := ""
	if f.trace != nil {
		seconds = fmt.Sprintf(" (%d slots read)", len(f.trace.Reads))
	}
	return fmt.Sprintf("the walk over full seconds was given up after %d jumps%s: the id says the second it would have gone on to, %s, and was not drawn; %s; every walk that ends there gets it again, and so does whoever draws that id",
		x.run.cfg.Scenario.Generator.JumpLimit, seconds, x.local(x.digits(f.entry.ID).OwnerSecondMs), x.undrawnDigits(f))
}

func (x *explainer) dayEnd(f *found) string {
	return fmt.Sprintf("every second up to 23:59:59 local was full, and the slots of a day end there: the id says midnight, %s, and was not drawn; %s; every further message of that second gets it again, and so does whoever draws that id",
		x.local(x.digits(f.entry.ID).OwnerSecondMs), x.undrawnDigits(f))
}

func (x *explainer) restart(extra, original *found) string {
	from, to := min(extra.life, original.life), max(extra.life, original.life)
	restarts := x.sites[extra.site].Consumers[extra.entry.Consumer].Restarts
	var said []string
	for _, r := range restarts[min(from, len(restarts)):min(to, len(restarts))] {
		if r.State != site.StateKept {
			said = append(said, fmt.Sprintf("%s (%s)", x.moment(r.AtNs), restarted(r)))
		}
	}
	again := "gave out the ids of this second again"
	if !x.slots(extra) {
		again = "gave out numbers again that it had given before"
	}
	return fmt.Sprintf("node %d of %s restarted between the two draws, at %s, and %s",
		x.node(extra), x.run.sites[extra.site].model.Name, andSo(said), again)
}

func (x *explainer) process(f *found) string {
	s := x.run.sites[f.site]
	if len(s.nodes) == 1 {
		return s.model.Name
	}
	return fmt.Sprintf("consumer %d of %s", f.entry.Consumer+1, s.model.Name)
}

func (x *explainer) sharedNode(extra, original *found) string {
	how := "each counts the second up from sequence 0 in slots of its own"
	if !x.slots(extra) {
		how = "nothing else in the digits keeps their ids apart"
	}
	return fmt.Sprintf("two processes have node number %d, %s and %s: %s",
		x.node(extra), x.process(original), x.process(extra), how)
}

func (x *explainer) nodeRange(f *found) string {
	node := int64(x.node(f))
	if !x.slots(f) {
		return fmt.Sprintf("node %d drew it, and its digits say node %d", node, x.ids.Node(f.entry.ID))
	}
	carry := generator.FloorDiv(node, 10)
	return fmt.Sprintf("node %d is outside 0 to 9: %d x 1,000,000 is %d s and node %d, so its ids read as node %d of a second that is %d s off",
		node, node, carry, node-10*carry, node-10*carry, carry)
}

func (x *explainer) wrongUnit(f *found) string {
	ms := x.askedMs(f)
	unit := "nanoseconds"
	switch {
	case ms < 1e11:
		unit = "seconds"
	case ms < 1e17:
		unit = "microseconds"
	}
	digits := len(strings.TrimPrefix(strconv.FormatInt(ms, 10), "-"))
	read := "far past every calendar"
	if ms < 1e14 {
		read = time.UnixMilli(ms).UTC().Format(time.DateTime) + " UTC"
	}
	return fmt.Sprintf("the timestamp %d has %d digits, the size of %s; read as milliseconds it is %s, and the seconds are counted wrongly", ms, digits, unit, read)
}

// drawn says in words how a delivery came to its id.
func (x *explainer) drawn(f *found) string {
	switch f.entry.Kind {
	case generator.StaleDay:
		return "not drawn: " + x.staleDay(f)
	case generator.JumpLimit:
		return "not drawn: " + x.jumpLimit(f)
	case generator.DayEnd:
		return "not drawn: " + x.dayEnd(f)
	}
	if !x.slots(f) {
		return x.otherDrawn(f)
	}
	d := x.digits(f.entry.ID)
	asked := x.askedMs(f)
	offset := generator.FloorDiv(x.run.sites[f.site].lanes[chosen].layout.OwnerMs(f.entry.ID), 1000) - generator.FloorDiv(asked, 1000)
	of := "its own second"
	if x.run.sites[f.site].lanes[chosen].traits.ByClock {
		of = "the clock's second"
	}
	node := int64(x.node(f))
	switch {
	case node < 0 || node > 9:
		return fmt.Sprintf("drawn; %s", x.nodeRange(f))
	case offset == 0:
		return fmt.Sprintf("drawn from %s, sequence %d", of, d.Sequence)
	}
	return fmt.Sprintf("%s was full: drawn %d s later, from %s local, sequence %d", of, offset, x.localClock(d.OwnerSecondMs), d.Sequence)
}
