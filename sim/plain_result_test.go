package sim

// Every figure of a result, worked out the plain way from the deliveries of
// plain_test.go: whole lists, every pair looked at, no streaming.

import (
	"cmp"
	"fmt"
	"maps"
	"math"
	"math/big"
	"slices"
	"strconv"
	"time"

	"twindrift/generator"
	"twindrift/replay"
	"twindrift/sim/order"
	"twindrift/sim/result"
	"twindrift/sim/scenario"
)

// plainResult is the result of a capture and a scenario in a replication, but for the notes and
// the checks. Of the windows that ask for one headroom several may be as good:
// got says which one the engine took, and it is taken over when it is good.
func plainResult(t failer, sc *scenario.Scenario, replication uint32, parts []replay.Partition, batches []*replay.Batch, got *result.Result) *result.Result {
	messages := plainAppend(parts, batches, sc.Append.NoTimestamp)
	r := &result.Result{
		Format: "twindrift-result", Version: 1, Scenario: *sc, Input: plainInput(sc, parts, batches),
		SiteNames: []string{}, Sites: map[string]*result.Site{},
		PairNames: []string{}, Between: map[string]*result.Between{},
	}
	worlds, lanes := plainRun(t, sc, replication, parts, messages)
	for _, w := range worlds {
		r.SiteNames = append(r.SiteNames, w.s.Name)
		r.Sites[w.s.Name] = (&plainView{plainWorld: w, lanes: lanes, got: got.Sites[w.s.Name]}).result(t)
	}
	for a := range worlds {
		for b := a + 1; b < len(worlds); b++ {
			p := plainPair{lanes: lanes}
			for i, s := range [2]int{a, b} {
				p.sites[i] = &plainView{plainWorld: worlds[s], lanes: lanes}
			}
			name := sc.Sites[a].Name + "-" + sc.Sites[b].Name
			r.PairNames = append(r.PairNames, name)
			r.Between[name] = p.result()
		}
	}
	return r
}

func plainInput(sc *scenario.Scenario, parts []replay.Partition, batches []*replay.Batch) result.Input {
	in := result.Input{Partitions: []result.InputPartition{}, Notes: []result.Note{}}
	seconds, all := map[int64]int64{}, []int64{}
	for i, b := range batches {
		p := result.InputPartition{
			Topic: parts[i].Topic, Partition: parts[i].Number, Messages: int64(b.Len()),
			FirstOffset: b.Offset[0], LastOffset: b.Offset[b.Len()-1], MinMs: -1, MaxMs: -1,
		}
		var seen []int64
		for _, ms := range b.TimestampMs {
			if ms == replay.NoTimestamp {
				in.NoTimestamp++
				continue
			}
			if len(seen) > 0 && slices.Max(seen) > ms {
				p.Disorder.Reordered++
				p.Disorder.MaxBehindMs = max(p.Disorder.MaxBehindMs, slices.Max(seen)-ms)
			}
			seen = append(seen, ms)
			seconds[generator.FloorDiv(ms, 1000)]++
		}
		if len(seen) > 0 {
			p.MinMs, p.MaxMs = slices.Min(seen), slices.Max(seen)
			all = append(all, seen...)
		}
		p.Disorder.Share = plainShare(p.Disorder.Reordered, p.Messages)
		in.Messages += p.Messages
		in.Disorder.Reordered += p.Disorder.Reordered
		in.Disorder.MaxBehindMs = max(in.Disorder.MaxBehindMs, p.Disorder.MaxBehindMs)
		in.Partitions = append(in.Partitions, p)
	}
	if len(all) > 0 {
		in.MinMs, in.MaxMs = slices.Min(all), slices.Max(all)
	}
	in.Disorder.Share = plainShare(in.Disorder.Reordered, in.Messages)
	in.PeakSecond = plainPeak(seconds)
	if sc.Append.NoTimestamp == scenario.NoTimestampSkip {
		in.Skipped = in.NoTimestamp
	}
	return in
}

func plainShare(part, whole int64) float64 {
	if whole == 0 {
		return 0
	}
	return float64(part) / float64(whole)
}

// plainPeak is the largest count, and of equals the earliest second.
func plainPeak(seconds map[int64]int64) result.SecondCount {
	var peak result.SecondCount
	for second, n := range seconds {
		if n > peak.Count || n == peak.Count && second < peak.Second {
			peak = result.SecondCount{Second: second, Count: n}
		}
	}
	return peak
}

