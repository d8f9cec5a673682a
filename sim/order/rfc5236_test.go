package order

import (
	"math"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"twindrift/sim/tally"
)

// The three cases of RFC 5236, section 8, that state both densities.
func TestRFC5236Examples(t *testing.T) {
	for _, c := range []struct {
		section   string
		sequence  []int64
		threshold int
		rd, rbd   map[int64]float64
	}{
		{"8, reordering", []int64{1, 4, 2, 5, 3, 6, 7, 8}, 4,
			map[int64]float64{-2: .125, -1: .125, 0: .5, 1: .125, 2: .125}, map[int64]float64{0: .625, 1: .25, 2: .125}},
		{"8, loss", []int64{1, 2, 4, 5, 6, 7}, 3,
			map[int64]float64{0: 1}, map[int64]float64{0: .5, 1: .167, 2: .167, 3: .167}},
		{"8, duplicate", []int64{1, 3, 2, 3, 4, 5}, 2,
			map[int64]float64{-1: .2, 0: .6, 1: .2}, map[int64]float64{0: .8, 1: .2}},
	} {
		for _, d := range []struct {
			name string
			got  *Density
			want map[int64]float64
		}{
			{"RD", ReorderDensity(c.sequence, c.threshold), c.rd},
			{"RBD", ReorderBufferDensity(c.sequence, c.threshold), c.rbd},
		} {
			for v, n := range d.got.Counts.All() {
				if share, _ := d.got.Share(v); math.Abs(share-d.want[v]) > 0.0005 {
					t.Errorf("%s: %s at %d: %d, a share of %v, want %v", c.section, d.name, v, n, share, d.want[v])
				}
			}
			for v := range d.want {
				if d.got.Counts.Count(v) == 0 {
					t.Errorf("%s: %s has nothing at %d", c.section, d.name, v)
				}
			}
		}
	}
}

// RFC 5236's examples of receive indices and displacements, in which numbers are
// lost and come twice.
func TestRFC5236Displacements(t *testing.T) {
	for _, c := range []struct {
		sequence []int64
		want     []int64 // of the arrivals that are no duplicates, sorted
	}{
		{[]int64{1, 4, 3, 5, 3, 8, 7, 6}, []int64{-2, -1, 0, 0, 0, 1, 2}},
		{[]int64{1, 2, 3, 5, 4, 6}, []int64{-1, 0, 0, 0, 0, 1}},
		{[]int64{1, 2, 5, 3, 6, 2}, []int64{-2, 0, 0, 0, 2}},
	} {
		d := ReorderDensity(c.sequence, 4)
		var got []int64
		d.Counts.Each(func(v, n int64) { got = append(got, slices.Repeat([]int64{v}, int(n))...) })
		if !slices.Equal(got, c.want) || d.Discarded != 0 {
			t.Errorf("%v: displacements %v (%d discarded), want %v", c.sequence, got, d.Discarded, c.want)
		}
	}
}

// A number that comes later than the threshold allows is lost: it does not displace
// the others, and is passed over when it comes. One that is far too early likewise.
func TestRFC5236OutliersDisplaceNoOther(t *testing.T) {
	late := ReorderDensity([]int64{1, 3, 4, 5, 6, 7, 2, 8}, 3)
	if late.Counts.Count(0) != 7 || late.Counts.N() != 7 {
		t.Errorf("late: %v of %d at 0", late.Counts.Count(0), late.Counts.N())
	}
	for dt, want := range map[int]map[int64]int64{3: {-1: 3, 0: 2, 3: 1}, 2: {0: 5}} { // just within the threshold, and just not
		d := ReorderDensity([]int64{1, 3, 4, 5, 2, 6}, dt)
		for v := int64(-3); v <= 3; v++ {
			if got := d.Counts.Count(v); got != want[v] {
				t.Errorf("threshold %d: %d at %d, want %d", dt, got, v, want[v])
			}
		}
	}
	early := ReorderDensity([]int64{1, 100, 2, 3, 4}, 3)
	if early.Counts.Count(0) != 4 || early.Counts.N() != 4 || early.Discarded != 1 {
		t.Errorf("early: %v of %d at 0, %d discarded", early.Counts.Count(0), early.Counts.N(), early.Discarded)
	}
	// 4 and 5 wait for 3 where two may; where one may, 5 makes 3 lost.
	for bt, want := range []map[int64]int64{{0: 4}, {0: 3, 1: 1}, {0: 3, 1: 1, 2: 1}} {
		d := ReorderBufferDensity([]int64{1, 2, 4, 5, 3}, bt)
		for v := range int64(3) {
			if got := d.Counts.Count(v); got != want[v] {
				t.Errorf("at most %d may wait: %d at %d, want %d", bt, got, v, want[v])
			}
		}
	}
	for _, empty := range []*Density{ReorderDensity(nil, 3), ReorderBufferDensity(nil, 3)} {
		if _, ok := empty.Share(0); ok || empty.Counts.N() != 0 {
			t.Error("the density of nothing claims to know something")
		}
	}
}

// With thresholds that nothing passes, and neither losses nor duplicates, the
// displacements are those from the sorted places and the occupancy is what has come
// ahead of the first number that is missing. Any sequence ends, and counts no
// arrival twice.
func TestRFC5236AgreesWithItsDefinitions(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		ys := sequence().Draw(t, "ys")
		places := make([]int64, len(ys))
		for i, to := range sortedPlaces(ys) {
			places[i] = int64(to)
		}
		var displacements, occupancies tally.Counts
		came := make([]bool, len(ys)+1)
		expected := 0
		for i, place := range places {
			came[place] = true
			for came[expected] {
				expected++
			}
			waiting := int64(0)
			for _, is := range came[expected:] {
				if is {
					waiting++
				}
			}
			displacements.Add(int64(i) - place)
			occupancies.Add(waiting)
		}
		rd, rbd := ReorderDensity(places, len(ys)), ReorderBufferDensity(places, len(ys))
		if !sameTally(&displacements, &rd.Counts) || !sameTally(&occupancies, &rbd.Counts) || rd.Discarded+rbd.Discarded != 0 {
			t.Fatalf("places %v: RD or RBD differ", places)
		}
	})
	rapid.Check(t, func(t *rapid.T) {
		numbers := rapid.SliceOf(rapid.Int64Range(-5, 40)).Draw(t, "numbers")
		threshold := rapid.IntRange(0, 8).Draw(t, "threshold")
		different := int64(len(slices.Compact(slices.Sorted(slices.Values(numbers)))))
		rd, rbd := ReorderDensity(numbers, threshold), ReorderBufferDensity(numbers, threshold)
		if rd.Counts.N() > different || rbd.Counts.N() > different {
			t.Fatalf("%d displacements and %d occupancies of %d numbers", rd.Counts.N(), rbd.Counts.N(), different)
		}
		for v := range rd.Counts.All() {
			if max(v, -v) > int64(threshold) {
				t.Fatalf("displacement %d above %d", v, threshold)
			}
		}
		for v := range rbd.Counts.All() {
			if v < 0 || v > int64(threshold) {
				t.Fatalf("occupancy %d above %d", v, threshold)
			}
		}
	})
}
