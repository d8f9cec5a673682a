package order

import (
	"errors"
	"math"
	"math/big"
	"math/rand/v2"
	"slices"
	"testing"

	"pgregory.net/rapid"
)

// The rank distances of BayesMallows and the displacements of cpp-sort, as in
// TestRankDistancesKnownAnswers and TestPresortednessKnownAnswers, streaming; and the
// first case of RFC 5236, section 8.
func TestDisplacementKnownAnswers(t *testing.T) {
	for _, c := range []struct {
		source        string
		ys            []int64
		footrule, max int64
	}{
		{"BayesMallows", []int64{1, 3, 2, 5, 4}, 4, 1},
		{"BayesMallows, in the first ranking's order", []int64{4, 5, 2, 3, 1}, 12, 4},
		{"cpp-sort, Max (footrule by hand)", []int64{12, 28, 17, 59, 13, 10, 39, 21, 31, 30}, 28, 6},
		{"RFC 4737, 7.1", []int64{1, 2, 3, 5, 6, 7, 8, 4, 9, 10}, 8, 4},
		{"RFC 4737, 7.3", []int64{1, 2, 3, 7, 8, 9, 10, 4, 5, 6, 11}, 24, 4},
	} {
		var d Displacement
		for _, y := range c.ys {
			d.Add(y)
		}
		r := d.Result()
		farthest, _ := r.Absolute().Max()
		if r.Footrule().Int64() != c.footrule || farthest != c.max {
			t.Errorf("%s: footrule %v max %d, want %d %d", c.source, r.Footrule(), farthest, c.footrule, c.max)
		}
	}
	var d Displacement
	for _, y := range []int64{1, 4, 2, 5, 3, 6, 7, 8} {
		d.Add(y)
	}
	r := d.Result()
	for v, want := range map[int64]int64{-2: 1, -1: 1, 0: 4, 1: 1, 2: 1} {
		if got := r.Density(4).Counts.Count(v); got != want {
			t.Errorf("RD at %d: %d of 8, want %d", v, got, want)
		}
	}
	for v, want := range map[int64]int64{0: 5, 1: 2, 2: 1} {
		if got := r.BufferDensity(4).Counts.Count(v); got != want {
			t.Errorf("RBD at %d: %d of 8, want %d", v, got, want)
		}
	}
	if rd, rbd := r.Density(1), r.BufferDensity(1); rd.Discarded != 2 || rd.Counts.N() != 6 || rbd.Discarded != 1 {
		t.Errorf("beyond a threshold of 1: %d and %d", rd.Discarded, rbd.Discarded)
	}
}

// slowDisplacement counts for every element those that belong before it, and for
// every position those that are ahead of a missing one.
func slowDisplacement(ys []int64) *DisplacementResult {
	r := &DisplacementResult{N: int64(len(ys))}
	place := make([]int, len(ys))
	came := make([]bool, len(ys))
	for i, y := range ys {
		for j, other := range ys {
			if other < y || other == y && j < i {
				place[i]++
			}
		}
		r.Signed.Add(int64(i - place[i]))
	}
	for _, p := range place {
		came[p] = true
		first := slices.Index(came, false)
		waiting := int64(0)
		for q, is := range came {
			if is && q > first && first >= 0 {
				waiting++
			}
		}
		r.Occupancy.Add(waiting)
	}
	return r
}

func sameDisplacement(a, b *DisplacementResult) bool {
	return a.N == b.N && sameTally(&a.Signed, &b.Signed) && sameTally(&a.Occupancy, &b.Occupancy)
}

