package sim

import (
	"slices"
	"testing"

	"pgregory.net/rapid"

	"twindrift/generator/catalog"
	"twindrift/replay"
	"twindrift/sim/duration"
	"twindrift/sim/scenario"
)

// Every generator where all goes wrong within a few milliseconds: restarts,
// clocks that are set back, processes with one node, Redis down and failed over.
func TestCrowdedMillisecondsAgainstPlainModel(t *testing.T) {
	var entries []catalog.Entry
	for _, e := range catalog.Entries() {
		if e.Name != "external" {
			entries = append(entries, e)
		}
	}
	seen := map[string]bool{}
	rapid.Check(t, func(t *rapid.T) {
		e := entries[rapid.IntRange(0, len(entries)-1).Draw(t, "entry")]
		for _, s := range crowdedCase(t, e).run(t).Sites {
			for cause, n := range s.Duplicates.ByCause {
				seen[cause] = seen[cause] || n > 0
			}
		}
	})
	for _, cause := range []string{"restart", "clock-back", "shared-node", "separate", "counter-back", "zero-id", "negative-range", "overlap"} {
		if !seen[cause] {
			t.Logf("no duplicate was seen with the cause %s", cause)
		}
	}
}

func crowdedCase(t *rapid.T, e catalog.Entry) *modelCase {
	pace := hectic
	c := &modelCase{blockRows: rapid.IntRange(1, 8).Draw(t, "block rows"), epochBlocks: rapid.IntRange(1, 8).Draw(t, "epoch blocks")}
	for p := range int32(3) {
		b := &replay.Batch{}
		for i := range int64(30) {
			ms := 1_772_553_599_990 + spread(t, "ms", 20)
			b.Offset, b.TimestampMs, b.TimestampType = append(b.Offset, i), append(b.TimestampMs, ms), append(b.TimestampType, replay.TimestampCreate)
			b.ProcessedAtMs = append(b.ProcessedAtMs, ms)
			b.KeyHash, b.KeyLen, b.ValueLen = append(b.KeyHash, uint64(i)), append(b.KeyLen, 1), append(b.ValueLen, 1)
		}
		c.partitions, c.batches = append(c.partitions, replay.Partition{Topic: "a", Number: p}), append(c.batches, b)
	}
	c.scenario = scenario.Default()
	c.scenario.Seed = 1
	c.scenario.Generator = pace.randomOptions(t, e.Name, e.Variant)
	c.scenario.Sites = nil
	moment := func(name string) scenario.Moment {
		return scenario.Moment{After: duration.Duration(spread(t, name, 20) * 1e6)}
	}
	for i := range 2 {
		s := scenario.NewSite([]string{"s0", "s1"}[i], 1, rapid.SampledFrom([]int32{1, 2}).Draw(t, "node"))
		s.Assignor = scenario.AssignRoundRobin
		if rapid.Bool().Draw(t, "clock") {
			s.Clock.Steps = []scenario.ClockStep{{At: moment("step"), By: -duration.Duration(spread(t, "back", 9) * 1e6)}}
		}
		for k := range s.Consumers {
			n := &s.Consumers[k]
			n.Workers, n.Service = 2, pace.randomDelay(t, "service")
			n.Commit = duration.Duration(rapid.SampledFrom([]int64{0, 1e6, 60e9}).Draw(t, "commit"))
			if rapid.Bool().Draw(t, "restarts") {
				r := scenario.Restart{At: moment("restart"), State: rapid.SampledFrom([]string{"lost", "snapshot", "kept"}).Draw(t, "state")}
				if r.State == scenario.StateSnapshot {
					r.Age = duration.Duration(2e6)
				}
				n.Restarts = []scenario.Restart{r}
			}
		}
		c.scenario.Sites = append(c.scenario.Sites, s)
	}
	if e.Slots && c.scenario.Generator.Corrected != nil {
		c.scenario.Generator.PerSecond = max(c.scenario.Generator.PerSecond, 20)
	}
	if slices.Contains(e.Takes, "redis") && rapid.Bool().Draw(t, "no delay") {
		c.scenario.Generator.Redis.RoundTrip = 0
	}
	return c
}
