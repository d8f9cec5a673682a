package tally

import (
	"testing"

	"pgregory.net/rapid"
)

func TestRepeatsIsCounts(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		var repeats Repeats
		var counts Counts
		for _, v := range rapid.SliceOf(rapid.Int64Range(-2, 2)).Draw(t, "values") {
			repeats.Add(v)
			counts.Add(v)
			if v == 1 && repeats.Counts().N() != counts.N() {
				t.Fatalf("%d values counted of %d", repeats.Counts().N(), counts.N())
			}
		}
		counts.Each(func(v, n int64) {
			if got := repeats.Counts().Count(v); got != n {
				t.Fatalf("%d counted %d times, want %d", v, got, n)
			}
		})
		if repeats.Counts().N() != counts.N() {
			t.Fatalf("%d values counted, want %d", repeats.Counts().N(), counts.N())
		}
	})
}
