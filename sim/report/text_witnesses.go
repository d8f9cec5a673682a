package report

import (
	"fmt"
	"strings"

	"twindrift/sim/result"
)

// textWitnesses is how many witnesses of a finding the text shows; JSON has
// more.
const textWitnesses = 3

// witnesses names the first messages that a finding can be checked with.
func (t *text) witnesses(title string, of []result.Witness) {
	if len(of) == 0 {
		return
	}
	t.wrap("  ", title+":")
	for i := range of[:min(len(of), textWitnesses)] {
		t.witness("    ", &of[i])
	}
}

func (t *text) witness(indent string, w *result.Witness) {
	t.wrap(indent, fmt.Sprintf("%s: id %s", messageName(w.Topic, w.Partition, w.Offset), idOrNone(w.ID)))
	where := fmt.Sprintf("at %s, node %d: event %s UTC, drawn %s", w.Site, w.Node, moment(w.EventMs), later(w.DrawMs, w.EventMs))
	t.wrap(indent+"  ", strings.TrimSuffix(where+"; "+w.Detail, "; "))
}

func idOrNone(id string) string {
	if id == "" {
		return "none"
	}
	return id
}

// messageName names a message by topic, partition and offset.
func messageName(topic string, partition int32, offset int64) string {
	return fmt.Sprintf("%s/%d@%d", short(topic, 30), partition, offset)
}

// groups shows ids that stand for several messages.
func (t *text) groups(title string, of []result.DuplicateGroup) {
	if len(of) == 0 {
		return
	}
	t.wrap("  ", title+":")
	for i := range of[:min(len(of), textWitnesses)] {
		g := &of[i]
		t.wrap("    ", fmt.Sprintf("id %s stands for %s messages (%s), the first of them:", g.ID, count(g.Occurrences), g.Cause))
		for j := range g.Messages[:min(len(g.Messages), textWitnesses)] {
			m := &g.Messages[j]
			t.wrap("      ", fmt.Sprintf("%s at %s, node %d", messageName(m.Topic, m.Partition, m.Offset), m.Site, m.Node))
			line := fmt.Sprintf("event %s UTC, drawn %s", moment(m.EventMs), later(m.DrawMs, m.EventMs))
			t.wrap("        ", strings.TrimSuffix(line+"; "+m.Detail, "; "))
		}
	}
}
