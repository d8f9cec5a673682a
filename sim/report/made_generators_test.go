package report

import (
	"maps"

	"twindrift/sim/result"
)

// of makes an evening one of another generator: what its ids are, and the
// scenario's words for it.
func of(r *result.Result, name, variant, layout string, options map[string]any) *result.Result {
	for _, s := range r.Sites {
		s.Generator, s.IDs, s.ByClock, s.PerSecond = name+" "+variant, layout, layout == snowflakeIDs || layout == counterIDs, 0
		for i := range s.Overflow.Nodes {
			s.Overflow.Nodes[i].Headroom = nil
		}
	}
	generator := map[string]any{"name": name, "variant": variant}
	maps.Copy(generator, options)
	r.Scenario.(map[string]any)["generator"] = generator
	return r
}

// streams has one entry a message, of the event's ms: Redis refuses those that
// come after a later one, one in three at the east and most at the west,
// where some are written again.
func streams() *result.Result {
	r := of(evening("east", "west"), "redis-streams", "event", "redis-streams",
		map[string]any{"redis": map[string]any{"shared": false, "round_trip": "500us", "outages": []any{map[string]any{"at": "1m", "for": "2s"}}}})
	const asked = 324_000
	for i, refused := range []int64{108_000, 243_000} {
		s := r.Sites[r.SiteNames[i]]
		n := asked - refused
		s.Push.Refused, s.Push.Stored, s.Push.Pushed, s.Stored = refused, n, n, n
		s.Push.Lateness.N = n
		s.Order.N, s.Overflow.IDs, s.Overflow.Nodes[0].IDs, s.Duplicates.Distinct = n, n, n, n
		s.List.Entries = n
		s.Duplicates.Scores = 7 // of which a stream makes nothing
		w := witness(s.Name, i+1, 3, 4410, 4, "no id: equal-or-smaller")
		w.ID = ""
		s.Refusals = result.Refusals{Messages: refused, ByReason: map[string]int64{"equal-or-smaller": refused - 12, "redis-down": 12}, Witnesses: []result.Witness{w}}
		perTrip := float64(n) / (asked + 40)
		s.Costs = &result.Costs{RoundTrips: asked + 40, TripsPerID: 1 / perTrip, IDsPerTrip: &perTrip, Keys: 1, Rejected: refused - 12}
	}
	west := r.Sites["west"].Costs
	west.Rejected, west.Pinned, west.MaxPinMs = west.Rejected+20, 20, 7_201_000
	b := r.Between["east-west"]
	b.Both, b.OnlyA, b.OnlyB = 70_000, 146_000, 11_000
	b.SameID, b.SameSecond, b.SameIDShare, b.SameSecondShare = 60_000, 10_000, 60_000.0/70_000, 10_000.0/70_000
	b.N = b.Both
	b.Duplicates = result.PairDuplicates{IDs: 9511, Groups: 9511, ByCause: map[string]int64{"separate": 9511, "counter-back": 0}}
	return r
}

// snowflakes has 0 for an id now and then, as published, and draws that wait for
// each other.
func snowflakes() *result.Result {
	r := of(evening("east", "west"), "snowflake", "locked-published", "snowflake",
		map[string]any{"redis": map[string]any{"shared": true, "round_trip": "2ms", "failovers": []any{map[string]any{"at": "2m", "lose": 3}}}})
	const n, zeros = 324_000, 40_500
	for i, name := range r.SiteNames {
		s := r.Sites[name]
		o := &s.Overflow
		o.Offset = &result.Summary{N: n, Min: -483_000_000, P50: 0, P90: 0, P99: 3, P999: 3, Max: 4, Mean: -60_375_000}
		o.Histogram = []result.Bin{{From: -500_000_000, To: 0, Count: zeros}, {From: 0, To: 1, Count: n - zeros - 810}, {From: 1, To: 5, Count: 810}}
		o.WithOffset, o.Share, o.WrongNode = 810, 810.0/n, zeros
		o.Undrawn = map[string]int64{"zero-id": zeros, "sequence-spill": 9}
		o.Nodes[0].WithOffset, o.Nodes[0].MaxOffset, o.Nodes[0].Undrawn, o.Nodes[0].WrongNode = 810, 4, o.Undrawn, zeros
		o.Witnesses = []result.Witness{witness(name, i+1, 3, 4410, 4, "owner second 1 s after its own")}
		s.Duplicates = result.Duplicates{IDs: zeros - 1, Groups: 1, Distinct: n - zeros + 1, Scores: 35, ByCause: map[string]int64{"zero-id": zeros - 1}}
		perTrip := 1.25
		s.Costs = &result.Costs{RoundTrips: 259_200, ServiceTrips: 17, TripsPerID: 0.8, IDsPerTrip: &perTrip, Wasted: 5_115, Waited: 16_200, WaitedMs: 8_100_000,
			Wait: &result.Summary{N: n, P90: 250, P99: 1_500, P999: 4_000_000, Max: 12_000_000}}
	}
	r.Sites["east"].Costs.Wait.Max, r.Sites["east"].Costs.Wait.P999 = 999_999, 999_999
	r.Sites["west"].Costs.Wasted = 0
	return r
}

// counters has a Redis at each site, which come to the same numbers.
func counters() *result.Result {
	r := of(evening("east", "west"), "redis-counter", "published", "redis-counter",
		map[string]any{"redis": map[string]any{"shared": false, "round_trip": "500us"}, "counter": map[string]any{"time": "now"}})
	for _, s := range r.Sites {
		s.Costs = &result.Costs{}
	}
	r.Between["east-west"].Duplicates = result.PairDuplicates{IDs: 85_526, Groups: 85_526, ByCause: map[string]int64{"separate": 85_526},
		Witnesses: []result.DuplicateGroup{group("east", 1, "separate", 2)}}
	return r
}

// refuser gave none of its messages an id.
func refuser() *result.Result {
	r := of(evening("east"), "external", "process", "snowflake", nil)
	s := r.Sites["east"]
	s.Push = result.Push{Consumed: 1, Refused: 1, DeadlineMs: 15 * minuteMs}
	s.Refusals = result.Refusals{Messages: 1, ByReason: map[string]int64{"external": 1}}
	s.Lane.Overflow, s.Lane.Order = result.Overflow{}, result.Order{}
	return r
}
