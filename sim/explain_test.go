package sim

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"twindrift/generator/redisstreams"
	"twindrift/replay"
	"twindrift/sim/delay"
	"twindrift/sim/duration"
	"twindrift/sim/measure"
	"twindrift/sim/report"
	"twindrift/sim/result"
	"twindrift/sim/scenario"
)

// config is the run in small epochs; in half of the cases all that waits goes to
// disk.
func (c *modelCase) config() Config {
	return Config{
		Source: memory(c.partitions, c.batches, c.blockRows), Scenario: c.scenario,
		epochBlocks: c.epochBlocks, Memory: int64(c.blockRows % 2), inOrder: c.blockRows%3 == 0,
	}
}

// What Explain tells of messages and ids of random runs is what the plain model
// says, and what the run's result says.
func TestExplainAgainstPlainModel(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		c := randomCase(t)
		sc, cfg := c.scenario, c.config()
		parts, batches, err := c.changed()
		if err != nil {
			t.Skip("a case without traffic")
		}
		messages := plainAppend(parts, batches, sc.Append.NoTimestamp)
		sites, lanes := plainRun(t, &sc, 0, parts, messages)
		by := lanes[chosen]
		var all []*plainDelivery
		for _, w := range sites {
			all = append(all, w.all...)
		}
		if len(all) == 0 {
			return
		}
		d := shared(all)[rapid.IntRange(0, 1<<20).Draw(t, "message")%len(shared(all))]
		p := parts[d.part]
		told, err := Explain(t.Context(), cfg, Subject{Message: true, Topic: p.Topic, Partition: p.Number, Offset: d.offset}, 0)
		if err != nil || !told.Found || len(told.Messages) != 1 {
			t.Fatalf("%s/%d@%d: error %v, %+v", p.Topic, p.Number, d.offset, err, told)
		}
		checkMessage(t, &told.Messages[0], by, sites, d)
		checkText(t, told)
		for _, id := range told.IDs {
			checkID(t, &id, by, sites)
		}
		d = shared(all)[rapid.IntRange(0, 1<<20).Draw(t, "id")%len(shared(all))]
		if id := d.ids[chosen].id; d.drawn(chosen) {
			told, err := Explain(t.Context(), cfg, Subject{ID: id}, 0)
			if err != nil || !told.Found || len(told.IDs) != 1 {
				t.Fatalf("id %d: error %v, %+v", id, err, told)
			}
			checkID(t, &told.IDs[0], by, sites)
			checkText(t, told)
		}
	})
}

// shared are the deliveries whose id others have too; all if there are none.
func shared(all []*plainDelivery) (some []*plainDelivery) {
	have := map[int64]int{}
	for _, d := range all {
		if d.drawn(chosen) {
			have[d.ids[chosen].id]++
		}
	}
	for _, d := range all {
		if d.drawn(chosen) && have[d.ids[chosen].id] > 1 {
			some = append(some, d)
		}
	}
	if some == nil {
		return all
	}
	return some
}

// checkMessage holds a story against the plain model's deliveries of d's message.
func checkMessage(t failer, m *result.ExplainedMessage, by *plainLane, sites []*plainWorld, d *plainDelivery) {
	t.Helper()
	for i, at := range m.Sites {
		var want []*plainDelivery
		for _, p := range sites[i].all {
			if p.part == d.part && p.offset == d.offset {
				want = append(want, p)
			}
		}
		slices.SortStableFunc(want, func(a, b *plainDelivery) int {
			return cmp.Or(cmp.Compare(a.draw, b.draw), cmp.Compare(a.consumer, b.consumer))
		})
		if len(at.Deliveries) != len(want) {
			t.Fatalf("%s: %d deliveries told, want %d", at.Site, len(at.Deliveries), len(want))
		}
		for k, got := range at.Deliveries {
			w := want[k]
			id := ""
			if w.drawn(chosen) {
				id = by.text(w.ids[chosen].id)
			}
			appendNs := (w.append - w.base) * 1e6
			if got.Node != w.node || got.WaitNs != w.start-w.arrival || got.HandlingNs != w.draw-w.start || got.LinkNs != w.arrival-appendNs ||
				got.NowMs != w.nowMs || got.AgeMs != w.nowMs-w.eventMs || got.ID != id || (got.State == "filtered") != w.filtered || (got.State == "store-off") != (w.storeOff && w.drawn(chosen)) || (got.State == "deduplicated") != w.known[chosen] ||
				(got.State == "refused") != (!w.filtered && !w.drawn(chosen)) || !w.filtered && got.Kind != w.ids[chosen].kind.String() || (w.delivery > 0) != (got.Reason != "") {
				t.Fatalf("%s, delivery %d:\n told %+v\n want %+v", at.Site, k, got, w)
			}
			if id != "" && by.Slots && by.Variant == "published" && int64(len(got.Walk)) != w.ids[chosen].hops+hopless(got.Kind) {
				t.Fatalf("%s, delivery %d: %d slots told, %d hops: %+v", at.Site, k, len(got.Walk), w.ids[chosen].hops, got)
			}
		}
	}
}

