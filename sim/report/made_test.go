package report

import (
	"fmt"
	"math"

	"twindrift/sim/result"
)

// Results made by hand, with figures that belong together. What a run really
// finds is tested where runs are.

const (
	eveningMs = 1_772_449_200_000 // 2026-03-02 11:00:00 UTC, 19:00 in UTC+8
	minuteMs  = 60_000
	firstID   = 639_080_532_001_000_000
)

// spread is a distribution of n values that is 0 up to its p90.
func spread(n, p99, p999, largest int64, mean float64) *result.Summary {
	return &result.Summary{N: n, P99: p99, P999: p999, Max: largest, Mean: mean}
}

// evening is a quiet run of 360,000 messages through sites of these names.
func evening(names ...string) *result.Result {
	const n = 360_000
	r := &result.Result{
		Format: result.Format, Version: result.Version,
		Input: result.Input{
			Messages: n, MinMs: eveningMs + 12, MaxMs: eveningMs + 40*minuteMs - 9,
			PeakSecond: result.SecondCount{Second: eveningMs/1000 + 741, Count: 412},
		},
		SiteNames: names, Sites: map[string]*result.Site{}, Between: map[string]*result.Between{},
		Checks: []result.Check{{Name: "east: consumed = filtered + stored + store-off", Left: n, Right: n, Passed: true}},
	}
	for p := range int32(8) {
		r.Input.Partitions = append(r.Input.Partitions, result.InputPartition{
			Topic: "orders", Partition: p, Messages: n / 8, LastOffset: n/8 - 1,
			MinMs: eveningMs + 12 + int64(p), MaxMs: eveningMs + 40*minuteMs - 9 - int64(p),
		})
	}
	var sites []any
	for i, name := range names {
		delay := "lognormal:35ms,400ms"
		if i == 0 {
			delay = "0s"
		}
		sites = append(sites, map[string]any{"name": name, "link": map[string]any{"delay": delay}})
		r.Sites[name] = quietSite(name, i+1, n)
		for _, other := range names[:i] {
			pair := other + "-" + name
			r.PairNames = append(r.PairNames, pair)
			r.Between[pair] = quietPair(other, name, n)
		}
	}
	r.Scenario = map[string]any{"seed": 1, "sites": sites}
	return r
}

func quietSite(name string, node int, n int64) *result.Site {
	delayed := int64(node - 1)
	s := &result.Site{
		Name: name,
		Consumers: []result.Consumer{{Node: node, Consumed: n, MaxWaitMs: 3 * delayed,
			Partitions: []string{"orders/0", "orders/1", "orders/2", "orders/3", "orders/4", "orders/5", "orders/6", "orders/7"}}},
		Push: result.Push{
			Consumed: n, Filtered: n / 10, Stored: n - n/10, Pushed: n - n/10, DeadlineMs: 15 * minuteMs,
			Lateness:  &result.Summary{N: n - n/10, P50: 35 * delayed, P90: 140 * delayed, P99: 402 * delayed, P999: 811 * delayed, Max: 2304 * delayed, Mean: 62.1 * float64(delayed)},
			Histogram: []result.Bin{{From: 0, To: 1000, Count: n - n/10}},
		},
		Lane:     quietLane("second-slot published", node, n-n/10),
		Baseline: quietLane("consumption-time", node, n-n/10),
	}
	for m := range int64(40) {
		s.Push.Minutes = append(s.Push.Minutes, result.MinuteRow{MinuteMs: eveningMs + m*minuteMs, Stored: (n - n/10) / 40})
		s.Lag = append(s.Lag, result.LagPoint{MinuteMs: eveningMs + m*minuteMs, Draws: (n - n/10) / 40, MaxLagMs: delayed * (700 + (m*m)%1600)})
	}
	for _, minutes := range []int64{1, 5, 10, 15, 30, 60} {
		s.Push.Deadlines = append(s.Push.Deadlines, result.DeadlineRow{DeadlineMs: minutes * minuteMs})
	}
	if delayed > 0 {
		b := &s.Baseline.Order
		b.OwnerDrift = result.OwnerDrift{Seconds: &result.Summary{N: n - n/10, P90: 1, P99: 1, P999: 1, Max: 2, Mean: 0.0621}, ShareAtZero: 0.9379}
		b.Grained = grained(n-n/10, 412_345, 38_112, 0, 0)
		b.Reordering = result.Reordering{
			Reordered: 61_204, Ratio: 61_204.0 / float64(n-n/10),
			Extent: &result.Summary{N: 61_204, Min: 1, P50: 6, P90: 31, P99: 88, P999: 190, Max: 377, Mean: 12.8}, LateTime: &result.Summary{N: 61_204, Min: 1, P50: 44, P90: 205, P99: 610, P999: 1201, Max: 2291, Mean: 81.2}, MaxBehindMs: 2291,
		}
	}
	return s
}

