package order

import (
	"math"
	"slices"
	"testing"
)

func close14(got, want float64) bool { return math.Abs(got-want) <= 1e-14 }

// rank turns decimals into whole numbers of one order.
func rank(xs ...float64) []int64 {
	sorted := slices.Compact(slices.Sorted(slices.Values(xs)))
	ranks := make([]int64, len(xs))
	for i, x := range xs {
		k, _ := slices.BinarySearch(sorted, x)
		ranks[i] = int64(k)
	}
	return ranks
}

// Right answers of tau-b from SciPy's scipy/stats/tests/test_stats.py
// (TestKendallTau; "R" where its comments say that R's cor.test gave the value) and
// StatsBase.jl's test/rankcorr.jl.
func TestKendallKnownAnswers(t *testing.T) {
	for _, c := range []struct {
		source string
		x, y   []int64
		tauB   float64
		within float64
	}{
		{"SciPy, R", []int64{5, 2, 1, 3, 6, 4, 7}, []int64{5, 2, 6, 3, 1, 7, 4}, -0.14285714286, 1e-11},
		{"SciPy, R", []int64{2, 1, 3, 6, 4, 7, 8}, []int64{2, 6, 3, 1, 8, 7, 4}, 0.047619047619, 1e-12},
		{"SciPy, one swap", []int64{0, 1, 2, 3, 4, 5, 6, 7, 8, 9}, []int64{0, 2, 1, 3, 4, 5, 6, 7, 8, 9}, 0.9555555555555556, 1e-15},
		{"SciPy, two swaps", []int64{0, 1, 2, 3, 4, 5, 6, 7, 8, 9}, []int64{0, 2, 1, 3, 4, 6, 5, 7, 8, 9}, 0.9111111111111111, 1e-15},
		{"SciPy, Kendall 1970", []int64{1, 2, 2, 4, 4, 6, 6, 8, 9, 9}, []int64{1, 2, 4, 4, 4, 4, 8, 8, 8, 10}, 0.85895569, 5e-9},
		{"SciPy, R, ties", []int64{12, 2, 1, 12, 2}, []int64{1, 4, 7, 1, 0}, -0.47140452079103173, 1e-15},
		{"SciPy, Hollander and Wolfe", rank(44.4, 45.9, 41.9, 53.3, 44.7, 44.1, 50.7, 45.2, 60.1),
			rank(2.6, 3.1, 2.5, 5.0, 3.6, 4.0, 5.2, 2.8, 3.8), 0.4444444444444445, 1e-15},
		{"SciPy, ties alike", []int64{1, 1, 2}, []int64{1, 1, 2}, 1, 0},
		{"StatsBase", []int64{1, 2, 3, 4, 5}, []int64{5, 3, 4, 2, 5}, -1 / math.Sqrt(90), 1e-15},
		{"StatsBase", []int64{0, 1, 0, 1, 10}, []int64{5, 3, 4, 2, 5}, -1 / math.Sqrt(72), 1e-15},
	} {
		p := Kendall(c.x, c.y)
		tau, ok := p.TauB()
		if !ok || math.Abs(tau-c.tauB) > c.within {
			t.Errorf("%s: x %v y %v: tau-b %v, want %v", c.source, c.x, c.y, tau, c.tauB)
		}
		if slow := slowPairs(c.x, c.y); p != slow {
			t.Errorf("%s: %+v, every pair gives %+v", c.source, p, slow)
		}
	}
}

// The same five points 78,000 times over give the same tau-b (StatsBase.jl,
// test/rankcorr.jl): products of counts pass 32 bits, then 53.
func TestKendallDoesNotOverflow(t *testing.T) {
	x, y := slices.Repeat([]int64{1, 2, 3, 4, 5}, 78_000), slices.Repeat([]int64{5, 3, 4, 2, 5}, 78_000)
	p := Kendall(x, y)
	if tau, _ := p.TauB(); !close14(tau, -1/math.Sqrt(90)) {
		t.Fatalf("tau-b %v", tau)
	}
	// Each of the five points becomes n, each pair of different points n*n.
	const n = 78_000
	one := slowPairs(x[:5], y[:5])
	if p.Discordant != one.Discordant*n*n || p.Concordant != one.Concordant*n*n || p.TiedBoth != 5*n*(n-1)/2 {
		t.Fatalf("%+v from %+v", p, one)
	}
}

