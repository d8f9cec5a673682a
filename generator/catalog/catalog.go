// Package catalog knows the id generators by the names that scenarios and the
// command line use.
//
// A generator is a package of its own and one line in the table here.
package catalog

import (
	"fmt"
	"slices"
	"strings"

	"twindrift/generator"
	"twindrift/generator/consumption"
	"twindrift/generator/secondslot"
)

// Options are what a caller may set of any generator. Start from Defaults.
type Options struct {
	Node        int   // tells generator processes apart
	UTCOffsetMs int64 // local time less UTC, in ms, where ids say local time
	WrapIDs     bool  // see secondslot.Config
	Step        int   // see secondslot.Config, as are the next two
	PerSecond   int
	JumpLimit   int
}

// Defaults are the published constants, node 0.
func Defaults() Options {
	cfg := secondslot.DefaultConfig()
	return Options{
		UTCOffsetMs: cfg.UTCOffsetMs,
		Step:        cfg.Step,
		PerSecond:   cfg.PerSecond,
		JumpLimit:   cfg.JumpLimit,
	}
}

// Entry is one generator. New makes it, with no state, together with the
// layout of its ids.
type Entry struct {
	Name    string
	Variant string
	Summary string // half a sentence for listings
	ByClock bool   // ids are of the clock's second, not the event's
	Days    bool   // the last second of a day borrows from the next day
	New     func(Options) (generator.Generator, generator.Layout, error)

	// Concurrent makes one process for many goroutines, with no state: each
	// goroutine draws from a generator of its own that the function gives. It is
	// nil where there is no such form.
	Concurrent func(Options) (func() generator.Generator, generator.Layout, error)
}

// table lists the generators, one line each; of one name, the default variant
// comes first.
var table = []Entry{
	{"second-slot", "published", "ids of the event's second, borrowing later seconds when it is full", false, false, newSecondSlot, newConcurrent},
	{"second-slot", "corrected", "the same ids, always drawn and never twice, or an error", false, true, newCorrected, newShared},
	{"consumption-time", "published", "ids of the second in which the message is consumed", true, false, newConsumption, nil},
}

// Entries are the known generators in the order of listings.
func Entries() []Entry { return slices.Clone(table) }

// Find gives the generator of a name and a variant; an empty variant means the
// default one of that name. The error of an unknown name or variant lists the
// known ones and the nearest.
func Find(name, variant string) (Entry, error) {
	var names, variants []string
	for _, e := range table {
		if e.Name == name {
			if variant == "" || e.Variant == variant {
				return e, nil
			}
			variants = append(variants, e.Variant)
		}
		if !slices.Contains(names, e.Name) {
			names = append(names, e.Name)
		}
	}
	if variants != nil {
		return Entry{}, unknown("variant of generator "+name, variant, variants)
	}
	return Entry{}, unknown("generator", name, names)
}

// unknown says that got is not one of known, and which of them it may mean.
func unknown(what, got string, known []string) error {
	meant := nearest(got, known)
	if meant != "" {
		meant = fmt.Sprintf(" (did you mean %q?)", meant)
	}
	return fmt.Errorf("no %s is called %q%s; there is: %s", what, got, meant, strings.Join(known, ", "))
}

func newSecondSlot(o Options) (generator.Generator, generator.Layout, error) {
	cfg := o.secondSlot()
	g, err := secondslot.New(cfg)
	if err != nil {
		return nil, nil, err
	}
	return g, cfg.Layout(), nil
}

func newCorrected(o Options) (generator.Generator, generator.Layout, error) {
	cfg := secondslot.DefaultCorrected()
	cfg.Config = o.secondSlot()
	cfg.Block = min(cfg.Block, cfg.PerSecond)
	g, err := secondslot.NewCorrected(cfg)
	if err != nil {
		return nil, nil, err
	}
	return g, cfg.Layout(), nil
}

func newConcurrent(o Options) (func() generator.Generator, generator.Layout, error) {
	cfg := o.secondSlot()
	c, err := secondslot.NewConcurrent(cfg)
	if err != nil {
		return nil, nil, err
	}
	return func() generator.Generator { return c }, cfg.Layout(), nil
}

func newShared(o Options) (func() generator.Generator, generator.Layout, error) {
	cfg := secondslot.DefaultCorrected()
	cfg.Config = o.secondSlot()
	s, err := secondslot.NewShared(cfg)
	if err != nil {
		return nil, nil, err
	}
	return func() generator.Generator { return s.Worker() }, cfg.Layout(), nil
}

func newConsumption(o Options) (generator.Generator, generator.Layout, error) {
	cfg := o.secondSlot()
	g, err := consumption.New(cfg)
	if err != nil {
		return nil, nil, err
	}
	return g, cfg.Layout(), nil
}

func (o Options) secondSlot() secondslot.Config {
	return secondslot.Config{
		Node:        o.Node,
		UTCOffsetMs: o.UTCOffsetMs,
		WrapIDs:     o.WrapIDs,
		Step:        o.Step,
		PerSecond:   o.PerSecond,
		JumpLimit:   o.JumpLimit,
	}
}
