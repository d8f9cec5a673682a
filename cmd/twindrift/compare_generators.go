package main

import (
	"strings"

	"github.com/spf13/cobra"

	"twindrift/generator/catalog"
	"twindrift/sim"
	"twindrift/sim/report"
	"twindrift/sim/scenario"
)

// contestCommand is what `twindrift compare-generators` is asked for.
type contestCommand struct {
	replayFlags
	generators []string
	short      bool
	outputs    []string
	memory     memoryFlags
}

func newCompareGenerators(t *terminal) *cobra.Command {
	r := &contestCommand{replayFlags: replayFlags{t: t}}
	c := &cobra.Command{
		Use:   "compare-generators [CAPTURE...]",
		Short: "Replay a capture once for many generators, and compare them",
		Long: `Replays a capture once, and has each generator draw the ids of the same messages
at the same moments, with the same luck: what then differs is the generators'
doing. One table says who is best and worst at order, duplicates, refusals and
costs; with --replications, differences from the first have intervals.

Generators are named as in twindrift id generators: NAME, or NAME/VARIANT, with
commas between. Without --generators all are compared that need no program of
your own, or those that a scenario lists under against, with options of their
own. What is named on the command line shares the options of the scenario's
generator that it has too, as redis, and has the defaults of the rest.
Thresholds of a scenario are not judged.`,
		Example: `  twindrift compare-generators
  twindrift compare-generators --sample market-open --generators second-slot,second-slot/corrected
  twindrift compare-generators --generators second-slot,redis-streams/event --replications 5 --window ..5m`,
		RunE: func(c *cobra.Command, args []string) error { return r.run(c, args) },
	}
	r.bind(c)
	c.Flags().StringSliceVar(&r.generators, "generators", nil, "generators to compare, the first as the measure of the others (default all)")
	c.Flags().StringVar(&r.flags.Replications, "replications", "", "times to replay, each with other luck; differences then have 95 % confidence intervals (default 1)")
	c.Flags().BoolVar(&r.short, "short", false, "one table of the most important")
	r.memory.bind(c)
	c.Flags().MarkHidden("generator")
	c.Flags().MarkHidden("variant")
	bindOutputs(c, &r.outputs, textOrJSON)
	return c
}

func (r *contestCommand) run(c *cobra.Command, args []string) error {
	outs, err := parseOutputs(r.outputs, textOrJSON)
	if err != nil {
		return err
	}
	memory, err := r.memory.bytes()
	if err != nil {
		return err
	}
	if r.flags.Generator != "" || r.flags.Variant != "" {
		return usagef("name the generators with --generators")
	}
	sc, against, err := r.contestants()
	if err != nil {
		return err
	}
	source, names, err := r.source(args, &sc)
	if err != nil {
		return err
	}
	places, err := r.t.openOutputs(outs)
	if err != nil {
		return err
	}
	defer places.abort()
	tidy()
	planning, replaying, finish := r.t.passes("replaying")
	res, err := sim.Compete(c.Context(), sim.Config{
		Source: source, Scenario: sc, Against: against,
		Planning: planning, Replaying: replaying, Memory: memory, TempDir: r.memory.dir,
	})
	finish()
	if err != nil {
		return err
	}
	return places.each(func(p *place) error {
		if p.format == "json" {
			return report.ContestJSON(p.w, res)
		}
		return report.ContestText(p.w, res, r.short, report.TextOptions{Captures: names, Color: places.colored(p)})
	})
}

// contestants are the scenario with the first generator, and the others.
func (r *contestCommand) contestants() (sc scenario.Scenario, against []scenario.Generator, err error) {
	if sc, err = r.scenario(); err != nil {
		return sc, nil, err
	}
	called := r.generators
	if len(called) == 0 && len(sc.Against) > 0 {
		return sc, sc.Against, nil
	}
	if len(called) == 0 {
		for _, e := range catalog.Entries() {
			if e.Name != "external" {
				called = append(called, e.Name+"/"+e.Variant)
			}
		}
	}
	base, seen := sc.Generator, map[string]bool{}
	for i, name := range called {
		g, err := base.Against(strings.TrimSpace(name))
		if err != nil {
			return sc, nil, usagef("--generators: %w", err)
		}
		key := g.Name + "/" + g.Variant
		if seen[key] {
			return sc, nil, usagef("--generators: %s is named twice", key)
		}
		seen[key] = true
		if i == 0 {
			sc.Generator = g
		} else {
			against = append(against, g)
		}
	}
	return sc, against, nil
}
