package sim

import (
	"testing"

	gocmp "github.com/google/go-cmp/cmp"

	"twindrift/generator/catalog"
	"twindrift/replay"
	"twindrift/sim/result"
	"twindrift/sim/scenario"
)

// contestants are all generators that need no program, as one is compared with the
// others.
func contestants(t *testing.T, sc *scenario.Scenario) (against []scenario.Generator) {
	t.Helper()
	for _, e := range catalog.Entries() {
		if e.Name == "external" || e.Name == sc.Generator.Name && e.Variant == sc.Generator.Variant {
			continue
		}
		g, err := sc.Generator.Against(e.Name + "/" + e.Variant)
		if err != nil {
			t.Fatal(err)
		}
		against = append(against, g)
	}
	return against
}

// Each generator gives beside the others what it gives alone: the same luck, and
// nothing that one does reaches another.
func TestCompeteIsEachAlone(t *testing.T) {
	source := traffic(30_000, 4, 6000, 400)
	sc := twoSites(2)
	sc.Sites[0].Consumers[0].Restarts = []scenario.Restart{{At: scenario.Moment{After: 2e9}, Down: 1e9, State: scenario.StateLost}}
	cfg := Config{Source: source, Scenario: sc, Against: contestants(t, &sc), epochBlocks: 2}
	plan, err := source.Plan(t.Context(), nil)
	if err != nil {
		t.Fatal(err)
	}
	together, err := once(t.Context(), cfg, plan)
	if err != nil {
		t.Fatal(err)
	}
	if len(together) != 1+len(cfg.Against) {
		t.Fatalf("%d results of %d generators", len(together), 1+len(cfg.Against))
	}
	for i, g := range append([]scenario.Generator{sc.Generator}, cfg.Against...) {
		alone := cfg
		alone.Scenario.Generator, alone.Against = g, nil
		want, err := Run(t.Context(), alone)
		if err != nil {
			t.Fatal(err)
		}
		want.Thresholds, together[i].Thresholds = nil, nil
		if d := gocmp.Diff(asTree(t, want), asTree(t, together[i])); d != "" {
			t.Errorf("%s %s differs (-alone +together):\n%s", g.Name, g.Variant, d)
		}
	}
}

// The table has the figures of each alone, and of each replication.
func TestCompete(t *testing.T) {
	source := &replay.Memory{}
	source.Partition("orders", 0, batchOf(every(100, evening, 300)...))
	source.Partition("orders", 1, batchOf(append(every(100, evening, 100), every(-50, evening+20_000, 100)...)...))
	sc := scenario.Default()
	sc.Replications = 3
	cfg := Config{Source: source, Scenario: sc, Against: contestants(t, &sc)}
	c, err := Compete(t.Context(), cfg)
	if err != nil {
		t.Fatal(err)
	}
	if c.Messages != 500 || c.Replications != 3 || len(c.Generators) != 1+len(cfg.Against) || c.Generators[0].Generator != "second-slot published" {
		t.Errorf("%d messages, %d replications, %d generators", c.Messages, c.Replications, len(c.Generators))
	}
	for i, g := range append([]scenario.Generator{sc.Generator}, cfg.Against...) {
		alone := cfg
		alone.Scenario.Generator, alone.Scenario.Replications = g, 1
		r, err := Run(t.Context(), alone)
		if err != nil {
			t.Fatal(err)
		}
		of := c.Generators[i]
		var refused, copies, both, different int64
		for _, s := range r.Sites {
			refused += s.Push.Refused
			copies += s.Duplicates.IDs
			if g.Name == "redis-streams" { // those of other streams are by design
				copies -= s.Duplicates.ByCause["separate"]
			}
		}
		for _, b := range r.Between {
			both, different = both+b.Both, different+b.DifferentSecond
		}
		for name, want := range map[string]float64{
			"refused": float64(refused), "extra_copies": float64(copies), "different_second_share": float64(different) / float64(both),
		} {
			if got := of.Figures[name]; got.Value == nil || *got.Value != want {
				t.Errorf("%s: %s is %v, want %v", of.Generator, name, got.Value, want)
			}
		}
		for _, f := range result.ContestFigures {
			d := of.Figures[f.Name].Difference
			if (d == nil) != (i == 0) || d != nil && len(d.Values) != 3 {
				t.Errorf("%s: difference of %s: %+v", of.Generator, f.Name, d)
			}
		}
	}
}
