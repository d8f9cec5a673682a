package main

import (
	"errors"
	"fmt"
	"os"
	"strings"

	"github.com/spf13/cobra"

	"twindrift/datasets"
	"twindrift/replay"
	"twindrift/replay/recording"
	"twindrift/sim"
	"twindrift/sim/report"
	"twindrift/sim/result"
	"twindrift/sim/scenario"
)

// replayFlags are the flags of the commands that replay a capture: what it is,
// and the scenario.
type replayFlags struct {
	t        *terminal
	captures captureFlags
	sample   string
	file     string
	flags    scenario.Flags
}

// runCommand is what `twindrift run` is asked for.
type runCommand struct {
	replayFlags
	kafka   kafkaFlags
	outputs []string
	strict  bool
	profile profile
	memory  memoryFlags
}

func newRun(t *terminal) *cobra.Command {
	r := &runCommand{replayFlags: replayFlags{t: t}}
	c := &cobra.Command{
		Use:   "run [CAPTURE...]",
		Short: "Replay a capture through the sites: the main job",
		Long: `Replays a capture through simulated data centers and reports macro-order drift,
overflow offsets, late-push filtering and duplicates, at each site and between
them. A CAPTURE is a Parquet file, a folder or a pattern; several make one
capture. A traffic recipe (.yaml, see twindrift synth) is one too: its messages
are made as they are read, and need no file. Topics are recorded and then
replayed (--topic; twindrift capture keeps what it records). Without any of
these, an embedded sample is replayed (--sample).

The scenario comes from -f FILE (see twindrift scenario init), or from the flags
below, which also change what a file says. A flag with a value for each site
takes them with commas between; several consumers of a site are written 1+3.`,
		Example: `  twindrift run
  twindrift run captures/ -o text,json=result.json
  twindrift run evening.parquet --node 1,2 --delay 0s,lognormal:35ms,400ms
  twindrift run -b localhost:9092 --topic orders --from @-1h
  twindrift run --sample market-open --node 1+3,2+4
  twindrift run --scale 2.5 --window 5m..15m
  twindrift run --sample two-midnights --node 1,1 -q
  twindrift run --window ..5m --replications 5
  twindrift run --threshold 'sites.*.duplicates.ids == 0'`,
		RunE: func(c *cobra.Command, args []string) error { return r.run(c, args) },
	}
	r.bind(c)
	c.Flags().StringVar(&r.flags.Replications, "replications", "", "times to replay, each with other luck; figures then have 95 % confidence intervals (default 1)")
	bindThresholds(c, &r.flags.Thresholds)
	c.Flags().BoolVar(&r.strict, "strict", false, "exit with status 4 when the capture has gaps or dropped rows")
	bindOutputs(c, &r.outputs, runFormats)
	r.memory.bind(c)
	r.profile.bind(c)
	r.kafka.bind(c)
	return c
}

// bind gives a command the flags.
func (r *replayFlags) bind(c *cobra.Command) {
	f := c.Flags()
	f.SortFlags = false
	f.StringVar(&r.sample, "sample", "", "embedded sample to replay: "+strings.Join(datasets.Names(), ", ")+" (default "+datasets.Default+")")
	f.StringVarP(&r.file, "scenario", "f", "", "scenario `FILE` (YAML)")
	f.StringVar(&r.flags.Node, "node", "", "node numbers by site (default 1,2)")
	f.StringVar(&r.flags.Delay, "delay", "", "link delay by site: a duration or a distribution, as 0s,lognormal:35ms,400ms (p50, p99), which is the default")
	f.StringVar(&r.flags.Sites, "sites", "", "names of the sites (default east,west)")
	f.StringVar(&r.flags.Workers, "workers", "", "parallel workers of each consumer, by site (default 1)")
	f.StringVar(&r.flags.Service, "service", "", "time a message keeps its worker, by site (default 0s)")
	f.StringVar(&r.flags.Handling, "handling", "", "time from start to draw, by site (default 0s)")
	f.StringVar(&r.flags.Deadline, "deadline", "", "age past which a message is stored and not pushed (default 15m)")
	f.StringVar(&r.flags.Generator, "generator", "", "id generator, of those that twindrift id generators lists (default second-slot)")
	f.StringVar(&r.flags.Variant, "variant", "", "variant of the generator (default its first)")
	f.StringVar(&r.flags.Seed, "seed", "", "where all luck starts from (default 1)")
	f.StringVar(&r.flags.Scale, "scale", "", "times as many messages, above 0: 2.5 adds copies, 0.3 thins (default 1)")
	f.StringVar(&r.flags.Window, "window", "", "stretch of the capture to replay, FROM..TO: times after its start (10m..12m) or dates and times (2026-03-02T20:00:00+08:00..)")
	f.StringVar(&r.flags.Only, "only", "", "partitions to replay, as orders,trades/0-3 (default all)")
	r.captures.bind(c)
}

