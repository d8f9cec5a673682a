package measure

import (
	"cmp"
	"math"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"twindrift/generator"
	"twindrift/sim/site"
)

func inOrder(a, b Entry) int {
	return cmp.Or(cmp.Compare(a.ID, b.ID), cmp.Compare(a.Partition, b.Partition), cmp.Compare(a.Offset, b.Offset))
}

// Runs are put in the order that sorting gives, whether they follow each other or
// have to be merged, and every entry keeps what belongs to it.
func TestSortEntries(t *testing.T) {
	var s sorter
	rapid.Check(t, func(t *rapid.T) {
		var all []Entry
		e := new(entries)
		ids := rapid.SampledFrom([]int64{5, 20, 1000}).Draw(t, "ids")
		for range rapid.IntRange(0, 9).Draw(t, "runs") {
			var run []Entry
			consumer := rapid.Int16Range(0, 1).Draw(t, "consumer")
			base := rapid.SampledFrom([]int64{0, 0, 2000}).Draw(t, "base") * int64(consumer)
			for range rapid.IntRange(0, 9).Draw(t, "length") {
				n := int64(len(all) + len(run))
				run = append(run, Entry{ID: base + rapid.Int64Range(0, ids).Draw(t, "id"), Partition: rapid.Int32Range(0, 2).Draw(t, "partition"), Offset: n,
					EventMs: 7 * n, NowMs: 9 * n, Consumer: consumer, Kind: generator.Kind(n % 3), Life: uint8(n % 2)})
				if n%5 == 0 {
					run[len(run)-1].Life |= gone
				}
			}
			if rapid.Bool().Draw(t, "sorted") {
				slices.SortFunc(run, inOrder)
			}
			for _, one := range run {
				e.append(one)
			}
			all = append(all, run...)
		}
		slices.SortFunc(all, inOrder)
		s.sort(e)
		w := walk{entries: e}
		if got := w.appendTo(nil, 0, e.len()); !slices.Equal(got, all) {
			t.Fatalf("got %v, want %v", got, all)
		}
	})
}

// entriesOf are those of a closed second.
func entriesOf(s Second) []Entry {
	w := walk{entries: s.entries}
	return w.appendTo(nil, 0, s.entries.len())
}

// A list closes the seconds below the floor, ascending, each in order, once;
// filtered and store-off deliveries are not in it.
func TestListCloses(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		l := NewList(processes(1, 2, 3))
		var stored []Entry
		var closed []Second
		floor, next := int64(100), int64(0)
		for range rapid.IntRange(1, 6).Draw(t, "epochs") {
			for consumer := range 3 {
				var rows []row
				for range rapid.IntRange(0, 12).Draw(t, "rows") {
					second := floor + rapid.Int64Range(0, 5).Draw(t, "second")
					r := row{partition: int32(consumer), offset: next, event: second * 1000, now: second*1000 + 5,
						id: idOf(second, int64(consumer+1), rapid.Int64Range(0, 9).Draw(t, "sequence")), state: site.State(rapid.IntRange(0, 2).Draw(t, "state"))}
					next++
					rows = append(rows, r)
				}
				d, g := columns(rows...)
				l.Add(consumer, d, g)
				for i, r := range rows {
					if r.state == site.Store {
						stored = append(stored, entryOf(consumer, d, g, i))
					}
				}
			}
			floor += rapid.Int64Range(0, 4).Draw(t, "floor")
			before := len(closed)
			closed, _ = l.Close(floor, floor*1000, settled, closed)
			for _, s := range closed[before:] {
				if s.At >= floor {
					t.Fatalf("second %d is closed at a floor of %d", s.At, floor)
				}
			}
		}
		closed, _ = l.Close(math.MaxInt64, math.MaxInt64, settled, closed)
		var got []Entry
		for i, s := range closed {
			if i > 0 && s.At <= closed[i-1].At {
				t.Fatalf("second %d after %d", s.At, closed[i-1].At)
			}
			for _, e := range entriesOf(s) {
				if secondOf(layout.OwnerMs(e.ID)) != s.At {
					t.Fatalf("id %d in second %d", e.ID, s.At)
				}
			}
			got = append(got, entriesOf(s)...)
		}
		slices.SortFunc(stored, inOrder)
		if !slices.Equal(got, stored) {
			t.Fatalf("the list is %v, want %v", got, stored)
		}
		if n := l.Discordance.Result()[0].N; n != int64(len(stored)) || l.Drift.Counts().N() != n {
			t.Fatalf("%d entries measured, %d stored", n, len(stored))
		}
		if l.Discordance.Err() != nil || l.Reordering.Err() != nil {
			t.Fatal(l.Discordance.Err(), l.Reordering.Err())
		}
	})
}

// RFC 4737, section 7.1, with 10 consecutive ids as the arrivals.
func TestListIsReorderedAsTheRFCSays(t *testing.T) {
	var rows []row
	for i, event := range []int64{1, 2, 3, 5, 6, 7, 8, 4, 9, 10} {
		rows = append(rows, row{offset: int64(i), event: event, id: idOf(50, 1, int64(i))})
	}
	l, _ := listOf(processes(1), rows)
	r := l.Reordering.Result()
	extent, _ := r.Extents.Max()
	if r.Reordered != 1 || r.N != 10 || extent != 4 || len(l.Reordered) != 1 || l.Reordered[0].EventMs != 4 {
		t.Errorf("%d of %d reordered, extent %d, witnesses %v; want {4} of 10, extent 4", r.Reordered, r.N, extent, l.Reordered)
	}
	if d := l.Discordance.Result()[0].Discordant; d != 4 {
		t.Errorf("%d discordant pairs, want 4", d)
	}
}

// GENERATORS 1: distinct float64 scores of 1000 consecutive ids: step 127 ->
// 992, 128 -> 500, 129 -> 1000, 200 -> 1000. It is so for node 3; how ids
// fall on the scores depends on the first of them.
func TestScores(t *testing.T) {
	for step, distinct := range map[int64]int64{127: 992, 128: 500, 129: 1000, 200: 1000} {
		var rows []row
		for i := range int64(1000) {
			rows = append(rows, row{offset: i, id: idOf(1_772_540_000, 3, 0) + i*step})
		}
		l, _ := listOf(processes(3), rows)
		if d := l.Duplicates; d.Distinct != 1000 || d.Distinct-d.Scores != distinct {
			t.Errorf("step %d: %d distinct scores of %d ids, want %d", step, d.Distinct-d.Scores, d.Distinct, distinct)
		}
	}
}

// Two ids share a score even where a second ends between them.
func TestScoresAcrossSeconds(t *testing.T) {
	end := idOf(1_772_540_001, 0, 0)
	l, closed := listOf(processes(0), []row{{id: end - 1}, {offset: 1, id: end}})
	if len(closed) != 2 || l.Duplicates.Scores != 1 {
		t.Errorf("%d seconds, %d shared scores; want 2 and 1", len(closed), l.Duplicates.Scores)
	}
}