// hopless is how many slots a draw reads that are not hopped to: its own, unless
// the last hop was not followed.
func hopless(kind string) int64 {
	if kind == "jump-limit" {
		return 0
	}
	return 1
}

// checkID holds what is told of an id against the plain model.
func checkID(t failer, id *result.ExplainedID, by *plainLane, sites []*plainWorld) {
	t.Helper()
	for i, at := range id.Sites {
		var have []*plainDelivery
		for _, p := range listOf(sites[i].all, chosen) {
			if by.text(p.ids[chosen].id) == id.ID {
				have = append(have, p)
			}
		}
		if at.Stored != int64(len(have)) {
			t.Fatalf("id %s at %s: stored %d times, want %d", id.ID, at.Site, at.Stored, len(have))
		}
		if len(have) == 0 {
			continue
		}
		sorted, causes := by.plainCauses(sites[i].s, have, chosen)
		want := map[string]int64{}
		for _, cause := range causes {
			want[cause]++
		}
		if fmt.Sprint(at.ByCause) != fmt.Sprint(want) {
			t.Fatalf("id %s at %s: causes %v, want %v", id.ID, at.Site, at.ByCause, want)
		}
		if got := at.Copies[0]; got.Offset != sorted[0].offset || got.Cause != "" {
			t.Fatalf("id %s at %s: original %+v, want offset %d", id.ID, at.Site, got, sorted[0].offset)
		}
	}
	for _, rule := range id.Causes {
		if rule.Text == "" {
			t.Fatalf("id %s: %s is not explained", id.ID, rule.Cause)
		}
	}
}

func checkText(t failer, x *result.Explanation) {
	t.Helper()
	var text strings.Builder
	if err := report.Explanation(&text, x, report.TextOptions{}); err != nil {
		t.Fatal(err)
	}
	for line := range strings.Lines(text.String()) {
		if n := len([]rune(strings.TrimSuffix(line, "\n"))); n > 80 {
			t.Fatalf("%d columns: %s", n, line)
		}
	}
}

// What every witness of a result says of an id is what Explain says of it, also
// between sites.
func TestExplainAgreesWithTheReport(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		c := randomCase(t)
		cfg := c.config()
		if _, _, err := c.changed(); err != nil {
			t.Skip("a case without traffic")
		}
		r, err := Run(t.Context(), cfg)
		if err != nil {
			t.Fatal(err)
		}
		for _, name := range r.PairNames {
			b := r.Between[name]
			for _, g := range b.Duplicates.Witnesses[:min(1, len(b.Duplicates.Witnesses))] {
				told := explainID(t, cfg, g.ID)
				k := slices.IndexFunc(told.Between, func(x result.IDBetween) bool { return x.A == b.A && x.B == b.B })
				if k < 0 || told.Between[k].Copies[0].Cause != g.Cause || told.Between[k].Original.Offset != g.Messages[0].Offset {
					t.Fatalf("id %s between %s: the report says %+v, explain %+v", g.ID, name, g, told.Between)
				}
			}
		}
		for i, name := range r.SiteNames {
			d := &r.Sites[name].Duplicates
			for _, g := range d.Witnesses[:min(1, len(d.Witnesses))] {
				at := explainID(t, cfg, g.ID).Sites[i]
				if at.Stored != g.Occurrences || at.ExtraCopies != g.Occurrences-1 || at.Copies[1].Cause != g.Cause {
					t.Fatalf("id %s at %s: the report says %+v, explain %+v", g.ID, name, g, at)
				}
			}
		}
	})
}

