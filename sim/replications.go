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
	var all replications.Collector
	var first *result.Result
	err := eachReplication(ctx, cfg, plan, func(results []*result.Result) {
		if first == nil {
			first = results[0]
		}
		all.Add(results[0])
	})
	if err != nil {
		return nil, err
	}
	if cfg.Scenario.Replications > 1 {
		first.Replications = all.Result()
	}
	return first, nil
}

// eachReplication replays the capture once for each replication, and hands on what once
// gives.
func eachReplication(ctx context.Context, cfg Config, plan *replay.Plan, take func([]*result.Result)) error {
	n, tell := max(1, cfg.Scenario.Replications), cfg.Replaying
	for i := range n {
		if tell != nil {
			cfg.Replaying = func(done, total int64) { tell(i*total+done, n*total) }
		}
		if i > 0 {
			cfg.replication = uint32(i)
		}
		results, err := once(ctx, cfg, plan)
		if err != nil && i > 0 {
			return fmt.Errorf("replication %d of %d: %w", i+1, n, err)
		} else if err != nil {
			return err
		}
		take(results)
		cfg.Deliveries = nil // those of the first
	}
	return nil
}
