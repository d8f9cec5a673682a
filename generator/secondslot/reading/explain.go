package reading

import (
	"fmt"
	"strings"
	"time"

	"twindrift/generator"
	"twindrift/generator/reading"
	"twindrift/generator/secondslot"
)

// The digits of an id, in ticks of 100 ns.
const (
	secondTicks = 10_000_000
	nodeTicks   = 1_000_000
)

// Explain writes the formula of an id with its numbers filled in, and what its
// digits would mean if something were wrong, in lines of at most 80 columns.
func Explain(l secondslot.Layout, id int64) string {
	var b strings.Builder
	f := l.Decode(id)
	formula(&b, l, id, f)
	b.WriteString("\nWhat the digits can and cannot tell\n")
	for _, note := range notes(l, id, f) {
		b.WriteString(reading.Wrap("- ", note))
	}
	return b.String()
}

func formula(b *strings.Builder, l secondslot.Layout, id int64, f secondslot.Fields) {
	second := (f.SecondMs + l.UTCOffsetMs) / 1000
	fmt.Fprintf(b, "id %d as a second-slot id, local time UTC%s, step %d\n\n", id, reading.Zone(l.UTCOffsetMs), l.Step)
	fmt.Fprintf(b, "    %19d  epoch: 1970-01-01 in .NET ticks of 100 ns\n", secondslot.Epoch)
	fmt.Fprintf(b, "  + %19d  %d (S + offset) x %d\n", second*secondTicks, second, secondTicks)
	fmt.Fprintf(b, "  + %19d  %d (node) x %d\n", f.Node*nodeTicks, f.Node, nodeTicks)
	fmt.Fprintf(b, "  + %19d  %d (sequence) x %d\n", f.Seq*l.Step, f.Seq, l.Step)
	if !f.Aligned() {
		fmt.Fprintf(b, "  + %19d  left over by the step\n", f.Rest)
	}
	fmt.Fprintf(b, "  = %19d\n\n", id)
	fmt.Fprintf(b, "S + offset is %s local time, %s,\n", local(l, f.SecondMs).Format(time.DateTime), time.UnixMilli(f.SecondMs).UTC().Format(time.RFC3339))
	fmt.Fprintf(b, "  or (%d ms + %d ms) / 1000. S is the second of the message;\n", f.SecondMs, l.UTCOffsetMs)
	b.WriteString("  the offset counts the later seconds it had to borrow from, mostly 0.\n")
}

// notes are what may be wrong with an id, as far as its digits show.
func notes(l secondslot.Layout, id int64, f secondslot.Fields) []string {
	perSecond := nodeTicks / l.Step
	notes := []string{fmt.Sprintf("Node %d: if the process that gave this id has another node number, the digit is wrong: "+
		"either the id was not drawn (sequence %d carried one node up, see below), or a node outside 0..9 carried into the seconds.",
		f.Node, perSecond)}
	notes = append(notes, fmt.Sprintf("Sequence %d: a node has 0..%d. A sequence of %d or more cannot be seen as such; "+
		"%d x %d is one whole node, so it reads as the next node's sequence 0.", f.Seq, perSecond-1, perSecond, perSecond, l.Step))
	switch {
	case !f.Aligned():
		notes = append(notes, misaligned(l, id, f))
	case f.Ticks == 0:
		notes = append(notes, onStep(l), carry(l, f))
	default:
		notes = append(notes, onStep(l), "No suspicion that it was handed out undrawn: those ids all have sequence 0.")
	}
	low, high := generator.SharedScore(id)
	score, _ := generator.Score(id)
	return append(notes, fmt.Sprintf("As a sorted-set score it is %.0f, the same as for all numbers from %d to %d.", score, low, high))
}

func onStep(l secondslot.Layout) string {
	return fmt.Sprintf("On the step: the digits below the node are a multiple of %d, as in every generated id.", l.Step)
}

// misaligned says where an id off the step may come from.
func misaligned(l secondslot.Layout, id int64, f secondslot.Fields) string {
	s := fmt.Sprintf("Not on the step: %d are left over by %d. The generator never gives such an id with this step.", f.Rest, l.Step)
	low, high := generator.SharedScore(id)
	for _, behind := range []int64{id - f.Rest, id - f.Rest + l.Step} {
		if _, exact := generator.Score(id); exact && low <= behind && behind <= high {
			return s + fmt.Sprintf(" It is a float64, so it may be a score that was taken for an id; the id behind it is then %d.", behind)
		}
	}
	return s + " Another step, another layout, or an id that was changed on its way?"
}

// carry says whose undrawn id an id of sequence 0 could be.
func carry(l secondslot.Layout, f secondslot.Fields) string {
	node, ms := f.Node-1, f.SecondMs
	if node < 0 {
		node, ms = 9, f.SecondMs-1000
	}
	at := local(l, ms)
	s := fmt.Sprintf("Sequence 0: the first id of node %d in this second, or one that was never drawn. "+
		"It may be node %d's of %s, handed out when a walk over full seconds was given up (jump limit: the message is then at least 17 s older)",
		f.Node, node, at.Format(time.DateTime))
	if at.Hour() == 0 && at.Minute() == 0 && at.Second() == 0 {
		s += ", or, as that second is midnight, to every message that found 23:59:59 full (day end)"
	}
	return s + fmt.Sprintf("; or node %d's of a day whose slot a later day had taken (stale day). All of these can come more than once.", f.Node)
}
