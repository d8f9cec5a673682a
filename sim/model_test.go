package sim

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"math"
	"slices"
	"strconv"
	"testing"

	gocmp "github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"twindrift/replay"
	"twindrift/sim/delay"
	"twindrift/sim/duration"
	"twindrift/sim/order"
	"twindrift/sim/result"
	"twindrift/sim/scenario"
)

// randomCapture draws a small capture around a local midnight, in which seconds
// overflow easily.
func randomCapture(t *rapid.T) (parts []replay.Partition, batches []*replay.Batch) {
	topics := []string{"a", "b"}
	base := rapid.SampledFrom([]int64{
		1_772_553_590_000, // 23:59:50 at UTC+8
		1_772_540_000_000,
		-20_000_000, // before 1970
	}).Draw(t, "base")
	spread := rapid.SampledFrom([]int64{3000, 20_000, 100_000}).Draw(t, "spread")
	for p := range rapid.IntRange(1, 4).Draw(t, "partitions") {
		n := rapid.IntRange(1, 60).Draw(t, "messages")
		b := &replay.Batch{}
		stamped := rapid.SampledFrom([]int8{replay.TimestampCreate, replay.TimestampCreate, replay.TimestampLogAppend}).Draw(t, "stamped by")
		offset := int64(0)
		for range n {
			offset += rapid.Int64Range(1, 3).Draw(t, "step")
			ms := base + rapid.Int64Range(0, spread).Draw(t, "ms")
			kind := stamped
			switch rapid.IntRange(0, 30).Draw(t, "odd") {
			case 0:
				ms, kind = replay.NoTimestamp, replay.TimestampNone
			case 1:
				ms += 86_400_000 // the next day
			case 2:
				ms = base // many in one second
			}
			b.Offset = append(b.Offset, offset)
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

func randomDelay(t *rapid.T, name string) delay.Dist {
	text := rapid.SampledFrom([]string{
		"0s", "0s", "5ms", "uniform:0s,3s", "lognormal:35ms,400ms", "exponential:100ms", "600s",
		"uniform:0s,3ms", "normal:1ms,1ms", "empirical:p0=0s,p50=10ms,max=2s",
	}).Draw(t, name)
	d, err := delay.Parse(text)
	if err != nil {
		t.Fatal(err)
	}
	return d
}

func randomScenario(t *rapid.T) scenario.Scenario {
	s := scenario.Default()
	s.Seed = rapid.Int64Range(0, 1000).Draw(t, "seed")
	s.Generator.PerSecond = rapid.SampledFrom([]int64{1, 2, 3, 5, 20, 5000}).Draw(t, "per second")
	s.Generator.JumpLimit = rapid.SampledFrom([]int64{0, 1, 3, 16}).Draw(t, "jump limit")
	s.Generator.Step = rapid.SampledFrom([]int64{200, 100, 400_000}).Draw(t, "step")
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
	s.Sites = nil
	for i := range rapid.IntRange(1, 3).Draw(t, "sites") {
		site := scenario.NewSite(fmt.Sprintf("s%d", i))
		site.Link.Delay = randomDelay(t, "link")
		if rapid.IntRange(0, 3).Draw(t, "topic delay") == 0 {
			site.Link.Topics = map[string]delay.Dist{"a": randomDelay(t, "link of a")}
		}
		site.Assignor = rapid.SampledFrom([]string{scenario.AssignRange, scenario.AssignRoundRobin}).Draw(t, "assign")
		for range rapid.IntRange(1, 3).Draw(t, "consumers") {
			c := scenario.NewSite("x", rapid.SampledFrom([]int32{0, 1, 2, 9, 11}).Draw(t, "node")).Consumers[0]
			c.Workers = rapid.IntRange(1, 3).Draw(t, "workers")
			c.Parallel = rapid.SampledFrom([]string{scenario.ParallelMessages, scenario.ParallelPartitions}).Draw(t, "parallel")
			c.Service, c.Handling = randomDelay(t, "service"), randomDelay(t, "handling")
			site.Consumers = append(site.Consumers, c)
		}
		s.Sites = append(s.Sites, site)
	}
	return s
}

// The engine must give what the plain re-statement gives, whatever the epochs.
func TestEngineAgainstPlainModel(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		parts, batches := randomCapture(t)
		sc := randomScenario(t)
		cfg := Config{
			Source:      memory(parts, batches, rapid.IntRange(1, 8).Draw(t, "block rows")),
			Scenario:    sc,
			epochBlocks: rapid.IntRange(1, 8).Draw(t, "epoch blocks"),
		}
		got, err := Run(context.Background(), cfg)
		if err != nil {
			t.Fatal(err)
		}
		checkAgainstPlain(t, &sc, parts, batches, got)
		cfg.Source, cfg.epochBlocks = memory(parts, batches, 0), 0
		whole, err := Run(context.Background(), cfg)
		if err != nil {
			t.Fatal(err)
		}
		if d := gocmp.Diff(asTree(t, whole), asTree(t, got)); d != "" {
			t.Fatalf("small epochs differ from one (-one +small):\n%s", d)
		}
	})
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

func same[T comparable](t failer, what string, got, want T) {
	t.Helper()
	if got != want {
		t.Errorf("%s: %v, the plain model has %v", what, got, want)
	}
}

func checkAgainstPlain(t *rapid.T, sc *scenario.Scenario, parts []replay.Partition, batches []*replay.Batch, got *result.Result) {
	messages := plainAppend(parts, batches, sc.Append.NoTimestamp)
	var sites [][]*plainDelivery
	for i := range sc.Sites {
		s := &sc.Sites[i]
		all := plainSite(t, sc, s, parts, messages)
		sites = append(sites, all)
		r := got.Sites[s.Name]
		checkPush(t, s.Name, sc, all, &r.Push)
		for lane, l := range [lanes]*result.Lane{&r.Lane, &r.Baseline} {
			what := fmt.Sprintf("%s lane %d", s.Name, lane)
			checkOrder(t, what, lane, all, &l.Order)
			checkOverflow(t, what, lane, sc, s, all, &l.Overflow)
			checkDuplicates(t, what, lane, all, &l.Duplicates)
		}
	}
	for a := range sites {
		for b := a + 1; b < len(sites); b++ {
			r := got.Between[sc.Sites[a].Name+"-"+sc.Sites[b].Name]
			for lane, l := range [lanes]*result.PairLane{&r.PairLane, &r.Baseline} {
				checkBetween(t, fmt.Sprintf("%s-%s lane %d", r.A, r.B, lane), lane, sites[a], sites[b], r, l)
			}
		}
	}
}

func checkPush(t *rapid.T, what string, sc *scenario.Scenario, all []*plainDelivery, got *result.Push) {
	var want result.Push
	deadlines := map[int64]int64{}
	for _, d := range all {
		want.Consumed++
		switch late := d.nowMs - d.eventMs; {
		case d.filtered:
			want.Filtered++
		case d.storeOff:
			want.StoreOff++
		default:
			want.Stored++
			if late > sc.Deadline.Ms() {
				want.Late++
			} else {
				want.Pushed++
			}
			if late < 0 {
				want.Early++
			}
			for _, row := range got.Deadlines {
				if late > row.DeadlineMs {
					deadlines[row.DeadlineMs]++
				}
			}
		}
	}
	same(t, what+" consumed", got.Consumed, want.Consumed)
	same(t, what+" filtered", got.Filtered, want.Filtered)
	same(t, what+" store-off", got.StoreOff, want.StoreOff)
	same(t, what+" stored", got.Stored, want.Stored)
	same(t, what+" pushed", got.Pushed, want.Pushed)
	same(t, what+" late", got.Late, want.Late)
	same(t, what+" early", got.Early, want.Early)
	for _, row := range got.Deadlines {
		same(t, fmt.Sprintf("%s later than %d", what, row.DeadlineMs), row.Late, deadlines[row.DeadlineMs])
	}
}

// listOf is the site's list.
func listOf(all []*plainDelivery, lane int) []*plainDelivery {
	var list []*plainDelivery
	for _, d := range all {
		if d.stored() {
			list = append(list, d)
		}
	}
	slices.SortFunc(list, func(a, b *plainDelivery) int {
		return cmp.Or(cmp.Compare(a.ids[lane].id, b.ids[lane].id), cmp.Compare(a.part, b.part), cmp.Compare(a.offset, b.offset))
	})
	return list
}

func checkGrained(t *rapid.T, what string, got *result.Grained, x, y [order.Grains][]int64) {
	for g, name := range order.GrainNames {
		want := countPairs(x[g], y[g])
		same(t, what+" comparable at "+name, got.Comparable[name], want.comparable)
		same(t, what+" discordant at "+name, got.Discordant[name], want.discordant)
		tau, ok := want.tauB(len(x[g]))
		if p := got.TauB[name]; (p != nil) != ok || ok && math.Abs(*p-tau) > 1e-12 {
			t.Errorf("%s tau-b at %s: %v, the plain model has %v (%v)", what, name, p, tau, ok)
		}
	}
	same(t, what+" n", got.N, int64(len(x[0])))
}

func checkOrder(t *rapid.T, what string, lane int, all []*plainDelivery, got *result.Order) {
	list := listOf(all, lane)
	var ids, events []int64
	var reordered, maxExtent, maxLate, maxBehind, atZero int64
	for i, d := range list {
		ids, events = append(ids, d.ids[lane].id), append(events, d.eventMs)
		if floorDiv(d.ids[lane].owner, 1000) == floorDiv(d.eventMs, 1000) {
			atZero++
		}
		for j, before := range list[:i] {
			if before.eventMs > d.eventMs {
				reordered++
				maxExtent = max(maxExtent, int64(i-j))
				maxLate = max(maxLate, d.ids[lane].owner-before.ids[lane].owner)
				break
			}
		}
		for _, before := range list[:i] {
			maxBehind = max(maxBehind, before.eventMs-d.eventMs)
		}
	}
	var x, y [order.Grains][]int64
	for g, grain := range order.GrainsMs {
		x[g], y[g] = ids, floorTo(events, grain)
	}
	checkGrained(t, what, &got.Grained, x, y)
	same(t, what+" reordered", got.Reordering.Reordered, reordered)
	same(t, what+" furthest behind", got.Reordering.MaxBehindMs, maxBehind)
	if reordered > 0 {
		same(t, what+" extent", got.Reordering.Extent.Max, maxExtent)
		same(t, what+" late time", got.Reordering.LateTime.Max, maxLate)
	}
	if len(list) > 0 {
		same(t, what+" drift 0", got.OwnerDrift.ShareAtZero, float64(atZero)/float64(len(list)))
	}
}

func checkOverflow(t *rapid.T, what string, lane int, sc *scenario.Scenario, s *scenario.Site, all []*plainDelivery, got *result.Overflow) {
	var ids, withOffset, wrongNode, full int64
	undrawn := map[string]int64{}
	drawn := map[[2]int64]int64{}
	for _, d := range all {
		if d.filtered {
			continue
		}
		ids++
		id := d.ids[lane]
		asked := d.eventMs
		if lane == baseline || sc.Generator.Name == "consumption-time" {
			asked = d.nowMs
		}
		if floorDiv(id.owner, 1000) > floorDiv(asked, 1000) {
			withOffset++
		}
		if id.node != int64(d.node) {
			wrongNode++
		}
		if name := id.kind.String(); name != "drawn" {
			undrawn[name]++
		} else {
			drawn[[2]int64{int64(d.consumer), floorDiv(id.owner, 1000)}]++
		}
	}
	for _, n := range drawn {
		if n >= sc.Generator.PerSecond {
			full++
		}
	}
	same(t, what+" ids", got.IDs, ids)
	same(t, what+" with offset", got.WithOffset, withOffset)
	same(t, what+" wrong node", got.WrongNode, wrongNode)
	same(t, what+" full slots", got.FullSlots, full)
	for _, name := range []string{"stale-day", "jump-limit", "day-end"} {
		same(t, what+" undrawn by "+name, got.Undrawn[name], undrawn[name])
	}
	for c := range s.Consumers {
		for _, h := range got.Nodes[c].Headroom {
			same(t, fmt.Sprintf("%s consumer %d headroom %d", what, c, h.OffsetS), h.PerSecond,
				plainHeadroom(all, c, h.OffsetS, lane == baseline || sc.Generator.Name == "consumption-time"))
		}
	}
}

// plainHeadroom looks at every window that starts and ends with a message.
func plainHeadroom(all []*plainDelivery, consumer int, d int64, byClock bool) float64 {
	var seconds []int64
	for _, m := range all {
		if m.consumer == consumer && !m.filtered {
			at := m.eventMs
			if byClock {
				at = m.nowMs
			}
			seconds = append(seconds, floorDiv(at, 1000))
		}
	}
	slices.Sort(seconds)
	best := 0.0
	for i := range seconds {
		for j := i; j < len(seconds); j++ {
			best = max(best, float64(j-i+1)/float64(seconds[j]-seconds[i]+1+d))
		}
	}
	return best
}

func checkDuplicates(t *rapid.T, what string, lane int, all []*plainDelivery, got *result.Duplicates) {
	byID := map[int64][]*plainDelivery{}
	scores := map[float64]bool{}
	for _, d := range listOf(all, lane) {
		byID[d.ids[lane].id] = append(byID[d.ids[lane].id], d)
		scores[float64(d.ids[lane].id)] = true
	}
	var extra, groups int64
	causes := map[string]int64{}
	within := map[string]int64{}
	for _, group := range byID {
		if len(group) == 1 {
			continue
		}
		groups++
		extra += int64(len(group) - 1)
		for cause, n := range plainCauses(group, lane) {
			causes[cause] += n
		}
		nodes := map[int]int64{}
		for _, d := range group {
			nodes[d.node]++
		}
		for node, n := range nodes {
			within[strconv.Itoa(node)] += n - 1
		}
	}
	same(t, what+" extra copies", got.IDs, extra)
	same(t, what+" groups", got.Groups, groups)
	same(t, what+" distinct", got.Distinct, int64(len(byID)))
	same(t, what+" unexplained", got.Unexplained, 0)
	same(t, what+" scores", got.Scores, int64(len(byID)-len(scores)))
	for cause, n := range got.ByCause {
		same(t, what+" caused by "+cause, n, causes[cause])
	}
	for node, n := range got.WithinNode {
		same(t, what+" within node "+node, n, within[node])
	}
}

func checkBetween(t *rapid.T, what string, lane int, a, b []*plainDelivery, r *result.Between, got *result.PairLane) {
	type key struct {
		part   int
		offset int64
	}
	atB := map[key]*plainDelivery{}
	for _, d := range b {
		if d.stored() {
			atB[key{d.part, d.offset}] = d
		}
	}
	var both, onlyA, sameID, sameSecond int64
	var x, y []int64
	for _, d := range a {
		if !d.stored() {
			continue
		}
		other := atB[key{d.part, d.offset}]
		if other == nil {
			onlyA++
			continue
		}
		both++
		p, q := d.ids[lane], other.ids[lane]
		x, y = append(x, p.owner), append(y, q.owner)
		if p.id == q.id {
			sameID++
		} else if floorDiv(p.owner, 1000) == floorDiv(q.owner, 1000) {
			sameSecond++
		}
	}
	same(t, what+" both", r.Both, both)
	same(t, what+" only a", r.OnlyA, onlyA)
	same(t, what+" only b", r.OnlyB, int64(len(atB))-both)
	same(t, what+" same id", got.SameID, sameID)
	same(t, what+" same second", got.SameSecond, sameSecond)
	same(t, what+" different second", got.DifferentSecond, both-sameID-sameSecond)
	var xs, ys [order.Grains][]int64
	for g, grain := range order.GrainsMs {
		xs[g], ys[g] = floorTo(x, grain), floorTo(y, grain)
	}
	checkGrained(t, what, &got.Grained, xs, ys)

	// Ids at both sites for different messages.
	holders := map[int64][2]map[key]bool{}
	for site, all := range [2][]*plainDelivery{a, b} {
		for _, d := range all {
			if d.stored() {
				h := holders[d.ids[lane].id]
				if h[site] == nil {
					h[site] = map[key]bool{}
				}
				h[site][key{d.part, d.offset}] = true
				holders[d.ids[lane].id] = h
			}
		}
	}
	var extra, groups int64
	for _, h := range holders {
		if h[0] == nil || h[1] == nil {
			continue
		}
		union := map[key]bool{}
		for _, at := range h {
			for k := range at {
				union[k] = true
			}
		}
		if more := int64(len(union) - max(len(h[0]), len(h[1]))); more > 0 {
			extra += more
			groups++
		}
	}
	same(t, what+" collisions", got.Duplicates.IDs, extra)
	same(t, what+" collision groups", got.Duplicates.Groups, groups)
	same(t, what+" collisions unexplained", got.Duplicates.Unexplained, 0)
}
