package catalog

import (
	"cmp"
	"fmt"

	"twindrift/generator"
	"twindrift/generator/external"
	"twindrift/generator/redis"
	"twindrift/generator/rediscounter"
	"twindrift/generator/redisstreams"
	"twindrift/generator/snowflake"
)

// server is the Redis of a process.
func (o Options) server() *redis.Server {
	if o.Redis == nil {
		return redis.New(redis.Config{})
	}
	return o.Redis
}

// made is what New of an Entry gives.
func made[G generator.Generator](g G, err error, layout generator.Layout) (generator.Generator, generator.Layout, error) {
	if err != nil {
		return nil, nil, err
	}
	return g, layout, nil
}

func (o Options) counter() rediscounter.Config {
	return rediscounter.Config{
		Server: o.server(), UTCOffsetMs: o.UTCOffsetMs, ByEvent: o.ByEvent, Start: o.CounterStart,
		Node: o.Node, Block: o.CounterBlock,
	}
}

func newCounter(o Options) (generator.Generator, generator.Layout, error) {
	cfg := o.counter()
	g, err := rediscounter.New(cfg)
	return made(g, err, cfg.Layout())
}

func newCounterCorrected(o Options) (generator.Generator, generator.Layout, error) {
	cfg := o.counter()
	g, err := rediscounter.NewCorrected(cfg)
	return made(g, err, cfg.Layout())
}

func newPreallocated(o Options) (generator.Generator, generator.Layout, error) {
	g, err := snowflake.NewPreallocated(snowflake.PreallocatedConfig{Server: o.server(), Worker: int64(o.Node), Range: o.Range})
	return made(g, err, snowflake.Layout{})
}

func newPreallocatedCorrected(o Options) (generator.Generator, generator.Layout, error) {
	cfg := snowflake.DefaultCorrected(o.server())
	cfg.Worker, cfg.Range = int64(o.Node), o.Range
	g, err := snowflake.NewCorrected(cfg)
	return made(g, err, snowflake.Layout{})
}

func newLocked(o Options) (generator.Generator, generator.Layout, error) {
	g, err := snowflake.NewLocked(snowflake.LockedConfig{Server: o.server(), Worker: int64(o.Node)})
	return made(g, err, snowflake.Layout{})
}

func newTwoLevel(o Options) (generator.Generator, generator.Layout, error) {
	cfg := snowflake.DefaultTwoLevel(o.server())
	cfg.Worker, cfg.TripNs = int64(o.Node), o.server().RoundTripNs()
	g, err := snowflake.NewTwoLevel(cfg)
	return made(g, err, snowflake.Layout{})
}

func newAdaptive(o Options) (generator.Generator, generator.Layout, error) {
	g, err := snowflake.NewAdaptive(snowflake.AdaptiveConfig{Server: o.server(), Worker: int64(o.Node)})
	return made(g, err, snowflake.Layout{})
}

func newUnsynchronised(o Options) (generator.Generator, generator.Layout, error) {
	g, err := snowflake.NewUnsynchronised(snowflake.UnsynchronisedConfig{Worker: int64(o.Node), Workers: o.Workers, CallNs: o.CallNs})
	return made(g, err, snowflake.Layout{})
}

func newStreams(strategy redisstreams.Strategy, retry bool) func(Options) (generator.Generator, generator.Layout, error) {
	return func(o Options) (generator.Generator, generator.Layout, error) {
		g, err := redisstreams.New(redisstreams.Config{
			Server: o.server(), Site: o.Site, Strategy: strategy, Retry: retry, MaxSeq: o.MaxSeq, PartitionNumber: o.Numbers,
		})
		return made(g, err, redisstreams.Layout{})
	}
}

func newExternal(o Options) (generator.Generator, generator.Layout, error) {
	layout, err := o.layout()
	if err != nil {
		return nil, nil, err
	}
	framing := external.Binary
	if o.External.NDJSON {
		framing = external.NDJSON
	}
	g, err := external.New(external.Config{
		Command: o.External.Command, Framing: framing, Node: o.Node, PartitionNumber: o.Numbers,
		Timeout: o.External.Timeout, Batch: o.External.Batch, Layout: layout,
	})
	return made(g, err, layout)
}

// layout is what the digits of an external generator's ids mean.
func (o Options) layout() (generator.Layout, error) {
	switch name := cmp.Or(o.External.Layout, "second-slot"); name {
	case "second-slot":
		cfg := o.secondSlot()
		return cfg.Layout(), nil
	case "redis-counter":
		return rediscounter.Layout{UTCOffsetMs: o.UTCOffsetMs}, nil
	case "snowflake":
		return snowflake.Layout{}, nil
	case "redis-streams":
		return redisstreams.Layout{}, nil
	default:
		return nil, fmt.Errorf("external: no layout of ids is called %q; there is: second-slot, redis-counter, snowflake, redis-streams", name)
	}
}