func plainSummary(values []int64) *result.Summary {
	n := len(values)
	if n == 0 {
		return nil
	}
	sorted := slices.Sorted(slices.Values(values))
	at := func(permille int) int64 { return sorted[(n*permille+999)/1000-1] }
	sum := new(big.Rat)
	for _, v := range values {
		sum.Add(sum, new(big.Rat).SetInt64(v))
	}
	mean, _ := sum.Quo(sum, big.NewRat(int64(n), 1)).Float64()
	return &result.Summary{N: int64(n), Min: sorted[0], P50: at(500), P90: at(900), P99: at(990), P999: at(999), Max: sorted[n-1], Mean: mean}
}

// plainBins counts values between the edges that lie among them.
func plainBins(values, edges []int64) []result.Bin {
	bins := []result.Bin{}
	if len(values) == 0 {
		return bins
	}
	low, high := slices.Min(values), slices.Max(values)
	from := low
	for _, edge := range append(slices.Clone(edges), high+1) {
		if edge > low && edge <= high+1 && edge > from {
			bin := result.Bin{From: from, To: edge}
			for _, v := range values {
				if from <= v && v < edge {
					bin.Count++
				}
			}
			bins = append(bins, bin)
			from = edge
		}
	}
	return bins
}

// plainGrained counts pairs at every grain.
func plainGrained(x, y [order.Grains][]int64) result.Grained {
	g := result.Grained{
		N: int64(len(x[0])), Comparable: map[string]int64{}, Discordant: map[string]int64{},
		DiscordantShare: map[string]*float64{}, TauA: map[string]*float64{}, TauB: map[string]*float64{},
	}
	for i, name := range [...]string{"1ms", "1s", "10s", "60s"} {
		p := countPairs(x[i], y[i])
		g.Comparable[name], g.Discordant[name] = p.comparable, p.discordant
		g.DiscordantShare[name], g.TauA[name], g.TauB[name] = nil, nil, nil
		if p.comparable > 0 {
			share := float64(p.discordant) / float64(p.comparable)
			tau := float64(p.concordant-p.discordant) / (float64(len(x[i])) * float64(len(x[i])-1) / 2)
			g.DiscordantShare[name], g.TauA[name] = &share, &tau
		}
		if tau, ok := p.tauB(len(x[i])); ok {
			g.TauB[name] = &tau
		}
	}
	return g
}

// plainView is a site to be looked at.
type plainView struct {
	*plainWorld
	lanes [2]*plainLane
	got   *result.Site
}

func (v *plainView) result(t failer) *result.Site {
	s := &result.Site{Name: v.s.Name, Consumers: []result.Consumer{}, Push: v.push(), Lag: v.lag()}
	deal, err := v.s.Assign(v.parts)
	if err != nil {
		t.Fatal(err)
	}
	for c := range v.s.Consumers {
		consumer := result.Consumer{Node: int(v.s.Consumers[c].Node), Partitions: []string{}}
		for _, p := range deal[c] {
			consumer.Partitions = append(consumer.Partitions, v.parts[p].Topic+"/"+strconv.Itoa(int(v.parts[p].Number)))
		}
		for _, d := range v.all {
			if d.consumer == c {
				consumer.Consumed++
			}
		}
		consumer.MaxWaitMs = v.processes[c].maxWait / 1e6
		s.Consumers = append(s.Consumers, consumer)
	}
	s.Lane, s.Baseline = v.lane(chosen), v.lane(baseline)
	return s
}

func (v *plainView) lag() []result.LagPoint {
	points := []result.LagPoint{}
	for _, d := range v.all {
		minute := generator.FloorDiv(d.nowMs, 60_000) * 60_000
		i := slices.IndexFunc(points, func(p result.LagPoint) bool { return p.MinuteMs == minute })
		if i < 0 {
			i = len(points)
			points = append(points, result.LagPoint{MinuteMs: minute, MaxLagMs: math.MinInt64})
		}
		points[i].Draws++
		points[i].MaxLagMs = max(points[i].MaxLagMs, d.nowMs-d.append)
	}
	slices.SortFunc(points, func(a, b result.LagPoint) int { return cmp.Compare(a.MinuteMs, b.MinuteMs) })
	return points
}

