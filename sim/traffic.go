package sim

import (
	"cmp"
	"fmt"

	"twindrift/replay"
	"twindrift/replay/whatif"
	"twindrift/sim/scenario"
)

// withTraffic is the capture with the changes that the scenario makes to its
// traffic.
func withTraffic(source replay.Source, s *scenario.Scenario) (replay.Source, error) {
	c, err := s.Changes()
	if err != nil {
		return nil, fmt.Errorf("traffic.%w", err)
	}
	if c.None() {
		return source, nil
	}
	return whatif.New(source, c), nil
}

// knownPartitions lists all partitions that are known to be there, in the order
// of the plan, and where each is in the plan; -1 for those without messages. Who
// consumes what goes by all: a change to the traffic assigns nothing anew.
func knownPartitions(plan *replay.Plan) (parts []replay.Partition, index []int) {
	left := plan.Silent
	for i, p := range plan.Partitions {
		for len(left) > 0 && cmp.Or(cmp.Compare(left[0].Topic, p.Topic), cmp.Compare(left[0].Number, p.Number)) < 0 {
			parts, index = append(parts, left[0]), append(index, -1)
			left = left[1:]
		}
		parts, index = append(parts, p), append(index, i)
	}
	for _, p := range left {
		parts, index = append(parts, p), append(index, -1)
	}
	return parts, index
}

// inPlan turns lists of indexes into every partition into those of the plan.
func inPlan(lists [][]int, index []int) [][]int {
	for i, list := range lists {
		kept := list[:0]
		for _, k := range list {
			if index[k] >= 0 {
				kept = append(kept, index[k])
			}
		}
		lists[i] = kept
	}
	return lists
}

// assign deals the partitions of the plan to the consumers of a site.
func assign(s *scenario.Site, plan *replay.Plan) ([][]int, error) {
	parts, index := knownPartitions(plan)
	deal, err := s.Assign(parts)
	return inPlan(deal, index), err
}

// moves are the rebalances of a site: the partitions of the plan that move, and
// the consumers that take them.
func moves(s *scenario.Site, plan *replay.Plan) (lists [][]int, to []int, err error) {
	parts, index := knownPartitions(plan)
	lists, to, err = s.Moves(parts)
	return inPlan(lists, index), to, err
}