func TestDisplacementAgreesWithCountingPlaces(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		ys := sequence().Draw(t, "ys")
		lowest := lowestAfter(ys)
		var d Displacement
		for i := 0; i < len(ys); i++ {
			if rapid.IntRange(0, 9).Draw(t, "promise") == 0 {
				d.Floor(legalFloor(t, lowest[i]))
			}
			if rapid.IntRange(0, 4).Draw(t, "each") == 0 {
				end := rapid.IntRange(i+1, len(ys)).Draw(t, "to")
				d.AddEach(ys[i:end])
				i = end - 1
			} else {
				d.Add(ys[i])
			}
			if rapid.IntRange(0, 50).Draw(t, "peek") == 0 && !sameDisplacement(d.Result(), slowDisplacement(ys[:i+1])) {
				t.Fatalf("after %d elements: %+v", i+1, d.Result())
			}
		}
		got := d.Result()
		if err := d.Err(); err != nil {
			t.Fatal(err)
		}
		if !sameDisplacement(got, slowDisplacement(ys)) {
			t.Fatalf("%v: signed %v occupancy %v", ys, got.Signed.Sum(), got.Occupancy.Sum())
		}
		if !sameDisplacement(got, Displacements(ys)) {
			t.Fatal("streaming and batch differ")
		}
		batch := Presortedness(ys)
		if !sameTally(&batch.Displacements, got.Absolute()) || got.Footrule().Cmp(big.NewInt(batch.Footrule)) != 0 {
			t.Fatalf("footrule %v, in batch %d", got.Footrule(), batch.Footrule)
		}
		if got.Signed.Sum().Sign() != 0 {
			t.Fatal("as far too early as too late is not 0 in sum")
		}
		if inv := batch.Inversions; got.Footrule().Int64() < inv || got.Footrule().Int64() > 2*inv { // Diaconis and Graham 1977
			t.Fatalf("footrule %v, inversions %d", got.Footrule(), inv)
		}
		// Just before the latest element comes, as many wait as it is late.
		if latest, any := got.Signed.Max(); any {
			if most, _ := got.Occupancy.Max(); most != latest {
				t.Fatalf("%d wait at most, and the latest is %d late", most, latest)
			}
		}
	})
}

// Long sequences fill buckets beyond what is sorted by comparing.
func TestDisplacementAgreesWithSortingAtLength(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.IntRange(500, 5000).Draw(t, "n")
		step := rapid.SampledFrom([]int64{0, 1, 50, 60_000}).Draw(t, "step")
		lag := rapid.SampledFrom([]int64{1, 700, 2000, 600_000, 40_000_000_000}).Draw(t, "lag")
		x := rapid.Uint64().Draw(t, "seed") | 1
		ys := make([]int64, n)
		for i := range ys {
			x = x*6364136223846793005 + 1442695040888963407
			ys[i] = int64(i)*step - int64(x>>20)%lag
		}
		lowest := lowestAfter(ys)
		every := rapid.IntRange(1, 2000).Draw(t, "floor every")
		var d Displacement
		var r RankDisplacement
		for i, y := range ys {
			if i%every == 0 {
				d.Floor(lowest[i])
				r.Floor(lowest[i])
			}
			d.Add(y)
			r.Add(int64(i), y)
		}
		batch := Presortedness(ys)
		if !sameTally(&batch.Displacements, d.Result().Absolute()) || !sameDisplacement(d.Result(), r.Result()) {
			t.Fatalf("footrules %v %v, in batch %d", d.Result().Footrule(), r.Result().Footrule(), batch.Footrule)
		}
	})
}

// Elements that stand so far from their places that they are not counted in place, and
// so many waiting.
func TestDisplacementFarAway(t *testing.T) {
	random := rand.New(rand.NewPCG(5, 6))
	for name, y := range map[string]func(i, n int) int64{
		"shuffled":          func(_, n int) int64 { return random.Int64N(int64(n)) },
		"turned round":      func(i, n int) int64 { return int64(n - i) },
		"last one first":    func(i, n int) int64 { return int64((i + n - 1) % n) },
		"in two, near ends": func(i, n int) int64 { return int64((i+nearSize/2)%n) + random.Int64N(3) },
	} {
		ys := make([]int64, 5*nearSize)
		for i := range ys {
			ys[i] = y(i, len(ys))
		}
		want := &DisplacementResult{N: int64(len(ys))}
		came, next := make([]bool, len(ys)), 0
		for i, place := range sortedPlaces(ys) {
			want.Signed.Add(int64(i - place))
			came[place] = true
			for next < len(ys) && came[next] {
				next++
			}
			want.Occupancy.Add(int64(i + 1 - next))
		}
		var d Displacement
		d.AddEach(ys[:len(ys)/2])
		d.AddEach(ys[len(ys)/2:])
		if !sameDisplacement(d.Result(), want) {
			t.Errorf("%s: counted otherwise", name)
		}
		if d.Floor(math.MaxInt64); !sameDisplacement(d.Result(), want) {
			t.Errorf("%s: counted otherwise once settled", name)
		}
	}
}

