package sim

import (
	"testing"

	"twindrift/datasets"
	"twindrift/replay"
	"twindrift/sim/result"
	"twindrift/sim/scenario"
)

// Where the published second-slot gives ids twice and undrawn, the corrected one does
// not; two sites of one node number share ids all the same, and every one is explained,
// also those that a day has borrowed from the next.
func TestCorrectedInASimulation(t *testing.T) {
	for _, sample := range []string{"market-open", "two-midnights"} {
		run := func(nodes, variant string) (within, between, unexplained, wrong int64, undrawn int64) {
			t.Helper()
			source, err := datasets.Open(sample)
			if err != nil {
				t.Fatal(err)
			}
			sc, err := scenario.FromFlags(scenario.Flags{Node: nodes, Variant: variant})
			if err != nil {
				t.Fatal(err)
			}
			r, err := Run(t.Context(), Config{Source: source, Scenario: sc})
			if err != nil {
				t.Fatal(err)
			}
			for _, s := range r.Sites {
				within += s.Duplicates.IDs
				unexplained += s.Duplicates.Unexplained
				wrong += s.Overflow.WrongNode
				for _, n := range s.Overflow.Undrawn {
					undrawn += n
				}
			}
			b := r.Between["east-west"]
			return within, b.Duplicates.IDs, unexplained + b.Duplicates.Unexplained, wrong, undrawn
		}
		if _, _, _, _, undrawn := run("1,2", "published"); undrawn == 0 {
			t.Errorf("%s: the published form has no fault to correct", sample)
		}
		if within, between, unexplained, wrong, undrawn := run("1,2", "corrected"); within+between+unexplained+wrong+undrawn != 0 {
			t.Errorf("%s: %d within sites, %d between, %d unexplained, %d of a wrong node, %d undrawn", sample, within, between, unexplained, wrong, undrawn)
		}
		if within, between, unexplained, _, _ := run("1,1", "corrected"); within != 0 || between == 0 || unexplained != 0 {
			t.Errorf("%s, one node number: %d within sites, %d between, %d unexplained", sample, within, between, unexplained)
		}
	}
}

// A message that the corrected form refuses is told and counted; options let it be drawn.
func TestCorrectedRefusesAMessage(t *testing.T) {
	now := int64(1_772_540_000_000)
	source := &replay.Memory{}
	source.Partition("push", 3, &replay.Batch{
		Offset: []int64{17, 18}, TimestampMs: []int64{now, now - 5*86_400_000}, TimestampType: []int8{0, 0},
		KeyHash: []uint64{1, 2}, KeyLen: []int32{1, 1}, ValueLen: []int32{1, 1},
	})
	run := func(change func(*scenario.Corrected)) *result.Site {
		t.Helper()
		sc, err := scenario.FromFlags(scenario.Flags{Variant: "corrected"})
		if err != nil {
			t.Fatal(err)
		}
		change(sc.Generator.Corrected)
		r, err := Run(t.Context(), Config{Source: source, Scenario: sc})
		if err != nil {
			t.Fatal(err)
		}
		return r.Sites["east"]
	}
	east := run(func(*scenario.Corrected) {})
	if w := east.Refusals.Witnesses; east.Stored != 1 || east.Refusals.ByReason["too-old"] != 1 || len(w) != 1 || w[0].Offset != 18 || w[0].Detail != "no id: too-old" {
		t.Errorf("%d stored, refused %+v", east.Stored, east.Refusals)
	}
	if east := run(func(c *scenario.Corrected) { c.KeepDays = 5 }); east.Stored != 2 || east.Overflow.WithOffset != 0 {
		t.Errorf("five days kept: %d stored, refused %+v", east.Stored, east.Refusals)
	}
	if east := run(func(c *scenario.Corrected) { c.ClampOld = true }); east.Stored != 2 || east.Overflow.WithOffset != 1 {
		t.Errorf("clamped: %d stored, refused %+v", east.Stored, east.Refusals)
	}
}
