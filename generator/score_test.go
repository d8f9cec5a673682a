package generator

import (
	"math"
	"testing"

	"pgregory.net/rapid"
)

// Redis keeps these three ids as ...544: redis/redis#15824.
func TestScoreKnown(t *testing.T) {
	const kept = 1009651914519660544
	for _, id := range []int64{1009651914519660511, 1009651914519660512, kept} {
		score, exact := Score(id)
		if score != kept || exact != (id == kept) {
			t.Errorf("Score(%d) = %.0f, %v", id, score, exact)
		}
	}
	if score, exact := Score(math.MaxInt64); score != 1<<63 || exact {
		t.Errorf("Score(MaxInt64) = %v, %v; want 2^63, not exact", score, exact)
	}
	if _, exact := Score(math.MinInt64); !exact {
		t.Error("-2^63 is a float64")
	}
}

func TestSharedScore(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		id := rapid.Int64().Draw(t, "id")
		low, high := SharedScore(id)
		if low > id || high < id {
			t.Fatalf("%d is not in its own range %d..%d", id, low, high)
		}
		score := float64(id)
		if float64(low) != score || float64(high) != score {
			t.Fatalf("%d..%d: the ends have another score than %d", low, high, id)
		}
		if low > math.MinInt64 && float64(low-1) == score || high < math.MaxInt64 && float64(high+1) == score {
			t.Fatalf("%d..%d is not the whole range of %d", low, high, id)
		}
	})
}
