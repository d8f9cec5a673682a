package sim

import (
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
