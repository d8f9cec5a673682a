package report

import (
	"fmt"

	"twindrift/sim/result"
)

// causes says in plain words how each cause gives one id to several messages.
var causes = map[string]string{
	"stale-day": "the second's slot already belonged to a later day, so the call got the first id of its second, undrawn: " +
		"messages of an earlier day, or sent again after a day",
	"restart": "a process came back from a restart without its slots, or with those of a snapshot, and gave the same ids again",
	"jump-limit": "17 or more full slots in a row: the walk to a free one was given up, and the call got an id of the next node " +
		"number, undrawn",
	"day-end": "the last second of the local day ran over, and the day has no slot after it: every further call got one and the " +
		"same id, the first of the next node number on the next day",
	"shared-node": "two processes have one node number",
	"node-range":  "a node number outside 0 to 9 reaches into the ids of another second",
	"wrong-unit":  "timestamps in another unit than milliseconds",
	"redelivery":  "a message that came again",
}

// duplicates is part 4: one id for several messages.
func (t *text) duplicates() {
	t.heading("4 DUPLICATES: one id for several messages of a site")
	all := map[string]int64{}
	found := false
	var spans []span[*result.Lane]
	var lanes []*result.Lane
	for _, s := range t.sites {
		spans = append(spans, span[*result.Lane]{s.Name, laneHeads, []*result.Lane{&s.Lane, &s.Baseline}})
		for _, l := range spans[len(spans)-1].things {
			lanes = append(lanes, l)
			found = found || l.Duplicates.IDs+l.Duplicates.Scores > 0
			for cause, n := range l.Duplicates.ByCause {
				all[cause] += n
			}
		}
	}
	if !found {
		t.wrap("  ", "None, by the generator or the baseline: every id of a site is of one message, and every sorted-set score of one id.")
		return
	}
	figure := func(label string, of func(*result.Duplicates) int64) row[*result.Lane] {
		return row[*result.Lane]{label: label, cell: func(l *result.Lane) string { return orNone(of(&l.Duplicates), brief) }}
	}
	rows := []row[*result.Lane]{
		figure("distinct ids", func(d *result.Duplicates) int64 { return d.Distinct }),
		figure("ids of several messages", func(d *result.Duplicates) int64 { return d.Groups }),
		figure("extra copies", func(d *result.Duplicates) int64 { return d.IDs }),
	}
	rows = append(rows, causeRows(lanes, func(l *result.Lane) map[string]int64 { return l.Duplicates.ByCause })...)
	rows = append(rows, row[*result.Lane]{label: "  without a known cause", cell: func(l *result.Lane) string {
		if l.Duplicates.Unexplained == 0 {
			return ""
		}
		return brief(l.Duplicates.Unexplained)
	}}, figure("ids without own score", func(d *result.Duplicates) int64 { return d.Scores }))
	sideBySide(&t.page, laneShape, spans, rows)
	t.line("")
	t.explain(all)
	for _, s := range t.sites {
		t.groups("the first ids of several messages at "+s.Name, s.Duplicates.Witnesses)
	}
}

// explain says what the causes mean, the most frequent first.
func (t *text) explain(counts map[string]int64) {
	for _, cause := range byCount(counts) {
		if words, ok := causes[cause]; ok {
			t.wrap(fmt.Sprintf("  %s: ", cause), words)
		}
	}
}
