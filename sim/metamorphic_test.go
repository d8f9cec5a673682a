package sim

import (
	"fmt"
	"runtime"
	"strconv"
	"strings"
	"testing"

	gocmp "github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"twindrift/generator/catalog"
	"twindrift/replay"
	"twindrift/sim/delay"
	"twindrift/sim/scenario"
)

// Shifting the time axis by whole days shifts times and ids and changes nothing
// else.
func TestShiftByDays(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		parts, batches := randomCapture(t)
		sc := randomScenario(t)
		if entry, err := catalog.Find(sc.Generator.Name, sc.Generator.Variant); err != nil || !entry.Slots {
			sc.Generator = scenario.Default().Generator // ids of others have scores that shift otherwise
		}
		const dayMs = 86_400_000
		days := rapid.SampledFrom([]int64{1, 365, -1, 10_000}).Draw(t, "days")
		var shifted []*replay.Batch
		for _, b := range batches {
			moved := *b
			moved.TimestampMs, moved.ProcessedAtMs = nil, nil
			for i, ms := range b.TimestampMs {
				// Messages without a timestamp have no day, and times in a wrong
				// unit are told by their size.
				if ms < 1_700_000_000_000 || ms > 1_900_000_000_000 {
					ms = 1_772_500_000_000
					b.TimestampMs[i], b.TimestampType[i] = ms, replay.TimestampCreate
				}
				moved.TimestampMs = append(moved.TimestampMs, ms+days*dayMs)
			}
			for i := range b.ProcessedAtMs {
				b.ProcessedAtMs[i] = b.TimestampMs[i] + int64(i%7-3)*1000
				moved.ProcessedAtMs = append(moved.ProcessedAtMs, b.ProcessedAtMs[i]+days*dayMs)
			}
			moved.TimestampType = b.TimestampType
			shifted = append(shifted, &moved)
		}
		was, err := Run(t.Context(), Config{Source: memory(parts, batches, 3), Scenario: sc, epochBlocks: 2})
		if err != nil {
			t.Fatal(err)
		}
		is, err := Run(t.Context(), Config{Source: memory(parts, shifted, 3), Scenario: sc, epochBlocks: 2})
		if err != nil {
			t.Fatal(err)
		}
		if d := gocmp.Diff(shiftTree(asTree(t, was), "", days), asTree(t, is)); d != "" {
			t.Fatalf("shifted by %d days (-expected +got):\n%s", days, d)
		}
	})
}

// shiftTree adds days to every time and id of a result's tree; key is where in
// it v stands.
func shiftTree(v any, key string, days int64) any {
	switch v := v.(type) {
	case map[string]any:
		if key == "peak_second" && v["count"] == 0.0 {
			return v // the peak of nothing
		}
		for k := range v {
			v[k] = shiftTree(v[k], k, days)
		}
	case []any:
		for i := range v {
			v[i] = shiftTree(v[i], key, days)
		}
	case float64:
		switch key {
		case "min_ms", "max_ms", "minute_ms", "end_ms", "start_ms", "event_ms", "draw_ms":
			return v + float64(days*86_400_000)
		case "second", "from_second", "to_second", "first_second", "first_not_full":
			return v + float64(days*86_400)
		}
	case string:
		switch key {
		case "id", "id_a", "id_b":
			if v == "" { // refused
				return v
			}
			id, err := strconv.ParseInt(v, 10, 64)
			if err != nil {
				return err.Error()
			}
			return fmt.Sprint(id + days*86_400*10_000_000)
		}
	}
	return v
}

// The same traffic over more nodes never raises the largest offset, as long as
// no id is handed out undrawn and messages are drawn in the order of their
// arrival: then an id gets the first free second at or after its own, and the
// fewer ids a node has, the sooner there is one.
func TestMoreNodesNeverRaiseOffsets(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		parts, batches := randomCapture(t)
		for _, b := range batches {
			for i := range b.TimestampMs { // one day, and in its middle
				b.TimestampMs[i] = 1_772_540_000_000 + min(max(b.TimestampMs[i]-1_772_540_000_000, 0), 100_000)
				b.TimestampType[i] = replay.TimestampCreate
			}
		}
		sc := scenario.Default()
		sc.Generator.PerSecond = rapid.Int64Range(1, 9).Draw(t, "per second")
		sc.Generator.JumpLimit = 86_400
		links := []delay.Dist{randomDelay(t, "link"), randomDelay(t, "link")}
		service := randomDelay(t, "service")
		offsets := func(nodes ...int32) (largest [2]int64) {
			sc.Sites = sc.Sites[:0]
			for i, link := range links {
				s := scenario.NewSite(fmt.Sprintf("s%d", i), nodes...)
				s.Assignor, s.Link.Delay = scenario.AssignRoundRobin, link
				for c := range s.Consumers {
					s.Consumers[c].Service = service
				}
				sc.Sites = append(sc.Sites, s)
			}
			r, err := Run(t.Context(), Config{Source: memory(parts, batches, 3), Scenario: sc})
			if err != nil {
				t.Fatal(err)
			}
			for i, name := range r.SiteNames {
				o := &r.Sites[name].Overflow
				if undrawn := o.Undrawn; undrawn["jump-limit"]+undrawn["day-end"]+undrawn["stale-day"] != 0 {
					t.Fatalf("site %s: undrawn %v", name, undrawn)
				}
				largest[i] = o.Offset.Max
			}
			return largest
		}
		one := offsets(1)
		for _, nodes := range [][]int32{{1, 2}, {1, 2, 3}, {1, 2, 3, 4}} {
			for i, offset := range offsets(nodes...) {
				if offset > one[i] {
					t.Fatalf("site %d: the largest offset is %d s with %d nodes and %d s with one", i, offset, len(nodes), one[i])
				}
			}
		}
	})
}

