package sim

import (
	"strings"
	"testing"

	gocmp "github.com/google/go-cmp/cmp"

	"twindrift/sim/result"
	"twindrift/sim/scenario"
	"twindrift/sim/spill"
)

// outage is two sites, the second of which gets nothing for most of an hour of
// traffic, and then all of it.
func outage() scenario.Scenario {
	sc := twoSites(2)
	sc.Sites[1].Link.Outages = []scenario.Stretch{{At: scenario.Moment{After: 600e9}, For: 2400e9}}
	return sc
}

// A budget much smaller than what has to wait changes nothing, neither in the
// result nor in the deliveries.
func TestMemoryChangesNothing(t *testing.T) {
	const n = 150_000
	m := traffic(n, 8, n/3600, 90_000)
	run := func(memory int64) (tree any, got map[process][]delivery, spilled int64) {
		sink := &deliverySink{}
		r, err := Run(t.Context(), Config{Source: m, Scenario: outage(), Memory: memory, TempDir: t.TempDir(),
			Deliveries: sink.open, epochBlocks: 16, spilled: &spilled})
		if err != nil {
			t.Fatal(err)
		}
		return asTree(t, r), sink.got, spilled
	}
	want, wantDeliveries, spilled := run(1 << 40)
	if spilled != 0 {
		t.Errorf("%d bytes went to disk from a terabyte of memory", spilled)
	}
	got, gotDeliveries, spilled := run(1 << 20)
	if spilled < n*40 {
		t.Errorf("%d bytes went to disk, too few for a test", spilled)
	}
	if d := gocmp.Diff(want, got); d != "" {
		t.Errorf("results differ with little memory (-much +little):\n%s", d)
	}
	if d := gocmp.Diff(wantDeliveries, gotDeliveries); d != "" {
		t.Errorf("deliveries differ with little memory (-much +little):\n%s", d)
	}
}

// However much a site gets at once, it comes in parts.
func TestPartsAreShort(t *testing.T) {
	m := traffic(100_000, 8, 100_000/3600, 100)
	sizes := &partSizes{}
	if _, err := Run(t.Context(), Config{Source: m, Scenario: outage(), Deliveries: sizes.open, epochBlocks: 4}); err != nil {
		t.Fatal(err)
	}
	if most := 4 * 1024 * 5 / 4 / 2; sizes.most > most {
		t.Errorf("%d draws at once, of 67,000 that wait, want %d at most", sizes.most, most)
	}
}

// Where what waits cannot be kept the run ends, and says what can be done.
func TestMemoryWithoutRoom(t *testing.T) {
	_, err := Run(t.Context(), Config{Source: traffic(10, 1, 1, 0), Scenario: twoSites(1), Memory: 1, TempDir: t.TempDir() + "/none"})
	if err == nil || !strings.Contains(err.Error(), "/none") {
		t.Errorf("error %v, want one that names the folder", err)
	}
}

// partSizes finds the most draws of a consumer that are delivered at once.
type partSizes struct{ most int }

func (s *partSizes) open([]result.InputPartition) (result.DeliverySink, error) { return s, nil }

func (s *partSizes) Deliver(d *result.Deliveries) error {
	s.most = max(s.most, len(d.Offset))
	return nil
}

// A disk that fails while the run goes on ends it.
func TestMemoryOnAFailingDisk(t *testing.T) {
	cfg := Config{Source: traffic(40_000, 4, 40_000/3600, 0), Scenario: outage(), epochBlocks: 4}
	plan, err := cfg.Source.Plan(t.Context(), nil)
	if err != nil {
		t.Fatal(err)
	}
	r, err := newRun(cfg, plan)
	if err != nil {
		t.Fatal(err)
	}
	if r.store, err = spill.New(1, t.TempDir()); err != nil {
		t.Fatal(err)
	}
	r.spillTo(r.store)
	r.store.Close()
	if err := r.replay(t.Context()); err == nil || !strings.Contains(err.Error(), "--memory") {
		t.Errorf("error %v, want one that says what can be done", err)
	}
}