func (v *plainView) push() result.Push {
	deadline := v.sc.Deadline.Ms()
	p := result.Push{Consumed: int64(len(v.all)), DeadlineMs: deadline, Minutes: []result.MinuteRow{}}
	var lateness []int64
	var late []*plainDelivery
	for _, d := range v.all {
		if d.again > 0 {
			p.Again++
		}
		switch {
		case d.filtered:
			p.Filtered++
			continue
		case !d.drawn(chosen):
			p.Refused++
			continue
		case d.storeOff:
			p.StoreOff++
			continue
		case d.known[chosen]:
			p.Deduplicated++
			continue
		}
		if !d.last[chosen] {
			p.StoredAgain++
		}
		age := d.nowMs - d.eventMs
		lateness = append(lateness, age)
		minute := generator.FloorDiv(d.nowMs, 60_000) * 60_000
		i := slices.IndexFunc(p.Minutes, func(r result.MinuteRow) bool { return r.MinuteMs == minute })
		if i < 0 {
			i = len(p.Minutes)
			p.Minutes = append(p.Minutes, result.MinuteRow{MinuteMs: minute})
		}
		p.Minutes[i].Stored++
		if age > deadline {
			late = append(late, d)
			p.Minutes[i].Late++
		}
		if age < 0 {
			p.Early++
		}
	}
	slices.SortFunc(p.Minutes, func(a, b result.MinuteRow) int { return cmp.Compare(a.MinuteMs, b.MinuteMs) })
	p.Stored, p.Late = int64(len(lateness)), int64(len(late))
	p.Pushed = p.Stored - p.Late
	p.Lateness, p.Histogram = plainSummary(lateness), plainBins(lateness, latenessEdges)
	minutes := map[int64]bool{deadline: true}
	for _, m := range []int64{1, 5, 10, 15, 30, 60} {
		minutes[m*60_000] = true
	}
	for ms := range minutes {
		row := result.DeadlineRow{DeadlineMs: ms}
		for _, age := range lateness {
			if age > ms {
				row.Late++
			}
		}
		row.Share = plainShare(row.Late, p.Stored)
		p.Deadlines = append(p.Deadlines, row)
	}
	slices.SortFunc(p.Deadlines, func(a, b result.DeadlineRow) int { return cmp.Compare(a.DeadlineMs, b.DeadlineMs) })
	p.Witnesses = v.witnesses(firstDrawn(late), chosen, func(d *plainDelivery) string {
		age := fmt.Sprint(time.Duration(d.nowMs-d.eventMs) * time.Millisecond)
		if d.nowMs-d.eventMs > 1e13 { // more than a Duration holds
			age = fmt.Sprintf("%d ms", d.nowMs-d.eventMs)
		}
		return age + " old when drawn"
	})
	return p
}

// firstDrawn are of each consumer the first five drawn.
func firstDrawn(found []*plainDelivery) []*plainDelivery {
	var first []*plainDelivery
	count := map[int]int{}
	for _, d := range found {
		if count[d.consumer]++; count[d.consumer] <= 5 {
			first = append(first, d)
		}
	}
	return first
}

// witnesses are the first five of some deliveries by the clock.
func (v *plainView) witnesses(found []*plainDelivery, lane int, detail func(*plainDelivery) string) []result.Witness {
	byClock(found)
	out := []result.Witness{}
	for _, d := range found[:min(5, len(found))] {
		out = append(out, v.witness(d, lane, detail(d)))
	}
	return out
}

func (v *plainView) witness(d *plainDelivery, lane int, detail string) result.Witness {
	p := &v.parts[d.part]
	id := ""
	if d.drawn(lane) {
		id = v.lanes[lane].text(d.ids[lane].id)
	}
	return result.Witness{Site: v.s.Name, Node: d.node, Topic: p.Topic, Partition: p.Number, Offset: d.offset,
		EventMs: d.eventMs, DrawMs: d.nowMs, ID: id, Detail: detail}
}

func (v *plainView) lane(lane int) result.Lane {
	of := v.lanes[lane]
	l := result.Lane{
		Generator: of.name(), IDs: of.layout.Name(), ByClock: of.byClock, UTCOffsetMs: v.sc.Generator.UTCOffset.Ms(),
		Order: v.order(lane), Overflow: v.overflow(lane), Duplicates: v.duplicates(lane),
		List: v.list(lane), Refusals: v.refusals(lane),
	}
	l.Costs = of.costs(v.plainWorld, l.Overflow.IDs)
	if of.Slots {
		l.PerSecond = v.sc.Generator.PerSecond
	}
	for _, d := range v.all {
		if d.stored(lane) {
			l.Stored++
		}
	}
	return l
}

