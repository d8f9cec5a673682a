package order

import (
	"cmp"
	"errors"
	"slices"
	"testing"

	gocmp "github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"
)

// slowJoint floors x and y.
func slowJoint(xs, ys []int64) (pairs [Grains]Pairs) {
	for g, grain := range GrainsMs {
		pairs[g] = slowPairs(floored(xs, grain), floored(ys, grain))
	}
	return pairs
}

// The streaming counts between two orders are those of comparing every pair.
func TestJointAgreesWithEveryPair(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		ys := sequence().Draw(t, "ys")
		lowest := lowestAfter(ys)
		xs := make([]int64, len(ys))
		second := rapid.SampledFrom([]int64{-200, -59, 0, 1_700_000_000}).Draw(t, "first second")
		unit := rapid.SampledFrom([]int64{1, 1000}).Draw(t, "unit of x")
		var j Joint
		for start := 0; start < len(ys); {
			if rapid.IntRange(0, 9).Draw(t, "promise") == 0 {
				j.Floor(legalFloor(t, lowest[start]))
			}
			end := min(start+rapid.IntRange(0, 30).Draw(t, "size"), len(ys))
			for i := start; i < end; i++ {
				xs[i] = second*1000 + rapid.Int64Range(0, 999).Draw(t, "ms")/unit*unit
			}
			if rapid.Bool().Draw(t, "in parts") {
				addParts(t, &j, second, xs[start:end], ys[start:end])
			} else {
				j.AddSecond(second, xs[start:end], ys[start:end])
			}
			if rapid.IntRange(0, 20).Draw(t, "peek") == 0 {
				if diff := gocmp.Diff(slowJoint(xs[:end], ys[:end]), j.Result()); diff != "" {
					t.Fatalf("after %d elements (-oracle +got):\n%s", end, diff)
				}
			}
			start = end
			second += rapid.SampledFrom([]int64{1, 1, 1, 7, 60, 100_000}).Draw(t, "gap")
		}
		if err := j.Err(); err != nil {
			t.Fatal(err)
		}
		if diff := gocmp.Diff(slowJoint(xs, ys), j.Result()); diff != "" {
			t.Fatalf("(-oracle +got):\n%s", diff)
		}
	})
}

// addParts puts the elements of a second in order of x, and adds them a few at a time.
func addParts(t *rapid.T, j *Joint, second int64, xs, ys []int64) {
	for i := range xs {
		for k := i; k > 0 && xs[k] < xs[k-1]; k-- {
			xs[k], xs[k-1], ys[k], ys[k-1] = xs[k-1], xs[k], ys[k-1], ys[k]
		}
	}
	for start := 0; start < len(xs); {
		end := min(start+rapid.IntRange(1, 10).Draw(t, "part"), len(xs))
		j.AddPart(second, xs[start:end], ys[start:end], end == len(xs))
		start = end
	}
}

// At length the merge sort is the oracle.
func TestJointAgreesWithMergeSortAtLength(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.IntRange(500, 5000).Draw(t, "n")
		step := rapid.SampledFrom([]int64{1, 50, 5000}).Draw(t, "step")
		lag := rapid.SampledFrom([]int64{1, 2000, 600_000, 40_000_000_000}).Draw(t, "lag")
		r := rapid.Uint64().Draw(t, "seed") | 1
		xs, ys := make([]int64, n), make([]int64, n)
		for i := range ys {
			r = r*6364136223846793005 + 1442695040888963407
			xs[i] = int64(i) * step
			ys[i] = xs[i] - int64(r>>20)%lag
		}
		lowest := lowestAfter(ys)
		var j Joint
		for start := 0; start < n; {
			end := start + 1
			for end < n && xs[end]/1000 == xs[start]/1000 {
				end++
			}
			j.Floor(lowest[start])
			j.AddSecond(xs[start]/1000, xs[start:end], ys[start:end])
			start = end
		}
		if err := j.Err(); err != nil {
			t.Fatal(err)
		}
		for g, got := range j.Result() {
			want := Kendall(floored(xs, GrainsMs[g]), floored(ys, GrainsMs[g]))
			if got != want {
				t.Fatalf("grain %s: %+v, want %+v", GrainNames[g], got, want)
			}
		}
	})
}

