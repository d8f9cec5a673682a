package order

import (
	"errors"
	"math"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

// ranked reads "red (blue green) yellow": words in order, ties in brackets. One word
// of small letters, like "abc", is a ranking of its letters.
func ranked(text string) Ranking {
	if !strings.ContainsAny(text, " (") {
		text = strings.Join(strings.Split(text, ""), " ")
	}
	var items []int64
	var scores []float64
	tied := false
	for i, word := range strings.Fields(text) {
		letters := strings.Trim(word, "()")
		item := int64(0)
		for _, b := range []byte(letters) { // names of up to 8 letters are numbers
			item = item<<8 | int64(b)
		}
		score := float64(-i)
		if tied {
			score = scores[len(scores)-1]
		}
		tied = tied && !strings.HasSuffix(word, ")") || strings.HasPrefix(word, "(")
		items, scores = append(items, item), append(scores, score)
	}
	return NewRanking(items, scores)
}

// The example of the README of julian-urbano/sigir2024-rbo, the code of Corsi and
// Urbano's paper; and rank-biased overlaps without ties from the tests of dlukes/rbo.
func TestRankBiasedOverlapKnownAnswers(t *testing.T) {
	got, err := Compare(ranked("red (blue green) yellow pink"),
		ranked("(blue red) white (yellow black purple) green")).RankBiasedOverlap(0.95)
	if err != nil {
		t.Fatal(err)
	}
	want := RBO{Extrapolated: .6922853, Min: .3310519, Max: .8930692, Residual: .5620173}
	for _, c := range [][2]float64{{got.Extrapolated, want.Extrapolated}, {got.Min, want.Min}, {got.Max, want.Max}, {got.Residual, want.Residual}} {
		if math.Abs(c[0]-c[1]) > 5e-8 {
			t.Errorf("%+v, want %+v", got, want)
		}
	}
	same, _ := Compare(ranked("abcdefg"), ranked("abcdefg")).RankBiasedOverlap(0.9)
	if math.Abs(same.Min-.767) > 5e-4 || math.Abs(same.Residual-.233) > 5e-4 || math.Abs(same.Extrapolated-1) > 1e-14 {
		t.Errorf("with itself: %+v", same)
	}
	swapped, _ := Compare(ranked("abcdefg"), ranked("bacdefg")).RankBiasedOverlap(0.9)
	if math.Abs(swapped.Extrapolated-.9) > 1e-14 {
		t.Errorf("first two swapped: %+v", swapped)
	}
}

// Average overlap, the mean of the agreements up to a depth: Webber, Moffat and
// Zobel (2010), figure 5, at depths 1 to 7; then the tests of changyaochen/rbo.
func TestAgreementKnownAnswers(t *testing.T) {
	averageOverlap := func(x, y Ranking) float64 {
		seen := Compare(x, y).agreements().seen
		sum := 0.0
		for i, common := range seen {
			sum += common / float64(i+1)
		}
		return sum / float64(len(seen))
	}
	for i, want := range []float64{0, 0, .222, .292, .313, .317, .312} {
		if got := averageOverlap(ranked("abcdefg"[:i+1]), ranked("zcavwxy"[:i+1])); math.Abs(got-want) > 6e-4 {
			t.Errorf("depth %d: %v, want %v", i+1, got, want)
		}
	}
	for _, c := range []struct {
		x, y string
		want float64
	}{{"abcde", "bacde", .8}, {"abcde", "abced", .95}, {"abcde", "abcde", 1}, {"abc", "xyz", 0}, {"", "abc", 0}} {
		if got := averageOverlap(ranked(c.x), ranked(c.y)); !close14(got, c.want) {
			t.Errorf("%s %s: %v, want %v", c.x, c.y, got, c.want)
		}
	}
}

// Distances of top-k lists: of lists that share nothing, k^2 + p k (k-1), or
// (4 + 2p) / 6 at k = 2 in relation to k (2k - 1); reversed and equal ones; and
// worked ones. The last three have ties: a pair that one list ties and the other
// orders counts p, one that both tie 0.
func TestTopKKendallKnownAnswers(t *testing.T) {
	for _, c := range []struct {
		x, y    string
		p, want float64
	}{
		{"a", "b", 0.25, 1},
		{"ab", "cd", 0.25, 6 * 0.75},
		{"ab", "cd", 0.5, 6 * 5. / 6},
		{"abcd", "dcba", 0.5, 6},
		{"abcd", "abcd", 0.5, 0},
		{"abcd", "aebc", 0, 3},
		{"abcd", "aebc", 0.5, 3},
		{"abcdefg", "zcavwxy", 0, 29},
		{"abcdefg", "zcavwxy", 0.5, 39},
		{"abcde", "bacde", 0, 1},
		{"abcde", "bacde", 0.5, 1},
		{"(a b) c", "a b c", 0.5, 0.5},
		{"(a b) c", "(b a) c", 0.5, 0},
		{"(a b) c", "c (a b)", 0.5, 2},
	} {
		got := Compare(ranked(c.x), ranked(c.y)).Kendall(c.p)
		if got != c.want || Compare(ranked(c.y), ranked(c.x)).Kendall(c.p) != got {
			t.Errorf("%s %s p %v: %v, want %v", c.x, c.y, c.p, got, c.want)
		}
	}
	if got := KendallMost(7, 0.5); got != Compare(ranked("abcdefg"), ranked("tuvwxyz")).Kendall(0.5) {
		t.Errorf("at most %v", got)
	}
}

func TestOverlapAndJaccard(t *testing.T) {
	for _, c := range []struct {
		x, y    string
		common  int
		jaccard float64
	}{{"abcd", "aebc", 3, 0.6}, {"abc", "abc", 3, 1}, {"ab", "cd", 0, 0}, {"(a b) c", "c (x a)", 2, 0.5}, {"", "a", 0, 0}} {
		compared := Compare(ranked(c.x), ranked(c.y))
		if got, ok := compared.Jaccard(); compared.Overlap() != c.common || got != c.jaccard || !ok {
			t.Errorf("%q %q: %d in common, Jaccard %v", c.x, c.y, compared.Overlap(), got)
		}
	}
	if _, ok := Compare(Ranking{}, Ranking{}).Jaccard(); ok {
		t.Error("Jaccard of nothing is defined")
	}
}

func TestRankBiasedOverlapRefusesWhatHasNone(t *testing.T) {
	for _, p := range []float64{0, 1, -1, 2, math.NaN()} {
		if _, err := Compare(ranked("ab"), ranked("ab")).RankBiasedOverlap(p); !errors.Is(err, ErrPersistence) {
			t.Errorf("p %v: %v", p, err)
		}
	}
	if _, err := Compare(ranked(""), ranked("ab")).RankBiasedOverlap(0.9); !errors.Is(err, ErrEmptyRanking) {
		t.Error(err)
	}
}

// tiedLists draws a ranking with few items and ties.
func tiedLists() *rapid.Generator[Ranking] {
	return rapid.Custom(func(t *rapid.T) Ranking {
		items := rapid.Permutation([]int64{1, 2, 3, 4, 5, 6, 7, 8}).Draw(t, "items")
		items = items[:rapid.IntRange(1, 5).Draw(t, "length")]
		scores := make([]float64, len(items))
		for i := 1; i < len(items); i++ {
			scores[i] = scores[i-1] - float64(rapid.IntRange(0, 1).Draw(t, "step"))
		}
		return NewRanking(items, scores)
	})
}

// orders lists all orders of the items that the ties leave open.
func (r Ranking) orders() (orders [][]int64) {
	orders = [][]int64{nil}
	first := 0
	for _, end := range r.ends {
		var longer [][]int64
		for _, begun := range orders {
			for _, rest := range permutations(r.items[first:end]) {
				longer = append(longer, slices.Concat(begun, rest))
			}
		}
		orders, first = longer, end
	}
	return orders
}

func permutations(items []int64) (all [][]int64) {
	if len(items) == 0 {
		return [][]int64{nil}
	}
	for i, first := range items {
		for _, rest := range permutations(slices.Concat(items[:i], items[i+1:])) {
			all = append(all, append([]int64{first}, rest...))
		}
	}
	return all
}

// slowRBO adds up the series that defines rank-biased overlap, of lists without ties,
// until nothing is left of it.
func slowRBO(x, y []int64, p float64) RBO {
	var r RBO
	common, atEnd := 0.0, 0.0
	l := max(len(x), len(y))
	weight := 1 - p
	most := 0.0 // in common, if everything possible is
	for d := 1; weight > 1e-18; d++ {
		if d <= l {
			common = 0
			for _, item := range x[:min(d, len(x))] {
				if slices.Contains(y[:min(d, len(y))], item) {
					common++
				}
			}
			most, atEnd = common, common/float64(d)
		} else {
			most = min(float64(d), most+2)
		}
		r.Min += weight * common / float64(d)
		r.Max += weight * most / float64(d)
		r.Extrapolated += weight * atEnd
		weight *= p
	}
	return r
}

// Variant a is the mean over all orders that the ties leave open: exactly so for the
// minimum of lists of any lengths, and for the maximum and the extrapolation of
// lists of one length.
func TestRankBiasedOverlapIsTheMeanOverAllOrders(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		x, y := tiedLists().Draw(t, "x"), tiedLists().Draw(t, "y")
		p := rapid.SampledFrom([]float64{0.1, 0.5, 0.9}).Draw(t, "p")
		got, err := Compare(x, y).RankBiasedOverlap(p)
		if err != nil {
			t.Fatal(err)
		}
		var mean RBO
		n := 0.0
		for _, a := range x.orders() {
			for _, b := range y.orders() {
				one := slowRBO(a, b, p)
				mean.Min, mean.Max, mean.Extrapolated = mean.Min+one.Min, mean.Max+one.Max, mean.Extrapolated+one.Extrapolated
				n++
			}
		}
		if math.Abs(got.Min-mean.Min/n) > 1e-12 {
			t.Fatalf("minimum %v, mean of all orders %v", got.Min, mean.Min/n)
		}
		if x.Len() == y.Len() && (math.Abs(got.Max-mean.Max/n) > 1e-12 || math.Abs(got.Extrapolated-mean.Extrapolated/n) > 1e-12) {
			t.Fatalf("%+v, mean of all orders: max %v ext %v", got, mean.Max/n, mean.Extrapolated/n)
		}
		turned, _ := Compare(y, x).RankBiasedOverlap(p)
		if math.Abs(turned.Extrapolated-got.Extrapolated) > 1e-12 || math.Abs(turned.Max-got.Max) > 1e-12 {
			t.Fatalf("%+v, the other way round %+v", got, turned)
		}
		const hair = 1e-12
		if got.Min < 0 || got.Min > got.Extrapolated+hair || got.Extrapolated > got.Max+hair || got.Max > 1 || math.Abs(got.Residual-(got.Max-got.Min)) > hair {
			t.Fatalf("out of order: %+v", got)
		}
	})
}