func quietLane(generator string, node int, n int64) result.Lane {
	return result.Lane{
		Generator: generator, IDs: "second-slot", PerSecond: 5000, UTCOffsetMs: 8 * 3_600_000, Stored: n,
		Order: result.Order{
			Grained:      grained(n, 0, 0, 0, 0),
			OwnerDrift:   result.OwnerDrift{Seconds: spread(n, 0, 0, 0, 0), ShareAtZero: 1, Histogram: []result.Bin{{From: 0, To: 1, Count: n}}},
			Reordering:   result.Reordering{FreeRuns: result.FreeRuns{Trailing: n}},
			Displacement: &result.Displacement{Distance: spread(n, 0, 0, 0, 0)},
			Densities:    &result.Densities{Displacement: density(n, 1), Occupancy: density(n, 1)},
			RangeRecall:  map[string]*result.RangeRecall{"1s": found(n, n), "10s": found(n, n), "60s": found(n, n)},
		},
		Overflow: result.Overflow{
			IDs: n, Offset: spread(n, 0, 0, 0, 0), Hops: spread(n, 0, 0, 0, 0), Undrawn: map[string]int64{},
			Nodes: []result.NodeOverflow{{
				Node: node, IDs: n, Undrawn: map[string]int64{}, Peak: result.SecondCount{Second: eveningMs/1000 + 741, Count: 371},
				Headroom: headroom(371, 330.5, 290.33, 201.8, 154.2),
			}},
		},
		Duplicates: result.Duplicates{Distinct: n, ByCause: map[string]int64{}},
	}
}

func density(n int64, atZero float64) result.Density {
	return result.Density{Threshold: 1000, Counted: n, ShareAtZero: &atZero}
}

func found(n, found int64) *result.RangeRecall {
	return &result.RangeRecall{Messages: n, Found: found, Share: new(float64(found) / float64(n))}
}

// newest is what users see who see the same, minute by minute.
func newest(minutes int64) map[string]*result.Newest {
	all := map[string]*result.Newest{}
	for _, k := range []int64{20, 50, 100} {
		n := &result.Newest{Minutes: minutes, Mean: &result.NewestMean{Overlap: float64(k), Jaccard: 1, RBO: new(1.0)}}
		for m := range minutes {
			n.Series = append(n.Series, result.NewestView{EndMs: eveningMs + (m+1)*minuteMs, A: k, B: k, Overlap: k, Jaccard: 1, RBO: new(1.0)})
		}
		n.Worst = &n.Series[0]
		all[fmt.Sprint(k)] = n
	}
	return all
}

func headroom(perSecond ...float64) []result.HeadroomPoint {
	var curve []result.HeadroomPoint
	for i, offset := range []int64{0, 1, 2, 10, 60} {
		curve = append(curve, result.HeadroomPoint{OffsetS: offset, PerSecond: perSecond[i], FromSecond: eveningMs/1000 + 741, ToSecond: eveningMs/1000 + 741})
	}
	return curve
}

// grained has these discordant pairs of n elements at the four grains.
func grained(n int64, discordant ...int64) result.Grained {
	g := result.Grained{N: n, Comparable: map[string]int64{}, Discordant: map[string]int64{},
		DiscordantShare: map[string]*float64{}, TauA: map[string]*float64{}, TauB: map[string]*float64{}}
	for i, grain := range grains {
		pairs := n * (n - 1) / 2
		comparable := pairs - pairs/int64([]float64{1e6, 2400, 240, 40}[i])
		share := float64(discordant[i]) / float64(comparable)
		g.Comparable[grain.key], g.Discordant[grain.key] = comparable, discordant[i]
		g.DiscordantShare[grain.key] = &share
		g.TauA[grain.key] = new((1 - 2*share) * float64(comparable) / float64(pairs))
		g.TauB[grain.key] = new(1 - 2*share)
	}
	return g
}

