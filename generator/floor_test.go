package generator

import (
	"math"
	"testing"
)

func TestFloorDiv(t *testing.T) {
	for _, c := range [][3]int64{
		{0, 1000, 0}, {999, 1000, 0}, {1000, 1000, 1}, {-1, 1000, -1}, {-1000, 1000, -1}, {-1001, 1000, -2},
		{math.MinInt64, 1, math.MinInt64}, {math.MinInt64, math.MaxInt64, -2}, {math.MaxInt64, math.MaxInt64, 1},
	} {
		if got := FloorDiv(c[0], c[1]); got != c[2] {
			t.Errorf("%d / %d: %d, want %d", c[0], c[1], got, c[2])
		}
	}
}
