package report

import (
	"fmt"

	"twindrift/sim/result"
)

// causes says in plain words how each cause gives one id to several messages, or
// an id that is not what its generator promises.
var causes = map[string]string{
	"stale-day": "the second's slot already belonged to a later day, so the call got the first id of its second, undrawn: " +
		"messages of an earlier day, or sent again after a day",
	"restart": "a process came back from a restart without its slots, or with those of a snapshot, and gave the same ids again",
	"jump-limit": "17 or more full slots in a row: the walk to a free one was given up, and the call got an id of the next node " +
		"number, undrawn",
	"day-end": "the last second of the local day ran over, and the day has no slot after it: every further call got one and the " +
		"same id, the first of the next node number on the next day",
	"shared-node": "two processes have one node number",
	"node-range":  "a node number outside 0 to 9 reaches into the ids of another second, or more numbers than a node's range holds into those of another node",
	"wrong-unit":  "timestamps in another unit than milliseconds",
	"redelivery":  "a message that came again",

	"zero-id": "as published, the first call of a new millisecond gets 0, which is no id: all such calls get the same, at every " +
		"worker",
	"negative-range": "as published, the first range that Redis allots in a second is of negative numbers, which wipe out the " +
		"time and the worker: every worker gives the same ids, in every second",
	"stale-range": "as published, a range is used up whatever the second: its numbers were allotted for an earlier one, and the " +
		"counter of this second may allot them once more",
	"sequence-spill": "more numbers than their digits hold: the rest runs into the digits of the worker, so that the id is one " +
		"of another worker",
	"counter-overflow": "the count of the day is past 32 bits and runs into the time: the id is one of another second, or one of " +
		"its own second again",
	"counter-back": "a replica of Redis took over without the last writes, so that numbers given before were given again",
	"overlap":      "nothing keeps calls apart: one that began while another ran read the same time and number, and made the same id of them",
	"clock-back":   "the site's clock was set back and showed a time once more",
	"program":      "the program that gives the ids gave one id to several messages",
	"separate": "told apart by where the ids are kept, not by their digits: the same id stands for another message in another " +
		"place",
}

// causesOf are the causes that mean something else for ids of a layout.
var causesOf = map[string]map[string]string{
	counterIDs: {
		"restart": "a process came back from a restart without its block of numbers, or with that of a snapshot, and gave the same ids again",
		"separate": "each site counts in a Redis of its own, so both come to the same numbers, and no digit of an id says which " +
			"site gave it",
	},
	snowflakeIDs: {
		"restart":     "a process came back from a restart without its numbers, or with those of a snapshot, and gave the same ids again",
		"shared-node": "two processes have one worker number",
		"node-range":  "digits of another worker than the one that gave the id",
	},
	streamIDs: {
		"restart": "a process came back from a restart without what it knew of the stream, or with that of a snapshot, and gave the same ids again",
		"sequence-spill": "more entries of a partition in one millisecond than numbers are kept for it: the rest runs into the " +
			"numbers of the next partition",
		"separate": "by design: each stream has ids of its own (one stream a site, or one a partition), and an id says the place " +
			"in its stream only; whoever puts streams together has to keep the stream beside the id",
	},
}

// reasons says in plain words why a generator gave no id.
var reasons = map[string]string{
	"too-early":     "the time lies before the first that an id can say",
	"too-late":      "the time lies past the last that an id can say; is it in milliseconds?",
	"too-old":       "the message is older than the days whose numbers are kept",
	"too-far-ahead": "the message lies days after all that came before it",
	"no-room":       "the second of the message is full, and so is every later one in reach",
	"counter-full":  "the numbers of the day are used up",
	"redis-down":    "Redis did not answer",
	"clock-back":    "the site's clock stood before the last id, and the generator waits for no clock",
	"equal-or-smaller": "the id would not have been above the last entry of its stream, so Redis refused the write: another message of " +
		"a later time, or of the same millisecond, came first",
	"external": "the program that gives the ids said that it had none",
}

// meaning says what a cause means for ids of a layout; empty for a cause that
// is not known.
func meaning(cause, layout string) string {
	if words, ok := causesOf[layout][cause]; ok {
		return words
	}
	return causes[cause]
}

// explain says what causes mean for the chosen generator's ids, the most frequent
// first, each once in a report. One that the baseline has too is told in the words
// for the chosen generator.
func (t *text) explain(counts map[string]int64) {
	for _, cause := range byCount(counts) {
		if words := meaning(cause, t.layout()); words != "" && !t.told[cause] {
			t.wrap(fmt.Sprintf("  %s: ", cause), words)
			t.told[cause] = true
		}
	}
}

// withoutCopies are the causes of ids that are not what the generator promises
// and that no duplicates have, which are explained elsewhere.
func (t *text) withoutCopies() map[string]int64 {
	left := map[string]int64{}
	for _, s := range t.sites {
		for cause, n := range s.Overflow.Undrawn {
			left[cause] += n
		}
	}
	for _, s := range t.sites {
		for _, l := range []*result.Lane{&s.Lane, &s.Baseline} {
			for cause, n := range l.Duplicates.ByCause {
				if n > 0 {
					delete(left, cause)
				}
			}
		}
	}
	return left
}
