package order

import (
	"slices"
	"testing"

	"pgregory.net/rapid"
)

// The merge sort counts what comparing every pair counts, and the taus keep to
// their bounds and turn their sign when one order is turned.
func TestKendallAgreesWithEveryPair(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		ys := sequence().Draw(t, "ys")
		xs := make([]int64, len(ys))
		for i := range xs {
			xs[i] = rapid.Int64Range(-40, 40).Draw(t, "x")
		}
		p := Kendall(xs, ys)
		if slow := slowPairs(xs, ys); p != slow {
			t.Fatalf("%+v, every pair gives %+v", p, slow)
		}
		turned := make([]int64, len(xs))
		for i, x := range xs {
			turned[i] = -x
		}
		q := Kendall(turned, ys)
		if q.Concordant != p.Discordant || q.Discordant != p.Concordant || q.TiedBoth != p.TiedBoth {
			t.Fatalf("turned: %+v from %+v", q, p)
		}
		if swapped := Kendall(ys, xs); swapped.Discordant != p.Discordant || swapped.TiedX != p.TiedY {
			t.Fatalf("swapped: %+v from %+v", swapped, p)
		}
		a, okA := p.TauA()
		b, okB := p.TauB()
		if okA && (a < -1 || a > 1) || okB && (b < -1 || b > 1) || okB && (a > 0) != (b > 0) {
			t.Fatalf("tau-a %v tau-b %v", a, b)
		}
	})
}

// Longer than the blocks of the merge sort, with the sorted result checked.
func TestSortCountingSortsAndCounts(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		ys := rapid.SliceOfN(rapid.Int64Range(-50, 50), 0, 400).Draw(t, "ys")
		slow := int64(0)
		for j := range ys {
			for i := range j {
				if ys[i] > ys[j] {
					slow++
				}
			}
		}
		got := slices.Clone(ys)
		if n := sortCounting(got); n != slow || !slices.Equal(got, slices.Sorted(slices.Values(ys))) {
			t.Fatalf("%d inversions, want %d; %v", n, slow, got)
		}
	})
}

// RFC 4737's definitions word by word.
func TestReorderedElementsAgreesWithTheDefinitions(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		ys := sequence().Draw(t, "ys")
		var want []Reordered
		for i, y := range ys {
			j := slices.IndexFunc(ys[:i], func(v int64) bool { return v > y })
			if j < 0 {
				continue
			}
			n := 0
			for n < i && ys[i-n-1] > y {
				n++
			}
			want = append(want, Reordered{i, i - j, n})
		}
		if got := ReorderedElements(ys); !slices.Equal(got, want) {
			t.Fatalf("%v, want %v", got, want)
		}
		runs := RunsBetween(len(ys), want)
		if runs.Elements+runs.Runs+runs.Trailing != int64(len(ys)) {
			t.Fatalf("%+v of %d elements", runs, len(ys))
		}
		if variation, ok := runs.Variation(); ok && variation < 1-1e-12 {
			t.Fatalf("variation %v below 1", variation)
		}
	})
}

// Slow restatements of the measures, and the inequalities between them: those of
// cpp-sort's tests/probes/relations.cpp, and Diaconis and Graham, Spearman's
// Footrule as a Measure of Disarray (1977).
func TestPresortednessAgreesWithItsDefinitions(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		ys := rapid.OneOf(sequence(), rapid.SliceOfN(rapid.Int64Range(-9, 9), 0, 60)).Draw(t, "ys")
		p := Presortedness(ys)
		n := int64(len(ys))
		var inv, farthest, exchanges, misplaced, footrule, displaced, descents int64
		place := make([]int, len(ys))
		for j := range ys {
			for i := range ys {
				if ys[i] < ys[j] || ys[i] == ys[j] && i < j {
					place[j]++
				}
				if i < j && ys[i] > ys[j] {
					inv++
					farthest = max(farthest, int64(j-i))
				}
			}
			d := int64(max(j-place[j], place[j]-j))
			footrule += d
			displaced = max(displaced, d)
			misplaced += min(d, 1)
			if j > 0 && ys[j-1] > ys[j] {
				descents++
			}
		}
		for i := range place { // sort by exchanges, each of which brings one element home
			for place[i] != i {
				to := place[i]
				place[i], place[to] = place[to], to
				exchanges++
			}
		}
		want := [8]int64{inv, farthest, displaced, exchanges, misplaced, n - slowLongest(ys), descents, footrule}
		got := [8]int64{p.Inversions, p.Dis, p.MaxDisplacement, p.Exc, p.Ham, p.Rem, p.Runs, p.Footrule}
		if got != want {
			t.Fatalf("Inv Dis Max Exc Ham Rem Runs footrule: %v, want %v", got, want)
		}
		for _, rule := range []struct {
			name  string
			holds bool
		}{
			{"exc <= inv", p.Exc <= p.Inversions},
			{"rem <= inv", p.Rem <= p.Inversions},
			{"max <= dis", p.MaxDisplacement <= p.Dis},
			{"dis <= 2 max", p.Dis <= 2*p.MaxDisplacement},
			{"dis <= inv", p.Dis <= p.Inversions},
			{"inv <= n dis / 2", 2*p.Inversions <= n*p.Dis},
			{"runs <= rem + 1", p.Runs <= p.Rem+1},
			{"exc + 1 <= ham unless sorted", p.Inversions == 0 || p.Exc+1 <= p.Ham},
			{"ham <= 2 exc", p.Ham <= 2*p.Exc},
			{"rem <= 2 exc", p.Rem <= 2*p.Exc},
			{"inv + exc <= footrule", p.Inversions+p.Exc <= p.Footrule},
			{"footrule <= 2 inv", p.Footrule <= 2*p.Inversions},
			{"displacements of all", p.Displacements.N() == n},
		} {
			if !rule.holds {
				t.Fatalf("%s does not hold: %+v", rule.name, p)
			}
		}
	})
}

// slowLongest is the length of the longest non-decreasing subsequence.
func slowLongest(ys []int64) (longest int64) {
	ending := make([]int64, len(ys)) // length of the longest that ends here
	for j := range ys {
		ending[j] = 1
		for i := range j {
			if ys[i] <= ys[j] {
				ending[j] = max(ending[j], ending[i]+1)
			}
		}
		longest = max(longest, ending[j])
	}
	return longest
}

func BenchmarkKendall(b *testing.B) {
	const n = 1_000_000
	xs, ys := make([]int64, n), make([]int64, n)
	r := uint64(1)
	for i := range xs {
		r = r*6364136223846793005 + 1442695040888963407
		xs[i], ys[i] = int64(i), int64(i)-int64(r>>33)%1000
	}
	b.ReportAllocs()
	for b.Loop() {
		Kendall(xs, ys)
	}
	b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/n, "ns/element")
}
