package consumption

import (
	"errors"
	"math"
	"testing"

	"pgregory.net/rapid"

	"twindrift/generator"
	"twindrift/generator/secondslot"
)

const tenOClockMs = 1757901600000 // 2025-09-15 10:00:00 +08:00

// both makes a generator, and the second-slot generator to compare it with.
func both(t testing.TB) (*Generator, *secondslot.Generator) {
	t.Helper()
	cfg := secondslot.DefaultConfig()
	cfg.Node = 1
	g, err := New(cfg)
	if err != nil {
		t.Fatal(err)
	}
	s, err := secondslot.New(cfg)
	if err != nil {
		t.Fatal(err)
	}
	return g, s
}

// GENERATORS 5: S comes from now, whatever the time of the event.
func TestIdsAreOfTheClock(t *testing.T) {
	g, _ := both(t)
	for i, c := range []struct{ eventMs, nowMs, want int64 }{
		{tenOClockMs, tenOClockMs + 400, 638935272001000000},
		{tenOClockMs - 3_600_000, tenOClockMs + 999, 638935272001000200},
		{math.MinInt64, tenOClockMs + 1000, 638935272011000000},
	} {
		if id, _, err := g.Draw(c.eventMs, c.nowMs); err != nil || id != c.want {
			t.Errorf("draw %d: id %d, error %v; want %d", i, id, err, c.want)
		}
	}
}

// It is the second-slot generator fed with the clock, one by one and in
// batches, and its floor is below every id of a later clock.
func TestSameAsSecondSlotOfTheClock(t *testing.T) {
	g, s := both(t)
	rapid.Check(t, func(t *rapid.T) {
		g.Reset()
		s.Reset()
		nowMs := rapid.SliceOfN(rapid.Int64Range(tenOClockMs, tenOClockMs+5000), 1, 50).Draw(t, "clock")
		eventMs := make([]int64, len(nowMs))
		ids, kinds, hops := make([]int64, len(nowMs)), make([]generator.Kind, len(nowMs)), make([]int32, len(nowMs))
		if err := g.DrawBatch(generator.Calls{EventMs: eventMs, NowMs: nowMs}, ids, kinds, hops); err != nil {
			t.Fatal(err)
		}
		g.Reset()
		for i, now := range nowMs {
			floor := g.Floor(math.MaxInt64, now)
			id, how, err := g.Draw(eventMs[i], now)
			want, wantHow, _ := s.Draw(now, 0)
			if err != nil || id != want || how != wantHow || ids[i] != want || kinds[i] != how.Kind || hops[i] != how.Hops {
				t.Fatalf("draw %d: %d %v %v, in the batch %d; want %d %v", i, id, how, err, ids[i], want, wantHow)
			}
			if id < floor {
				t.Fatalf("draw %d: %d is below the floor %d of its clock", i, id, floor)
			}
		}
	})
}

func TestClockOutsideTheRange(t *testing.T) {
	g, _ := both(t)
	_, _, err := g.Draw(tenOClockMs, math.MinInt64)
	ids, kinds := []int64{-1, -1}, make([]generator.Kind, 2)
	calls := generator.Calls{EventMs: []int64{0, 0}, NowMs: []int64{tenOClockMs, math.MinInt64}}
	if err := g.DrawBatch(calls, ids, kinds, make([]int32, 2)); err != nil {
		t.Fatal(err)
	}
	if !errors.Is(err, secondslot.ErrTooEarly) || kinds[0] != generator.Drawn || kinds[1] != generator.TooEarly || ids[1] != 0 {
		t.Errorf("error %v, kinds %v, ids %v, want ErrTooEarly, and too-early with id 0 in row 1", err, kinds, ids)
	}
	if _, err := New(secondslot.Config{}); err == nil {
		t.Error("an empty configuration is taken")
	}
}