func quietPair(a, b string, n int64) *result.Between {
	n -= n / 10
	const differ = 20_121
	return &result.Between{
		A: a, B: b, Both: n,
		PairLane: result.PairLane{
			SameSecond: n, SameSecondShare: 1, Difference: spread(n, 0, 0, 0, 0), Grained: grained(n, 0, 0, 0, 0),
			Ranks: &result.Displacement{Distance: spread(n, 0, 0, 0, 0)}, Newest: newest(40),
			Duplicates: result.PairDuplicates{ByCause: map[string]int64{}},
		},
		Baseline: result.PairLane{
			SameSecond: n - differ, DifferentSecond: differ, SameSecondShare: float64(n-differ) / float64(n), DifferentShare: differ / float64(n),
			Difference: &result.Summary{N: n, P99: 1, P999: 1, Max: 2, Mean: 0.0621}, Grained: grained(n, 412_345, 38_112, 0, 0),
			Duplicates: result.PairDuplicates{ByCause: map[string]int64{}},
		},
	}
}

// marketOpen is a burst over what a node can number, long enough for the walk
// over full slots to be given up, and an outage that makes the west late.
func marketOpen() *result.Result {
	r := evening("east", "west")
	in := &r.Input
	in.PeakSecond = result.SecondCount{Second: eveningMs/1000 + 1800, Count: 6123}
	value := func(x float64) *float64 { return &x }
	r.Thresholds = []result.Threshold{
		{Expression: "sites.east.duplicates.ids == 0", Verdict: result.ThresholdFail,
			Values: []result.ThresholdValue{{Path: "sites.east.duplicates.ids", Value: value(95)}}},
		{Expression: "sites.*.overflow.share < 5%", Verdict: result.ThresholdPass,
			Values: []result.ThresholdValue{{Path: "sites.west.overflow.share", Value: value(0.037)}}},
		{Expression: `between.east-west.tau_b["1s"] >= 0.999 and input.messages > 0 and sites.east.push.stored > 0`, Verdict: result.ThresholdNoData,
			Values: []result.ThresholdValue{{Path: "between.east-west.tau_b.1s"}, {Path: "input.messages", Value: value(360_000)}, {Path: "sites.east.push.stored", Value: value(324_000)}}},
	}
	in.Partitions[3].Disorder = result.Disorder{Reordered: 1544, Share: 1544.0 / 45_000, MaxBehindMs: 3204}
	in.Partitions[5].Disorder = result.Disorder{Reordered: 1, Share: 1.0 / 45_000, MaxBehindMs: 2}
	in.Disorder = result.Disorder{Reordered: 1545, Share: 1545.0 / 360_000, MaxBehindMs: 3204}
	in.Notes = []result.Note{{Kind: "gaps", Text: "orders/3 has 12 offsets missing between 4,411 and 4,423, as a compacted topic or aborted transactions leave them", Rows: 12}}
	for i, name := range r.SiteNames {
		s := r.Sites[name]
		n := s.Push.Stored
		s.Order.Grained = grained(n, 31_200_412, 18_204_113, 12, 0)
		s.Order.OwnerDrift = result.OwnerDrift{ShareAtZero: 311_990.0 / 324_000, Seconds: spread(n, 6, 7, 7, 0.11)}
		s.Order.Displacement = &result.Displacement{Distance: spread(n, 812, 2950, 5003, 41.2), Footrule: 13_348_800}
		s.Order.Densities = &result.Densities{Displacement: density(n-3121, 0.93), Occupancy: density(n-40_211, 0.41)}
		s.Order.Densities.Displacement.Discarded, s.Order.Densities.Occupancy.Discarded = 3121, 40_211
		s.Order.RangeRecall = map[string]*result.RangeRecall{"1s": found(n, 311_990), "10s": found(n, 318_000), "60s": found(n, n)}
		s.Order.RangeRecall["1s"].WorstRecall = &result.RecallCell{StartMs: eveningMs + 30*minuteMs, Messages: 6123, Found: 5000, Share: 5000.0 / 6123}
		s.Order.RangeRecall["1s"].WorstPrecision = &result.RecallCell{StartMs: eveningMs + 30*minuteMs + 1000, Messages: 5000, Found: 3877, Share: 3877.0 / 5000}
		s.List = result.List{Entries: n - 95, Overwritten: 40, Lost: 95, SeveralIDs: 38}
		s.Push.Again, s.Push.StoredAgain = 44, 40
		s.Order.Reordering = result.Reordering{Reordered: 11_020, Ratio: 11_020.0 / 324_000, MaxBehindMs: 7911,
			NReordered: []result.NReordered{{N: 1, Count: 900, Ratio: 900.0 / 324_000}, {N: 3, Count: 610, Ratio: 610.0 / 324_000}},
			FreeRuns:   result.FreeRuns{Runs: 11_020, Entries: 300_000, Trailing: 2980, Mean: new(300_000.0 / 11_020)},
			Extent:     &result.Summary{N: 11_020, Min: 1, P50: 900, P90: 2100, P99: 4020, P999: 4800, Max: 5001, Mean: 1104.2},
			LateTime:   &result.Summary{N: 11_020, Min: 1, P50: 3000, P90: 6100, P99: 7000, P999: 7100, Max: 7203, Mean: 3100.9}}
		o := &s.Overflow
		o.WithOffset, o.Share, o.FullSlots = 12_010, 12_010.0/324_000, 41
		o.Offset, o.Hops = spread(n, 6, 7, 7, 0.11), spread(n, 5, 7, 16, 0.2)
		o.Undrawn = map[string]int64{"jump-limit": 96, "day-end": 0}
		o.WrongNode = 96
		o.Nodes[0].WithOffset, o.Nodes[0].MaxOffset, o.Nodes[0].FullSlots = 12_010, 7, 41
		o.Nodes[0].Undrawn, o.Nodes[0].WrongNode, o.Nodes[0].Chains = o.Undrawn, 96, 3
		o.Nodes[0].Longest = &result.Chain{FirstSecond: eveningMs/1000 + 1800, SpanS: 23, FirstNotFull: eveningMs/1000 + 1823, MaxHops: 16}
		o.Nodes[0].Peak = in.PeakSecond
		o.Nodes[0].Headroom = headroom(6123, 5720.4, 5381.25, 3120.9, 1000.02)
		o.Witnesses = []result.Witness{witness(name, i+1, 3, 4410, 4, "2 s later than its message"), witness(name, i+1, 3, 4411, 5, "2 s later than its message")}
		s.Order.Witnesses = o.Witnesses[:1]
		s.Duplicates = result.Duplicates{IDs: 95, Groups: 1, Distinct: n - 95, ByCause: map[string]int64{"jump-limit": 95}, WithinNode: map[string]int64{fmt.Sprint(i + 2): 95},
			Witnesses: []result.DuplicateGroup{group(name, i+1, "jump-limit", 96)}}
	}
	west := &r.Sites["west"].Push
	west.Late, west.Pushed = 1234, west.Stored-1234
	west.Lateness = &result.Summary{N: west.Stored, Min: 1, P50: 36, P90: 150, P99: 902_311, P999: 1_140_220, Max: 1_203_000, Mean: 4000.5}
	for i, late := range []int64{22_000, 9_000, 4_100, 1234, 0, 0} {
		west.Deadlines[i].Late, west.Deadlines[i].Share = late, float64(late)/float64(west.Stored)
	}
	for i, late := range []int64{31, 700, 402, 101} {
		west.Minutes[33+i].Late = late
	}
	west.Witnesses = []result.Witness{witness("west", 2, 0, 21_004, 901_200, "1.2 s over the deadline")}
	b := r.Between["east-west"]
	b.SameSecond, b.DifferentSecond = b.Both-432, 432
	b.SameSecondShare, b.DifferentShare = float64(b.SameSecond)/float64(b.Both), 432/float64(b.Both)
	b.Difference = &result.Summary{N: b.Both, Min: -2, Max: 4, P999: 1, Mean: 0.002}
	b.Grained = grained(b.Both, 1_204_411, 90_011, 0, 0)
	b.Ranks = &result.Displacement{Distance: spread(b.Both, 14, 610, 1201, 0.41), Footrule: 132_840}
	for k, n := range b.Newest {
		n.Mean = &result.NewestMean{Overlap: n.Mean.Overlap - 2.25, Jaccard: 0.8125, RBO: new(0.861), Kendall: 31.5}
		for i := range 3 {
			v := &n.Series[30+i]
			v.Overlap, v.Jaccard, v.RBO, v.Kendall = v.A-9+int64(i), 0.3+0.1*float64(i), new(0.2+0.1*float64(i)), 301.5
		}
		n.Worst = &n.Series[30]
		if k == "100" {
			n.Unknown = 1
		}
	}
	b.Witnesses = []result.PairWitness{{Topic: "orders", Partition: 3, Offset: 4412, EventMs: eveningMs + 30*minuteMs + 912,
		IDA: fmt.Sprint(firstID + 1800*10_000_000), IDB: fmt.Sprint(firstID + 1_000_000 + 1804*10_000_000), Detail: "4 s later at west"}}
	return r
}

