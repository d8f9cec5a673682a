package order

import (
	"math/rand/v2"
	"slices"
	"testing"
)

// Tens of thousands of minutes, put in at random places, at the front and at the
// end, counted and dropped from the left: three levels of nodes that split.
func TestTreeCountsLaterMinutes(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	for name, key := range map[string]func(i int) int64{
		"random":     func(int) int64 { return random.Int64N(1 << 40) },
		"crowded":    func(int) int64 { return random.Int64N(6000) - 3000 },
		"ascending":  func(i int) int64 { return int64(i) },
		"descending": func(i int) int64 { return int64(-i) },
	} {
		var tree tree
		var keys []int64 // one for each element, sorted
		made := 0
		for i := range 20_000 {
			k := key(i)
			m, later := tree.find(k)
			at, _ := slices.BinarySearch(keys, k+1)
			if want := int64(len(keys) - at); later != want {
				t.Fatalf("%s: %d elements later than %d, want %d", name, later, k, want)
			}
			if again, _ := tree.find(k); again != m {
				t.Fatalf("%s: minute %d found twice, not the same", name, k)
			}
			if m.n == 0 {
				made++
			}
			m.n++
			tree.add(1)
			keys = slices.Insert(keys, at, k)
			if i%5000 == 4999 {
				below := keys[len(keys)/3]
				dropped := 0
				tree.drop(below, func(*minute) { dropped++ })
				cut, _ := slices.BinarySearch(keys, below)
				if want := len(slices.Compact(slices.Clone(keys[:cut]))); dropped != want {
					t.Fatalf("%s: %d minutes dropped, want %d", name, dropped, want)
				}
				keys = slices.Delete(keys, 0, cut)
				if got := tree.root.total(); got != int64(len(keys)) {
					t.Fatalf("%s: %d elements left, want %d", name, got, len(keys))
				}
			}
		}
		if made < 4000 {
			t.Fatalf("%s: only %d minutes", name, made)
		}
		tree.drop(1<<62, func(*minute) { made-- })
		if tree.root != nil {
			t.Fatalf("%s: something is left of an emptied tree", name)
		}
	}
}