// tau-a of gonum's own test data, where gonum's stat.Kendall takes ties in sign for
// agreement and expects .2 and .4; and what is not defined.
func TestTauAAndTheUndefined(t *testing.T) {
	for _, c := range []struct {
		y    []int64
		tauA float64
	}{{[]int64{1, 2, 3, 4, 5}, 1}, {[]int64{5, 4, 3, 2, 1}, -1}, {[]int64{1, 1, 2, 3, 3}, 0.8}} {
		if tau, ok := Kendall([]int64{1, 2, 3, 4, 5}, c.y).TauA(); !ok || tau != c.tauA {
			t.Errorf("%v: tau-a %v, want %v", c.y, tau, c.tauA)
		}
	}
	same := []int64{2, 2, 2}
	if tau, ok := Kendall(same, []int64{2, 0, 2}).TauB(); ok {
		t.Errorf("all x tied (SciPy gives NaN): tau-b %v", tau)
	}
	if tau, ok := Kendall([]int64{2, 0, 2}, same).TauB(); ok {
		t.Errorf("all y tied: tau-b %v", tau)
	}
	if tau, ok := Kendall(same, same).TauA(); !ok || tau != 0 {
		t.Errorf("tau-a of ties: %v %v", tau, ok)
	}
	for n := range 2 {
		p := Kendall(same[:n], same[:n])
		_, a := p.TauA()
		_, b := p.TauB()
		_, d := p.DiscordantShare()
		if a || b || d {
			t.Errorf("%d elements: tau-a %v tau-b %v share %v", n, a, b, d)
		}
	}
	if share, ok := Kendall([]int64{1, 2, 3}, []int64{1, 3, 2}).DiscordantShare(); !ok || share != 1./3 {
		t.Errorf("share %v", share)
	}
}

// The examples of RFC 4737, sections 5.3 and 7.1 to 7.4, with the values that the
// RFC states; arrival times in ms.
func TestRFC4737Examples(t *testing.T) {
	for _, c := range []struct {
		section   string
		sequence  []int64
		arrivalMs []int64
		want      []Reordered // At counts from 0
		lateMs    []int64
	}{
		{"7.1", []int64{1, 2, 3, 5, 6, 7, 8, 4, 9, 10}, []int64{68, 88, 108, 148, 168, 188, 208, 210, 228, 248},
			[]Reordered{{7, 4, 4}}, []int64{62}},
		{"7.2", []int64{1, 2, 3, 4, 7, 5, 6, 8, 9, 10}, []int64{68, 88, 108, 128, 188, 189, 190, 208, 228, 248},
			[]Reordered{{5, 1, 1}, {6, 2, 0}}, []int64{1, 2}},
		{"7.3", []int64{1, 2, 3, 7, 8, 9, 10, 4, 5, 6, 11}, []int64{68, 88, 108, 188, 208, 228, 248, 250, 252, 256, 268},
			[]Reordered{{7, 4, 4}, {8, 5, 0}, {9, 6, 0}}, []int64{62, 64, 68}},
		{"7.4", []int64{1, 2, 3, 6, 7, 4, 5, 8, 9, 10, 12, 13, 11, 14, 15, 16}, nil,
			[]Reordered{{5, 2, 2}, {6, 3, 0}, {12, 2, 2}}, nil},
		{"5.3", []int64{1, 2, 3, 7, 8, 9, 4, 5, 6}, nil,
			[]Reordered{{6, 3, 3}, {7, 4, 0}, {8, 5, 0}}, nil},
	} {
		got := ReorderedElements(c.sequence)
		if !slices.Equal(got, c.want) {
			t.Errorf("%s: %+v, want %+v", c.section, got, c.want)
			continue
		}
		for k, late := range c.lateMs {
			r := got[k]
			if l := c.arrivalMs[r.At] - c.arrivalMs[r.Discontinuity()]; l != late {
				t.Errorf("%s: late time %d, want %d", c.section, l, late)
			}
		}
		if c.arrivalMs == nil {
			continue
		}
		var stream Reordering
		for i, s := range c.sequence {
			stream.Add(c.arrivalMs[i], s)
		}
		result := stream.Result()
		if result.Reordered != int64(len(c.want)) {
			t.Errorf("%s: streaming finds %d", c.section, result.Reordered)
		}
		for k, r := range c.want {
			if result.Extents.Count(int64(r.Extent)) != 1 || result.LateMs.Count(c.lateMs[k]) != 1 || result.Degrees.Count(int64(r.Degree)) < 1 {
				t.Errorf("%s: streaming extents, late times or degrees differ", c.section)
			}
		}
	}
}

