package sim

import (
	"cmp"
	"encoding/json"
	"fmt"
	"math"
	"reflect"
	"slices"

	gocmp "github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"twindrift/replay"
	"twindrift/sim/delay"
	"twindrift/sim/duration"
	"twindrift/sim/result"
	"twindrift/sim/scenario"
)

// tempo is how close to each other things happen in a random case.
type tempo struct {
	spreadMs []int64 // of a capture, any of these
	momentMs int64   // the last at which something goes wrong
	lengths  []int64 // of what does, ns
	clockNs  int64   // how far clocks are off
	delays   []string
}

var (
	// calm has seconds that overflow easily.
	calm = tempo{
		spreadMs: []int64{400, 3000, 20_000, 100_000}, momentMs: 40_000, lengths: []int64{1e6, 100e6, 5e9, 30e9}, clockNs: 5e9,
		delays: []string{
			"0s", "0s", "5ms", "uniform:0s,3s", "lognormal:35ms,400ms", "exponential:100ms", "600s",
			"uniform:0s,3ms", "normal:1ms,1ms", "empirical:p0=0s,p50=10ms,max=2s",
			"gamma:5ms,80ms", "mixture:(3*1ms|1*exponential:1s)", "daily:(00:00=50ms;23:59:50=2s)",
			"daily:(00:00:05=uniform:0s,1s;06:00=mixture:(1*0s|1*lognormal:1ms,1s))",
		},
	}
	// hectic has milliseconds that do, for generators whose ids say those.
	hectic = tempo{
		spreadMs: []int64{5, 30}, momentMs: 20, lengths: []int64{1e6, 5e6, 40e6}, clockNs: 30e6,
		delays: []string{"0s", "0s", "0s", "1ms", "uniform:0s,3ms", "normal:1ms,1ms", "empirical:0s/0s/5ms", "exponential:100us"},
	}
)

// randomCapture draws a small capture around a local midnight.
func randomCapture(t *rapid.T) (parts []replay.Partition, batches []*replay.Batch) {
	return calm.randomCapture(t)
}

func (pace *tempo) randomCapture(t *rapid.T) (parts []replay.Partition, batches []*replay.Batch) {
	topics := []string{"a", "b"}
	base := rapid.SampledFrom([]int64{
		1_772_553_590_000, // 23:59:50 at UTC+8
		1_772_540_000_000,
		-20_000_000,               // before 1970
		1_772_540_000,             // seconds taken for ms
		1_772_540_000_000_000,     // microseconds
		1_772_540_000_000_000_000, // nanoseconds
	}).Draw(t, "base")
	within := rapid.SampledFrom(pace.spreadMs).Draw(t, "spread")
	odd := rapid.SampledFrom([]int{30, 30, 30, 50}).Draw(t, "oddities")
	for p := range rapid.IntRange(1, 4).Draw(t, "partitions") {
		n := 1 + spread(t, "messages", 59)
		b := &replay.Batch{}
		stamped := rapid.SampledFrom([]int8{replay.TimestampCreate, replay.TimestampCreate, replay.TimestampLogAppend}).Draw(t, "stamped by")
		offset := int64(0)
		for range n {
			offset += rapid.Int64Range(1, 3).Draw(t, "step")
			ms := base + spread(t, "ms", within)
			kind := stamped
			switch rapid.IntRange(0, odd).Draw(t, "odd") {
			case 40:
				ms = rapid.SampledFrom([]int64{0, 7_000_000_000_000, 253_402_300_799_999, 9_000_000_000_000_000_000}).Draw(t, "far off")
			case 0:
				ms, kind = replay.NoTimestamp, replay.TimestampNone
			case 1:
				ms += 86_400_000 // the next day
			case 2:
				ms = base // many in one second
			}
			seen := ms + rapid.Int64Range(-3000, 5000).Draw(t, "seen after")
			if ms == replay.NoTimestamp || seen == replay.NoTimestamp { // -1 says unknown
				seen = base
			}
			b.Offset = append(b.Offset, offset)
			b.ProcessedAtMs = append(b.ProcessedAtMs, seen)
			b.TimestampMs = append(b.TimestampMs, ms)
			b.TimestampType = append(b.TimestampType, kind)
			b.KeyHash = append(b.KeyHash, rapid.Uint64Range(0, 9).Draw(t, "key"))
			b.KeyLen = append(b.KeyLen, 1)
			b.ValueLen = append(b.ValueLen, rapid.Int32Range(-1, 9).Draw(t, "value"))
		}
		parts = append(parts, replay.Partition{Topic: topics[p/2], Number: int32(p % 2)})
		batches = append(batches, b)
	}
	return parts, batches
}

