package sim

import (
	"context"
	"strings"
	"testing"

	"twindrift/replay"
	"twindrift/sim/delay"
	"twindrift/sim/scenario"
)

// observe makes a site one that takes observed times.
func observe(s *scenario.Site) {
	s.Observed, s.Link = true, scenario.Link{Outages: s.Link.Outages}
	for i := range s.Consumers {
		s.Consumers[i].Service, s.Consumers[i].Handling = delay.Dist{}, delay.Dist{}
	}
}

// A message that was not seen to be processed cannot be; one that is skipped
// need not be.
func TestObservedNeedsProcessedAt(t *testing.T) {
	sc := scenario.Default()
	observe(&sc.Sites[1])
	sc.Append.NoTimestamp = scenario.NoTimestampSkip
	batch := func(seen ...int64) *replay.Batch {
		return &replay.Batch{
			Offset: []int64{3, 5}, TimestampMs: []int64{1000, replay.NoTimestamp}, TimestampType: []int8{replay.TimestampCreate, replay.TimestampNone},
			KeyHash: []uint64{0, 0}, KeyLen: []int32{0, 0}, ValueLen: []int32{0, 0}, ProcessedAtMs: seen,
		}
	}
	parts := []replay.Partition{{Topic: "t", Number: 7}}
	for _, seen := range [][]int64{nil, {replay.NoTimestamp, 4}} {
		_, err := Run(context.Background(), Config{Source: memory(parts, []*replay.Batch{batch(seen...)}, 0), Scenario: sc})
		if err == nil || !strings.Contains(err.Error(), "t/7@3 has no processed_at, and site west is to take the observed times") {
			t.Errorf("seen at %d: error %v", seen, err)
		}
	}
	res, err := Run(context.Background(), Config{Source: memory(parts, []*replay.Batch{batch(990, replay.NoTimestamp)}, 0), Scenario: sc})
	if err != nil {
		t.Fatal(err)
	}
	if l := res.Sites["west"].Push.Lateness; l == nil || l.N != 1 || l.Max != -10 {
		t.Errorf("the lateness is %+v, want -10 ms once", l)
	}
}