// Section 7.1 of the RFC states the ratio and that the packet is 4-reordered, section
// 7.4 the discontinuities at positions 4 and 11, their gap of 7, and the runs 5, 0, 5.
func TestRFC4737ExamplesInTotal(t *testing.T) {
	var stream Reordering
	for i, s := range []int64{1, 2, 3, 5, 6, 7, 8, 4, 9, 10} {
		stream.Add(int64(i), s)
	}
	if ratio, _ := stream.Result().Ratio(); ratio != 0.1 {
		t.Errorf("7.1: ratio %v", ratio)
	}
	for n, want := range []int64{1, 1, 1, 1, 0} { // 4-reordered, hence also with 1, 2 and 3
		if got := stream.Result().NReordered(int64(n) + 1); got != want {
			t.Errorf("7.1: %d are %d-reordered, want %d", got, n+1, want)
		}
	}
	sequence := []int64{1, 2, 3, 6, 7, 4, 5, 8, 9, 10, 12, 13, 11, 14, 15, 16}
	r := ReorderedElements(sequence)
	if a, b, c := r[0].Discontinuity()+1, r[1].Discontinuity()+1, r[2].Discontinuity()+1; a != 4 || b != 4 || c != 11 {
		t.Errorf("7.4: discontinuities at %d, %d, %d", a, b, c)
	}
	var runs Reordering
	for i, s := range sequence {
		runs.Add(int64(i), s)
	}
	if got := runs.Result().Runs; got != (FreeRuns{Runs: 3, Elements: 10, Squares: 50, Trailing: 3}) {
		t.Errorf("7.4: streaming runs %+v", got)
	}
	if runs := RunsBetween(len(sequence), r); runs != (FreeRuns{Runs: 3, Elements: 10, Squares: 50, Trailing: 3}) {
		t.Errorf("7.4: runs %+v", runs)
	}
}

// The two examples of runs in RFC 4737, section 4.6 (three runs of 11; 1, 1 and 31).
func TestRFC4737FreeRuns(t *testing.T) {
	for _, c := range []struct {
		lengths                   []int
		want                      FreeRuns
		mean, weighted, variation float64
	}{
		{[]int{11, 11, 11}, FreeRuns{Runs: 3, Elements: 33, Squares: 363}, 11, 11, 1},
		{[]int{1, 1, 31}, FreeRuns{Runs: 3, Elements: 33, Squares: 963}, 11, 963. / 33, 963. / 33 / 11},
	} {
		var reordered []Reordered
		n := 0
		for _, length := range c.lengths {
			n += length
			reordered = append(reordered, Reordered{At: n})
			n++
		}
		got := RunsBetween(n, reordered)
		mean, _ := got.Mean()
		weighted, _ := got.Weighted()
		variation, _ := got.Variation()
		if got != c.want || mean != c.mean || !close14(weighted/c.weighted, 1) || !close14(variation/c.variation, 1) {
			t.Errorf("%v: %+v mean %v weighted %v variation %v", c.lengths, got, mean, weighted, variation)
		}
		if n != 36 { // the RFC's p
			t.Errorf("%d packets", n)
		}
	}
}

