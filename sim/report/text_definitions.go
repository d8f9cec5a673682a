package report

import "fmt"

// definitions says what was measured, so that nobody has to guess.
func (t *text) definitions() {
	t.heading("HOW THIS IS COUNTED")
	of := "event"
	if t.byClock() {
		of = "site's clock at the draw"
	}
	for _, d := range []definition{
		{"found", "!! ids that are not what they have to be; ! worth a look; ok: looked for, and not there"},
		{"window", fmt.Sprintf("the whole run, %s; nothing is sampled, every figure is exact", counted(t.Input.Messages, "message"))},
		{"list", "a site's stored ids in ascending order, ties by topic, partition and offset, of a message that came again only the last " +
			"(where the id is the member, all); measured against event time, the message's Kafka timestamp"},
		{"pairs", "at a grain, event times are cut to that grain; a pair is in the wrong order if the earlier event has the larger id; " +
			"pairs tied in either are left out of the share; tau-b is 1 for the same order, -1 for the reverse, not defined where all is " +
			"tied, and below 1 without a wrong pair where events of one grain have ids of their own"},
		{"reordered", "below the largest event time before it in the list (RFC 4737); extent: how many places before it the first larger " +
			"one stands; late time: time of its id less time of that one's; 3-reordered: the three just before it are all of later events; free runs: " +
			"runs in order that a reordered one ends"},
		{"places off", "how many places an entry stands from its place by event time (equal times as they stand), or a message in one site's " +
			"list from its place in the other's"},
		{"RFC 5236", "RD: places off, with their sign; RBD: how many entries up to a position wait for one further on; values " +
			"beyond 1,000 are left out"},
		{"range", "the share of the messages of a second (10 s, a minute) that a query for the ids of it finds (recall); over all " +
			"seconds it is also the share of the ids found that belong there (precision); worst: of seconds with 100 messages, or ids"},
		{"newest", "the largest ids of a list as a minute ends in which either site stored something, all drawn before that moment, each message " +
			"with its last id; rank-biased overlap with p 0.9, extrapolated; equal scores are in no order; Kendall: pairs in opposite " +
			"order, and half of those whose order only one list says; left " +
			"out: minutes in which more entries went at once than are kept, 8,192"},
		{"offset", "second that the id says (its owner second) less second of the " + of + ", of every delivery that was given an id"},
		{"late", "draw time less event time is above the deadline; equal is pushed"},
		{"duplicates", "found from the ids; extra copies: ids given to stored messages (each delivery counts) less distinct ids; between two sites, copies of one id at both " +
			"less the larger of the two sites' own counts"},
		{"two sites", "messages stored at both, last delivery of each; grains cut the times that the ids say"},
		{"quantiles", "nearest rank: the smallest value with at least that share of all at or below it"},
		{"baseline", "ids by " + t.sites[0].Baseline.Generator + " for the same draws"},
		{"over time", "a bar a minute, or the highest of several; a dot is 0, a blank a pause of more than ten minutes"},
		{"times", "UTC; draw times by the site's clock"},
	} {
		t.define(d)
	}
	t.define(t.refusedAndCosts()...)
	if n := len(t.Checks); n > 0 {
		held := 0
		for _, c := range t.Checks {
			if c.Passed {
				held++
			} else {
				t.wrap("  check failed: ", fmt.Sprintf("%s: %s and %s", c.Name, count(c.Left), count(c.Right)))
			}
		}
		all := fmt.Sprintf("%d of %d", held, n)
		if held == n {
			all = fmt.Sprintf("all %d", n)
		}
		sums := "consumed = filtered + stored + store-off"
		if t.refuses() {
			sums = "consumed = filtered + refused + stored + store-off"
		}
		if t.deduplicates() {
			sums += " + deduplicated"
		}
		t.wrap(fmt.Sprintf("  %-11s", "checks"), all+" sums hold ("+sums+", and so on)")
	}
}

// definition says what a word of the report means.
type definition struct{ term, words string }

func (t *text) define(all ...definition) {
	for _, d := range all {
		t.wrap(fmt.Sprintf("  %-11s", d.term), d.words)
	}
}

// refusedAndCosts are the words that only some generators need.
func (t *text) refusedAndCosts() (all []definition) {
	if t.refuses() {
		all = append(all, definition{"refused", "messages that the generator gave no id: they are in no list and in no figure of order, seconds, lateness or " +
			"duplicates, whereas the baseline has ids for them; their share is of all that asked for an id"})
	}
	if t.costly() {
		all = append(all, definition{"costs", "of all processes of a site; round trips: those of refused writes too, by the ids given; waits: for anything " +
			"but the draw's own round trips; neither is in draw times, lateness or the lag; pushed past: an id of a later ms than the " +
			"one asked for, since a later one had gone before it"})
	}
	return all
}
