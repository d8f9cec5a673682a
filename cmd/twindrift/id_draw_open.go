package main

import (
	"slices"
	"strings"
	"time"

	"twindrift/generator"
	"twindrift/generator/catalog"
	"twindrift/generator/csvdraw"
	"twindrift/generator/redis"
)

// roundTrip is that of the Redis around which id draw draws, as a scenario's default.
const roundTrip = 500 * time.Microsecond

// open makes the generator that the flags name.
func (o *drawOptions) open() (csvdraw.Generator, error) {
	entry, err := catalog.Find(o.generator, o.variant)
	if err != nil {
		return nil, usageError{err}
	}
	o.variant = entry.Variant
	options := catalog.Defaults()
	options.UTCOffsetMs = o.utcOffset.Milliseconds()
	options.WrapIDs = true // whatever the timestamp, what the published code gives
	options.Redis = redis.New(redis.Config{RoundTripNs: int64(roundTrip)})
	if err := o.outside(entry, &options); err != nil {
		return nil, err
	}
	g, _, err := entry.New(options)
	if err != nil {
		return nil, usageError{err}
	}
	switch drawer, ok := g.(csvdraw.Generator); {
	case !ok:
		return &csvdraw.Processes{New: processOf(entry, options)}, nil
	case entry.Variant == "corrected":
		return &perNode{process: processOf(entry, options), made: map[int32]csvdraw.Generator{}}, nil
	default:
		return drawer, nil
	}
}

// outside fills in the options of a program that draws.
func (o *drawOptions) outside(entry catalog.Entry, options *catalog.Options) error {
	command := strings.Fields(o.command)
	switch external := slices.Contains(entry.Takes, "external"); {
	case !external && o.command != "":
		return usagef("--command %s: %s draws itself; a program goes with --generator external", o.command, entry.Name)
	case external && len(command) == 0:
		return usagef("--generator external: which program draws? Say --command 'python3 ids.py', or generator.external.command in a scenario")
	}
	options.External = catalog.External{Command: command, NDJSON: o.framing == "ndjson", Layout: o.layout}
	if o.framing != "ndjson" && o.framing != "binary" {
		return usagef("--framing %s: want binary or ndjson", o.framing)
	}
	return nil
}

// processOf makes the process of a node.
func processOf(entry catalog.Entry, options catalog.Options) func(node int32) (generator.Generator, generator.Layout, error) {
	return func(node int32) (generator.Generator, generator.Layout, error) {
		options.Node = int(node)
		return entry.New(options)
	}
}

// perNode draws for many nodes with a generator each, where one is of one node.
type perNode struct {
	process func(node int32) (generator.Generator, generator.Layout, error)
	made    map[int32]csvdraw.Generator
}

func (p *perNode) DrawNode(node int32, eventMs int64) (int64, generator.Outcome, error) {
	g := p.made[node]
	if g == nil {
		made, _, err := p.process(node)
		if err != nil {
			return 0, generator.Outcome{}, err
		}
		g = made.(csvdraw.Generator)
		p.made[node] = g
	}
	return g.DrawNode(node, eventMs)
}

// Reset restarts all of them.
func (p *perNode) Reset() {
	for _, g := range p.made {
		g.Reset()
	}
}
