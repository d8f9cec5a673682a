package main

import (
	"context"
	"runtime"
	"slices"

	"github.com/spf13/cobra"

	"twindrift/generator/bench"
	"twindrift/generator/catalog"
)

// benchFormats are the formats of bench -o.
var benchFormats = []string{"text", "json", "go"}

// benchCommand is what bench was asked to do.
type benchCommand struct {
	t                  *terminal
	config             bench.Config
	generator, variant string
	contentions        []string
	outputs            []string
}

func newBench(t *terminal) *cobra.Command {
	b := benchCommand{t: t}
	c := &cobra.Command{
		Use:   "bench",
		Short: "Time the generators with many threads, and check every id",
		Long: `Times the generators with many threads in one process, and checks every id that
they gave: that none is there twice, that it says its node and lies on the step,
and that its score in a sorted set, a float64, is its own.

Threads draw for seconds of their own (own), for the same seconds in turn, 512 s
apart (shared), or all for one second, which overflows into the next ones (one).
Threads are goroutines; those that are more than the processors take turns. The
machine decides how fast it goes: compare what one run printed, or several with
-o go and benchstat.`,
		Example: `  twindrift bench
  twindrift bench --contention one --threads 2,100
  twindrift bench --generator second-slot --variant corrected -o go=corrected.txt`,
		Args: exactly(0),
		RunE: func(c *cobra.Command, _ []string) error { return b.run(c.Context()) },
	}
	threads := []int{1, runtime.GOMAXPROCS(0), 100, 1000}
	slices.Sort(threads)
	var contentions []string
	for _, known := range bench.Contentions() {
		contentions = append(contentions, string(known))
	}
	f := c.Flags()
	f.StringVar(&b.generator, "generator", "", "generator to time (default all)")
	f.StringVar(&b.variant, "variant", "", "variant of the generator (default all)")
	f.IntSliceVar(&b.config.Threads, "threads", slices.Compact(threads), "numbers of threads")
	f.StringSliceVar(&b.contentions, "contention", contentions, "seconds that the threads draw for")
	f.IntVar(&b.config.IDs, "ids", 1_000_000, "ids to draw in a round, all threads together")
	f.IntVar(&b.config.Rounds, "rounds", 5, "rounds that count")
	f.IntVar(&b.config.WarmUp, "warm-up", 1, "rounds before those")
	bindOutputs(c, &b.outputs, benchFormats)
	return c
}

func (b *benchCommand) run(ctx context.Context) error {
	outs, err := parseOutputs(b.outputs, benchFormats)
	if err != nil {
		return err
	}
	if b.config.Generators, err = b.chosen(); err != nil {
		return err
	}
	for _, name := range b.contentions {
		b.config.Contentions = append(b.config.Contentions, bench.Contention(name))
	}
	b.config.Options = catalog.Defaults()
	b.config.Options.Node = 1
	if err := b.config.Validate(); err != nil {
		return usagef("--%w", err)
	}
	places, err := b.t.openOutputs(outs)
	if err != nil {
		return err
	}
	defer places.abort()
	update, finish := b.t.progress("drawing", "ids")
	defer finish()
	result, err := b.config.Run(ctx, update)
	if err != nil {
		return err
	}
	finish()
	return places.each(func(p *place) error {
		switch p.format {
		case "json":
			return result.JSON(p.w)
		case "go":
			return result.GoBench(p.w)
		}
		return result.Text(p.w)
	})
}

// chosen are the generators that the flags name: without any, all that have a
// form for many threads.
func (b *benchCommand) chosen() ([]catalog.Entry, error) {
	if b.generator != "" {
		if _, err := catalog.Find(b.generator, b.variant); err != nil {
			return nil, usageError{err}
		}
	} else if b.variant != "" {
		return nil, usagef("--variant %s: of which generator? Give --generator too", b.variant)
	}
	return slices.DeleteFunc(catalog.Entries(), func(e catalog.Entry) bool {
		if b.generator == "" {
			return e.Concurrent == nil
		}
		return e.Name != b.generator || b.variant != "" && e.Variant != b.variant
	}), nil
}
