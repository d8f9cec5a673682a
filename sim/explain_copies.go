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

// toTell chooses the messages to tell in full, n of them or, for 0, as many as
// it takes to show the original and one copy of each cause at each site.
func (x *explainer) toTell(asked Subject, n int) (messages []messageAt) {
	tell := func(f *found) {
		if m := f.message(); !slices.Contains(messages, m) && (n == 0 || len(messages) < n) {
			messages = append(messages, m)
		}
	}
	for i, s := range x.run.sites {
		list := x.stored(i, asked.ID)
		if asked.Message || len(list) == 0 {
			continue
		}
		order, causes := measure.Explain(entriesOf(list), s.lanes[chosen].processes)
		shown := map[string]bool{}
		for k, at := range order {
			if !shown[causes[k]] {
				shown[causes[k]] = true
				tell(list[at])
			}
		}
	}
	for i := range x.found {
		if n > 0 || messages == nil {
			tell(&x.found[i])
		}
	}
	return messages
}

// stored is what a site's list has of an id, in its order.
func (x *explainer) stored(i int, id int64) (list []*found) {
	for k := range x.found {
		if f := &x.found[k]; f.site == i && f.entry.ID == id && f.state == site.Store {
			list = append(list, f)
		}
	}
	slices.SortStableFunc(list, byList)
	return list
}

// id tells who has an id, at every site and between them.
func (x *explainer) id(id int64) result.ExplainedID {
	out := result.ExplainedID{ID: strconv.FormatInt(id, 10), Digits: x.digits(id)}
	rules := rules{}
	stored := make([][]*found, len(x.run.sites))
	for i := range x.run.sites {
		stored[i] = x.stored(i, id)
		out.Sites = append(out.Sites, x.idAt(i, id, stored[i], rules))
	}
	for _, p := range x.run.pairs {
		if b := x.idBetween(p, stored[p.a], stored[p.b], rules); b != nil {
			out.Between = append(out.Between, *b)
		}
	}
	for _, cause := range measure.Causes {
		for _, text := range rules[cause] {
			out.Causes = append(out.Causes, result.ExplainedRule{Cause: cause, Text: text})
		}
	}
	return out
}

// idAt tells who has an id at a site; list is what the site has stored of it.
func (x *explainer) idAt(i int, id int64, list []*found, rules rules) result.IDAtSite {
	s := x.run.sites[i]
	out := result.IDAtSite{Site: s.model.Name, Stored: int64(len(list)), ByCause: map[string]int64{}}
	for k := range x.found {
		if f := &x.found[k]; f.site == i && f.entry.ID == id && f.state == site.StoreOff {
			out.NotStored++
		}
	}
	if len(list) == 0 {
		return out
	}
	order, causes := measure.Explain(entriesOf(list), s.lanes[chosen].processes)
	original := list[order[0]]
	for k, at := range order {
		f := list[at]
		if k > 0 {
			out.ExtraCopies++
			out.ByCause[causes[k]]++
			x.rule(rules, causes[k], k, f, original)
		}
		if k < result.CopiesShown {
			out.Copies = append(out.Copies, result.IDCopy{Witness: x.witness(f), Cause: causes[k]})
		}
	}
	return out
}

// idBetween tells which messages have an id at one of two sites only; nil for
// none.
func (x *explainer) idBetween(p *pairRun, a, b []*found, rules rules) *result.IDBetween {
	if len(a) == 0 || len(b) == 0 {
		return nil
	}
	var c measure.Crossing
	c.Of(entriesOf(a), entriesOf(b), x.run.sites[p.a].lanes[chosen].processes, x.run.sites[p.b].lanes[chosen].processes)
	if len(c.Extra) == 0 {
		return nil
	}
	base, other := a, b
	if c.OfB {
		base, other = b, a
	}
	original := base[c.Original]
	out := &result.IDBetween{
		A: x.run.sites[p.a].model.Name, B: x.run.sites[p.b].model.Name,
		ExtraCopies: int64(len(c.Extra)), ByCause: map[string]int64{}, Original: x.witness(original),
	}
	for k, i := range c.Extra {
		out.ByCause[c.Causes[k]]++
		x.rule(rules, c.Causes[k], k, other[i], original)
		if k < result.CopiesShown {
			out.Copies = append(out.Copies, result.IDCopy{Witness: x.witness(other[i]), Cause: c.Causes[k]})
		}
	}
	return out
}

func entriesOf(list []*found) []measure.Entry {
	entries := make([]measure.Entry, len(list))
	for i, f := range list {
		entries[i] = f.entry
	}
	return entries
}

func byList(a, b *found) int {
	switch {
	case a.entry.Before(&b.entry):
		return -1
	case b.entry.Before(&a.entry):
		return 1
	}
	return 0
}

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
		if x.node(extra) >= 0 && x.node(extra) <= 9 {
			of = original
		}
		text = x.nodeRange(of)
	case measure.WrongUnit:
		if !measure.WrongUnitOf(x.askedMs(extra)) {
			of = original
		}
		text = x.wrongUnit(of)
	default:
		text = "no cause is known, or the digits contradict it: please report this"
	}
	to.add(cause, text)
}

func (x *explainer) node(f *found) int { return x.run.sites[f.site].nodes[f.entry.Consumer] }

func (x *explainer) staleDay(f *found) string {
	own := floorDiv(x.askedMs(f)+x.layout.UTCOffsetMs, 86_400_000)
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
	return fmt.Sprintf("node %d of %s restarted between the two draws, at %s, and gave out the ids of this second again",
		x.node(extra), x.run.sites[extra.site].model.Name, andSo(said))
}

func (x *explainer) process(f *found) string {
	s := x.run.sites[f.site]
	if len(s.nodes) == 1 {
		return s.model.Name
	}
	return fmt.Sprintf("consumer %d of %s", f.entry.Consumer+1, s.model.Name)
}

func (x *explainer) sharedNode(extra, original *found) string {
	return fmt.Sprintf("two processes have node number %d, %s and %s: each counts the second up from sequence 0 in slots of its own",
		x.node(extra), x.process(original), x.process(extra))
}

func (x *explainer) nodeRange(f *found) string {
	node := int64(x.node(f))
	carry := floorDiv(node, 10)
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
