package order

import (
	"errors"
	"math"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"twindrift/sim/tally"
)

// slowReordering applies the definitions of RFC 4737 word by word.
func slowReordering(xs, ys []int64) *ReorderingResult {
	r := &ReorderingResult{N: int64(len(ys))}
	inOrder := int64(0)
	for i, y := range ys {
		inOrder++
		for j := range i { // the earliest greater one
			if ys[j] > y {
				highest := y
				for _, before := range ys[:i] {
					highest = max(highest, before)
				}
				r.Reordered++
				r.Extents.Add(int64(i - j))
				r.LateMs.Add(xs[i] - xs[j])
				r.MaxBehind = max(r.MaxBehind, highest-y)
				n := 0
				for n < i && ys[i-n-1] > y {
					n++
				}
				r.Degrees.Add(int64(n))
				run := inOrder - 1
				inOrder = 0
				r.Runs.Merge(FreeRuns{Runs: 1, Elements: run, Squares: run * run})
				break
			}
		}
	}
	r.Runs.Trailing = inOrder
	return r
}

// slowInOrder tells how many from place i on come before the next reordered one.
func slowInOrder(ys []int64, i int) (n int) {
	for k := i; k < len(ys) && slices.Max(ys[:k+1]) == ys[k]; k++ {
		n++
	}
	return n
}

func sameTally(a, b *tally.Counts) bool {
	same := a.N() == b.N()
	for v, n := range a.All() {
		same = same && b.Count(v) == n
	}
	return same
}

func sameReordering(a, b *ReorderingResult) bool {
	return a.N == b.N && a.Reordered == b.Reordered && a.Runs == b.Runs && sameTally(&a.Extents, &b.Extents) &&
		sameTally(&a.LateMs, &b.LateMs) && a.MaxBehind == b.MaxBehind && sameTally(&a.Degrees, &b.Degrees)
}

func TestReorderingAgreesWithTheDefinitions(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		ys := sequence().Draw(t, "ys")
		for i := range ys { // differences must fit for the oracle
			ys[i] /= 4
		}
		lowest := lowestAfter(ys)
		xs := make([]int64, len(ys))
		x := rapid.Int64Range(-1000, 1000).Draw(t, "first x")
		var r Reordering
		for i, y := range ys {
			if rapid.IntRange(0, 9).Draw(t, "promise") == 0 {
				r.Floor(legalFloor(t, lowest[i]))
			}
			x += rapid.Int64Range(0, 5).Draw(t, "step")
			xs[i] = x
			if got, want := r.InOrder(ys[i:]), slowInOrder(ys, i); got != want {
				t.Fatalf("%d in order from element %d, want %d", got, i, want)
			}
			extent, reordered := r.Add(x, y)
			if reordered != (extent > 0) {
				t.Fatalf("element %d: reordered %v with extent %d", i, reordered, extent)
			}
		}
		want, got := slowReordering(xs, ys), r.Result()
		if r.Err() != nil {
			t.Fatal(r.Err())
		}
		if !sameReordering(got, want) {
			t.Fatalf("got %+v, want %+v", got, want)
		}
		// In batch, and by the definition: n-reordered for every n up to the largest.
		found := ReorderedElements(ys)
		if runs := RunsBetween(len(ys), found); got.Runs != runs {
			t.Fatalf("runs %+v, in batch %+v", got.Runs, runs)
		}
		n := rapid.Int64Range(1, 10).Draw(t, "n")
		count := int64(0)
		for _, r := range found {
			if int64(r.Degree) >= n {
				count++
			}
		}
		if got.NReordered(n) != count {
			t.Fatalf("%d are %d-reordered, want %d", got.NReordered(n), n, count)
		}
	})
}

// Under promises, at a length at which what is done with is moved out of the way, the
// streaming form finds what the batch form does.
func TestReorderingAgreesWithBatchAtLength(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.IntRange(500, 5000).Draw(t, "n")
		lag := rapid.SampledFrom([]int64{3, 40, 2000}).Draw(t, "lag")
		every := rapid.IntRange(1, 600).Draw(t, "floor every")
		x := rapid.Uint64().Draw(t, "seed") | 1
		xs, ys := make([]int64, n), make([]int64, n)
		for i := range ys {
			x = x*6364136223846793005 + 1442695040888963407
			xs[i], ys[i] = int64(i), int64(i)*7-int64(x>>33)%lag
		}
		lowest := lowestAfter(ys)
		var r Reordering
		for i := 0; i < n; i += every {
			r.Floor(lowest[i])
			end := min(i+every, n)
			r.AddEach(xs[i:end], ys[i:end])
		}
		var extents, degrees tally.Counts
		found := ReorderedElements(ys)
		for _, f := range found {
			extents.Add(int64(f.Extent))
			degrees.Add(int64(f.Degree))
		}
		got := r.Result()
		if r.Err() != nil || !sameTally(&extents, &got.Extents) || !sameTally(&degrees, &got.Degrees) || got.Runs != RunsBetween(n, found) {
			t.Fatalf("%d reordered, in batch %d: %v", got.Reordered, len(found), r.Err())
		}
	})
}