// Two lists in slices: positions by one, places by the other, and equal ids in the
// order that displaces least.
func TestRankDisplacementAgreesWithTwoLists(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		type element struct{ a, b int64 }
		elements := make([]element, rapid.IntRange(0, 60).Draw(t, "n"))
		span := rapid.SampledFrom([]int64{3, 100, 1 << 26, math.MaxInt64}).Draw(t, "span")
		for i := range elements {
			a := rapid.Int64Range(-span, span).Draw(t, "a")
			elements[i] = element{a, a + rapid.Int64Range(-3, 3).Draw(t, "apart")}
			if rapid.IntRange(0, 3).Draw(t, "far") == 0 {
				elements[i].b = rapid.Int64Range(-span, span).Draw(t, "b")
			}
		}
		slices.SortFunc(elements, func(x, y element) int {
			if x.a < y.a || x.a == y.a && x.b < y.b {
				return -1
			} else if x == y {
				return 0
			}
			return 1
		})
		as, bs := make([]int64, len(elements)), make([]int64, len(elements))
		for i, e := range elements {
			as[i], bs[i] = e.a, e.b
		}
		lowest := lowestAfter(bs)
		r := RankDisplacement{StretchBits: rapid.SampledFrom([]uint{0, 1, 12, 13, 32}).Draw(t, "bits of a stretch")}
		for i := 0; i < len(elements); i++ {
			if rapid.IntRange(0, 5).Draw(t, "promise") == 0 {
				r.Floor(legalFloor(t, lowest[i]))
			}
			if rapid.IntRange(0, 3).Draw(t, "each") > 0 {
				r.Add(elements[i].a, elements[i].b)
				continue
			}
			end := rapid.IntRange(i, len(elements)).Draw(t, "to")
			r.AddEach(as[i:end], bs[i:end])
			i = end - 1
		}
		if err := r.Err(); err != nil {
			t.Fatal(err)
		}
		if !sameDisplacement(r.Result(), slowDisplacement(bs)) {
			t.Fatalf("%v", elements)
		}
	})
}

func TestDisplacementTellsOfBrokenRules(t *testing.T) {
	var d Displacement
	d.Add(10)
	d.Floor(1000)
	d.Add(1000)
	if err := d.Err(); err != nil {
		t.Fatal(err)
	}
	if d.Add(999); !errors.Is(d.Err(), ErrBelowFloor) {
		t.Fatal(d.Err())
	}
	for name, c := range map[string]struct {
		a, b int64
		want error
	}{
		"smaller at A":           {4, 9, ErrNotAscending},
		"same at A, less at B":   {5, 6, ErrNotAscending},
		"same at A and B":        {5, 7, nil},
		"greater at A":           {6, 6, nil},
		"below the floor of B":   {6, 5, ErrBelowFloor},
		"same at A, more at B":   {5, 8, nil},
		"smaller at A, not at B": {4, 7, ErrNotAscending},
	} {
		var r RankDisplacement
		r.Add(5, 7)
		r.Floor(6)
		if r.Add(c.a, c.b); !errors.Is(r.Err(), c.want) {
			t.Errorf("%s: %v, want %v", name, r.Err(), c.want)
		}
		var each RankDisplacement
		each.AddEach([]int64{5}, []int64{7})
		each.Floor(6)
		if each.AddEach([]int64{c.a}, []int64{c.b}); !errors.Is(each.Err(), c.want) {
			t.Errorf("%s, some at a time: %v, want %v", name, each.Err(), c.want)
		}
	}
}

