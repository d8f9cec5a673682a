package sim

import (
	"context"

	"twindrift/sim/contest"
	"twindrift/sim/result"
)

// Compete replays a capture once for the scenario's generator and those of cfg.Against,
// all on the same draws of luck, as often as the scenario has replications, and compares
// them. Thresholds and deliveries play no part.
func Compete(ctx context.Context, cfg Config) (*result.Contest, error) {
	cfg.Deliveries = nil
	var err error
	if cfg.Source, err = withTraffic(cfg.Source, &cfg.Scenario); err != nil {
		return nil, err
	}
	plan, err := cfg.Source.Plan(ctx, cfg.Planning)
	if err != nil {
		return nil, err
	}
	var all contest.Collector
	if err := eachReplication(ctx, cfg, plan, all.Add); err != nil {
		return nil, err
	}
	return all.Table(), nil
}
