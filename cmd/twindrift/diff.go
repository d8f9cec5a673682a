package main

import (
	"fmt"
	"path/filepath"

	"github.com/spf13/cobra"

	"twindrift/sim/replications"
	"twindrift/sim/report"
)

func newDiff(t *terminal) *cobra.Command {
	var specs []string
	c := &cobra.Command{
		Use:   "diff FIRST.json SECOND.json",
		Short: "Say what changed between two results",
		Long: `Compares two results that 'twindrift run -o json=FILE' wrote, of the same
capture and with the same seed: two scenarios that saw the same luck. Run with
--replications, they are compared replication by replication, and each
difference has a confidence interval that says whether it is more than noise.
The key figures that changed most come first, then all that changed, named as in
thresholds. - stands for stdin.`,
		Example: `  twindrift run -q --window ..5m --replications 5 -o json=now.json && \
    twindrift run -q --window ..5m --replications 5 --delay 0s,lognormal:35ms,2s -o json=slow.json && \
    twindrift diff now.json slow.json
  twindrift diff now.json slow.json -o json=changed.json`,
		Args: exactly(2),
		RunE: func(_ *cobra.Command, args []string) error {
			outs, err := parseOutputs(specs, textOrJSON)
			if err != nil {
				return err
			}
			return diff(t, args[0], args[1], outs)
		},
	}
	bindOutputs(c, &specs, textOrJSON)
	return c
}

func diff(t *terminal, first, second string, outs []output) error {
	if first == "-" && second == "-" {
		return usagef("stdin is one result: give the other one as a file")
	}
	t.reads = append(t.reads, first, second)
	a, err := readResult(t.in, first)
	if err != nil {
		return err
	}
	b, err := readResult(t.in, second)
	if err != nil {
		return err
	}
	c, err := replications.Compare(a, b)
	if err != nil {
		return fmt.Errorf("%s and %s: %w", first, second, err)
	}
	places, err := t.openOutputs(outs)
	if err != nil {
		return err
	}
	defer places.abort()
	return places.each(func(p *place) error {
		if p.format == "json" {
			return report.ComparisonJSON(p.w, c)
		}
		return report.ComparisonText(p.w, c, nameOf(first), nameOf(second), report.TextOptions{Color: places.colored(p)})
	})
}

// nameOf is what to call a result file.
func nameOf(path string) string {
	if path == "-" {
		return "stdin"
	}
	return filepath.Base(path)
}
