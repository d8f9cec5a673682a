package redisstreams

import (
	"errors"
	"fmt"

	"twindrift/generator/redis"
)

// Strategy is how the ids of entries are chosen, by the name that scenarios and reports
// use.
type Strategy string

// The strategies.
const (
	Auto           Strategy = "auto"
	Event          Strategy = "event"
	Monotonic      Strategy = "monotonic"
	PartitionCoded Strategy = "partition-coded"
	Sharded        Strategy = "sharded"
)

// writers say how each strategy writes the entry of a message.
var writers = []struct {
	strategy Strategy
	write    func(*Generator, call) (entry, error)
}{
	{Auto, (*Generator).writeAuto},
	{Event, (*Generator).writeEvent},
	{Monotonic, (*Generator).writeMonotonic},
	{PartitionCoded, (*Generator).writePartitionCoded},
	{Sharded, (*Generator).writeSharded},
}

// Strategies are all of them.
func Strategies() (all []Strategy) {
	for _, w := range writers {
		all = append(all, w.strategy)
	}
	return all
}

// DefaultMaxSeq is the last sequence number that Monotonic gives in a ms.
const DefaultMaxSeq = 999

// Config says where and how a process writes.
type Config struct {
	// Server holds the streams; processes that share it and Site write to the same.
	Server *redis.Server
	// Site is part of the streams' keys, so that sites that share a server have streams
	// of their own.
	Site     int64
	Strategy Strategy
	// Retry has a refused write tried again above the stream's last id, for 2 round trips
	// more. Auto is never refused.
	Retry bool
	// MaxSeq is the last sequence number that Monotonic gives in a ms before it borrows
	// the next one, at most 1,048,575; 0 means DefaultMaxSeq.
	MaxSeq int64
	// PartitionNumber is, for PartitionCoded, the number of each partition, 0 or more, by
	// the index that calls give; nil takes the index for the number.
	PartitionNumber []int32
}

// New makes the generator of one process, which has just started. Its error is the first
// contradiction in cfg.
func New(cfg Config) (*Generator, error) {
	if cfg.Server == nil {
		return nil, errors.New("redis-streams: no server")
	}
	if cfg.MaxSeq < 0 || cfg.MaxSeq > maxSeq {
		return nil, fmt.Errorf("redis-streams: %d as the last sequence number of a ms: want 1 to %d, or 0 for %d", cfg.MaxSeq, maxSeq, DefaultMaxSeq)
	}
	for i, n := range cfg.PartitionNumber {
		if n < 0 {
			return nil, fmt.Errorf("redis-streams: partition index %d: number %d: want 0 or more", i, n)
		}
	}
	g := &Generator{server: cfg.Server, site: cfg.Site, retry: cfg.Retry, lastSeq: maxSeq, numbers: cfg.PartitionNumber, auto: cfg.Strategy == Auto}
	if cfg.Strategy == Monotonic {
		if g.lastSeq = uint64(cfg.MaxSeq); g.lastSeq == 0 {
			g.lastSeq = DefaultMaxSeq
		}
	}
	for _, w := range writers {
		if w.strategy == cfg.Strategy {
			g.write = w.write
			return g, nil
		}
	}
	return nil, fmt.Errorf("redis-streams: no strategy is called %q; there is: %v", cfg.Strategy, Strategies())
}
