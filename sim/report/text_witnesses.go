package report

import (
	"cmp"
	"fmt"

	"twindrift/sim/result"
)

// textWitnesses is how many witnesses of a finding the text shows; JSON has
// more.
const textWitnesses = 3

// groupMessages is how many of the messages of one id it shows.
const groupMessages = 2

// witnesses names the first messages of a site that a finding can be checked
// with.
func (t *text) witnesses(title string, of []result.Witness) {
	if len(of) == 0 {
		return
	}
	t.wrap("  ", title+":")
	for i := range of[:min(len(of), textWitnesses)] {
		w := &of[i]
		what := withDetail("id "+w.ID, w.Detail)
		if w.ID == "" {
			what = cmp.Or(w.Detail, "no id")
		}
		t.wrap("    ", messageName(w.Topic, w.Partition, w.Offset)+": "+what)
		t.wrap("      ", fmt.Sprintf("node %d; %s", w.Node, times(w)))
	}
}

// groups shows ids that stand for several messages.
func (t *text) groups(title string, of []result.DuplicateGroup) {
	if len(of) == 0 {
		return
	}
	t.wrap("  ", title+":")
	for i := range of[:min(len(of), textWitnesses)] {
		g := &of[i]
		t.wrap("    ", fmt.Sprintf("id %s for %s messages (%s)", g.ID, count(g.Occurrences), g.Cause))
		for j := range g.Messages[:min(len(g.Messages), groupMessages)] {
			m := &g.Messages[j]
			where := fmt.Sprintf("%s at %s, node %d", messageName(m.Topic, m.Partition, m.Offset), m.Site, m.Node)
			t.wrap("      ", withDetail(where, m.Detail))
			t.wrap("        ", times(m))
		}
	}
}

// messageName names a message by topic, partition and offset.
func messageName(topic string, partition int32, offset int64) string {
	return fmt.Sprintf("%s/%d@%d", short(topic, 30), partition, offset)
}

func withDetail(s, detail string) string {
	if detail == "" {
		return s
	}
	return s + "; " + detail
}

// times says when a message was sent and when its id was drawn.
func times(w *result.Witness) string {
	return fmt.Sprintf("event %s UTC, drawn %s", moment(w.EventMs), later(w.DrawMs, w.EventMs))
}
