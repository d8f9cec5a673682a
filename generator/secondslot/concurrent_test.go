package secondslot

import (
	"sync"
	"testing"

	"twindrift/generator"
)

func newConcurrent(t testing.TB, node int) *Concurrent {
	t.Helper()
	cfg := DefaultConfig()
	cfg.Node = node
	g, err := NewConcurrent(cfg)
	if err != nil {
		t.Fatal(err)
	}
	return g
}

const workers = 8

// together has every worker draw for the same event times, all at once, and
// gives the ids and outcomes of all of them.
func together(t *testing.T, g *Concurrent, eventMs []int64) (ids []int64, kinds []generator.Kind) {
	t.Helper()
	ids = make([]int64, workers*len(eventMs))
	kinds = make([]generator.Kind, len(ids))
	start := make(chan struct{})
	var running sync.WaitGroup
	for w := range workers {
		running.Go(func() {
			<-start
			for i, ms := range eventMs {
				at := w*len(eventMs) + i
				id, how, err := g.Draw(ms, 0)
				if err != nil {
					t.Error(err)
				}
				ids[at], kinds[at] = id, how.Kind
			}
		})
	}
	close(start)
	running.Wait()
	return ids, kinds
}

// seconds are n event times in each of some consecutive seconds.
func seconds(first int64, count, n int) []int64 {
	var ms []int64
	for s := range count {
		for range n {
			ms = append(ms, first+int64(s)*1000)
		}
	}
	return ms
}

// faults are what the ids themselves show.
type faults struct{ duplicates, wrongNode int }

func count(ids []int64, node int64) (f faults) {
	f.duplicates = duplicates(ids)
	for _, id := range ids {
		if DefaultLayout().Node(id) != node {
			f.wrongNode++
		}
	}
	return f
}

// undrawn counts outcomes, and checks that no drawn id came twice.
func undrawn(t *testing.T, ids []int64, kinds []generator.Kind) (n int) {
	t.Helper()
	var drawn []int64
	for i, kind := range kinds {
		if kind == generator.Drawn {
			drawn = append(drawn, ids[i])
		}
	}
	if d := duplicates(drawn); d > 0 {
		t.Errorf("%d drawn ids came twice", d)
	}
	return len(ids) - len(drawn)
}

// Away from the boundaries, many goroutines on shared seconds get ids that
// differ, one for every sequence number.
func TestSharedSecondsAreClean(t *testing.T) {
	g := newConcurrent(t, 1)
	ids, kinds := together(t, g, seconds(tenOClockMs, 16, 5000/workers))
	if f := count(ids, 1); f != (faults{}) || undrawn(t, ids, kinds) != 0 {
		t.Errorf("faults %+v, %d undrawn; want none", f, undrawn(t, ids, kinds))
	}
	for _, id := range ids {
		if f := DefaultLayout().Decode(id); f.SecondMs >= tenOClockMs+16_000 {
			t.Fatalf("id %d borrowed, with room in its own second", id)
		}
	}
}

// GENERATORS 1, step 9, [day-end]: past 23:59:59 all goroutines get one id,
// however they share the second: 5000 are drawn, the others say node 2.
func TestSharedDayEnd(t *testing.T) {
	const each, lastSecondMs = 1000, 1757951999000 // 2025-09-15 23:59:59 +08:00
	ids, kinds := together(t, newConcurrent(t, 1), seconds(lastSecondMs, 1, each))
	over := workers*each - 5000
	if n := undrawn(t, ids, kinds); n != over {
		t.Errorf("%d undrawn, want %d", n, over)
	}
	if f := count(ids, 1); f != (faults{duplicates: over - 1, wrongNode: over}) {
		t.Errorf("the ids show %+v, want %d duplicates and %d with another node", f, over-1, over)
	}
}

// GENERATORS 1, step 9, [jump-limit]: behind 40 seconds that many goroutines
// filled, messages that come late for the first second, then for the 17th,
// show duplicates and node 2.
//
// Why duplicates are certain, in any order of steps: the first walk from
// second 0 is given up at 17. Either a second walk gave that up too, so id 17
// came twice, or the next one jumps to 17 at once and is given up at 33. A walk
// from second 16 meets 17 full slots that no walk has shortened, and is given
// up at 33 as well.
func TestSharedJumpLimit(t *testing.T) {
	g := newConcurrent(t, 1)
	ids, kinds := together(t, g, seconds(tenOClockMs, 40, 5000/workers))
	if f := count(ids, 1); f != (faults{}) {
		t.Fatalf("while the seconds fill up: %+v", f)
	}
	for _, late := range []int64{0, 16} {
		more, moreKinds := together(t, g, seconds(tenOClockMs+late*1000, 1, 1))
		ids, kinds = append(ids, more...), append(kinds, moreKinds...)
	}
	f, n := count(ids, 1), undrawn(t, ids, kinds)
	t.Logf("%d ids: %d undrawn, %d with another node, %d duplicates", len(ids), n, f.wrongNode, f.duplicates)
	if f.duplicates == 0 || n < 3 || f.wrongNode != n {
		t.Errorf("the ids show %+v, %d undrawn; want duplicates, and node 2 in every undrawn id", f, n)
	}
}

// [stale-day]: two days at once on shared seconds. Every id is the next of its
// day or the first of its second; drawn ids stay unique.
func TestSharedDays(t *testing.T) {
	g := newConcurrent(t, 1)
	var both []int64
	for range 500 {
		both = append(both, tenOClockMs, tenOClockMs+86_400_000)
	}
	ids, kinds := together(t, g, both)
	stale := 0
	for i, kind := range kinds {
		switch {
		case kind == generator.StaleDay:
			stale++
			if ids[i] != tenOClockNode {
				t.Fatalf("stale id %d, want %d", ids[i], tenOClockNode)
			}
		case kind != generator.Drawn:
			t.Fatalf("outcome %v", kind)
		}
	}
	if n := undrawn(t, ids, kinds); n != stale || stale < workers*499 {
		t.Errorf("%d stale of %d undrawn, want nearly all of the earlier day", stale, n)
	}
}

// GENERATORS 1, step 10: the day of the word is not looked at. A walk of one
// day that ends after the next day took its slot puts the slot back to its own
// day, and the next day's ids come again.
func TestShorteningPutsTheDayBack(t *testing.T) {
	const day, sec = (tenOClockMs + 8*3_600_000) / 86_400_000, 36_000
	g := newConcurrent(t, 1)
	first, _, _ := g.Draw(tenOClockMs+86_400_000, 0)
	g.shorten(sec, sec+4, day) // the last step of a walk of the day before
	again, _, _ := g.Draw(tenOClockMs+86_400_000, 0)
	if again != first {
		t.Errorf("ids %d and then %d; the published step gives the first one again", first, again)
	}
}