func TestJointRefusesWhatBreaksItsRules(t *testing.T) {
	for name, c := range map[string]struct {
		break_ func(j *Joint)
		want   error
	}{
		"second again":      {func(j *Joint) { j.AddSecond(5, []int64{5000}, []int64{1}) }, ErrNotAscending},
		"second before":     {func(j *Joint) { j.AddSecond(4, []int64{4000}, []int64{1}) }, ErrNotAscending},
		"x below second":    {func(j *Joint) { j.AddSecond(6, []int64{5999}, []int64{1}) }, ErrNotAscending},
		"x above second":    {func(j *Joint) { j.AddSecond(6, []int64{7000}, []int64{1}) }, ErrNotAscending},
		"x below part":      {func(j *Joint) { addUnfinished(j); j.AddPart(6, []int64{6004}, []int64{1}, true) }, ErrNotAscending},
		"second unfinished": {func(j *Joint) { addUnfinished(j); j.AddSecond(7, []int64{7000}, []int64{1}) }, ErrNotAscending},
		"different lengths": {func(j *Joint) { j.AddSecond(6, []int64{6000}, nil) }, nil},
		"y below the floor": {func(j *Joint) { j.Floor(100); j.AddSecond(6, []int64{6000}, []int64{99}) }, ErrBelowFloor},
	} {
		var j Joint
		j.AddSecond(5, []int64{5000, 5999}, []int64{7, 8})
		if err := j.Err(); err != nil {
			t.Fatal(err)
		}
		c.break_(&j)
		if err := j.Err(); err == nil || c.want != nil && !errors.Is(err, c.want) {
			t.Errorf("%s: error %v, want %v", name, err, c.want)
		}
	}
}

func addUnfinished(j *Joint) { j.AddPart(6, []int64{6005}, []int64{1}, false) }

func benchmarkJoint(b *testing.B, x func(i, random int64) int64, y func(x, random int64) int64) {
	const perSecond = 5000
	const seconds = 400
	xs, ys := make([][]int64, seconds), make([][]int64, seconds)
	r := uint64(1)
	for s := range xs {
		for i := range int64(perSecond) {
			r = r*6364136223846793005 + 1442695040888963407
			v := x(int64(s)*1000+i/5, int64(r>>33))
			xs[s] = append(xs[s], v)
			ys[s] = append(ys[s], y(v, int64(r>>13)&0xfffff))
		}
	}
	var j Joint
	b.ReportAllocs()
	n, s, shift := 0, 0, int64(0)
	for b.Loop() {
		if n++; n%perSecond != 0 {
			continue // one turn is one element; a second is added at once
		}
		j.AddSecond(int64(s)+shift/1000, xs[s], ys[s])
		j.Floor(int64(s-100)*1000 + shift)
		if s++; s == seconds {
			b.StopTimer()
			s, shift = 0, shift+seconds*1000
			for k := range xs {
				for i := range xs[k] {
					xs[k][i] += seconds * 1000
					ys[k][i] += seconds * 1000
				}
			}
			b.StartTimer()
		}
	}
	if err := j.Err(); err != nil {
		b.Fatal(err)
	}
}

func BenchmarkJoint(b *testing.B) {
	exact := func(i, _ int64) int64 { return i }
	b.Run("owner-seconds-alike", func(b *testing.B) {
		benchmarkJoint(b, func(i, _ int64) int64 { return i / 1000 * 1000 }, func(x, _ int64) int64 { return x })
	})
	b.Run("owner-seconds-drifting", func(b *testing.B) {
		benchmarkJoint(b, func(i, _ int64) int64 { return i / 1000 * 1000 }, func(x, r int64) int64 { return x + r%4*1000 })
	})
	b.Run("jitter-20ms", func(b *testing.B) { benchmarkJoint(b, exact, func(x, r int64) int64 { return x + r%20 }) })
	b.Run("jitter-2s", func(b *testing.B) { benchmarkJoint(b, exact, func(x, r int64) int64 { return x + r%2000 }) })
}

func TestCellsJoinWhatTheWindowMissed(t *testing.T) {
	var c cells
	want := map[int64]int64{}
	for i := range int64(1000) {
		at := i * i % 37
		c.put(at, i)
		want[at] += i
	}
	c.compact()
	if !slices.IsSortedFunc(c, func(a, b cell) int { return cmp.Compare(a.at, b.at) }) || len(c) != len(want) {
		t.Fatalf("%d cells, want %d, ascending", len(c), len(want))
	}
	for _, cell := range c {
		if want[cell.at] != cell.n {
			t.Fatalf("cell %d holds %d, want %d", cell.at, cell.n, want[cell.at])
		}
	}
}
