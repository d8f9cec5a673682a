package radix

import (
	"math"
	"slices"
	"testing"

	"pgregory.net/rapid"
)

func TestNumbers(t *testing.T) {
	var s Numbers
	rapid.Check(t, func(t *rapid.T) {
		low := rapid.SampledFrom([]int64{math.MinInt64, -1000, 0, 1 << 62}).Draw(t, "low")
		bits := rapid.IntRange(0, 64).Draw(t, "bits")
		word := rapid.Uint64().Draw(t, "luck")
		numbers := make([]int64, rapid.SampledFrom([]int{0, 1, 100, few, 5 * few}).Draw(t, "how many"))
		for i := range numbers {
			word = word*6364136223846793005 + 1442695040888963407
			numbers[i] = low + int64(word>>(64-bits))
		}
		want := slices.Clone(numbers)
		slices.Sort(want)
		if s.Sort(numbers); !slices.Equal(numbers, want) {
			t.Fatalf("%v, want %v", numbers, want)
		}
	})
}