// One core gives what many give.
func TestOneCoreIsManyCores(t *testing.T) {
	sc := twoSites(2)
	sc.Sites = append(sc.Sites, scenario.NewSite("third", 1, 1))
	var trees []any
	for _, cores := range []int{1, 2, 7} {
		before := runtime.GOMAXPROCS(cores)
		r, err := Run(t.Context(), Config{Source: traffic(60_000, 5, 9000, 300), Scenario: sc, epochBlocks: 3})
		runtime.GOMAXPROCS(before)
		if err != nil {
			t.Fatal(err)
		}
		trees = append(trees, asTree(t, r))
	}
	for _, tree := range trees[1:] {
		if d := gocmp.Diff(trees[0], tree); d != "" {
			t.Error(d)
		}
	}
}

// MODEL, "Theory as a check": a node's largest offset is the backlog of a queue
// with its capacity over the seconds of its messages, to within one second; and
// the capacity that the headroom curve gives for an offset keeps to it.
func TestOffsetsAgreeWithQueueTheory(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		// One node, no faults, messages in order: bursts and quiet.
		var times []int64
		second := int64(1_772_540_000)
		for range rapid.IntRange(1, 12).Draw(t, "bursts") {
			second += rapid.Int64Range(1, 5).Draw(t, "pause")
			for range rapid.IntRange(0, 40).Draw(t, "burst") {
				times = append(times, second*1000+int64(len(times)%7))
			}
			times = append(times, second*1000+999)
		}
		for i := 1; i < len(times); i++ {
			times[i] = max(times[i], times[i-1])
		}
		largest := func(perSecond int64) int64 {
			m := &replay.Memory{BlockRows: 16}
			m.Partition("t", 0, batchOf(times...))
			sc := scenario.Default()
			sc.Sites = sc.Sites[:1]
			sc.Generator.PerSecond, sc.Generator.JumpLimit = perSecond, 86_400
			r, err := Run(t.Context(), Config{Source: m, Scenario: sc})
			if err != nil {
				t.Fatal(err)
			}
			offset := r.Sites["east"].Overflow.Nodes[0].MaxOffset
			// The backlog, from the counts by second.
			counts := map[int64]int64{}
			for _, ms := range times {
				counts[ms/1000]++
			}
			backlog := 0.0
			for from := range counts {
				for to := range counts {
					if from <= to {
						backlog = max(backlog, plainCapacity(counts, from, to, 0)*float64(to-from+1)/float64(perSecond)-float64(to-from+1))
					}
				}
			}
			if d := float64(offset) - backlog; d < -1 || d > 1 {
				t.Fatalf("%d a second: the largest offset is %d s, the backlog of the queue %.3f s", perSecond, offset, backlog)
			}
			for _, h := range r.Sites["east"].Overflow.Nodes[0].Headroom {
				if float64(perSecond) >= h.PerSecond && offset > h.OffsetS {
					t.Fatalf("%d a second are at least the %.3f that keep every offset to %d s, and yet there is one of %d s", perSecond, h.PerSecond, h.OffsetS, offset)
				}
				if float64(perSecond) < h.PerSecond && offset < h.OffsetS {
					t.Fatalf("%d a second are fewer than the %.3f that keep every offset to %d s, and yet the largest is %d s", perSecond, h.PerSecond, h.OffsetS, offset)
				}
			}
			return offset
		}
		last := largest(1)
		for _, perSecond := range []int64{2, 3, 5, 10, 30} {
			now := largest(perSecond)
			if now > last {
				t.Fatalf("%d a second: %d s, more than the %d s of fewer", perSecond, now, last)
			}
			last = now
		}
	})
}

// A scenario with no delay at all orders every site alike.
func TestSitesWithoutDelaysAgree(t *testing.T) {
	sc := scenario.Default()
	sc.Sites = []scenario.Site{scenario.NewSite("east", 1), scenario.NewSite("west", 1)}
	r, err := Run(t.Context(), Config{Source: traffic(20_000, 3, 6000, 100), Scenario: sc, epochBlocks: 2})
	if err != nil {
		t.Fatal(err)
	}
	p := r.Between["east-west"]
	if p.SameID != 20_000 || p.Duplicates.IDs != 0 || p.Baseline.SameID != 20_000 {
		t.Errorf("%d same ids, %d collisions, %d same ids by the clock", p.SameID, p.Duplicates.IDs, p.Baseline.SameID)
	}
	east, west := asTree(t, r.Sites["east"]), asTree(t, r.Sites["west"])
	rename := func(tree any) string { return strings.ReplaceAll(fmt.Sprint(tree), "west", "east") }
	if rename(east) != rename(west) {
		t.Error(gocmp.Diff(east, west))
	}
}