func memory(parts []replay.Partition, batches []*replay.Batch, blockRows int) *replay.Memory {
	m := &replay.Memory{BlockRows: blockRows}
	for i, p := range parts {
		m.Partition(p.Topic, p.Number, batches[i])
	}
	return m
}

func randomDelay(t *rapid.T, name string) delay.Dist { return calm.randomDelay(t, name) }

func (pace *tempo) randomDelay(t *rapid.T, name string) delay.Dist {
	d, err := delay.Parse(rapid.SampledFrom(pace.delays).Draw(t, name))
	if err != nil {
		t.Fatal(err)
	}
	return d
}

// moment is when something happens.
func (pace *tempo) moment(t *rapid.T, name string) scenario.Moment {
	return scenario.Moment{After: duration.Duration(spread(t, name, pace.momentMs) * 1e6)}
}

// spread is a number up to a largest. Those of rapid are small for the most part.
func spread(t *rapid.T, name string, largest int64) int64 {
	if rapid.Bool().Draw(t, name+" is small") {
		return rapid.Int64Range(0, largest).Draw(t, name)
	}
	n := int64(0)
	for range 6 {
		n *= 2
		if rapid.Bool().Draw(t, name+" bit") {
			n++
		}
	}
	return n * largest / 63
}

// length is how long it goes on.
func (pace *tempo) length(t *rapid.T, name string) duration.Duration {
	return duration.Duration(rapid.SampledFrom(pace.lengths).Draw(t, name))
}

func randomScenario(t *rapid.T) scenario.Scenario { return calm.randomScenario(t) }

func (pace *tempo) randomScenario(t *rapid.T) scenario.Scenario {
	s := scenario.Default()
	s.Seed = rapid.Int64Range(0, 1000).Draw(t, "seed")
	s.Generator = pace.randomGenerator(t)
	s.Append.NoTimestamp = rapid.SampledFrom([]string{scenario.NoTimestampAppend, scenario.NoTimestampSkip}).Draw(t, "no timestamp")
	s.Deadline = duration.Duration(rapid.SampledFrom([]int64{0, 1e6, 500e6, 900e9}).Draw(t, "deadline"))
	s.Filter.Keep = rapid.SampledFrom([]float64{1, 1, 0.5}).Draw(t, "keep")
	if rapid.Bool().Draw(t, "drops") {
		size := int32(5)
		s.Filter.Drop = []scenario.Rule{{KeyHashMod: []int64{3, 1}}, {Topic: "b", ValueLargerThan: &size}}
	}
	if rapid.IntRange(0, 4).Draw(t, "store off") == 0 {
		s.Store.Except = []string{"b"}
	}
	s.Store.Member = rapid.SampledFrom([]string{scenario.MemberKey, scenario.MemberID}).Draw(t, "member")
	s.Store.Deduplicate = rapid.IntRange(0, 3).Draw(t, "deduplicate") == 0
	if rapid.IntRange(0, 3).Draw(t, "what if") == 0 {
		s.Traffic = randomTraffic(t)
	}
	s.Sites = nil
	for i := range rapid.IntRange(1, 3).Draw(t, "sites") {
		site := scenario.NewSite(fmt.Sprintf("s%d", i))
		site.Link.Delay = pace.randomDelay(t, "link")
		if rapid.IntRange(0, 3).Draw(t, "topic delay") == 0 {
			site.Link.Topics = map[string]delay.Dist{"a": pace.randomDelay(t, "link of a")}
		}
		if site.Observed = rapid.IntRange(0, 5).Draw(t, "observed") == 0; site.Observed {
			site.Link = scenario.Link{}
		}
		site.Assignor = rapid.SampledFrom([]string{scenario.AssignRange, scenario.AssignRoundRobin}).Draw(t, "assign")
		for range rapid.IntRange(1, 3).Draw(t, "consumers") {
			c := scenario.NewSite("x", rapid.SampledFrom([]int32{0, 1, 2, 9, 11}).Draw(t, "node")).Consumers[0]
			if s.Generator.Corrected != nil {
				c.Node %= 10 // it refuses others
			}
			c.Workers = rapid.IntRange(1, 3).Draw(t, "workers")
			c.Parallel = rapid.SampledFrom([]string{scenario.ParallelMessages, scenario.ParallelPartitions}).Draw(t, "parallel")
			c.Service, c.Handling = pace.randomDelay(t, "service"), pace.randomDelay(t, "handling")
			if site.Observed {
				c.Service, c.Handling = delay.Dist{}, delay.Dist{}
			}
			site.Consumers = append(site.Consumers, c)
		}
		if rapid.Bool().Draw(t, "trouble") {
			pace.randomTrouble(t, &site)
		}
		s.Sites = append(s.Sites, site)
	}
	return s
}

