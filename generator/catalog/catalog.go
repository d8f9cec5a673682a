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
	"twindrift/generator/redis"
	"twindrift/generator/redisstreams"
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

// table lists the generators, one line each; of one name, the default variant
// comes first.
var table = []Entry{
	{"second-slot", "published", "ids of the event's second, borrowing later seconds when it is full", newSecondSlot, slots, newConcurrent},
	{"second-slot", "corrected", "the same ids, always drawn and never twice, or none", newCorrected, slots.in(Traits{Days: true}).takes("corrected"), newShared},
	{"consumption-time", "published", "second-slot ids of the second in which the message is consumed", newConsumption, slots.in(Traits{ByClock: true}), nil},

	{"redis-counter", "published", "the clock's second and a count of the day that Redis keeps", newCounter, counted.in(Traits{Kinds: kinds{generator.CounterOverflow, generator.CounterBack}}), nil},
	{"redis-counter", "corrected", "the same, in blocks, with a fallback of its own while Redis is down", newCounterCorrected, counted.in(Traits{Kinds: kinds{generator.CounterBack}, Alone: true}), nil},

	{"snowflake", "preallocated-published", "the clock's ms, a worker, and numbers of ranges that Redis allots, as published", newPreallocated, snow.in(Traits{Kinds: kinds{generator.NegativeRange, generator.SequenceSpill, generator.CounterBack, generator.StaleRange}}), nil},
	{"snowflake", "preallocated-corrected", "the same, with ranges of a ms that stay in the digits of the sequence", newPreallocatedCorrected, snow.in(Traits{Kinds: kinds{generator.CounterBack}}), nil},
	{"snowflake", "locked-published", "a lock in Redis for every id but the first of a ms, which is 0", newLocked, snow.in(Traits{Kinds: kinds{generator.ZeroID}}), nil},
	{"snowflake", "two-level", "an allocation service deals blocks of numbers to processes", newTwoLevel, snow, nil},
	{"snowflake", "adaptive", "blocks of numbers from Redis, as large as the rate asks for", newAdaptive, snow, nil},
	{"snowflake", "unsynchronised", "no lock at all: calls that overlap give one id (control group)", newUnsynchronised, Traits{ByClock: true, Takes: []string{"snowflake"}, Kinds: kinds{generator.Overlap}}, nil},

	{"redis-streams", "event", "entry ids of the event's ms, in one stream a site", newStreams(redisstreams.Event, false), stream, nil},
	{"redis-streams", "event-retry", "the same; a refused write goes above the last entry", newStreams(redisstreams.Event, true), stream, nil},
	{"redis-streams", "auto", "entry ids of the server's clock (XADD *)", newStreams(redisstreams.Auto, false), stream.in(Traits{ByClock: true}), nil},
	{"redis-streams", "monotonic", "the event's ms where it is later than the producer's last, else above that", newStreams(redisstreams.Monotonic, false), stream, nil},
	{"redis-streams", "monotonic-retry", "the same; a refused write goes above the last entry", newStreams(redisstreams.Monotonic, true), stream, nil},
	{"redis-streams", "partition-coded", "the event's ms, and the partition in the sequence", newStreams(redisstreams.PartitionCoded, false), stream.in(Traits{Kinds: kinds{generator.SequenceSpill, generator.CounterBack}}), nil},
	{"redis-streams", "partition-coded-retry", "the same; a refused write goes above the last entry", newStreams(redisstreams.PartitionCoded, true), stream.in(Traits{Kinds: kinds{generator.SequenceSpill, generator.CounterBack}}), nil},
	{"redis-streams", "sharded", "entry ids of the event's ms, in a stream for each partition", newStreams(redisstreams.Sharded, false), stream.in(Traits{ApartBy: Shards}), nil},
	{"redis-streams", "sharded-retry", "the same; a refused write goes above the last entry", newStreams(redisstreams.Sharded, true), stream.in(Traits{ApartBy: Shards}), nil},

	{"external", "process", "ids from a program of your own, a process for each consumer", newExternal, Traits{Takes: []string{"external"}}, nil},
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