func (v *plainView) refusals(lane int) result.Refusals {
	r := result.Refusals{ByReason: map[string]int64{}}
	var found []*plainDelivery
	for _, d := range v.all {
		if kind := d.ids[lane].kind; !d.filtered && kind.Refused() {
			r.Messages++
			r.ByReason[kind.String()]++
			found = append(found, d)
		}
	}
	r.Witnesses = v.witnesses(firstDrawn(found), lane, func(d *plainDelivery) string { return "no id: " + d.ids[lane].kind.String() })
	return r
}

// set is what stands in the site's sorted set, in its order.
func (v *plainView) set(lane int) (set []*plainDelivery) {
	for _, d := range listOf(v.all, lane) {
		n := len(set)
		if d.gone[lane] || v.sc.Store.Member == scenario.MemberID && n > 0 && set[n-1].ids[lane].id == d.ids[lane].id {
			continue
		}
		set = append(set, d)
	}
	return set
}

func (v *plainView) list(lane int) result.List {
	l := result.List{Entries: int64(len(v.set(lane)))}
	ids := map[plainKey]map[int64]bool{}
	stored := int64(0)
	for _, d := range v.all {
		if !d.stored(lane) {
			continue
		}
		stored++
		if d.gone[lane] {
			l.Overwritten++
		}
		k := plainKey{d.part, d.offset}
		if ids[k] == nil {
			ids[k] = map[int64]bool{}
		}
		ids[k][d.ids[lane].id] = true
	}
	l.Lost = stored - l.Overwritten - l.Entries
	for _, of := range ids {
		if len(of) > 1 {
			l.SeveralIDs++
		}
	}
	return l
}

func (v *plainView) order(lane int) result.Order {
	list := v.set(lane)
	var ids, events, drift, extents, lates []int64
	var found []*plainDelivery
	var o result.Order
	for _, d := range listOf(v.all, lane) {
		drift = append(drift, generator.FloorDiv(d.ids[lane].owner, 1000)-generator.FloorDiv(d.eventMs, 1000))
	}
	for i, d := range list {
		ids, events = append(ids, d.ids[lane].id), append(events, d.eventMs)
		for _, before := range list[:i] {
			o.Reordering.MaxBehindMs = max(o.Reordering.MaxBehindMs, before.eventMs-d.eventMs)
		}
		if j := slices.IndexFunc(list[:i], func(before *plainDelivery) bool { return before.eventMs > d.eventMs }); j >= 0 {
			extents, lates = append(extents, int64(i-j)), append(lates, d.ids[lane].owner-list[j].ids[lane].owner)
			found = append(found, d)
		}
	}
	var x, y [order.Grains][]int64
	for g, grain := range [...]int64{1, 1000, 10_000, 60_000} {
		x[g], y[g] = ids, floorTo(events, grain)
	}
	o.Grained = plainGrained(x, y)
	o.Reordering.Reordered = int64(len(found))
	o.Reordering.Ratio = plainShare(int64(len(found)), int64(len(list)))
	o.Reordering.Extent, o.Reordering.LateTime = plainSummary(extents), plainSummary(lates)
	v.plainPlaces(&o, list, lane)
	atZero := int64(0)
	for _, d := range drift {
		if d == 0 {
			atZero++
		}
	}
	o.OwnerDrift = result.OwnerDrift{Seconds: plainSummary(drift), ShareAtZero: plainShare(atZero, int64(len(drift))), Histogram: plainBins(drift, secondEdges)}
	o.Witnesses = v.witnesses(found[:min(5, len(found))], lane, func(*plainDelivery) string { return "stands after a later message" })
	return o
}

// asked is the second that a delivery asks for.
func (v *plainView) asked(d *plainDelivery, lane int) int64 {
	if d.ids[lane].byClock {
		return generator.FloorDiv(d.nowMs, 1000)
	}
	return generator.FloorDiv(d.eventMs, 1000)
}