// randomTraffic changes the traffic and leaves no partition without messages.
func randomTraffic(t *rapid.T) scenario.Traffic {
	return scenario.Traffic{
		Repeat: rapid.IntRange(1, 2).Draw(t, "repeat"),
		Scale:  rapid.SampledFrom([]float64{1, 1.5, 2}).Draw(t, "scale"),
		Burst: []scenario.Burst{{
			At:  scenario.Moment{After: duration.Duration(rapid.Int64Range(0, 20_000).Draw(t, "burst") * 1e6)},
			For: duration.Duration(2e9), Scale: rapid.SampledFrom([]float64{1, 1.25, 3}).Draw(t, "by"),
		}},
		Spread: duration.Duration(rapid.SampledFrom([]int64{0, 999e6}).Draw(t, "copies spread")),
		Shift:  duration.Duration(rapid.SampledFrom([]int64{0, 86_400e9, -1500e6}).Draw(t, "shift")),
	}
}

// randomTrouble has things go wrong at a site. The partitions that rebalances
// name are those of topic a, which every capture has.
func (pace *tempo) randomTrouble(t *rapid.T, s *scenario.Site) {
	often := func(name string) int { return max(0, rapid.IntRange(-2, 2).Draw(t, name)) }
	for range often("outages") {
		s.Link.Outages = append(s.Link.Outages, scenario.Stretch{At: pace.moment(t, "outage"), For: pace.length(t, "of outage")})
	}
	for i := range s.Consumers {
		c := &s.Consumers[i]
		c.Commit = duration.Duration(rapid.SampledFrom([]int64{0, 1e6, 1e9, 5e9, 60e9}).Draw(t, "commit"))
		for range often("stalls") {
			c.Stalls = append(c.Stalls, scenario.Stretch{At: pace.moment(t, "stall"), For: pace.length(t, "of stall")})
		}
		for range often("restarts") {
			r := scenario.Restart{At: pace.moment(t, "restart"), State: rapid.SampledFrom([]string{"lost", "kept", "snapshot"}).Draw(t, "state")}
			r.Down = duration.Duration(rapid.SampledFrom([]int64{0, 1e6, 3e9}).Draw(t, "down"))
			if r.State == scenario.StateSnapshot {
				r.Age = duration.Duration(rapid.SampledFrom([]int64{0, 1e9, 10e9}).Draw(t, "age"))
			}
			c.Restarts = append(c.Restarts, r)
		}
	}
	for range often("rebalances") {
		to := s.Consumers[rapid.IntRange(0, len(s.Consumers)-1).Draw(t, "to")].Node
		if slices.IndexFunc(s.Consumers, func(c scenario.Consumer) bool { return c.Node == to }) != lastWithNode(s, to) {
			continue // it would not say which
		}
		s.Rebalances = append(s.Rebalances, scenario.Rebalance{At: pace.moment(t, "rebalance"), Partitions: []string{"a"}, To: to})
	}
	if rapid.Bool().Draw(t, "redelivers") {
		s.Redelivery = scenario.Redelivery{Probability: rapid.SampledFrom([]float64{0.125, 0.5}).Draw(t, "probability"),
			After: duration.Duration(rapid.SampledFrom([]int64{0, 1e6, 3e9}).Draw(t, "after"))}
	}
	if pace == &hectic && rapid.Bool().Draw(t, "clock") || rapid.IntRange(0, 3).Draw(t, "clock") == 0 {
		s.Clock = scenario.Clock{Error: duration.Duration(rapid.Int64Range(-pace.clockNs/2, pace.clockNs/2).Draw(t, "error")), DriftPPM: rapid.Int64Range(-1000, 1000).Draw(t, "drift")}
		for range often("steps") {
			s.Clock.Steps = append(s.Clock.Steps, scenario.ClockStep{At: pace.moment(t, "step"), By: duration.Duration(spread(t, "by", 2*pace.clockNs) - pace.clockNs)})
		}
	}
}

