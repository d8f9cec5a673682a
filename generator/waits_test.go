package generator

import (
	"maps"
	"slices"
	"testing"

	"pgregory.net/rapid"
)

// Waits are what a map would count, of one process and of several together.
func TestWaitsIsAMap(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		want, all := map[int64]int64{}, Waits{}
		for range rapid.IntRange(0, 3).Draw(t, "processes") {
			var w Waits
			own := map[int64]int64{}
			from := rapid.SampledFrom([]int64{0, shortWait - 50, shortWait, 1 << 40}).Draw(t, "from")
			width := rapid.Int64Range(1, 20_000).Draw(t, "width")
			grows := rapid.Int64Range(0, 1).Draw(t, "grows") * width / 10
			for i := range rapid.Int64Range(0, 30_000).Draw(t, "draws") {
				us := from + i*grows + i*i*7919%width
				w.Add(us)
				own[us]++
				want[us]++
			}
			ascends(t, &w, own)
			all.Merge(&w)
			ascends(t, &w, own)
		}
		ascends(t, &all, want)
	})
}

func ascends(t *rapid.T, w *Waits, want map[int64]int64) {
	t.Helper()
	last, got := int64(-1), map[int64]int64{}
	for us, n := range w.All() {
		if us <= last {
			t.Fatalf("%d us after %d", us, last)
		}
		last, got[us] = us, n
	}
	if !maps.Equal(got, want) {
		t.Fatalf("%d waits, want %d: %v", len(got), len(want), slices.Sorted(maps.Keys(want)))
	}
}

// Memory follows the different waits, however many draws wait.
func TestWaitsMemory(t *testing.T) {
	const different = 1000
	var w Waits
	for i := range int64(500_000) {
		w.Add(shortWait + i*7919%different)
	}
	if room := cap(w.long); len(w.long) != different || room > 2*different {
		t.Errorf("%d different waits have room for %d", len(w.long), room)
	}
}
