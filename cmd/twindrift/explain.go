package main

import (
	"context"
	"errors"
	"fmt"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"twindrift/generator/catalog"
	"twindrift/generator/redisstreams"
	"twindrift/sim"
	"twindrift/sim/report"
	"twindrift/sim/scenario"
)

// explainCommand is what `twindrift explain` is asked for.
type explainCommand struct {
	replayFlags
	messages int
	outputs  []string
}

func newExplain(t *terminal) *cobra.Command {
	x := &explainCommand{replayFlags: replayFlags{t: t}}
	c := &cobra.Command{
		Use:   "explain ID|TOPIC/PARTITION@OFFSET [CAPTURE...]",
		Short: "Tell the story of one id, or of one message, in a run",
		Long: `Replays a capture as run does, with the same scenario, and tells what became of
one message at every site: when it was produced, appended, reached the site,
waited, was started and got its id; over which seconds the id's draw walked, and
what its digits say; and which other messages have the same id, where, and why.

Of an id it tells all this of some messages that have it: the original and one
of each cause, at each site. What is not in the run ends with status 1, and the
nearest that there is. Ids are written as the scenario's generator's are: those
of redis-streams ms-seq; a negative one comes last, after --.
(twindrift id explain is about the digits alone.)`,
		Example: `  twindrift explain 639082134302000000 --sample market-open
  twindrift explain settlements/3@6031 --sample two-midnights
  twindrift explain orders/0@17 -f scenario.yaml captures/ -o json`,
		Args: atLeast(1),
		RunE: func(c *cobra.Command, args []string) error { return x.run(c.Context(), args) },
	}
	x.bind(c)
	c.Flags().IntVar(&x.messages, "messages", 0, "how many messages that have the id to tell in full (default: the original and one of each cause, at each site)")
	bindOutputs(c, &x.outputs, textOrJSON)
	return c
}

func (x *explainCommand) run(ctx context.Context, args []string) error {
	asked, message, err := parseMessage(args[0])
	if err != nil {
		return err
	}
	if x.messages < 0 {
		return usagef("--messages %d: want 1 or more", x.messages)
	}
	outs, err := parseOutputs(x.outputs, textOrJSON)
	if err != nil {
		return err
	}
	sc, err := x.scenario()
	if err != nil {
		return err
	}
	if !message {
		if asked.ID, err = parseIDOf(&sc.Generator, args[0]); err != nil {
			return err
		}
	}
	source, _, err := x.source(args[1:], &sc)
	if err != nil {
		return err
	}
	places, err := x.t.openOutputs(outs)
	if err != nil {
		return err
	}
	defer places.abort()
	planning, replaying, finish := x.t.passes("replaying twice")
	story, err := sim.Explain(ctx, sim.Config{
		Source: source, Scenario: sc, Planning: planning, Replaying: replaying,
	}, asked, x.messages)
	finish()
	if err != nil {
		return err
	}
	err = places.each(func(p *place) error {
		if p.format == "json" {
			return report.ExplanationJSON(p.w, story)
		}
		return report.Explanation(p.w, story, report.TextOptions{Color: places.colored(p)})
	})
	if err != nil {
		return err
	}
	if !story.Found {
		return fmt.Errorf("%s: %s", story.Asked, story.Missing)
	}
	return nil
}

// parseMessage reads TOPIC/PARTITION@OFFSET; what is not of this kind may be an id.
func parseMessage(text string) (asked sim.Subject, message bool, err error) {
	name, offset, message := cutLast(text, "@")
	if !message {
		return sim.Subject{}, false, nil
	}
	topic, partition, ok := cutLast(name, "/")
	number, err := strconv.ParseInt(partition, 10, 32)
	at, offsetErr := strconv.ParseInt(offset, 10, 64)
	if !ok || topic == "" || errors.Join(err, offsetErr) != nil || number < 0 || at < 0 {
		return sim.Subject{}, true, usagef("%q is no message: want TOPIC/PARTITION@OFFSET, as orders/3@17", text)
	}
	return sim.Subject{Message: true, Topic: topic, Partition: int32(number), Offset: at}, true, nil
}

// parseIDOf reads an id as the ids of a generator are written. Any whole number may
// be asked for, but that ids of redis-streams are ms-seq.
func parseIDOf(g *scenario.Generator, text string) (int64, error) {
	entry, err := catalog.Find(g.Name, g.Variant)
	if err != nil {
		return 0, err
	}
	_, layout, err := entry.New(g.Options(0))
	if err != nil {
		return 0, err
	}
	_, entries := layout.(redisstreams.Layout)
	if id, err := strconv.ParseInt(text, 10, 64); err == nil && !entries {
		return id, nil
	}
	id, err := readerOf(layout).Parse(text)
	if err != nil {
		return 0, usagef("%w; a message is TOPIC/PARTITION@OFFSET, as orders/3@17", err)
	}
	return id, nil
}

// cutLast cuts text around the last separator.
func cutLast(text, separator string) (before, after string, found bool) {
	i := strings.LastIndex(text, separator)
	if i < 0 {
		return text, "", false
	}
	return text[:i], text[i+len(separator):], true
}
