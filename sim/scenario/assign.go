package scenario

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"twindrift/replay"
	"twindrift/sim/spelling"
)

// Assign deals the partitions of a capture to the consumers of the site: for
// each consumer the indexes into parts, ascending. Every partition goes to
// exactly one consumer, and a consumer may get none, as in Kafka. With explicit
// partitions, one that no consumer takes is an error, and so are partitions
// named that the capture has not.
//
// range deals each topic by itself: its partitions in order of their numbers,
// in as equal runs as possible, the longer runs to the first consumers.
// round-robin deals all partitions, by topic and number, one by one in turn.
// Both are Kafka's (RangeAssignor, RoundRobinAssignor) for members in the
// order of the scenario that all subscribe to all topics; partitions of which
// the capture has no message do not count.
func (s *Site) Assign(parts []replay.Partition) ([][]int, error) {
	deal := make([][]int, len(s.Consumers))
	if len(deal) == 0 {
		return nil, fmt.Errorf("site %s has no consumer", s.Name)
	}
	order := make([]int, len(parts))
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(a, b int) int {
		return cmp.Or(strings.Compare(parts[a].Topic, parts[b].Topic), cmp.Compare(parts[a].Number, parts[b].Number))
	})
	switch s.Assignor {
	case AssignExplicit:
		if err := s.assignExplicit(parts, deal); err != nil {
			return nil, err
		}
	case AssignRoundRobin:
		for turn, index := range order {
			deal[turn%len(deal)] = append(deal[turn%len(deal)], index)
		}
	default:
		for len(order) > 0 {
			n := 1
			for n < len(order) && parts[order[n]].Topic == parts[order[0]].Topic {
				n++
			}
			dealRange(order[:n], deal)
			order = order[n:]
		}
	}
	for i := range deal {
		slices.Sort(deal[i])
	}
	return deal, nil
}

// dealRange deals the partitions of one topic in runs.
func dealRange(topic []int, deal [][]int) {
	size, longer := len(topic)/len(deal), len(topic)%len(deal)
	for i := range deal {
		n := size
		if i < longer {
			n++
		}
		deal[i] = append(deal[i], topic[:n]...)
		topic = topic[n:]
	}
}

func (s *Site) assignExplicit(parts []replay.Partition, deal [][]int) error {
	owner := make([]int, len(parts)) // consumer + 1
	for c := range s.Consumers {
		for _, text := range s.Consumers[c].Partitions {
			span, err := parseSpan(text)
			if err != nil {
				return fmt.Errorf("site %s: %w", s.Name, err)
			}
			found := false
			for i := range parts {
				if !span.holds(parts[i].Topic, parts[i].Number) {
					continue
				}
				found = true
				if owner[i] != 0 && owner[i] != c+1 {
					return fmt.Errorf("site %s: %s/%d is given to two consumers, nodes %d and %d", s.Name,
						parts[i].Topic, parts[i].Number, s.Consumers[owner[i]-1].Node, s.Consumers[c].Node)
				}
				owner[i] = c + 1
			}
			if !found {
				return fmt.Errorf("site %s: the capture has no partition %q%s", s.Name, text, nearestTopic(span.topic, parts))
			}
		}
	}
	var left []string
	for i, c := range owner {
		if c == 0 {
			left = append(left, fmt.Sprintf("%s/%d", parts[i].Topic, parts[i].Number))
			continue
		}
		deal[c-1] = append(deal[c-1], i)
	}
	if len(left) > 0 {
		more := ""
		if n := len(left); n > 5 {
			left, more = left[:5], fmt.Sprintf(" and %d more", n-5)
		}
		return fmt.Errorf("site %s: no consumer takes %s%s; add them to the partitions of a consumer, or let assign be range",
			s.Name, strings.Join(left, ", "), more)
	}
	return nil
}

// nearestTopic adds what topic may have meant.
func nearestTopic(topic string, parts []replay.Partition) string {
	var topics []string
	for i := range parts {
		topics = append(topics, parts[i].Topic)
	}
	slices.Sort(topics)
	topics = slices.Compact(topics)
	if len(topics) == 0 {
		return ""
	}
	if slices.Contains(topics, topic) {
		var numbers []string
		for i := range parts {
			if parts[i].Topic == topic {
				numbers = append(numbers, strconv.Itoa(int(parts[i].Number)))
			}
		}
		return fmt.Sprintf("; of %s it has %s", topic, strings.Join(numbers, ", "))
	}
	return spelling.DidYouMean(topic, topics)
}

// span is some partitions of a topic.
type span struct {
	topic       string
	first, last int32 // both included; last < 0 is all of the topic
}

// parseSpan reads "orders", "orders/3" or "orders/0-5".
func parseSpan(text string) (span, error) {
	slash := strings.LastIndexByte(text, '/')
	if slash < 0 {
		if text == "" {
			return span{}, fmt.Errorf("a partition is missing: write orders/3, orders/0-5 or orders")
		}
		return span{topic: text, last: -1}, nil
	}
	from, to, isRange := strings.Cut(text[slash+1:], "-")
	if !isRange {
		to = from
	}
	first, err1 := strconv.ParseUint(from, 10, 31)
	last, err2 := strconv.ParseUint(to, 10, 31)
	if err1 != nil || err2 != nil || slash == 0 {
		return span{}, fmt.Errorf("%q names no partition: write orders/3, orders/0-5 or orders", text)
	}
	if first > last {
		return span{}, fmt.Errorf("%q runs backwards: write %s/%d-%d", text, text[:slash], last, first)
	}
	return span{topic: text[:slash], first: int32(first), last: int32(last)}, nil
}

func (s span) holds(topic string, number int32) bool {
	return s.topic == topic && (s.last < 0 || s.first <= number && number <= s.last)
}

// overlaps says whether some partition lies in both.
func (s span) overlaps(o span) bool {
	return s.topic == o.topic && (s.last < 0 || o.last < 0 || s.first <= o.last && o.first <= s.last)
}
