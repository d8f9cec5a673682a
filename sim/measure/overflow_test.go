package measure

import (
	"math"
	"math/big"
	"testing"

	"pgregory.net/rapid"

	"twindrift/generator"
	"twindrift/sim/site"
	"twindrift/sim/tally"
)

// overflowing is a consumer of node 1 with two ids a second: seconds 0 to 2 are
// full, 3 is not, 5 and 7 are; one draw gave up, one message was filtered.
func overflowing() *Overflow {
	o := NewOverflow(1, false)
	id := func(asked, owner, seq int64, hops int32) row {
		return row{event: (dawn + asked) * 1000, id: idOf(dawn+owner, 1, seq), hops: hops}
	}
	d, g := columns(
		id(0, 0, 0, 0), id(0, 0, 1, 0), id(0, 1, 0, 1), id(0, 1, 1, 1), id(0, 2, 0, 2), id(1, 2, 1, 1), id(1, 3, 0, 2),
		id(5, 5, 0, 0), id(5, 5, 1, 0), id(7, 7, 0, 0), id(7, 7, 1, 0),
		row{event: (dawn + 7) * 1000, id: idOf(dawn+8, 2, 0), hops: 9, kind: generator.JumpLimit},
		row{event: (dawn + 9) * 1000, state: site.Filtered},
		row{event: (dawn + 9) * 1000, id: idOf(dawn+9, 1, 0), state: site.StoreOff},
	)
	o.Add(0, d, g)
	return o
}

func TestOverflow(t *testing.T) {
	o := overflowing()
	biggest, _ := o.Offset.Counts().Max()
	if o.IDs != 13 || o.WithOffset != 6 || biggest != 2 || o.WrongNode != 1 || o.ByKind != [generator.Kinds]int64{generator.JumpLimit: 1} {
		t.Errorf("%+v, largest offset %d", o, biggest)
	}
	if full, runs, longest := o.Chains(2); full != 5 || runs != 3 || longest != (Chain{FirstSecond: dawn, Span: 3, MaxHops: 2}) {
		t.Errorf("%d full slots in %d runs, the longest %+v", full, runs, longest)
	}
	if full, runs, longest := o.Chains(3); full != 0 || runs != 0 || longest != (Chain{}) {
		t.Errorf("of 3 a second: %d full slots in %d runs, the longest %+v", full, runs, longest)
	}
	if second, n := o.Peak(); second != dawn || n != 5 {
		t.Errorf("peak %d at %d", n, second)
	}
	if len(o.First) != 5 || o.First[0].ID != idOf(dawn+1, 1, 0) {
		t.Errorf("witnesses %+v", o.First)
	}
}

// Of equals, the earliest second is the peak and the first run the longest.
func TestOverflowTies(t *testing.T) {
	o := NewOverflow(1, false)
	var rows []row
	for _, second := range []int64{9, 9, 4, 4, 5, 5, 8, 8} {
		rows = append(rows, row{event: second * 1000, id: idOf(second, 1, 0)})
	}
	d, g := columns(rows...)
	o.Add(0, d, g)
	if second, n := o.Peak(); second != 4 || n != 2 {
		t.Errorf("peak %d at %d, want 2 at 4", n, second)
	}
	if full, runs, longest := o.Chains(2); full != 4 || runs != 2 || longest != (Chain{FirstSecond: 4, Span: 2}) {
		t.Errorf("%d full slots in %d runs, the longest %+v", full, runs, longest)
	}
}

// A generator by the clock has its offsets from the clock's second.
func TestOverflowByClock(t *testing.T) {
	r := row{event: dawn * 1000, now: (dawn+30)*1000 + 999, id: idOf(dawn+31, 1, 0)}
	for byClock, want := range map[bool]int64{false: 31, true: 1} {
		o := NewOverflow(1, byClock)
		d, g := columns(r)
		o.Add(0, d, g)
		if got, _ := o.Offset.Counts().Max(); got != want {
			t.Errorf("by clock %v: offset %d, want %d", byClock, got, want)
		}
	}
}

// The headroom curve against every window there is; seconds may be decades
// apart.
func TestHeadroomAgainstBruteForce(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		var asked tally.Counts
		type point struct{ second, n int64 }
		var points []point
		second := rapid.SampledFrom([]int64{-5_000_000_000, -3, 0, dawn}).Draw(t, "first")
		for range rapid.IntRange(1, 15).Draw(t, "seconds") {
			second += rapid.SampledFrom([]int64{1, 1, 1, 2, 5, 1000, 1_000_000_000}).Draw(t, "pause")
			n := rapid.SampledFrom([]int64{1, 2, 3, 50, 5000, 1 << 40}).Draw(t, "n")
			points = append(points, point{second, n})
			asked.AddN(second, n)
		}
		offsets := append([]int64{1 << 30}, HeadroomOffsets...)
		curve := HeadroomCurve(&asked, offsets)
		if len(curve) != len(offsets) {
			t.Fatalf("%d points for %d offsets", len(curve), len(offsets))
		}
		for i, d := range offsets {
			best := new(big.Rat)
			for i := range points {
				sum := int64(0)
				for _, p := range points[i:] {
					sum += p.n
					if c := big.NewRat(sum, p.second-points[i].second+1+d); c.Cmp(best) > 0 {
						best = c
					}
				}
			}
			got := curve[i]
			within := int64(0)
			for _, p := range points {
				if got.From <= p.second && p.second <= got.To {
					within += p.n
				}
			}
			if want, _ := best.Float64(); got.Offset != d || got.Count != within || big.NewRat(got.Count, got.To-got.From+1+d).Cmp(best) != 0 ||
				math.Abs(got.PerSecond()-want) > 1e-12*want {
				t.Fatalf("d = %d: got %+v, of which %d within, want %s", d, got, within, best)
			}
		}
	})
}

func TestHeadroomOfNothing(t *testing.T) {
	if curve := HeadroomCurve(&tally.Counts{}, HeadroomOffsets); len(curve) > 0 {
		t.Errorf("%+v", curve)
	}
}
