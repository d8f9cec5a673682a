package contest

import (
	"testing"

	"twindrift/sim/result"
)

// made is a result of one generator at two sites.
func made(generator string, discordant, comparable, refused, copies, trips, ids int64) *result.Result {
	site := func(name string) *result.Site {
		s := &result.Site{Name: name, Lane: result.Lane{
			Generator:  generator,
			Order:      result.Order{Grained: result.Grained{Discordant: map[string]int64{"1s": discordant}, Comparable: map[string]int64{"1s": comparable}}},
			Overflow:   result.Overflow{IDs: ids, WithOffset: 3, Offset: &result.Summary{Min: -7, Max: 2}, Undrawn: map[string]int64{"day-end": refused / 6, "stale-day": 0}, WrongNode: copies},
			Duplicates: result.Duplicates{IDs: copies, ByCause: map[string]int64{"day-end": copies - copies/2, "restart": 0}, Unexplained: copies / 2},
			Refusals:   result.Refusals{Messages: refused, ByReason: map[string]int64{}},
		}}
		if refused > 0 {
			s.Refusals.ByReason["redis-down"] = refused
		}
		if trips > 0 {
			s.Costs = &result.Costs{RoundTrips: trips, Wasted: 5, Keys: 1, Wait: &result.Summary{Max: 1001}}
		}
		return s
	}
	return &result.Result{
		Input:     result.Input{Messages: 100},
		SiteNames: []string{"east", "west"}, Sites: map[string]*result.Site{"east": site("east"), "west": site("west")},
		PairNames: []string{"east-west"}, Between: map[string]*result.Between{"east-west": {Both: 50, PairLane: result.PairLane{
			DifferentSecond: 10, Duplicates: result.PairDuplicates{IDs: 4, ByCause: map[string]int64{"separate": 4}}}}},
	}
}

func TestTableAddsUp(t *testing.T) {
	var all Collector
	all.Add([]*result.Result{made("a", 1, 10, 0, 2, 0, 100), made("b", 3, 10, 6, 0, 50, 100), made("c", 1, 10, 0, 9, 100, 100)})
	c := all.Table()
	if len(c.Generators) != 3 || c.Generators[1].Generator != "b" || c.Messages != 100 || c.Replications != 1 {
		t.Fatalf("%+v", c)
	}
	for _, w := range []struct {
		generator   int
		name        string
		value       float64
		best, worst bool
	}{
		{0, "discordant_share_1s", 0.1, true, false},
		{1, "discordant_share_1s", 0.3, false, true},
		{2, "discordant_share_1s", 0.1, true, false},
		{0, "different_second_share", 0.2, false, false}, // all alike
		{0, "later_share", 0.03, false, false},
		{0, "max_offset_s", 7, false, false},
		{0, "refused", 0, true, false},
		{1, "refused", 12, false, true},
		{0, "undrawn", 0, true, false},
		{1, "undrawn", 2, false, true},
		{0, "wrong_node", 4, true, false},
		{1, "wrong_node", 0, false, false},
		{0, "extra_copies", 4, true, false},
		{1, "extra_copies", 0, false, false}, // it refuses messages: not the best at this
		{2, "extra_copies", 18, false, true},
		{0, "extra_copies_between", 4, false, false},
		{0, "round_trips_per_id", 0, true, false},
		{1, "round_trips_per_id", 0.5, false, false},
		{2, "round_trips_per_id", 1, false, true},
		{2, "wasted", 10, false, true},
		{2, "keys_left", 2, false, true},
		{2, "longest_wait_ms", 2, false, true}, // 1,001 us
	} {
		v := c.Generators[w.generator].Figures[w.name]
		if v.Value == nil || *v.Value != w.value || v.Best != w.best || v.Worst != w.worst {
			t.Errorf("generator %d, %s: %v, best %v, worst %v; want %+v", w.generator, w.name, *v.Value, v.Best, v.Worst, w)
		}
		if v.Difference != nil {
			t.Errorf("%s has a difference without replications", w.name)
		}
	}
	if v := c.Generators[0].Figures["recall_1s"]; v.Value != nil || v.Best || v.Worst {
		t.Errorf("recall of nothing: %+v", v)
	}
	g := c.Generators[1]
	if g.RefusedBy["redis-down"] != 12 || len(g.ByCause) != 0 || g.BetweenBy["separate"] != 4 || g.NotDrawnBy["day-end"] != 2 || len(g.NotDrawnBy) != 1 {
		t.Errorf("%+v", g)
	}
	if by := c.Generators[0].ByCause; by["day-end"] != 2 || by["unexplained"] != 2 {
		t.Errorf("causes %v", by)
	}
	if len(c.Generators[0].Figures) != len(result.ContestFigures) {
		t.Errorf("%d figures of %d", len(c.Generators[0].Figures), len(result.ContestFigures))
	}
}

// Differences are paired: of equal differences the interval has no width, however much
// the values vary.
func TestDifferencesArePaired(t *testing.T) {
	var all Collector
	for _, n := range []int64{10, 500, 90} {
		all.Add([]*result.Result{made("a", 0, 10, 0, n, 0, 1000), made("b", 0, 10, 0, n+3, 0, 1000)})
	}
	c := all.Table()
	d := c.Generators[1].Figures["extra_copies"].Difference
	if d == nil || *d.Mean != 6 || *d.Low != 6 || *d.High != 6 || d.Defined != 3 {
		t.Errorf("%+v", d)
	}
	if c.Generators[0].Figures["extra_copies"].Difference != nil {
		t.Error("the first differs from itself")
	}
	if v := c.Generators[1].Figures["extra_copies"].Value; *v != 26 {
		t.Errorf("the value is %v, not that of the first replication", *v)
	}
}
