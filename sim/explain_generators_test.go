package sim

import (
	"slices"
	"strings"
	"testing"

	"twindrift/generator/redisstreams"
	"twindrift/replay"
	"twindrift/sim/delay"
	"twindrift/sim/duration"
	"twindrift/sim/report"
	"twindrift/sim/result"
	"twindrift/sim/scenario"
)

// told is the story of one message of a small run of two sites with a consumer each
// and no delays.
func told(t *testing.T, generator string, trim func(*scenario.Scenario), asked Subject, partitions ...[]int64) *result.Explanation {
	t.Helper()
	sc := scenario.Default()
	sc.Sites[1].Link.Delay = delay.Dist{}
	var err error
	if sc.Generator, err = sc.Generator.Against(generator); err != nil {
		t.Fatal(err)
	}
	if trim != nil {
		trim(&sc)
	}
	var parts []replay.Partition
	var batches []*replay.Batch
	for i, times := range partitions {
		parts = append(parts, replay.Partition{Topic: "a", Number: int32(i)})
		batches = append(batches, batchOf(times...))
	}
	x, err := Explain(t.Context(), Config{Source: memory(parts, batches, 4), Scenario: sc}, asked, 0)
	if err != nil {
		t.Fatal(err)
	}
	checkText(t, x)
	return x
}

const eveningMs = 1_772_540_000_000 // 2026-03-03 12:13:20 UTC

// message is the k-th of a partition, from 0.
func message(partition int32, k int64) Subject {
	return Subject{Message: true, Topic: "a", Partition: partition, Offset: 10 + k}
}

// crowd is n messages of one moment.
func crowd(ms int64, n int) []int64 { return slices.Repeat([]int64{ms}, n) }

