// Package catalog knows the id generators by the names that scenarios and the
// command line use.
//
// A generator is a package of its own and one line in the table here.
package catalog

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"twindrift/generator"
	"twindrift/generator/consumption"
	"twindrift/generator/redis"
	"twindrift/generator/secondslot"
)

// Options are what a caller may set of any generator. Start from Defaults.
type Options struct {
	Node        int   // tells generator processes apart
	Workers     int   // calls that the process makes at a time
	UTCOffsetMs int64 // local time less UTC, in ms, where ids say local time

	WrapIDs   bool // see secondslot.Config, as are the next three
	Step      int
	PerSecond int
	JumpLimit int

	ReachS    int64 // see secondslot.CorrectedConfig, as are the next four
	KeepDays  int64
	AheadDays int64
	ClampOld  bool
	Block     int

	ByEvent      bool // see rediscounter.Config, as are the next two
	CounterStart int64
	CounterBlock int64

	Range  int64 // see snowflake.Config, as is the next
	CallNs int64
	MaxSeq int64 // see redisstreams.Config

	External External

	Redis   *redis.Server // that the process shares with others; nil for one of its own
	Site    int64         // which of the sites around Redis the process is of
	Numbers []int32       // of the capture's partitions; nil where they count from 0
}

// External is a process that draws.
type External struct {
	Command []string
	NDJSON  bool   // framing; else binary
	Layout  string // what the digits of the ids mean, by a generator's name
	Timeout time.Duration
	Batch   int
}

// Defaults are the published constants, node 0.
func Defaults() Options {
	cfg := secondslot.DefaultCorrected()
	return Options{
		Workers:     1,
		UTCOffsetMs: cfg.UTCOffsetMs,
		Step:        cfg.Step,
		PerSecond:   cfg.PerSecond,
		JumpLimit:   cfg.JumpLimit,
		ReachS:      cfg.Reach,
		KeepDays:    cfg.KeepDays,
		AheadDays:   cfg.AheadDays,
		ClampOld:    cfg.ClampOld,
		Block:       cfg.Block,

		CounterBlock: 1000,
		Range:        1024,
		CallNs:       1000,
		MaxSeq:       999,
	}
}

// Entry is one generator. New makes it, with no state, together with the
// layout of its ids.
type Entry struct {
	Name    string
	Variant string
	Summary string // half a sentence for listings
	New     func(Options) (generator.Generator, generator.Layout, error)
	Traits

	// Concurrent makes one process for many goroutines, with no state: each
	// goroutine draws from a generator of its own that the function gives. It is
	// nil where there is no such form.
	Concurrent func(Options) (func() generator.Generator, generator.Layout, error)
}

// Traits are what a simulation has to know of a generator.
type Traits struct {
	Slots   bool             // ids are drawn from the slots of seconds, by the rules of second-slot
	ByClock bool             // ids are of the clock's second, not the event's
	Days    bool             // second-slot: the last second of a day borrows from the next day
	Kinds   []generator.Kind // what its ids can be beside drawn
	Redis   bool             // processes share a Redis: draws of all of them come in the order of virtual time
	ApartBy ApartBy
	Takes   []string // the groups of options that a scenario has for it
}

// ApartBy says what ids are told apart by, beside their digits.
type ApartBy uint8

// The ways.
const (
	Digits  ApartBy = iota // nothing: no two may be equal
	Servers                // the Redis that counts them
	Streams                // the stream that they stand in, one a site
	Shards                 // the stream that they stand in, one a partition and site
)

var undrawnSlots = []generator.Kind{generator.StaleDay, generator.JumpLimit, generator.DayEnd}

// table lists the generators, one line each; of one name, the default variant
// comes first.
var table = []Entry{
	{"second-slot", "published", "ids of the event's second, borrowing later seconds when it is full", newSecondSlot, Traits{Slots: true, Kinds: undrawnSlots}, newConcurrent},
	{"second-slot", "corrected", "the same ids, always drawn and never twice, or an error", newCorrected, Traits{Slots: true, Kinds: undrawnSlots, Days: true, Takes: []string{"corrected"}}, newShared},
	{"consumption-time", "published", "ids of the second in which the message is consumed", newConsumption, Traits{Slots: true, Kinds: undrawnSlots, ByClock: true}, nil},
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
	cfg := o.corrected()
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
	cfg := o.corrected()
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

func (o Options) corrected() secondslot.CorrectedConfig {
	return secondslot.CorrectedConfig{
		Config: o.secondSlot(),
		Reach:  o.ReachS, KeepDays: o.KeepDays, AheadDays: o.AheadDays, ClampOld: o.ClampOld,
		Block: min(o.Block, o.PerSecond),
	}
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