func witness(site string, node int, partition int32, offset, after int64, detail string) result.Witness {
	event := int64(eveningMs + 30*minuteMs + offset%1000)
	return result.Witness{Site: site, Node: node, Topic: "orders", Partition: partition, Offset: offset,
		EventMs: event, DrawMs: event + after, ID: fmt.Sprint(firstID + 1802*10_000_000 + offset*200), Detail: detail}
}

func group(site string, node int, cause string, n int64) result.DuplicateGroup {
	return result.DuplicateGroup{ID: fmt.Sprint(firstID + 1816*10_000_000), Cause: cause, Occurrences: n,
		Messages: []result.Witness{witness(site, node, 3, 4700, 7, "jump 16"), witness(site, node, 3, 4701, 8, ""), witness(site, node, 5, 2, 9, "")}}
}

// twoMidnights overflows at 23:59:59 local, and has yesterday's messages again.
func twoMidnights() *result.Result {
	r := evening("east", "west")
	r.Input.MaxMs = eveningMs + 25*60*minuteMs
	for i, name := range r.SiteNames {
		s := r.Sites[name]
		s.Duplicates = result.Duplicates{IDs: 4096, Groups: 97, Distinct: s.Push.Stored - 4096,
			ByCause: map[string]int64{"day-end": 4000, "stale-day": 96}, WithinNode: map[string]int64{"1": 4096}, Scores: 2,
			Witnesses: []result.DuplicateGroup{group(name, i+1, "day-end", 4001), group(name, i+1, "stale-day", 2)}}
		s.Overflow.Undrawn = map[string]int64{"day-end": 4001, "stale-day": 120}
		s.Overflow.WrongNode = 4001
		s.Overflow.FullSlots = 1
		s.Overflow.Nodes[0].Undrawn = s.Overflow.Undrawn
		s.Overflow.Nodes[0].FullSlots = 1
	}
	d := &r.Between["east-west"].Duplicates
	d.IDs, d.Groups, d.ByCause = 1, 1, map[string]int64{"day-end": 1}
	d.Witnesses = []result.DuplicateGroup{group("east", 1, "day-end", 4002)}
	return r
}

