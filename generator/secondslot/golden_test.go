package secondslot

import (
	"testing"

	"twindrift/generator"
)

// 2025-09-15 10:00:00 +08:00 and what the id formula makes of it for node 1.
const (
	tenOClockMs   = 1757901600000
	tenOClockNode = 638935272001000000
)

func newSingle(t testing.TB, node int) *Generator {
	t.Helper()
	cfg := DefaultConfig()
	cfg.Node = node
	g, err := New(cfg)
	if err != nil {
		t.Fatal(err)
	}
	return g
}

// draw draws n ids at one timestamp.
func draw(t testing.TB, g generator.Generator, eventMs int64, n int) (ids []int64, hows []generator.Outcome) {
	t.Helper()
	for range n {
		id, how, err := g.Draw(eventMs, 0)
		if err != nil {
			t.Fatal(err)
		}
		ids, hows = append(ids, id), append(hows, how)
	}
	return ids, hows
}

// duplicates counts the ids that came before.
func duplicates(ids []int64) (n int) {
	seen := make(map[int64]bool, len(ids))
	for _, id := range ids {
		if seen[id] {
			n++
		}
		seen[id] = true
	}
	return n
}

// GENERATORS 1, steps 5, 6 and 10: the 5001st message borrows the next second.
func TestFullSecondBorrowsTheNext(t *testing.T) {
	ids, hows := draw(t, newSingle(t, 1), tenOClockMs, 5001)
	if ids[0] != tenOClockNode {
		t.Errorf("first id %d, want %d", ids[0], tenOClockNode)
	}
	if d := ids[4999] - ids[0]; d != 999_800 {
		t.Errorf("id 5000 - id 1 = %d, want 999800", d)
	}
	if d := ids[5000] - ids[0]; d != 10_000_000 {
		t.Errorf("id 5001 - id 1 = %d, want 10000000", d)
	}
	if hows[4999].Hops != 0 || hows[5000] != (generator.Outcome{Kind: generator.Drawn, Hops: 1}) {
		t.Errorf("outcomes %v and %v, want 0 hops and then 1", hows[4999], hows[5000])
	}
}

// GENERATORS 1, step 10: path shortening keeps up with one hot second.
func TestOneHotSecondStaysClean(t *testing.T) {
	const n = 1_000_000
	g := newSingle(t, 1)
	ids, kinds, hops := make([]int64, n), make([]generator.Kind, n), make([]int32, n)
	ms := make([]int64, n)
	for i := range ms {
		ms[i] = tenOClockMs
	}
	if err := g.DrawBatch(generator.Calls{EventMs: ms}, ids, kinds, hops); err != nil {
		t.Fatal(err)
	}
	for i := range ids {
		if kinds[i] != generator.Drawn || i > 0 && ids[i] <= ids[i-1] {
			t.Fatalf("message %d: id %d (%v) after %d", i, ids[i], kinds[i], ids[i-1])
		}
	}
	last := DefaultLayout().Decode(ids[n-1])
	if offset := (last.SecondMs - tenOClockMs) / 1000; offset != 199 || last.Node != 1 {
		t.Errorf("the last id has offset %d and node %d, want 199 and 1", offset, last.Node)
	}
}

