package order

import (
	"math"
	"math/big"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"
)

// Five messages of the second 00:00:01: three are found there, one id lies in the
// second before and one in the next minute; one id of another second lies in it.
func TestRecallByHand(t *testing.T) {
	var r Recall
	for _, m := range []struct{ owner, event int64 }{
		{1000, 1000}, {1000, 1500}, {1000, 1999}, {0, 1001}, {60_000, 1002}, {1000, 2000},
	} {
		r.Add(m.owner, m.event)
	}
	want := [Grains]RecallResult{
		{N: 6, Found: 1},
		{N: 6, Found: 3, RecallCells: 2, WorstRecall: RecallCell{2000, 1, 0}, PrecisionCells: 3, WorstPrecision: RecallCell{0, 1, 0}},
		{N: 6, Found: 5, RecallCells: 1, WorstRecall: RecallCell{0, 6, 5}, PrecisionCells: 2, WorstPrecision: RecallCell{60_000, 1, 0}},
		{N: 6, Found: 5, RecallCells: 1, WorstRecall: RecallCell{0, 6, 5}, PrecisionCells: 2, WorstPrecision: RecallCell{60_000, 1, 0}},
	}
	if diff := cmp.Diff(want, r.Result(1)); diff != "" {
		t.Fatalf("(-want +got):\n%s", diff)
	}
	atLeast4 := r.Result(4)[1]
	if atLeast4.WorstRecall != (RecallCell{1000, 5, 3}) || atLeast4.WorstPrecision != (RecallCell{1000, 4, 3}) || atLeast4.RecallCells != 1 {
		t.Fatalf("cells of at least 4: %+v", atLeast4)
	}
	if share, _ := atLeast4.WorstRecall.Share(); share != 0.6 {
		t.Fatalf("recall %v of the second", share)
	}
	var empty Recall
	if _, ok := empty.Result(0)[1].Share(); ok || empty.Result(1) != ([Grains]RecallResult{}) {
		t.Fatal("the recall of nothing is defined")
	}
	if _, ok := (RecallCell{}).Share(); ok {
		t.Fatal("the recall of no cell is defined")
	}
}

type recalled struct{ owner, event int64 }

// slowRecall goes over all messages for every cell.
func slowRecall(messages []recalled, least int64) (results [Grains]RecallResult) {
	for g, grain := range GrainsMs {
		r := &results[g]
		r.N = int64(len(messages))
		start := func(cell int64) int64 {
			exact := new(big.Int).Mul(big.NewInt(cell), big.NewInt(grain))
			if !exact.IsInt64() {
				return math.MinInt64
			}
			return exact.Int64()
		}
		cells := map[int64]bool{}
		for _, m := range messages {
			cells[slowFloor(m.event, grain)], cells[slowFloor(m.owner, grain)] = true, true
		}
		for cell := range cells {
			events, owners := RecallCell{StartMs: start(cell)}, RecallCell{StartMs: start(cell)}
			for _, m := range messages {
				event, owner := slowFloor(m.event, grain) == cell, slowFloor(m.owner, grain) == cell
				if event {
					events.N++
				}
				if owner {
					owners.N++
				}
				if event && owner {
					r.Found++
					events.Found++
					owners.Found++
				}
			}
			if g == 0 {
				continue
			}
			take := func(c RecallCell, cells *int64, worst *RecallCell) {
				if c.N < max(least, 1) {
					return
				}
				*cells++
				order := 1
				if worst.N > 0 {
					order = big.NewRat(worst.Found, worst.N).Cmp(big.NewRat(c.Found, c.N))
				}
				if order > 0 || order == 0 && c.StartMs < worst.StartMs {
					*worst = c
				}
			}
			take(events, &r.RecallCells, &r.WorstRecall)
			take(owners, &r.PrecisionCells, &r.WorstPrecision)
		}
	}
	return results
}

func messagesToRecall() *rapid.Generator[[]recalled] {
	return rapid.SliceOf(rapid.Custom(func(t *rapid.T) recalled {
		event := times().Draw(t, "event")
		owner := times().Draw(t, "owner")
		switch rapid.IntRange(0, 5).Draw(t, "near") {
		case 0: // far off
		case 1:
			owner = event
		default:
			owner = event/1000*1000 + rapid.SampledFrom([]int64{0, 0, 0, 1000, 7000, 60_000}).Draw(t, "offset")
		}
		return recalled{owner, event}
	}))
}

// Alone, and put together from parts in either order.
func TestRecallAgreesWithGoingOverAllMessages(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		messages := messagesToRecall().Draw(t, "messages")
		least := rapid.Int64Range(0, 4).Draw(t, "least")
		var all, each, odd, even Recall
		var owners, events []int64
		for i, m := range messages {
			all.Add(m.owner, m.event)
			owners, events = append(owners, m.owner), append(events, m.event)
			part := &even
			if i%2 == 1 {
				part = &odd
			}
			part.Add(m.owner, m.event)
		}
		want := slowRecall(messages, least)
		if diff := cmp.Diff(want, all.Result(least)); diff != "" {
			t.Fatalf("(-oracle +got):\n%s", diff)
		}
		at := rapid.IntRange(0, len(messages)).Draw(t, "at")
		each.AddEach(owners[:at], events[:at])
		each.AddEach(owners[at:], events[at:])
		if diff := cmp.Diff(want, each.Result(least)); diff != "" {
			t.Fatalf("some at a time (-oracle +got):\n%s", diff)
		}
		var released Recall
		for i, m := range messages {
			released.Add(m.owner, m.event)
			if rest := messages[i+1:]; len(rest) > 0 {
				low := min(rest[0].owner, rest[0].event)
				for _, m := range rest {
					low = min(low, m.owner, m.event)
				}
				released.Release(low, least)
			}
		}
		if released.Result(least) != want {
			t.Fatal("with minutes released it differs")
		}
		var ab, ba Recall
		ab.Merge(&odd)
		ab.Merge(&even)
		ba.Merge(&even)
		ba.Merge(&odd)
		if ab.Result(least) != want || ba.Result(least) != want {
			t.Fatal("parts put together differ")
		}
		for g := range Grains - 1 { // a wider cell finds what a narrower one does
			if want[g].Found > want[g+1].Found {
				t.Fatalf("found at %s %d, at %s %d", GrainNames[g], want[g].Found, GrainNames[g+1], want[g+1].Found)
			}
		}
	})
}

func BenchmarkRecall(b *testing.B) {
	var r Recall
	b.ReportAllocs()
	x, i := uint64(1), int64(0)
	for b.Loop() {
		x = x*6364136223846793005 + 1442695040888963407
		event := i/3 - int64(x>>33)%2000
		r.Add(event/1000*1000+int64(x>>60)/15*1000, event)
		i++
	}
}
