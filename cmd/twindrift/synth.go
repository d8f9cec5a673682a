package main

import (
	"context"
	"fmt"
	"time"

	"github.com/spf13/cobra"

	"twindrift/replay"
	"twindrift/replay/parquet"
	"twindrift/replay/recipe"
)

func newSynth(t *terminal) *cobra.Command {
	var path, compression string
	c := &cobra.Command{
		Use:   "synth RECIPE.yaml -o CAPTURE.parquet",
		Short: "Make a capture from a traffic recipe",
		Long: `Make a capture from a traffic recipe: how many messages at which time of day,
bursts, keys, late messages, stalled producers, messages sent again.

The same recipe gives the same messages, every time and everywhere. What a
recipe may say is in the package documentation (go doc ./replay/recipe); the
samples' own recipes are in datasets/.`,
		Example: `  twindrift synth datasets/evening.yaml -o evening.parquet
  twindrift synth datasets/market-open.yaml -o open.parquet --compression zstd`,
		Args: cobra.ExactArgs(1),
		RunE: func(c *cobra.Command, args []string) error {
			if path == "" {
				return usagef("-o CAPTURE.parquet is missing: say where the capture goes")
			}
			if compression != "snappy" && compression != "zstd" {
				return usagef("--compression %s is not known; say snappy or zstd", compression)
			}
			return t.synth(c.Context(), args[0], path, parquet.WriterOptions{Compression: compression})
		},
	}
	c.Flags().StringVarP(&path, "output", "o", "", "the capture to write (Parquet)")
	c.Flags().StringVar(&compression, "compression", "snappy", "snappy, or zstd (smaller, slower)")
	return c
}

// synth writes the capture of a recipe and says what is in it.
func (t *terminal) synth(ctx context.Context, from, to string, opts parquet.WriterOptions) error {
	src, err := recipe.Load(from)
	if err != nil {
		return err
	}
	w, err := parquet.Create(to, opts)
	if err != nil {
		return err
	}
	defer w.Abort()
	update, finish := t.progress("planning", "messages")
	defer func() { finish() }()
	plan, err := src.Plan(ctx, update)
	if err != nil {
		return err
	}
	finish()
	if plan.Messages == 0 {
		return fmt.Errorf("%s made no messages: its rates are too low for its length", from)
	}
	update, finish = t.progress("writing", "messages")
	if err := w.WriteSource(ctx, src, plan, update); err != nil {
		return err
	}
	if err := w.Close(); err != nil {
		return err
	}
	finish()
	if !t.quiet {
		fmt.Fprintf(t.err, "%s: %s\n", to, describePlan(plan))
	}
	return nil
}

// describePlan says in a sentence how much a capture holds.
func describePlan(plan *replay.Plan) string {
	from, to := int64(0), int64(0)
	for i, p := range plan.Partitions {
		if i == 0 {
			from, to = p.MinMs, p.MaxMs
		}
		from, to = min(from, p.MinMs), max(to, p.MaxMs)
	}
	stamp := func(ms int64) string { return time.UnixMilli(ms).UTC().Format("2006-01-02 15:04:05.000") }
	return fmt.Sprintf("%d messages in %d partitions, %s to %s UTC, at most %d in a second",
		plan.Messages, len(plan.Partitions), stamp(from), stamp(to), plan.PeakCount)
}
