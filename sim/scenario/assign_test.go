package scenario

import (
	"fmt"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"twindrift/replay"
)

// capture is partitions from "orders/0 orders/1 trades/0".
func capture(names string) []replay.Partition {
	var parts []replay.Partition
	for _, name := range strings.Fields(names) {
		s, err := parseSpan(name)
		if err != nil {
			panic(err)
		}
		for n := s.first; n <= s.last; n++ {
			parts = append(parts, replay.Partition{Topic: s.topic, Number: n})
		}
	}
	return parts
}

func site(assignor string, partitions ...string) *Site {
	s := Site{Name: "east", Assignor: assignor}
	for i, names := range partitions {
		s.Consumers = append(s.Consumers, Consumer{Node: int32(i + 1), Partitions: strings.Fields(names)})
	}
	return &s
}

// dealt writes an assignment as "orders/0 orders/1 | trades/0".
func dealt(parts []replay.Partition, deal [][]int) string {
	var consumers []string
	for _, indexes := range deal {
		var names []string
		for _, i := range indexes {
			names = append(names, fmt.Sprintf("%s/%d", parts[i].Topic, parts[i].Number))
		}
		consumers = append(consumers, strings.Join(names, " "))
	}
	return strings.Join(consumers, " | ")
}

func TestAssign(t *testing.T) {
	for _, c := range []struct {
		site    *Site
		capture string
		want    string
	}{
		{site("", ""), "orders/0-2", "orders/0 orders/1 orders/2"},
		// The examples of the documentation of Kafka's RangeAssignor (two
		// topics of three partitions, consumers C0 and C1) and
		// RoundRobinAssignor (the same).
		{site(AssignRange, "", ""), "t0/0-2 t1/0-2", "t0/0 t0/1 t1/0 t1/1 | t0/2 t1/2"},
		{site(AssignRoundRobin, "", ""), "t0/0-2 t1/0-2", "t0/0 t0/2 t1/1 | t0/1 t1/0 t1/2"},
		// More consumers than partitions: some have nothing to do.
		{site(AssignRange, "", "", ""), "orders/0-1", "orders/0 | orders/1 | "},
		{site(AssignRoundRobin, "", "", ""), "orders/0-1", "orders/0 | orders/1 | "},
		// Partitions that the capture lacks do not count.
		{site(AssignRange, "", ""), "orders/0 orders/5 orders/7 orders/9", "orders/0 orders/5 | orders/7 orders/9"},
		{site(AssignExplicit, "orders/1-9 trades", "orders/0"), "orders/0-2 trades/0-1", "orders/1 orders/2 trades/0 trades/1 | orders/0"},
		{site(AssignExplicit, "orders/0-1 orders/1-2"), "orders/0-2", "orders/0 orders/1 orders/2"},
	} {
		parts := capture(c.capture)
		deal, err := c.site.Assign(parts)
		if err != nil {
			t.Errorf("%s: %v", c.capture, err)
		} else if got := dealt(parts, deal); got != c.want {
			t.Errorf("%s of %s:\n got %s\nwant %s", c.site.Assignor, c.capture, got, c.want)
		}
	}
}

func TestAssignErrors(t *testing.T) {
	for _, c := range []struct {
		site    *Site
		capture string
		want    string
	}{
		{site(AssignRange), "orders/0", "site east has no consumer"},
		{site(AssignExplicit, "orders/0"), "orders/0-1", "site east: no consumer takes orders/1; add them to the partitions of a consumer, or let assign be range"},
		{site(AssignExplicit, "orders/0"), "orders/0-9", "site east: no consumer takes orders/1, orders/2, orders/3, orders/4, orders/5 and 4 more; add them to the partitions of a consumer, or let assign be range"},
		{site(AssignExplicit, "orders/0-3", "orders/3-4"), "orders/0-4", "site east: orders/3 is given to two consumers, nodes 1 and 2"},
		{site(AssignExplicit, "orders ordres/3"), "orders/0-4", `site east: the capture has no partition "ordres/3"; did you mean orders?`},
		{site(AssignExplicit, "orders/0-1 orders/3"), "orders/0-1", `site east: the capture has no partition "orders/3"; of orders it has 0, 1`},
		{site(AssignExplicit, "orders/x"), "orders/0", `site east: "orders/x" names no partition: write orders/3, orders/0-5 or orders`},
	} {
		deal, err := c.site.Assign(capture(c.capture))
		if err == nil || err.Error() != c.want {
			t.Errorf("%s: %v, %v\nwant %s", c.capture, deal, err, c.want)
		}
	}
}

// Whatever the capture, range and round-robin give every partition to one
// consumer, and no consumer more than its share: of each topic with range, of
// all with round-robin.
func TestAssignIsFair(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		consumers := rapid.IntRange(1, 7).Draw(t, "consumers")
		var parts []replay.Partition
		topics := rapid.IntRange(1, 4).Draw(t, "topics")
		for topic := range topics {
			for n := range rapid.IntRange(1, 20).Draw(t, "partitions") {
				parts = append(parts, replay.Partition{Topic: fmt.Sprint("t", topic), Number: int32(3 * n)})
			}
		}
		s := site(rapid.SampledFrom([]string{AssignRange, AssignRoundRobin}).Draw(t, "assignor"), make([]string, consumers)...)
		deal, err := s.Assign(parts)
		if err != nil {
			t.Fatal(err)
		}
		owners := make([]int, len(parts))
		byTopic := map[string]map[int]int{}
		smallest, largest := len(parts), 0
		for c, indexes := range deal {
			smallest, largest = min(smallest, len(indexes)), max(largest, len(indexes))
			for k, i := range indexes {
				if k > 0 && indexes[k-1] >= i {
					t.Fatalf("consumer %d: indexes do not ascend: %v", c, indexes)
				}
				owners[i]++
				if byTopic[parts[i].Topic] == nil {
					byTopic[parts[i].Topic] = map[int]int{}
				}
				byTopic[parts[i].Topic][c]++
			}
		}
		for i, n := range owners {
			if n != 1 {
				t.Fatalf("partition %v has %d consumers", parts[i], n)
			}
		}
		if s.Assignor == AssignRoundRobin {
			if largest-smallest > 1 {
				t.Fatalf("between %d and %d partitions each", smallest, largest)
			}
			return
		}
		for topic, counts := range byTopic {
			for c := range consumers {
				if c > 0 && counts[c] > counts[c-1] || counts[0]-counts[c] > 1 {
					t.Fatalf("%s: consumers have %v", topic, counts)
				}
			}
		}
	})
}