func (v *plainView) overflow(lane int) result.Overflow {
	o := result.Overflow{Undrawn: v.lanes[lane].undrawn(), Nodes: []result.NodeOverflow{}}
	var offsets, hops []int64
	var found []*plainDelivery
	for c := range v.s.Consumers {
		n := v.node(c, lane)
		o.Nodes = append(o.Nodes, n)
		o.IDs, o.WithOffset, o.WrongNode, o.FullSlots = o.IDs+n.IDs, o.WithOffset+n.WithOffset, o.WrongNode+n.WrongNode, o.FullSlots+n.FullSlots
		for cause, k := range n.Undrawn {
			o.Undrawn[cause] += k
		}
	}
	for _, d := range v.all {
		if !d.drawn(lane) {
			continue
		}
		offset := generator.FloorDiv(d.ids[lane].owner, 1000) - v.asked(d, lane)
		offsets, hops = append(offsets, offset), append(hops, d.ids[lane].hops)
		if offset > 0 {
			found = append(found, d)
		}
	}
	o.Share = plainShare(o.WithOffset, o.IDs)
	o.Offset, o.Hops, o.Histogram = plainSummary(offsets), plainSummary(hops), plainBins(offsets, secondEdges)
	o.Witnesses = v.witnesses(firstDrawn(found), lane, func(d *plainDelivery) string {
		return fmt.Sprintf("owner second %d s after its own", generator.FloorDiv(d.ids[lane].owner, 1000)-v.asked(d, lane))
	})
	return o
}

// node is the overflow of one consumer.
func (v *plainView) node(consumer, lane int) result.NodeOverflow {
	n := result.NodeOverflow{
		Node: int(v.s.Consumers[consumer].Node), Undrawn: v.lanes[lane].undrawn(),
		MaxOffset: math.MinInt64, Headroom: []result.HeadroomPoint{},
	}
	asked, drawn, hops := map[int64]int64{}, map[int64]int64{}, map[int64]int64{}
	for _, d := range v.all {
		if d.consumer != consumer || !d.drawn(lane) {
			continue
		}
		id, second := d.ids[lane], v.asked(d, lane)
		n.IDs++
		asked[second]++
		hops[second] = max(hops[second], id.hops)
		offset := generator.FloorDiv(id.owner, 1000) - second
		n.MaxOffset = max(n.MaxOffset, offset)
		if offset > 0 {
			n.WithOffset++
		}
		if v.lanes[lane].hasNodes() && id.node != int64(d.node) {
			n.WrongNode++
		}
		if id.kind == generator.Drawn {
			drawn[generator.FloorDiv(id.owner, 1000)]++
		} else {
			n.Undrawn[id.kind.String()]++
		}
	}
	if n.IDs == 0 {
		n.MaxOffset = 0
		return n
	}
	n.Peak = plainPeak(asked)
	isFull := func(second int64) bool { return v.lanes[lane].Slots && drawn[second] >= v.sc.Generator.PerSecond }
	for second := range drawn {
		if !isFull(second) {
			continue
		}
		n.FullSlots++
		if isFull(second - 1) {
			continue
		}
		n.Chains++
		chain := result.Chain{FirstSecond: second, FirstNotFull: second}
		for ; isFull(chain.FirstNotFull); chain.FirstNotFull++ {
			chain.MaxHops = max(chain.MaxHops, hops[chain.FirstNotFull])
			chain.SpanS++
		}
		if l := n.Longest; l == nil || chain.SpanS > l.SpanS || chain.SpanS == l.SpanS && chain.FirstSecond < l.FirstSecond {
			n.Longest = &chain
		}
	}
	seconds := slices.Sorted(maps.Keys(asked))
	of := [2]*result.Lane{&v.got.Lane, &v.got.Baseline}[lane].Overflow.Nodes[consumer].Headroom
	for i, offset := range []int64{0, 1, 2, 5, 10, 30, 60, 300, 600} {
		h := result.HeadroomPoint{OffsetS: offset}
		for i, from := range seconds {
			n := int64(0)
			for _, to := range seconds[i:] {
				n += asked[to]
				h.PerSecond = max(h.PerSecond, float64(n)/float64(to-from+1+offset))
			}
		}
		if i < len(of) && plainCapacity(asked, of[i].FromSecond, of[i].ToSecond, offset) == h.PerSecond {
			h.FromSecond, h.ToSecond = of[i].FromSecond, of[i].ToSecond
		}
		n.Headroom = append(n.Headroom, h)
	}
	return n
}