// Under promises the records stay few however long the sequence.
func TestReorderingKeepsFewRecordsUnderPromises(t *testing.T) {
	var r Reordering
	for i := range int64(1_000_000) {
		r.Add(i, i)
		if i%100 == 99 {
			r.Floor(i - 50)
		}
	}
	if records, lows := cap(r.records), cap(r.lows.list); records > 4096 || lows > 4096 {
		t.Fatalf("room for %d records and %d lows kept", records, lows)
	}
}

// Adding the results of independent sequences in any order gives the same counts.
func TestReorderingResultsMergeInAnyOrder(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		var parts [2]*ReorderingResult
		for k := range parts {
			ys := sequence().Draw(t, "ys")
			xs := make([]int64, len(ys))
			for i := range ys {
				ys[i] /= 4
			}
			parts[k] = slowReordering(xs, ys)
		}
		var ab, ba ReorderingResult
		ab.Merge(parts[0])
		ab.Merge(parts[1])
		ba.Merge(parts[1])
		ba.Merge(parts[0])
		if !sameReordering(&ab, &ba) || ab.N != parts[0].N+parts[1].N || ab.Degrees.N() != ab.Reordered {
			t.Fatal("the order of merging makes a difference")
		}
	})
}

func TestReorderingTellsOfBrokenRules(t *testing.T) {
	var r Reordering
	r.Add(5, 10)
	r.Floor(7)
	r.Add(5, 7)
	if err := r.Err(); err != nil {
		t.Fatal(err)
	}
	below := r
	below.Add(6, 6)
	if err := below.Err(); !errors.Is(err, ErrBelowFloor) {
		t.Fatal(err)
	}
	r.Add(4, 20)
	if err := r.Err(); !errors.Is(err, ErrNotAscending) {
		t.Fatal(err)
	}
}

// After a broken promise it goes on, though what an element is measured by is gone.
func TestReorderingGoesOnBelowTheFloor(t *testing.T) {
	for _, below := range []int64{100, 1000, 90_000} {
		var r Reordering
		for i := range int64(100_000) {
			r.Add(i, i)
			if i%100 == 99 {
				r.Floor(i - 50)
			}
		}
		if _, reordered := r.Add(100_000, 100_000-below); !reordered || !errors.Is(r.Err(), ErrBelowFloor) {
			t.Fatalf("%d below: reordered %v, %v", below, reordered, r.Err())
		}
	}
}

// Differences that do not fit are cut at the largest int64, never negative.
func TestReorderingCutsDifferencesThatDoNotFit(t *testing.T) {
	var r Reordering
	r.Add(math.MinInt64, math.MaxInt64)
	r.Add(math.MaxInt64, math.MinInt64)
	late, _ := r.Result().LateMs.Max()
	behind := r.Result().MaxBehind
	if late != math.MaxInt64 || behind != math.MaxInt64 {
		t.Fatalf("late %d behind %d", late, behind)
	}
}

func BenchmarkReordering(b *testing.B) {
	for _, c := range []struct {
		name string
		y    func(now, random int64) int64
	}{
		{"sorted", func(now, _ int64) int64 { return now }},
		{"jitter-20ms", func(now, random int64) int64 { return now - random%20 }},
		{"jitter-1s", func(now, random int64) int64 { return now - random%1000 }},
		{"shuffled-seconds", func(now, random int64) int64 { return now/1000*1000 + random%1000 }},
	} {
		b.Run(c.name, func(b *testing.B) {
			var r Reordering
			b.ReportAllocs()
			const n = 4096
			xs, ys := make([]int64, n), make([]int64, n)
			x := uint64(1)
			for i := 0; i < b.N; i += n {
				b.StopTimer()
				last := int64(0)
				for k := range ys {
					x = x*6364136223846793005 + 1442695040888963407
					now := int64(i+k) / 3
					xs[k], ys[k] = now/1000*1000, c.y(now, int64(x>>33))
					last = now
				}
				b.StartTimer()
				r.AddEach(xs, ys)
				r.Floor(last - 2000)
			}
		})
	}
}
