package main

import (
	"context"
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"twindrift/sim"
	"twindrift/sim/result"
	"twindrift/sim/scenario"
)

// bindThresholds gives a command its --threshold.
func bindThresholds(c *cobra.Command, expressions *[]string) {
	c.Flags().StringArrayVar(expressions, "threshold", nil,
		"`EXPRESSION` that must hold, or the exit status is 3; repeatable. Figures by their names in the JSON: 'sites.*.duplicates.ids == 0', "+
			`'between.east-west.tau_b["1s"]`+" >= 99.9%', 'sites.west.push.lateness_ms.p99 < 15m and input.messages > 0'")
}

// checkThresholds finds what is wrong with thresholds before the replay.
func (r *runCommand) checkThresholds(ctx context.Context, sc scenario.Scenario) error {
	err := sim.CheckThresholds(ctx, sc)
	switch {
	case err == nil:
		return nil
	case len(r.flags.Thresholds) > 0 || r.file == "":
		return usageError{err}
	}
	return fmt.Errorf("%s: %w", r.file, err)
}

// broken is an error with exit status 3 where not every threshold holds.
func broken(thresholds []result.Threshold) error {
	var failed, unknown []string
	for _, t := range thresholds {
		switch t.Verdict {
		case result.ThresholdFail:
			failed = append(failed, t.Expression)
		case result.ThresholdNoData:
			unknown = append(unknown, t.Expression)
		}
	}
	var said []string
	if n := len(failed); n > 0 {
		said = append(said, fmt.Sprintf("%d of %d thresholds failed: %s", n, len(thresholds), strings.Join(failed, "; ")))
	}
	if n := len(unknown); n > 0 {
		said = append(said, fmt.Sprintf("%d of %d thresholds had not enough data to be judged: %s", n, len(thresholds), strings.Join(unknown, "; ")))
	}
	if len(said) == 0 {
		return nil
	}
	return statusf(exitThreshold, "%s", strings.Join(said, "\n"))
}