// GENERATORS 1, step 9: behind K seconds that are exactly full, messages that
// come late for each of those seconds walk until the jump limit.
func TestJumpLimitBehindFullSeconds(t *testing.T) {
	for _, c := range []struct{ full, late, undrawn, duplicates int }{
		{full: 16, late: 1, undrawn: 0, duplicates: 0},
		{full: 17, late: 1, undrawn: 1, duplicates: 0},
		{full: 40, late: 1, undrawn: 24, duplicates: 0},
		{full: 40, late: 3, undrawn: 32, duplicates: 8},
		{full: 64, late: 3, undrawn: 96, duplicates: 48},
	} {
		g := newSingle(t, 1)
		var ids []int64
		for s := range c.full {
			got, _ := draw(t, g, tenOClockMs+int64(s)*1000, 5000)
			ids = append(ids, got...)
		}
		undrawn, wrongNode := 0, 0
		for s := range c.full {
			got, hows := draw(t, g, tenOClockMs+int64(s)*1000, c.late)
			for i, how := range hows {
				f := DefaultLayout().Decode(got[i])
				if f.Node == 2 && f.Seq == 0 {
					wrongNode++
				}
				if how.Kind == generator.Drawn {
					continue
				}
				undrawn++
				if undrawn == 1 && (how != generator.Outcome{Kind: generator.JumpLimit, Hops: 17} ||
					f.SecondMs != tenOClockMs+17_000) {
					t.Errorf("K=%d: the first undrawn id is %d (%v), want second 17", c.full, got[i], how)
				}
			}
			ids = append(ids, got...)
		}
		if d := duplicates(ids); undrawn != c.undrawn || d != c.duplicates || wrongNode != undrawn {
			t.Errorf("K=%d, %d late a second: %d undrawn (%d say node 2), %d duplicates; want %d, %d",
				c.full, c.late, undrawn, wrongNode, d, c.undrawn, c.duplicates)
		}
	}
}

// GENERATORS 1, steps 9 and 11: past 23:59:59 every message gets one id, the
// first of node + 1 on the next day.
func TestDayEnd(t *testing.T) {
	const lastSecondMs = 1757951999000 // 2025-09-15 23:59:59 +08:00
	ids, hows := draw(t, newSingle(t, 1), lastSecondMs, 5010)
	other, _ := draw(t, newSingle(t, 2), lastSecondMs+1000, 1)
	for i := 5000; i < len(ids); i++ {
		if hows[i].Kind != generator.DayEnd || ids[i] != other[0] {
			t.Errorf("message %d: id %d (%v), want node 2's first of the next day, %d", i, ids[i], hows[i].Kind, other[0])
		}
	}
	if hows[4999].Kind != generator.Drawn {
		t.Errorf("message 4999 is %v", hows[4999].Kind)
	}
	nine, _ := draw(t, newSingle(t, 9), lastSecondMs, 5001)
	if f := DefaultLayout().Decode(nine[5000]); f.Node != 0 || f.Seq != 0 || f.SecondMs != lastSecondMs+2000 {
		t.Errorf("node 9 carries into %+v, want node 0 of 00:00:01", f)
	}
}

// GENERATORS 1, step 3: the slot belongs to a later day.
func TestStaleDay(t *testing.T) {
	g := newSingle(t, 1)
	draw(t, g, tenOClockMs+86_400_000, 1)
	ids, hows := draw(t, g, tenOClockMs, 3)
	for i, id := range ids {
		if id != tenOClockNode || hows[i].Kind != generator.StaleDay {
			t.Errorf("message %d of the earlier day: id %d (%v), want %d", i, id, hows[i].Kind, tenOClockNode)
		}
	}
	if next, _ := draw(t, g, tenOClockMs+86_400_000, 1); DefaultLayout().Decode(next[0]).Seq != 1 {
		t.Errorf("a stale draw changed the slot: next id %d", next[0])
	}
}

// GENERATORS 1, step 4: a slot of an earlier day starts anew.
func TestSlotIsUsedAgainEveryDay(t *testing.T) {
	g := newSingle(t, 1)
	draw(t, g, tenOClockMs, 5001) // full, with a jump
	ids, hows := draw(t, g, tenOClockMs+86_400_000, 2)
	const dayTicks = 86_400 * 10_000_000
	if ids[0] != tenOClockNode+dayTicks || ids[1] != ids[0]+200 || hows[0] != (generator.Outcome{}) {
		t.Errorf("the next day begins with %v (%v)", ids, hows)
	}
}

// [restart]: what is replayed after a restart gets the same ids again.
func TestRestartGivesTheSameIds(t *testing.T) {
	g := newSingle(t, 1)
	ids, _ := draw(t, g, tenOClockMs, 10)
	g.Reset()
	again, _ := draw(t, g, tenOClockMs, 10)
	if d := duplicates(append(ids, again...)); d != 10 {
		t.Errorf("%d of 10 are duplicates, want all", d)
	}
}