func explainID(t *rapid.T, cfg Config, text string) *result.ExplainedID {
	id, err := strconv.ParseInt(text, 10, 64)
	if strings.Contains(text[1:], "-") {
		id, err = redisstreams.Layout{}.Parse(text)
	}
	if err != nil {
		t.Fatal(err)
	}
	told, err := Explain(t.Context(), cfg, Subject{ID: id}, 0)
	if err != nil || !told.Found {
		t.Fatalf("id %d: error %v, %+v", id, err, told)
	}
	return &told.IDs[0]
}

// Every cause by the smallest run that has it, and what is said of it.
func TestExplainEveryCause(t *testing.T) {
	const midnight, day = 1_772_553_600_000, 86_400_000 // at UTC+8
	crowd := func(from int64, n int) []int64 { return slices.Repeat([]int64{from}, n) }
	for name, test := range map[string]struct {
		times []int64
		nodes []int32 // of one consumer at each site
		trim  func(*scenario.Scenario)
		asked int64 // offset
		cause string
		want  []string
	}{
		"stale-day": {append([]int64{midnight - day}, midnight, midnight-day), []int32{1, 2}, nil, 3, measure.StaleDay,
			[]string{"2026-03-03 (day 20515)", "the slot of its second had been taken over by 2026-03-04 (day 20516), by the message with the id 639081792001000000"}},
		"jump-limit": {append(append(crowd(midnight, 3), crowd(midnight+1000, 3)...), crowd(midnight, 2)...), []int32{1, 2},
			func(s *scenario.Scenario) {
				s.Generator.PerSecond, s.Generator.Step, s.Generator.JumpLimit = 1, 1_000_000, 2
			}, 7, measure.JumpLimit,
			[]string{"given up after 2 jumps", "sequence 1 x 1000000 reaches past the digits of node 1", "reads as sequence 0 of node 2"}},
		"day-end": {crowd(midnight-1000, 4), []int32{1, 2},
			func(s *scenario.Scenario) { s.Generator.PerSecond, s.Generator.Step = 2, 500_000 }, 4, measure.DayEnd,
			[]string{"every second up to 23:59:59 local was full", "midnight, 2026-03-04 00:00:00"}},
		"shared-node": {[]int64{midnight, midnight}, []int32{4, 4}, func(s *scenario.Scenario) {
			s.Sites[0].Consumers = append(s.Sites[0].Consumers, s.Sites[0].Consumers[0])
		}, 1, measure.SharedNode, []string{"two processes have node number 4, consumer 1 of east and consumer 2 of east"}},
		"node-range": {[]int64{midnight + 1000, midnight}, []int32{1, 11}, nil, 1, measure.NodeRange,
			[]string{"node 11 is outside 0 to 9: 11 x 1,000,000 is 1 s and node 1"}},
		"wrong-unit": {crowd(1_772_540_000, 2), []int32{1, 1}, func(s *scenario.Scenario) {
			s.Sites[0].Consumers = append(s.Sites[0].Consumers, s.Sites[0].Consumers[0])
		}, 1, measure.WrongUnit, []string{"1772540000 has 10 digits, the size of seconds; read as milliseconds it is 1970-01-21 12:22:20 UTC"}},
		"restart": {[]int64{midnight, midnight + 2000}, []int32{1, 2}, func(s *scenario.Scenario) {
			c := &s.Sites[0].Consumers[0]
			c.Commit = duration.Duration(10e9)
			c.Restarts = []scenario.Restart{{At: scenario.Moment{After: duration.Duration(1e9)}, State: scenario.StateLost, Down: duration.Duration(1e8)}}
		}, 1, measure.Restart, []string{"node 1 of east restarted between the two draws, at 2026-03-03 16:00:01.000 (state lost)"}},
	} {
		t.Run(name, func(t *testing.T) {
			batches := []*replay.Batch{batchOf(test.times...)}
			parts := []replay.Partition{{Topic: "a"}}
			sc := scenario.Default()
			sc.Sites[1].Link.Delay = delay.Dist{}
			for i, node := range test.nodes {
				sc.Sites[i].Consumers[0].Node = node
			}
			if name == "shared-node" || name == "wrong-unit" { // a partition for each of two processes
				parts = append(parts, replay.Partition{Topic: "a", Number: 1})
				batches = append(batches, batchOf(test.times...))
			}
			if test.trim != nil {
				test.trim(&sc)
			}
			told, err := Explain(t.Context(), Config{Source: memory(parts, batches, 4), Scenario: sc}, Subject{Message: true, Topic: "a", Offset: batches[0].Offset[test.asked-1]}, 0)
			if err != nil {
				t.Fatal(err)
			}
			checkText(t, told)
			said := map[string]string{}
			for _, id := range told.IDs {
				for _, rule := range id.Causes { // first at east
					said[rule.Cause] = cmp.Or(said[rule.Cause], rule.Text)
				}
			}
			for _, want := range test.want {
				if !strings.Contains(said[test.cause], want) {
					t.Errorf("%s: %q is not in\n%v", test.cause, want, said)
				}
			}
		})
	}
}

