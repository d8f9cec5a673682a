package report

import "testing"

// How many times the traffic a node has room for is rounded down, and no whole number is
// missed.
func TestRoom(t *testing.T) {
	for _, c := range []struct {
		needed float64
		has    int64
		want   string
	}{
		{1000, 290, "1,000 (0.29 x)"}, {1000, 570, "1,000 (0.57 x)"}, {1000.0 / 3, 100, "334 (0.30 x)"}, {1000, 299, "1,000 (0.29 x)"},
		{1000, 1999, "1,000 (1.9 x)"}, {145, 5000, "145 (34 x)"}, {5000, 5000, "5,000 (1.0 x)"},
		{1_000_000, 9, "1,000,000 (< 0.01 x)"}, {145, 0, "145"},
	} {
		if got := room(c.needed, c.has); got != c.want {
			t.Errorf("%v of %d: %s, want %s", c.needed, c.has, got, c.want)
		}
	}
}