// Right answers from cpp-sort's tests/probes/*.cpp.
func TestPresortednessKnownAnswers(t *testing.T) {
	down := func(from int64) (s []int64) {
		for v := from; v >= 0; v-- {
			s = append(s, v)
		}
		return s
	}
	inv := func(p *Presorted) int64 { return p.Inversions }
	disOf := func(p *Presorted) int64 { return p.Dis }
	exc := func(p *Presorted) int64 { return p.Exc }
	for _, c := range []struct {
		name    string
		ys      []int64
		measure func(*Presorted) int64
		want    int64
	}{
		{"Inv", []int64{48, 43, 96, 44, 42, 34, 42, 57, 68, 69}, inv, 19},
		{"Dis", []int64{48, 43, 96, 44, 42, 34, 42, 57, 68, 69}, disOf, 7},
		{"Inv", down(10), inv, 55},
		{"Inv", []int64{2, 1, 3, 0}, inv, 4},
		{"Dis", []int64{47, 53, 46, 41, 59, 81, 74, 97, 100, 45}, disOf, 9},
		{"Dis", []int64{2, 3, 5, 1, 4, 2, 6, 8, 7, 9, 8, 11, 6, 13, 12, 16, 15, 17, 18, 20, 18, 19, 21, 19}, disOf, 5},
		{"Exc", []int64{74, 59, 62, 23, 86, 69, 18, 52, 77, 68}, exc, 7},
		{"Exc", down(9), exc, 5},
		{"Exc", []int64{2, 4, 0, 6, 3, 1, 5}, exc, 5},
		{"Ham", []int64{34, 43, 96, 42, 44, 48, 57, 42, 68, 69}, func(p *Presorted) int64 { return p.Ham }, 6},
		{"Max", []int64{12, 28, 17, 59, 13, 10, 39, 21, 31, 30}, func(p *Presorted) int64 { return p.MaxDisplacement }, 6},
		{"Rem", []int64{6, 9, 79, 41, 44, 49, 11, 16, 69, 15}, func(p *Presorted) int64 { return p.Rem }, 4},
		{"Runs", []int64{40, 49, 58, 99, 60, 70, 12, 87, 9, 8, 82, 91, 99, 67, 82, 92}, func(p *Presorted) int64 { return p.Runs }, 5},
		{"Runs", []int64{4, 2, 6, 5, 3, 1, 9, 7, 10, 8}, func(p *Presorted) int64 { return p.Runs }, 6},
	} {
		if got := c.measure(Presortedness(c.ys)); got != c.want {
			t.Errorf("%s of %v: %d, want %d", c.name, c.ys, got, c.want)
		}
	}
}

// Rank distances from BayesMallows' tests/testthat/test-compute_rank_distance.R:
// the second ranking in the order that the first one gives.
func TestRankDistancesKnownAnswers(t *testing.T) {
	for _, c := range []struct {
		first, second                                       []int64
		footrule, spearman, cayley, hamming, kendall, ulams int64
	}{
		{[]int64{1, 2, 3, 4, 5}, []int64{1, 3, 2, 5, 4}, 4, 4, 2, 4, 2, 2},
		{[]int64{5, 4, 3, 2, 1}, []int64{1, 3, 2, 5, 4}, 12, 36, 4, 5, 8, 3},
	} {
		inOrder := make([]int64, len(c.first))
		for i, place := range c.first {
			inOrder[place-1] = c.second[i]
		}
		p := Presortedness(inOrder)
		got := [6]int64{p.Footrule, p.Spearman().Int64(), p.Exc, p.Ham, p.Inversions, p.Rem}
		if want := [6]int64{c.footrule, c.spearman, c.cayley, c.hamming, c.kendall, c.ulams}; got != want {
			t.Errorf("%v against %v: %v, want %v", c.first, c.second, got, want)
		}
		if kendall := Kendall(c.first, c.second).Discordant; kendall != c.kendall {
			t.Errorf("%v against %v: %d discordant, want %d", c.first, c.second, kendall, c.kendall)
		}
	}
}