func (r *runCommand) run(c *cobra.Command, args []string) error {
	ctx := c.Context()
	outs, err := parseOutputs(r.outputs, runFormats)
	if err != nil {
		return err
	}
	memory, err := r.memory.bytes()
	if err != nil {
		return err
	}
	sc, err := r.scenario()
	if err != nil {
		return err
	}
	if err := r.checkThresholds(ctx, sc); err != nil {
		return err
	}
	if len(r.kafka.topics) > 0 {
		dir, err := r.recordTopics(c, args)
		if dir != "" {
			defer os.RemoveAll(dir)
		}
		if err != nil {
			return err
		}
		args = []string{dir}
	}
	source, names, err := r.source(args, &sc)
	if err != nil {
		return err
	}
	if len(r.kafka.topics) > 0 {
		names = r.kafka.topics
	}
	places, err := r.t.openOutputs(outs)
	if err != nil {
		return err
	}
	defer places.abort()
	stop, err := r.profile.start(r.t)
	if err != nil {
		return err
	}
	tidy()
	planning, replaying, finish := r.t.passes("replaying")
	res, err := sim.Run(ctx, sim.Config{
		Source: source, Scenario: sc, Deliveries: places.sink,
		Planning: planning, Replaying: replaying, Memory: memory, TempDir: r.memory.dir,
	})
	finish()
	if err := errors.Join(err, stop()); err != nil {
		return err
	}
	if err := places.finish(res, report.TextOptions{Captures: names}); err != nil {
		return err
	}
	if err := broken(res.Thresholds); err != nil {
		return err
	}
	if r.strict {
		return gapsIn(res)
	}
	return nil
}

// recordTopics records topics into a folder of its own, which is to be removed.
func (r *runCommand) recordTopics(c *cobra.Command, args []string) (dir string, err error) {
	if len(args) > 0 || r.sample != "" {
		return "", usagef("give either captures, --sample or --topic")
	}
	if dir, err = os.MkdirTemp(r.memory.dir, "twindrift-topics-"); err != nil {
		return "", err
	}
	k := &captureCommand{t: r.t, kafka: r.kafka, output: dir, title: strings.Join(r.kafka.topics, ", "), compression: "snappy", rotate: recording.RotateRows, strict: r.strict}
	err = k.run(c)
	r.t.kept = "" // the folder goes with the run
	if err != nil {
		return dir, err
	}
	if k.messages == 0 {
		return dir, fmt.Errorf("there is no message to be read in %s", strings.Join(r.kafka.topics, ", "))
	}
	return dir, nil
}

// gapsIn is an error where the input was not whole.
func gapsIn(res *result.Result) error {
	for _, n := range res.Input.Notes {
		if n.Kind == "gaps" || n.Kind == "null-timestamps" {
			return statusf(exitGaps, "--strict: %s", n.Text)
		}
	}
	return nil
}

// scenario is the file's or the default one, changed by the flags.
func (r *replayFlags) scenario() (scenario.Scenario, error) {
	if r.file == "" {
		sc, err := scenario.FromFlags(r.flags)
		if err != nil {
			return sc, usageError{err}
		}
		return sc, r.t.readDelays(&sc, "")
	}
	r.t.reads = append(r.t.reads, r.file)
	sc, err := scenario.Read(r.file)
	if err != nil {
		return sc, err
	}
	if err := r.t.readDelays(&sc, r.file); err != nil {
		return sc, err
	}
	if err := r.flags.Apply(&sc); err != nil {
		return sc, usageError{err}
	}
	return sc, r.t.readDelays(&sc, "") // what the flags name
}

// source is the capture for a scenario, and what to call it.
func (r *replayFlags) source(args []string, sc *scenario.Scenario) (replay.Source, []string, error) {
	if len(args) > 0 {
		if r.sample != "" {
			return nil, nil, usagef("give either captures or --sample %s", r.sample)
		}
		source, err := r.t.openCapture(&r.captures, args, &sc.Filter)
		return source, args, err
	}
	name := r.sample
	if name == "" {
		name = datasets.Default
	}
	source, err := datasets.Open(name)
	if err != nil {
		return nil, nil, usageError{err}
	}
	return source, []string{"sample " + name}, nil
}
