package sim

import (
	"fmt"
	"math"

	"twindrift/replay"
	"twindrift/sim/site"
)

// observer is a site that takes the times at which the capture saw messages
// processed; "" where there is none.
func (r *run) observer() string {
	for i := range r.cfg.Scenario.Sites {
		if s := &r.cfg.Scenario.Sites[i]; s.Observed {
			return s.Name
		}
	}
	return ""
}

// observedMs is when message i of a batch was seen to be processed.
func (f *feed) observedMs(b *replay.Batch, i int) (int64, error) {
	if len(b.ProcessedAtMs) > 0 && b.ProcessedAtMs[i] != replay.NoTimestamp {
		return plausible(b.ProcessedAtMs[i], f.clock), nil
	}
	part := &f.plan.Partitions[b.Partition[i]]
	return 0, fmt.Errorf("%s/%d@%d has no processed_at, and site %s is to take the observed times: give the site delays instead of observed, or a capture with that column",
		part.Topic, part.Number, b.Offset[i], f.observer)
}

// nextObserved is when the first message from row i on was seen to be processed.
// feed.fill sees to it that there is one among the rows at hand, unless none is
// to come.
func nextObserved(rows *site.Rows, i int) int64 {
	for ; i < rows.Len(); i++ {
		if len(rows.Absent) == 0 || !rows.Absent[i] {
			return rows.ObservedMs[i]
		}
	}
	return math.MaxInt64
}