// plainCapacity is what a window of seconds asks for.
func plainCapacity(asked map[int64]int64, from, to, offset int64) float64 {
	n := int64(0)
	for second, k := range asked {
		if from <= second && second <= to {
			n += k
		}
	}
	return float64(n) / float64(to-from+1+offset)
}

func (v *plainView) duplicates(lane int) result.Duplicates {
	dup := result.Duplicates{ByCause: v.lanes[lane].noCauses(v.s), WithinNode: map[string]int64{}, Witnesses: []result.DuplicateGroup{}}
	for c := range v.s.Consumers {
		dup.WithinNode[fmt.Sprint(v.s.Consumers[c].Node)] = 0
	}
	list := listOf(v.all, lane)
	scores, shown := map[float64]bool{}, map[string]int{}
	for len(list) > 0 {
		id := list[0].ids[lane].id
		n := slices.IndexFunc(list, func(d *plainDelivery) bool { return d.ids[lane].id != id })
		if n < 0 {
			n = len(list)
		}
		group := slices.Clone(list[:n])
		list = list[n:]
		dup.Distinct++
		scores[float64(id)] = true
		if n == 1 {
			continue
		}
		dup.Groups++
		dup.IDs += int64(n - 1)
		nodes := map[int]int64{}
		for _, d := range group {
			if nodes[d.node]++; nodes[d.node] > 1 {
				dup.WithinNode[fmt.Sprint(d.node)]++
			}
		}
		group, causes := v.lanes[lane].plainCauses(v.s, group, lane)
		for _, cause := range causes {
			dup.ByCause[cause]++
		}
		if shown[causes[0]]++; shown[causes[0]] <= 3 {
			g := result.DuplicateGroup{ID: v.lanes[lane].text(id), Cause: causes[0], Occurrences: int64(n)}
			for _, d := range group[:min(5, n)] {
				g.Messages = append(g.Messages, v.witness(d, lane, plainUndrawn(d, lane)))
			}
			dup.Witnesses = append(dup.Witnesses, g)
		}
	}
	if v.lanes[lane].Name != "redis-streams" { // whose ids are no scores
		dup.Scores = dup.Distinct - int64(len(scores))
	}
	return dup
}

func plainUndrawn(d *plainDelivery, lane int) string {
	switch kind := d.ids[lane].kind; kind {
	case generator.Drawn:
		return ""
	case generator.StaleDay, generator.JumpLimit, generator.DayEnd:
		return "handed out undrawn: " + kind.String()
	default:
		return "not as promised: " + kind.String()
	}
}

// plainPair is two sites to be compared.
type plainPair struct {
	lanes [2]*plainLane
	sites [2]*plainView
}

// plainKey is a message.
type plainKey struct {
	part   int
	offset int64
}

func (p *plainPair) result() *result.Between {
	r := &result.Between{A: p.sites[0].s.Name, B: p.sites[1].s.Name}
	both, onlyA, onlyB := p.stored(chosen)
	r.Both, r.OnlyA, r.OnlyB = int64(len(both)), onlyA, onlyB
	r.PairLane = p.lane(both, chosen)
	both, _, _ = p.stored(baseline)
	r.Baseline = p.lane(both, baseline)
	return r
}

// stored are the messages in both lists, by event time, and how many are in one alone.
func (p *plainPair) stored(lane int) (both [][2]*plainDelivery, onlyA, onlyB int64) {
	stored := [2]map[plainKey]*plainDelivery{{}, {}}
	for i, s := range p.sites {
		for _, d := range s.all {
			if d.last[lane] {
				stored[i][plainKey{d.part, d.offset}] = d
			}
		}
	}
	for k, d := range stored[0] {
		if other := stored[1][k]; other != nil {
			both = append(both, [2]*plainDelivery{d, other})
		}
	}
	slices.SortFunc(both, func(x, y [2]*plainDelivery) int {
		a, b := x[0], y[0]
		return cmp.Or(cmp.Compare(a.eventMs, b.eventMs), cmp.Compare(a.part, b.part), cmp.Compare(a.offset, b.offset))
	})
	return both, int64(len(stored[0]) - len(both)), int64(len(stored[1]) - len(both))
}

