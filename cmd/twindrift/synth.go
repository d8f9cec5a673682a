package main

import (
	"context"
	"fmt"

	"github.com/spf13/cobra"

	"twindrift/replay"
	"twindrift/replay/figure"
	"twindrift/replay/parquet"
	"twindrift/replay/recipe"
)

// exampleRecipe stands in the help; it uses every field once.
const exampleRecipe = `  seed: 7                            # another seed, other messages
  start: 2026-03-02T20:00:00+08:00   # local time is the start's
  length: 1d
  topics:
    - name: orders
      partitions: 8
      rate: {"00:00": 20/s, "09:30": 300/s, "16:00": 80/s}
      keys: {count: 500, skew: 1.1}  # key k has weight 1/k^skew
      value: {p50: 300, p99: 2000}   # bytes, lognormal
      jitter: 40ms                   # from stamp to log, at most
      late: {share: 2%, p50: 3s, p99: 40s, max: 5m}
      bursts:                        # this rate instead, for a while
        - {at: "09:30", for: 10s, rate: 7000/s}
      stalls:                        # a share of producers holds its messages,
        - {at: 2h, for: 2m, share: 25%, drain: 5s}   # then sends them
      resends:                       # messages come once more, stamps and all
        - {from: 1h, for: 10m, after: 6h}
`

func newSynth(t *terminal) *cobra.Command {
	var path, compression string
	c := &cobra.Command{
		Use:   "synth RECIPE.yaml -o CAPTURE.parquet",
		Short: "Make a capture from a traffic recipe",
		Long: `Make a capture from a traffic recipe. The same recipe gives the same messages,
every time and everywhere. This recipe has all there is:

` + exampleRecipe + `
Moments (at, from) are durations after the start, local times of day (every
day), or dates with times (RFC 3339). Rates are the topic's, per s, m, h or d.
Other ways to say some of it:

  rate: 150/s                        one rate for all the time
  rate: [5/s, 3/s, ...]              24 rates, one for each hour of the day
  keys: {weights: [60, 30, 10]}      instead of count and skew
  shares: [4, 1, 1]                  of the partitions; else the keys decide
  value: 240                         all values of one size
  timestamps: log-append             the broker stamps, not the producer`,
		Example: `  twindrift synth datasets/evening.yaml -o evening.parquet
  twindrift synth datasets/market-open.yaml -o open.parquet --compression zstd`,
		Args: exactly(1),
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
	c.Flags().StringVarP(&path, "output", "o", "", "`FILE` to write the capture to (Parquet)")
	c.Flags().StringVar(&compression, "compression", "snappy", "snappy, or zstd (smaller, slower)")
	return c
}

// synth writes the capture of a recipe and says what is in it.
func (t *terminal) synth(ctx context.Context, from, to string, opts parquet.WriterOptions) error {
	src, err := recipe.Load(from)
	if err != nil {
		return err
	}
	if sameFile(from, to) {
		return usagef("-o %s is the recipe itself; give the capture another name", to)
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

// describePlan says in a sentence of two lines how much a capture holds.
func describePlan(plan *replay.Plan) string {
	from, to := int64(0), int64(0)
	for i, p := range plan.Partitions {
		if i == 0 {
			from, to = p.MinMs, p.MaxMs
		}
		from, to = min(from, p.MinMs), max(to, p.MaxMs)
	}
	return fmt.Sprintf("%s in %s, at most %s in a second\n  %s to %s UTC", figure.Counted(plan.Messages, "message"),
		figure.Counted(int64(len(plan.Partitions)), "partition"), figure.Count(plan.PeakCount), figure.Moment(from), figure.Moment(to))
}
