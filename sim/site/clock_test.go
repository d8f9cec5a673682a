package site

import (
	"math"
	"slices"
	"testing"
)

func TestClock(t *testing.T) {
	for _, base := range []int64{0, 1_772_540_000_000_000, 9_000_000_000_000_000_000} {
		c := Clock{BaseMs: base}
		for _, test := range []struct{ ns, ms int64 }{{0, 0}, {1, 0}, {999_999, 0}, {1_000_000, 1}, {-1, -1}, {-1_000_000, -1}, {-1_000_001, -2}} {
			if got := c.Ms(test.ns); got != base+test.ms {
				t.Errorf("base %d: %d ns is %d ms, want %d", base, test.ns, got, base+test.ms)
			}
		}
		if got := c.Ns(base + 7); got != 7_000_000 {
			t.Errorf("base %d: 7 ms later is %d ns", base, got)
		}
	}
}

func TestUnixNs(t *testing.T) {
	ns := []int64{-5, 0, math.MaxInt64}
	if got := (&Clock{}).UnixNs(ns); &got[0] != &ns[0] {
		t.Error("a clock that counts from 1970 copies")
	}
	const base = 9_000_000_000_000 // 2255
	for _, test := range []struct{ ns, want int64 }{
		{0, 9_000_000_000_000_000_000},
		{36_854_775_807, 9_000_000_036_854_775_807},
		{223_372_036_854_775_807, math.MaxInt64},
		{223_372_036_854_775_808, math.MaxInt64},
		{math.MaxInt64, math.MaxInt64},
	} {
		if got := (&Clock{BaseMs: base}).UnixNs([]int64{test.ns}); !slices.Equal(got, []int64{test.want}) {
			t.Errorf("%d ns after base: %d, want %d", test.ns, got, test.want)
		}
	}
	if got := (&Clock{BaseMs: 1_772_540_000_000_000}).UnixNs([]int64{0}); got[0] != math.MaxInt64 {
		t.Errorf("past 2262: %d", got[0])
	}
}
