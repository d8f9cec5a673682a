package main

import (
	"errors"
	"fmt"
	"io"
	"os"

	"github.com/spf13/cobra"

	"twindrift/sim"
	"twindrift/sim/report"
	"twindrift/sim/result"
)

func newReport(t *terminal) *cobra.Command {
	var specs, thresholds []string
	c := &cobra.Command{
		Use:   "report FILE.json",
		Short: "Render a result file again",
		Long: `Reads a result that 'twindrift run -o json=FILE' wrote and renders it, as text
unless -o says otherwise. - stands for stdin. A result holds no single
deliveries, so -o parquet is for run alone. The thresholds that a result was
judged by are shown as they were; --threshold judges it by more.`,
		Example: "  twindrift report result.json\n  twindrift report result.json -o text=report.txt",
		Args:    exactly(1),
		RunE: func(_ *cobra.Command, args []string) error {
			outs, err := parseOutputs(specs, textOrJSON)
			if err != nil {
				return err
			}
			return renderAgain(t, args[0], outs, thresholds)
		},
	}
	bindOutputs(c, &specs, textOrJSON)
	bindThresholds(c, &thresholds)
	return c
}

func renderAgain(t *terminal, path string, outs []output, thresholds []string) error {
	t.reads = append(t.reads, path)
	r, err := readResult(t.in, path)
	if err != nil {
		return err
	}
	verdicts, err := sim.JudgeThresholds(r, thresholds)
	if err != nil {
		return usageError{err}
	}
	r.Thresholds = append(r.Thresholds, verdicts...)
	places, err := t.openOutputs(outs)
	if err != nil {
		return err
	}
	defer places.abort()
	if err := places.finish(r, report.TextOptions{}); err != nil {
		return err
	}
	return broken(verdicts)
}

// readResult reads a result file, or stdin for "-".
func readResult(stdin io.Reader, path string) (*result.Result, error) {
	in := stdin
	if path != "-" {
		f, err := os.Open(path)
		if err != nil {
			return nil, err
		}
		defer f.Close()
		in = f
	}
	r, err := report.ReadJSON(in)
	if errors.Is(err, report.ErrNotResult) {
		return nil, fmt.Errorf("%s: %w; a run writes one with -o json=FILE", path, err)
	}
	if err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	return r, nil
}