func (p *plainPair) lane(both [][2]*plainDelivery, lane int) result.PairLane {
	l := result.PairLane{Witnesses: []result.PairWitness{}}
	var a, b, difference []int64
	for _, d := range both {
		ida, idb := d[0].ids[lane], d[1].ids[lane]
		a, b = append(a, ida.owner), append(b, idb.owner)
		apart := generator.FloorDiv(idb.owner, 1000) - generator.FloorDiv(ida.owner, 1000)
		difference = append(difference, apart)
		switch {
		case ida.id == idb.id:
			l.SameID++
		case apart == 0:
			l.SameSecond++
		default:
			if l.DifferentSecond++; l.DifferentSecond <= 5 {
				part := &p.sites[0].parts[d[0].part]
				detail := fmt.Sprintf("%d s later at %s", apart, p.sites[1].s.Name)
				if apart < 0 {
					detail = fmt.Sprintf("%d s later at %s", -apart, p.sites[0].s.Name)
				}
				l.Witnesses = append(l.Witnesses, result.PairWitness{Topic: part.Topic, Partition: part.Number, Offset: d[0].offset,
					EventMs: d[0].eventMs, IDA: p.lanes[lane].text(ida.id), IDB: p.lanes[lane].text(idb.id), Detail: detail})
			}
		}
	}
	n := int64(len(both))
	l.SameIDShare, l.SameSecondShare, l.DifferentShare = plainShare(l.SameID, n), plainShare(l.SameSecond, n), plainShare(l.DifferentSecond, n)
	l.Difference, l.Histogram = plainSummary(difference), plainBins(difference, secondEdges)
	var x, y [order.Grains][]int64
	for g, grain := range [...]int64{1, 1000, 10_000, 60_000} {
		x[g], y[g] = floorTo(a, grain), floorTo(b, grain)
	}
	l.Grained = plainGrained(x, y)
	l.Ranks, l.Newest = plainRanks(both, lane), p.newest(lane)
	l.Duplicates = p.collisions(lane)
	return l
}

// collisions are the ids at both sites for different messages.
// plainMessages counts the messages among deliveries.
func plainMessages(list []*plainDelivery) int {
	messages := map[plainKey]bool{}
	for _, d := range list {
		messages[plainKey{d.part, d.offset}] = true
	}
	return len(messages)
}

func (p *plainPair) collisions(lane int) result.PairDuplicates {
	dup := result.PairDuplicates{ByCause: p.lanes[lane].noCauses(p.sites[0].s), Witnesses: []result.DuplicateGroup{}}
	holders := map[int64]*[2][]*plainDelivery{}
	for i, s := range p.sites {
		for _, d := range listOf(s.all, lane) {
			id := d.ids[lane].id
			if holders[id] == nil {
				holders[id] = &[2][]*plainDelivery{}
			}
			holders[id][i] = append(holders[id][i], d)
		}
	}
	var ids []int64
	for id := range holders {
		ids = append(ids, id)
	}
	slices.Sort(ids)
	shown := map[string]int{}
	for _, id := range ids {
		more, fewer := 0, 1 // the site with more of them, A of equals
		if h := holders[id]; plainMessages(h[0]) < plainMessages(h[1]) {
			more, fewer = 1, 0
		}
		if len(holders[id][fewer]) == 0 {
			continue
		}
		sorted, _ := p.lanes[lane].plainCauses(p.sites[more].s, holders[id][more], lane)
		original := sorted[0]
		g := result.DuplicateGroup{ID: p.lanes[lane].text(id), Occurrences: int64(len(sorted)),
			Messages: []result.Witness{p.sites[more].witness(original, lane, plainUndrawn(original, lane))}}
		for i, d := range holders[id][fewer] {
			if slices.ContainsFunc(holders[id][fewer][:i], func(o *plainDelivery) bool { return o.part == d.part && o.offset == d.offset }) {
				continue
			}
			if slices.ContainsFunc(sorted, func(o *plainDelivery) bool { return o.part == d.part && o.offset == d.offset }) {
				continue
			}
			cause := p.lanes[lane].acrossSites(d, original, lane)
			g.Cause = cmp.Or(g.Cause, cause)
			dup.ByCause[cause]++
			dup.IDs++
			g.Occurrences++
			if len(g.Messages) < 5 {
				g.Messages = append(g.Messages, p.sites[fewer].witness(d, lane, plainUndrawn(d, lane)))
			}
		}
		if g.Cause == "" {
			continue
		}
		dup.Groups++
		if shown[g.Cause]++; shown[g.Cause] <= 3 {
			dup.Witnesses = append(dup.Witnesses, g)
		}
	}
	return dup
}