// equalNodes has one node number at both sites.
func equalNodes() *result.Result {
	r := evening("east", "west")
	west := r.Sites["west"]
	west.Consumers[0].Node, west.Overflow.Nodes[0].Node = 1, 1
	b := r.Between["east-west"]
	b.SameID, b.SameSecond = 300_000, 24_000
	b.SameIDShare, b.SameSecondShare = 300_000.0/324_000, 24_000.0/324_000
	b.Duplicates = result.PairDuplicates{IDs: 24_000, Groups: 24_000, ByCause: map[string]int64{"shared-node": 24_000},
		Witnesses: []result.DuplicateGroup{group("east", 1, "shared-node", 2)}}
	r.Notes = []string{"east and west both have node 1"}
	return r
}

// threeSites has names, topics and numbers as long as they get.
func threeSites() *result.Result {
	r := evening("frankfurt-am-main-2", "singapore-ap-southeast-1", "w")
	r.Input.Partitions[2].Topic = "com.example.trading.orders.matched.and.cleared.v17"
	r.Input.Partitions[2].Disorder = result.Disorder{Reordered: 44_999, Share: 44_999.0 / 45_000, MaxBehindMs: 86_400_000 * 3}
	r.Input.Disorder = result.Disorder{Reordered: 44_999, Share: 44_999.0 / 360_000, MaxBehindMs: 86_400_000 * 3}
	for _, s := range r.Sites {
		s.Order.Grained = grained(2_000_000_000, 1_204_411_771_200_123, 90_011, 1, 0)
		s.Overflow.Nodes = append(s.Overflow.Nodes, s.Overflow.Nodes[0], s.Overflow.Nodes[0])
	}
	link := r.Scenario.(map[string]any)["sites"].([]any)[1].(map[string]any)["link"].(map[string]any)
	link["topics"] = map[string]any{"orders": "2s"}
	w := r.Sites["w"]
	w.Order.TauB["1ms"], w.Order.DiscordantShare["1ms"] = nil, nil
	w.Order.TauB["1s"] = new(1 - 1e-9)
	w.Order.DiscordantShare["1s"] = new(math.SmallestNonzeroFloat64)
	return r
}

// empty is a run of no message.
func empty() *result.Result {
	r := &result.Result{Format: result.Format, Version: result.Version,
		SiteNames: []string{"east", "west"}, Sites: map[string]*result.Site{"east": {Name: "east"}, "west": {Name: "west"}},
		PairNames: []string{"east-west"}, Between: map[string]*result.Between{"east-west": {A: "east", B: "west"}}}
	r.Input.Notes = []result.Note{{Kind: "gaps", Text: "every row was left out: no timestamp"}}
	return r
}