// Under promises buckets stay few and are used again, however long the sequence.
func TestDisplacementKeepsLittleUnderPromises(t *testing.T) {
	var d Displacement
	for i := range int64(1_000_000) {
		d.Add(i*5 - i%7*100)
		if i%1000 == 0 {
			d.Floor(i*5 - 600)
		}
	}
	w := &d.places.waiting
	if len(w.buckets) != len(w.keys) || len(w.buckets)+len(w.spare) > 12 {
		t.Fatalf("%d buckets, %d keys, %d spare", len(w.buckets), len(w.keys), len(w.spare))
	}
	if d.Result().N != 1_000_000 || d.Result().Signed.N() != 1_000_000 || d.Result().Occupancy.N() != 1_000_000 {
		t.Fatal("elements lost")
	}
}

// Adding the results of independent sequences in any order gives the same counts.
func TestDisplacementResultsMergeInAnyOrder(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		a, b := slowDisplacement(sequence().Draw(t, "a")), slowDisplacement(sequence().Draw(t, "b"))
		var ab, ba DisplacementResult
		ab.Merge(a)
		ab.Merge(b)
		ba.Merge(b)
		ba.Merge(a)
		if !sameDisplacement(&ab, &ba) || ab.N != a.N+b.N {
			t.Fatal("the order of merging makes a difference")
		}
		sum := new(big.Int).Add(a.Footrule(), b.Footrule())
		if ab.Footrule().Cmp(sum) != 0 {
			t.Fatalf("footrule %v, want %v", ab.Footrule(), sum)
		}
	})
}

func benchmarkDisplacement(b *testing.B, y func(i, random int64) int64) {
	var d Displacement
	b.ReportAllocs()
	x := uint64(1)
	i := int64(0)
	for b.Loop() {
		x = x*6364136223846793005 + 1442695040888963407
		now := i / 5
		d.Add(y(now, int64(x>>33)))
		if i++; i%4096 == 0 {
			d.Floor(now - 2000)
		}
	}
	if err := d.Err(); err != nil {
		b.Fatal(err)
	}
}

func BenchmarkDisplacement(b *testing.B) {
	b.Run("sorted", func(b *testing.B) { benchmarkDisplacement(b, func(i, _ int64) int64 { return i }) })
	b.Run("jitter-20ms", func(b *testing.B) { benchmarkDisplacement(b, func(i, r int64) int64 { return i - r%20 }) })
	b.Run("jitter-1s", func(b *testing.B) { benchmarkDisplacement(b, func(i, r int64) int64 { return i - r%1000 }) })
	b.Run("shuffled-seconds", func(b *testing.B) {
		benchmarkDisplacement(b, func(i, r int64) int64 { return i/1000*1000 + r%1000 })
	})
}

// Second-slot ids at two sites: 5000 a second, 10,000,000 ids apart from one second
// to the next, a tenth of them some seconds later at B.
func BenchmarkRankDisplacement(b *testing.B) {
	var r RankDisplacement
	b.ReportAllocs()
	x, i := uint64(1), int64(0)
	for b.Loop() {
		x = x*6364136223846793005 + 1442695040888963407
		id := i/5000*10_000_000 + i%5000*200
		idB := id
		if x>>33%10 == 0 {
			idB += int64(x>>43) % 4 * 10_000_000
		}
		r.Add(id, idB)
		if i++; i%4096 == 0 {
			r.Floor(id - 20_000_000)
		}
	}
	if err := r.Err(); err != nil {
		b.Fatal(err)
	}
}

// Elements take no more memory than is said, also where neighbours are far apart.
func TestWaitingMemory(t *testing.T) {
	const n = 50_000
	ys := make([]int64, n)
	for i := range ys {
		ys[i] = int64(i%1000) << 10
	}
	var w waiting
	w.addEach(ys, 0, 10)
	held := 0
	for _, b := range w.buckets {
		held += cap(b.elements)
	}
	if held < n || held > 2*n {
		t.Errorf("room for %d elements, of %d", held, n)
	}
}
