package sim

import (
	"context"

	"twindrift/replay"
	"twindrift/sim/result"
	"twindrift/sim/scenario"
	"twindrift/sim/threshold"
)

// CheckThresholds says whether the scenario's thresholds can be judged: they
// are well-formed, and name figures that a run of the scenario will have. What
// is wrong with one is a *threshold.Error.
func CheckThresholds(ctx context.Context, s scenario.Scenario) error {
	if len(s.Thresholds) == 0 {
		return nil
	}
	nothing, err := runOfNothing(ctx, s)
	if err != nil {
		return err
	}
	for _, text := range s.Thresholds {
		t, err := threshold.Parse(text)
		if err != nil {
			return err
		}
		if err := t.Check(nothing); err != nil {
			return err
		}
	}
	return nil
}

// runOfNothing is the result of the scenario without any message: it has every
// name that a result of the scenario has.
func runOfNothing(ctx context.Context, s scenario.Scenario) (*result.Result, error) {
	empty := scenario.Default()
	empty.Generator = s.Generator
	empty.Replications = min(s.Replications, 2)
	empty.Sites = nil
	for _, of := range s.Sites {
		var nodes []int32
		for _, c := range of.Consumers {
			nodes = append(nodes, c.Node)
		}
		empty.Sites = append(empty.Sites, scenario.NewSite(of.Name, nodes...))
	}
	return Run(ctx, Config{Source: &replay.Memory{}, Scenario: empty})
}

// JudgeThresholds judges a result by expressions.
func JudgeThresholds(r *result.Result, expressions []string) ([]result.Threshold, error) {
	var verdicts []result.Threshold
	for _, text := range expressions {
		t, err := threshold.Parse(text)
		if err != nil {
			return nil, err
		}
		verdict, err := t.Judge(r)
		if err != nil {
			return nil, err
		}
		verdicts = append(verdicts, verdict)
	}
	return verdicts, nil
}
