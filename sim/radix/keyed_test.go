package radix

import (
	"slices"
	"testing"

	"pgregory.net/rapid"
)

// Numbers are put in order of their keys, those of one key as they stand: where keys are
// few and where no two are the same, in steps, near each other and far apart.
func TestKeyed(t *testing.T) {
	var s Keyed
	rapid.Check(t, func(t *rapid.T) {
		first := rapid.SampledFrom([]uint64{0, 1, 1<<32 - 1<<24, 1 << 31}).Draw(t, "first")
		step := rapid.SampledFrom([]uint64{1, 3, 200, 1 << 12}).Draw(t, "step")
		below := rapid.SampledFrom([]uint64{1, 2, 50, 4000, 1 << 20, 1 << 32}).Draw(t, "keys")
		apart := rapid.Bool().Draw(t, "no two the same")
		word := rapid.Uint64().Draw(t, "luck")
		seen := map[uint64]bool{}
		var numbers []uint64
		for i := range rapid.SampledFrom([]uint64{0, 1, keyedFew - 1, keyedFew, 300, 5000}).Draw(t, "how many") {
			word = word*6364136223846793005 + 1442695040888963407
			key := (first + word>>32%below*step) & (1<<32 - 1)
			if apart && seen[key] {
				continue
			}
			seen[key] = true
			numbers = append(numbers, key<<32|(i*7919)%(1<<16))
		}
		want := slices.Clone(numbers)
		slices.SortStableFunc(want, func(a, b uint64) int { return int(int64(a>>32) - int64(b>>32)) })
		if got := s.Sort(numbers); !slices.Equal(got, want) {
			t.Fatalf("%x, want %x", got, want)
		}
		if slices.ContainsFunc(s.marks, func(word uint64) bool { return word != 0 }) {
			t.Fatal("marks are left")
		}
	})
}