// lastWithNode is the last consumer with a node number.
func lastWithNode(s *scenario.Site, node int32) int {
	for i := len(s.Consumers) - 1; ; i-- {
		if s.Consumers[i].Node == node {
			return i
		}
	}
}

// asTree is what JSON makes of v.
func asTree(t failer, v any) (tree any) {
	b, err := json.Marshal(v)
	if err == nil {
		err = json.Unmarshal(b, &tree)
	}
	if err != nil {
		t.Fatal(err)
	}
	return tree
}

type failer interface {
	Fatal(...any)
	Fatalf(string, ...any)
	Errorf(string, ...any)
	Helper()
}

// checkAgainstPlain compares a result with the plain model's: every field.
func checkAgainstPlain(t failer, sc *scenario.Scenario, parts []replay.Partition, batches []*replay.Batch, got *result.Result) {
	t.Helper()
	checkReplication(t, sc, 0, parts, batches, got)
}

// checkReplication does so for another replication than the run itself.
func checkReplication(t failer, sc *scenario.Scenario, replication uint32, parts []replay.Partition, batches []*replay.Batch, got *result.Result) {
	t.Helper()
	checkExplained(t, got)
	want := plainResult(t, sc, replication, parts, batches, got)
	for i, c := range got.Checks {
		if !c.Passed || c.Left != c.Right {
			t.Errorf("check %d, %s: %d and %d", i, c.Name, c.Left, c.Right)
		}
	}
	want.Checks, want.Notes = got.Checks, got.Notes
	if c, err := sc.Changes(); err != nil || !c.None() {
		want.Input.Notes = got.Input.Notes // they say what was changed
	}
	sameScenario := gocmp.Comparer(func(a, b scenario.Scenario) bool { return reflect.DeepEqual(asTree(t, a), asTree(t, b)) })
	closely := gocmp.Comparer(func(a, b float64) bool { return math.Abs(a-b) <= 1e-12*max(math.Abs(a), math.Abs(b)) })
	if d := gocmp.Diff(want, got, closely, sameScenario); d != "" {
		t.Errorf("the engine differs from the plain model (-plain +engine):\n%s", d)
	}
}

// listOf is the site's list.
func listOf(all []*plainDelivery, lane int) []*plainDelivery {
	var list []*plainDelivery
	for _, d := range all {
		if d.stored(lane) {
			list = append(list, d)
		}
	}
	slices.SortStableFunc(list, func(a, b *plainDelivery) int {
		return cmp.Or(cmp.Compare(a.ids[lane].id, b.ids[lane].id), cmp.Compare(a.part, b.part), cmp.Compare(a.offset, b.offset),
			cmp.Compare(a.nowMs, b.nowMs), cmp.Compare(a.consumer, b.consumer), cmp.Compare(a.life, b.life))
	})
	return list
}