// With p = 1/2 a pair whose order one list leaves open counts as it does on average
// over the orders; so lists without missing items have the mean distance of all
// their orders, less what pairs count that both lists tie.
func TestTopKKendallIsTheMeanOverAllOrders(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		x := tiedLists().Draw(t, "x")
		levels := rapid.SliceOfN(rapid.SampledFrom([]float64{1, 2, 3}), x.Len(), x.Len()).Draw(t, "levels")
		slices.Sort(levels)
		y := NewRanking(rapid.Permutation(x.items).Draw(t, "y"), levels)
		total, n := 0.0, 0.0
		for _, a := range x.orders() {
			for _, b := range y.orders() {
				place := map[int64]int64{}
				for i, item := range b {
					place[item] = int64(i)
				}
				ys := make([]int64, len(a))
				for i, item := range a {
					ys[i] = place[item]
				}
				total += float64(Inversions(ys))
				n++
			}
		}
		both := 0
		compared := Compare(x, y)
		for i, inX := range compared.x {
			for j, other := range compared.x[:i] {
				if inX == other && compared.y[i] == compared.y[j] {
					both++
				}
			}
		}
		if got := compared.Kendall(0.5); math.Abs(got-(total/n-float64(both)/2)) > 1e-9 {
			t.Fatalf("%v, mean of all orders %v with %d pairs tied in both", got, total/n, both)
		}
	})
}

// The newest 100 of two sites.
func BenchmarkCompare(b *testing.B) {
	items, scores := make([]int64, 100), make([]float64, 100)
	for i := range items {
		items[i], scores[i] = int64(i), float64(-i/2)
	}
	x := NewRanking(slices.Clone(items), scores)
	slices.Reverse(items[:10])
	y := NewRanking(items, scores)
	b.ReportAllocs()
	for b.Loop() {
		c := Compare(x, y)
		c.RankBiasedOverlap(0.9)
		c.Kendall(0.5)
	}
}