// GENERATORS 1, consequences: a little over capacity, one node runs into the
// jump limit after some 80 s. The page does not say at which millisecond of its
// second the load begins, which moves the counts a little: from 132 ms on they
// are the page's, from 0 ms on the first undrawn id is that of the vector
// sustained-overload.
func TestSustainedLoadOverCapacity(t *testing.T) {
	if testing.Short() {
		t.Skip("40 M draws of one goroutine: nothing for the race detector, and slow under it")
	}
	for _, c := range []struct{ startMs, firstUndrawn, duplicates int }{
		{startMs: 0, firstUndrawn: 510_000, duplicates: 62_798},
		{startMs: 132, firstUndrawn: 515_208, duplicates: 62_765},
	} {
		first, duplicates := sustained(t, tenOClockMs+int64(c.startMs), 20_000_000, 6000)
		if first != c.firstUndrawn || duplicates != c.duplicates {
			t.Errorf("from %d ms: first undrawn id at message %d and %d duplicates; want %d and %d",
				c.startMs, first, duplicates, c.firstUndrawn, c.duplicates)
		}
	}
}

// sustained draws n ids at a steady rate a second. It gives the index of the
// first undrawn id and the number of duplicates.
func sustained(t *testing.T, startMs int64, n, perSecond int) (firstUndrawn, duplicates int) {
	g := newSingle(t, 1)
	ms, ids := make([]int64, perSecond), make([]int64, perSecond)
	kinds, hops := make([]generator.Kind, perSecond), make([]int32, perSecond)
	seen := make([]uint64, (n/5000+100)*50_000/64) // a bit for every step of 200
	firstUndrawn = -1
	for from := 0; from < n; from += perSecond {
		rows := min(perSecond, n-from)
		for i := range rows {
			ms[i] = startMs + int64(from+i)*1000/int64(perSecond)
		}
		if err := g.DrawBatch(generator.Calls{EventMs: ms[:rows]}, ids, kinds, hops); err != nil {
			t.Fatal(err)
		}
		for i, id := range ids[:rows] {
			if kinds[i] != generator.Drawn && firstUndrawn < 0 {
				firstUndrawn = from + i
			}
			bit := (id - tenOClockNode) / 200
			if seen[bit/64]>>(bit%64)&1 != 0 {
				duplicates++
			}
			seen[bit/64] |= 1 << (bit % 64)
		}
	}
	return firstUndrawn, duplicates
}

// GENERATORS 1: how many float64 scores 1000 consecutive ids have, by step. The
// base is 10:00:01, an id that is 192 mod 256; some others give one score more.
func TestScoresByStep(t *testing.T) {
	for step, want := range map[int]int{1: 8, 64: 500, 100: 781, 127: 992, 128: 500, 129: 1000, 199: 1000, 200: 1000} {
		cfg := DefaultConfig()
		cfg.Node, cfg.Step = 1, step
		g, err := New(cfg)
		if err != nil {
			t.Fatal(err)
		}
		ids, _ := draw(t, g, tenOClockMs+1000, 1000)
		scores := map[float64]bool{}
		for _, id := range ids {
			score, _ := generator.Score(id)
			scores[score] = true
		}
		if len(scores) != want {
			t.Errorf("step %d: %d scores, want %d", step, len(scores), want)
		}
	}
	ids, _ := draw(t, newSingle(t, 1), tenOClockMs, 5000)
	scores, exactly := map[float64]bool{}, 0
	for _, id := range ids {
		score, exact := generator.Score(id)
		scores[score] = true
		if exact {
			exactly++
		}
	}
	if len(scores) != 5000 || exactly != 312 {
		t.Errorf("a whole second has %d scores, %d of them exact; want 5000 and 312", len(scores), exactly)
	}
}