// What is not there is told by what is nearest.
func TestExplainWhatIsMissing(t *testing.T) {
	const ms = 1_772_540_000_000
	parts := []replay.Partition{{Topic: "a"}, {Topic: "b", Number: 3}}
	b := batchOf(ms, ms, ms)
	b.Offset = []int64{5, 9, 12}
	cfg := Config{Source: memory(parts, []*replay.Batch{b, batchOf(ms)}, 4), Scenario: scenario.Default()}
	for name, test := range map[string]struct {
		asked        Subject
		missing      string
		below, above string // by offset or id
	}{
		"an offset between": {Subject{Message: true, Topic: "a", Offset: 10}, "a/0 has no such offset", "9", "12"},
		"an offset before":  {Subject{Message: true, Topic: "a", Offset: 1}, "a/0 has the offsets 5 to 12", "", "5"},
		"an offset after":   {Subject{Message: true, Topic: "a", Offset: 13}, "a/0 has the offsets 5 to 12", "12", ""},
		"a partition":       {Subject{Message: true, Topic: "b"}, "topic b has the partitions 3", "", ""},
		"a topic":           {Subject{Message: true, Topic: "c"}, "there is no topic c; there is a, b", "", ""},
		"an id between":     {Subject{ID: 639081656002000001}, "no message of this run has this id", "639081656002000000", "639081656002000200"},
		"an id below":       {Subject{ID: 7}, "no message of this run has this id", "", "639081656001000000"},
		"an id above":       {Subject{ID: 1 << 62}, "no message of this run has this id", "639081656002000600", ""},
	} {
		told, err := Explain(t.Context(), cfg, test.asked, 0)
		if err != nil || told.Found || !strings.Contains(told.Missing, test.missing) {
			t.Errorf("%s: error %v, found %v, %q; want %q", name, err, told.Found, told.Missing, test.missing)
			continue
		}
		for _, near := range []struct {
			got  *result.Witness
			want string
		}{{told.Below, test.below}, {told.Above, test.above}} {
			got := ""
			if near.got != nil {
				got = near.got.ID
				if test.asked.Message {
					got = strconv.FormatInt(near.got.Offset, 10)
				}
			}
			if got != near.want {
				t.Errorf("%s: nearest %q, want %q", name, got, near.want)
			}
		}
		checkText(t, told)
	}
}

// BenchmarkExplain tells of one message among many, which takes two passes.
func BenchmarkExplain(b *testing.B) {
	const n = 1_000_000
	m := traffic(n, 8, 4000, 50)
	b.ReportAllocs()
	for b.Loop() {
		if _, err := Explain(b.Context(), Config{Source: m, Scenario: twoSites(2)}, Subject{Message: true, Topic: "push", Partition: 3, Offset: 1000}, 0); err != nil {
			b.Fatal(err)
		}
	}
	b.ReportMetric(float64(n)*float64(b.N)/b.Elapsed().Seconds()/1e6, "Mmsg/s")
}
