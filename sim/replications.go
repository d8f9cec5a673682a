package sim

import (
	"context"
	"fmt"

	"twindrift/replay"
	"twindrift/sim/replications"
	"twindrift/sim/result"
)

// replicated replays the capture once for each replication, one after the
// other: each takes all cores by itself, and memory is that of one. The result
// is that of the first, with the figures of all.
func replicated(ctx context.Context, cfg Config, plan *replay.Plan) (*result.Result, error) {
	n := max(1, cfg.Scenario.Replications)
	tell := cfg.Replaying
	if tell != nil {
		cfg.Replaying = func(done, total int64) { tell(done, total*n) }
	}
	first, err := once(ctx, cfg, plan)
	if err != nil || n == 1 {
		return first, err
	}
	var all replications.Collector
	all.Add(first)
	for i := int64(1); i < n; i++ {
		again := cfg
		again.replication, again.Deliveries = uint32(i), nil
		if tell != nil {
			again.Replaying = func(done, total int64) { tell(i*total+done, n*total) }
		}
		r, err := once(ctx, again, plan)
		if err != nil {
			return nil, fmt.Errorf("replication %d of %d: %w", i+1, n, err)
		}
		all.Add(r)
	}
	first.Replications = all.Result()
	return first, nil
}