// What is said of the ids of every generator, by the smallest run that shows it.
func TestExplainOtherGenerators(t *testing.T) {
	one := func(s *scenario.Scenario) { s.Sites = s.Sites[:1] }
	for name, test := range map[string]struct {
		generator  string
		trim       func(*scenario.Scenario)
		asked      Subject
		partitions [][]int64
		want, not  []string
	}{
		"a refused write": {"redis-streams/event", nil, message(0, 1), [][]int64{{eveningMs + 5, eveningMs}},
			[]string{"refused 12:13:20.005", "no id: the entry's id is equal to the stream's last or smaller, so Redis refused the write"}, []string{"digits", "filter", "ID "}},
		"one made good": {"redis-streams/event-retry", nil, message(0, 1), [][]int64{{eveningMs + 5, eveningMs}},
			[]string{"ID 1772540000005-1", "digits 2026-03-03 12:13:20.005 UTC, sequence 1", "drawn from 5 ms after the event's, sequence 1"}, []string{"node -1", "local (2026"}},
		"an entry": {"redis-streams/event", nil, Subject{ID: eveningMs<<20 | 1}, [][]int64{{eveningMs, eveningMs}},
			[]string{"ID 1772540000000-1", "east stored once with it west stored once with it", "drawn from the event's ms, sequence 1"}, []string{"who has it"}},
		"two streams of a site": {"redis-streams/sharded", one, message(0, 0), [][]int64{{eveningMs}, {eveningMs}},
			[]string{"stored 2 times with it, 1 extra copy: separate", "told apart by where they stand"}, nil},
		"a number past its partition's": {"redis-streams/partition-coded", one, message(0, 1000), [][]int64{crowd(eveningMs, 1001)},
			[]string{"ID 1772540000000-1000", "sequence-spill: the number within the partition is past 999"}, []string{"12 bits"}},
		"ids that wipe time and node": {"snowflake/preallocated-published", nil, message(0, 0), [][]int64{{eveningMs, eveningMs + 1000}},
			[]string{"ID -1024", "wipe both, so that every worker gives these numbers in every second", "digits 2010-11-04 01:42:54.656 UTC, node 1023, sequence 3072"},
			[]string{"undrawn", "who has it"}},
		"zeroes": {"snowflake/locked-published", nil, Subject{ID: 0}, [][]int64{{eveningMs, eveningMs + 1000, eveningMs + 1000}},
			[]string{"east stored 2 times with it, 1 extra copy: zero-id", "resets the sequence and returns 0", "how zero-id, see above"}, []string{"not drawn"}},
		"a worker twice": {"snowflake/unsynchronised", func(s *scenario.Scenario) {
			s.Sites[0].Consumers = append(s.Sites[0].Consumers, s.Sites[0].Consumers[0])
		}, message(0, 0), [][]int64{{eveningMs}, {eveningMs}},
			[]string{"shared-node two processes have node number 1, consumer 1 of east and consumer 2 of east: nothing else in the digits keeps their ids apart"}, []string{"slots"}},
		"a Redis each": {"redis-counter/published", nil, message(0, 0), [][]int64{{eveningMs}},
			[]string{"digits 2026-03-03 20:13:20 local (2026-03-03 12:13:20 UTC), sequence 1", "drawn from the clock's second, number 1 of the day"}, []string{"node -1", "between"}},
		"a count past 32 bits": {"redis-counter/published", func(s *scenario.Scenario) { s.Generator.Counter.Start = 1<<32 - 1 }, message(0, 0), [][]int64{{eveningMs}},
			[]string{"counter-overflow: the count of the day is past 32 bits"}, nil},
		"without Redis": {"redis-counter/corrected", func(s *scenario.Scenario) {
			s.Generator.Redis.Outages = []scenario.Stretch{{At: scenario.Moment{}, For: duration.Duration(60e9)}}
		}, message(0, 0), [][]int64{{eveningMs + 250}},
			[]string{"drawn without Redis: node 1, number 0 of ms 251", "node 2, number 0 of ms 251"}, []string{"of the day"}},
		"while Redis is down": {"redis-counter/published", func(s *scenario.Scenario) {
			s.Generator.Redis.Outages = []scenario.Stretch{{At: scenario.Moment{}, For: duration.Duration(60e9)}}
		}, message(0, 0), [][]int64{{eveningMs}},
			[]string{"refused", "no id: Redis did not answer"}, []string{"digits"}},
		"by the event": {"redis-counter/published", func(s *scenario.Scenario) {
			s.Generator.Counter.Time = "event"
			s.Sites[1].Link.Delay, _ = delay.Parse("5s")
		}, message(0, 0), [][]int64{{eveningMs}},
			[]string{"drawn from the event's second, number 1 of the day"}, []string{"the clock's"}},
		"a process that forgets": {"snowflake/locked-published", func(s *scenario.Scenario) {
			one(s)
			c := &s.Sites[0].Consumers[0]
			c.Commit = duration.Duration(10e9)
			c.Restarts = []scenario.Restart{{At: scenario.Moment{After: duration.Duration(1e9)}, State: scenario.StateLost, Down: duration.Duration(1e8)}}
		}, message(0, 0), [][]int64{{eveningMs, eveningMs + 2000}},
			[]string{"ID 0", "delivery 2 of 2"}, nil},
	} {
		t.Run(name, func(t *testing.T) {
			x := told(t, test.generator, test.trim, test.asked, test.partitions...)
			var b strings.Builder
			if err := report.Explanation(&b, x, report.TextOptions{}); err != nil {
				t.Fatal(err)
			}
			got := strings.Join(strings.Fields(b.String()), " ")
			for _, want := range test.want {
				if !strings.Contains(got, want) {
					t.Errorf("%q is not in\n%s", want, &b)
				}
			}
			for _, not := range test.not {
				if strings.Contains(got, not) {
					t.Errorf("%q is in\n%s", not, &b)
				}
			}
		})
	}
}

// What the JSON says of a refused delivery: its kind and why, and no id.
func TestExplainedRefusal(t *testing.T) {
	x := told(t, "redis-streams/event", nil, message(0, 1), []int64{eveningMs + 5, eveningMs})
	d := x.Messages[0].Sites[0].Deliveries[0]
	if !x.Found || len(x.IDs) != 0 || d.State != "refused" || d.Kind != "equal-or-smaller" || d.ID != "" || d.Digits != nil || d.Drawn == "" {
		t.Errorf("ids %v, %+v", x.IDs, d)
	}
}

// An entry that is not there is named as Redis writes it, and so are the nearest; one
// that was refused is among the messages.
func TestExplainMissingEntry(t *testing.T) {
	id, err := redisstreams.Layout{}.Parse("1772540000002-7")
	if err != nil {
		t.Fatal(err)
	}
	times := []int64{eveningMs, eveningMs + 5, eveningMs + 1}
	x := told(t, "redis-streams/event", nil, Subject{ID: id}, times)
	if x.Found || x.Asked != "1772540000002-7" || x.IDs[0].ID != x.Asked || x.Below.ID != "1772540000000-0" || x.Above.ID != "1772540000005-0" {
		t.Errorf("asked %s, found %v: %+v, below %+v, above %+v", x.Asked, x.Found, x.IDs, x.Below, x.Above)
	}
	x = told(t, "redis-streams/event", nil, message(0, 3), times)
	if x.Found || x.Below.ID != "" || x.Below.Detail != "no id: equal-or-smaller" {
		t.Errorf("below %+v", x.Below)
	}
}
