package sim

import (
	"slices"
	"testing"

	"pgregory.net/rapid"

	"twindrift/generator/catalog"
	"twindrift/sim/duration"
	"twindrift/sim/scenario"
)

// randomGenerator is second-slot as published or its baseline in half of the cases, and
// otherwise any that needs no process outside.
func (pace *tempo) randomGenerator(t *rapid.T) scenario.Generator {
	names := []string{"second-slot", "second-slot", "second-slot", "consumption-time"}
	if pace != &calm || rapid.Bool().Draw(t, "other generator") {
		names = []string{"second-slot", "redis-counter", "redis-counter", "snowflake", "snowflake", "redis-streams", "redis-streams"}
	}
	name := rapid.SampledFrom(names).Draw(t, "generator")
	var variants []string
	for _, e := range catalog.Entries() {
		if e.Name == name && (len(names) > 4 || e.Variant == "published") {
			variants = append(variants, e.Variant)
		}
	}
	return pace.randomOptions(t, name, rapid.SampledFrom(variants).Draw(t, "variant"))
}

// randomOptions are options of a generator with which things happen.
func (pace *tempo) randomOptions(t *rapid.T, name, variant string) scenario.Generator {
	entry, err := catalog.Find(name, variant)
	if err != nil {
		t.Fatal(err)
	}
	takes := func(group string) bool { return slices.Contains(entry.Takes, group) }
	g := scenario.Default().Generator
	g.Name, g.Variant = name, variant
	g.UTCOffset = duration.Duration(rapid.SampledFrom([]int64{8, 8, 6, 10}).Draw(t, "utc offset") * 3_600e9)
	if entry.Slots {
		g.PerSecond = rapid.SampledFrom([]int64{1, 2, 3, 5, 20, 5000}).Draw(t, "per second")
		g.JumpLimit = rapid.SampledFrom([]int64{0, 1, 3, 16}).Draw(t, "jump limit")
		g.Step = rapid.SampledFrom([]int64{200, 100, 400_000}).Draw(t, "step")
	}
	if takes("corrected") {
		g.Step = rapid.SampledFrom([]int64{200, 129}).Draw(t, "safe step")
		g.Corrected = &scenario.Corrected{
			Reach:     duration.Duration(rapid.SampledFrom([]int64{0, 1, 3, 600}).Draw(t, "reach") * 1e9),
			KeepDays:  rapid.Int64Range(0, 2).Draw(t, "keep days"),
			AheadDays: rapid.Int64Range(0, 2).Draw(t, "ahead days"),
			ClampOld:  rapid.Bool().Draw(t, "clamp old"),
			Block:     rapid.SampledFrom([]int64{0, 1, 3, 50}).Draw(t, "block"),
		}
	}
	if takes("redis") {
		g.Redis = pace.randomRedis(t)
	}
	if takes("counter") {
		g.Counter = &scenario.Counter{
			Time:  rapid.SampledFrom([]string{"now", "event"}).Draw(t, "time"),
			Start: rapid.SampledFrom([]int64{0, 0, 1<<31 - 20, 1<<32 - 20, 1<<33 - 5}).Draw(t, "start"),
			Block: 1000,
		}
		if variant == "corrected" {
			g.Counter.Block = rapid.SampledFrom([]int64{1, 2, 7, 1000}).Draw(t, "numbers")
		}
	}
	if takes("snowflake") {
		g.Snowflake = &scenario.Snowflake{Range: 1024, Call: 1000}
		switch variant {
		case "preallocated-published":
			g.Snowflake.Range = rapid.SampledFrom([]int64{1, 2, 3, 10, 512, 1024, 4096}).Draw(t, "range")
		case "preallocated-corrected":
			g.Snowflake.Range = rapid.SampledFrom([]int64{512, 1024}).Draw(t, "whole range")
		case "unsynchronised":
			g.Snowflake.Call = duration.Duration(rapid.SampledFrom([]int64{1000, 300_000, 5e6}).Draw(t, "call"))
		}
	}
	if takes("streams") {
		g.Streams = &scenario.Streams{MaxSeq: 999}
		if variant == "monotonic" || variant == "monotonic-retry" {
			g.Streams.MaxSeq = rapid.SampledFrom([]int64{1, 2, 5, 999}).Draw(t, "max seq")
		}
	}
	return g
}

// randomRedis is a server for which things go wrong.
func (pace *tempo) randomRedis(t *rapid.T) *scenario.Redis {
	r := &scenario.Redis{
		Shared:    rapid.Bool().Draw(t, "shared"),
		RoundTrip: duration.Duration(rapid.SampledFrom([]int64{0, 1000, 500_000, 7e6}).Draw(t, "round trip")),
	}
	for range max(0, rapid.IntRange(-2, 2).Draw(t, "redis outages")) {
		r.Outages = append(r.Outages, scenario.Stretch{At: pace.moment(t, "redis outage"),
			For: pace.length(t, "of redis outage")})
	}
	for range max(0, rapid.IntRange(-2, 3).Draw(t, "failovers")) {
		r.Failovers = append(r.Failovers, scenario.Failover{At: pace.moment(t, "failover"), Lose: spread(t, "lose", 20)})
	}
	return r
}

// Every scenario that is drawn is one that a user could write.
func TestRandomScenariosAreValid(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		sc := randomScenario(t)
		if err := sc.Validate(); err != nil {
			t.Fatal(err)
		}
	})
}
