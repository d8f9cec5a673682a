package sim

import (
	"errors"
	"strings"
	"testing"

	"twindrift/datasets"
	"twindrift/generator/secondslot"
	"twindrift/replay"
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

// A message that the corrected form refuses ends the run, and is named.
func TestCorrectedRefusesAMessage(t *testing.T) {
	now := int64(1_772_540_000_000)
	source := &replay.Memory{}
	source.Partition("push", 3, &replay.Batch{
		Offset: []int64{17, 18}, TimestampMs: []int64{now, now - 5*86_400_000}, TimestampType: []int8{0, 0},
		KeyHash: []uint64{1, 2}, KeyLen: []int32{1, 1}, ValueLen: []int32{1, 1},
	})
	sc, err := scenario.FromFlags(scenario.Flags{Variant: "corrected"})
	if err != nil {
		t.Fatal(err)
	}
	_, err = Run(t.Context(), Config{Source: source, Scenario: sc})
	if !errors.Is(err, secondslot.ErrTooOld) || !strings.Contains(err.Error(), "generator second-slot corrected refuses push/3@18: timestamp 1772108000000 is older than the days that are kept") {
		t.Fatal(err)
	}
}
