package scenario

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"twindrift/generator/catalog"
	"twindrift/replay"
	"twindrift/sim/spelling"
)

// scoreSpacing is the distance of float64 values between 2^59 and 2^60, where
// second-slot ids lie.
const scoreSpacing = 128

// Notes says what is allowed and worth knowing: node numbers that will make
// equal ids, and names that the capture does not have. parts is nil where no
// capture is at hand.
func (s *Scenario) Notes(parts []replay.Partition) []string {
	notes := s.nodeNotes()
	if ticks := s.Generator.Step * s.Generator.PerSecond; ticks > 1_000_000 {
		notes = append(notes, fmt.Sprintf("step %d times %d ids a second is %d, past the 1000000 of a node: its last ids of a second are those of the next node",
			s.Generator.Step, s.Generator.PerSecond, ticks))
	}
	if step := s.Generator.Step; step <= scoreSpacing {
		notes = append(notes, fmt.Sprintf("step %d is within the %d between neighbouring float64 values: different ids will share a score", step, scoreSpacing))
	}
	if s.Filter.Keep == 0 {
		notes = append(notes, "filter.keep is 0: no message gets an id")
	}
	if parts != nil {
		notes = append(notes, s.topicNotes(parts)...)
	}
	return notes
}

// nodeNotes are the notes on node numbers.
func (s *Scenario) nodeNotes() []string {
	var notes []string
	entry, _ := catalog.Find(s.Generator.Name, s.Generator.Variant) // validated
	slots, hasNodes := entry.Slots, entry.Slots || entry.Name == "snowflake" || entry.Name == "external"
	users := map[int32][]string{} // sites by node, once for each consumer
	for _, site := range s.Sites {
		for _, c := range site.Consumers {
			if slots && (c.Node < 0 || c.Node > 9) {
				notes = append(notes, fmt.Sprintf("site %s: node %d is outside 0 to 9: its ids say another node and another second (node-range)", site.Name, c.Node))
			}
			users[c.Node] = append(users[c.Node], site.Name)
		}
	}
	for _, node := range slices.Sorted(maps.Keys(users)) {
		if sites := users[node]; len(sites) > 1 && hasNodes {
			notes = append(notes, fmt.Sprintf("%d consumers have node %d (%s): equal ids are to be expected (shared-node)", len(sites), node, strings.Join(sites, ", ")))
		}
	}
	return notes
}

// topicNotes are the notes on topics that the capture has not.
func (s *Scenario) topicNotes(parts []replay.Partition) []string {
	var topics []string
	for i := range parts {
		topics = append(topics, parts[i].Topic)
	}
	slices.Sort(topics)
	topics = slices.Compact(topics)
	var notes []string
	check := func(path, topic string) {
		if topic != "" && !slices.Contains(topics, topic) {
			notes = append(notes, fmt.Sprintf("%s: the capture has no topic %q%s", path, topic, spelling.DidYouMean(topic, topics)))
		}
	}
	for i, rule := range s.Filter.Drop {
		check(fmt.Sprintf("filter.drop[%d].topic", i), rule.Topic)
	}
	for i, topic := range s.Store.Except {
		check(fmt.Sprintf("store.except[%d]", i), topic)
	}
	for _, site := range s.Sites {
		for _, topic := range slices.Sorted(maps.Keys(site.Link.Topics)) {
			check("site "+site.Name+": link.topics", topic)
		}
	}
	return notes
}
