package site

import (
	"math"
	"slices"
	"testing"

	"pgregory.net/rapid"
)

// observedRows adds when each message was seen to be processed.
func observedRows(epochs [][]Rows, seen [][]int64) [][]Rows {
	for _, rows := range epochs {
		for p := range rows {
			r := &rows[p]
			until := r.First + int64(r.Len())
			r.ObservedMs = seen[p][r.First:until]
			r.NextObservedMs = math.MaxInt64
			if until < int64(len(seen[p])) {
				r.NextObservedMs = seen[p][until]
			}
		}
	}
	return epochs
}

// A message arrives and draws when it was seen to be processed, though its
// event be later, and never before the one before it in its partition.
func TestObserved(t *testing.T) {
	c := capture{{0, 1, 2}, {1, 3}}
	seen := [][]int64{{7, -4, 9}, {0, 8}}
	cfg := oneConsumer(c, ConsumerConfig{Workers: 1})
	cfg.Observed = true
	s := New(cfg, c.plan())
	draws := make([]Draws, 1)
	if err := s.Advance(observedRows(c.epochs(), seen)[0], math.MaxInt64, draws); err != nil {
		t.Fatal(err)
	}
	expect(t, draws[0].list(), drawAt{1, 0, 0}, drawAt{0, 0, 7}, drawAt{0, 1, 7}, drawAt{1, 1, 8}, drawAt{0, 2, 9})
}

// Epochs change nothing, and a consumer goes as far as what is known of the
// messages to come allows.
func TestObservedEpochs(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		var c capture
		var seen [][]int64
		for range rapid.IntRange(1, 4).Draw(t, "partitions") {
			times := rapid.SliceOfN(rapid.Int64Range(0, 12), 1, 20).Draw(t, "times")
			c = append(c, times)
			seen = append(seen, rapid.SliceOfN(rapid.Int64Range(-5, 20), len(times), len(times)).Draw(t, "seen"))
		}
		cfg := oneConsumer(c, ConsumerConfig{Workers: rapid.IntRange(1, 3).Draw(t, "workers")})
		cfg.Observed = true
		draw := func(cuts ...int64) (all []drawn) {
			s := New(cfg, c.plan())
			draws := make([]Draws, 1)
			for e, rows := range observedRows(c.epochs(cuts...), seen) {
				if err := s.Advance(rows, append(cuts, math.MaxInt64)[e], draws); err != nil {
					t.Fatal(err)
				}
				all = append(all, draws[0].list()...)
				// What has been taken in and lies before the next to come is drawn.
				bound := int64(math.MaxInt64)
				for p := range rows {
					latest := int64(math.MinInt64)
					for _, ms := range seen[p][:rows[p].First+int64(rows[p].Len())] {
						latest = max(latest, ms)
					}
					if rows[p].NextObservedMs != math.MaxInt64 {
						bound = min(bound, max(latest, rows[p].NextObservedMs))
					}
				}
				for p := range rows {
					latest := int64(math.MinInt64)
					for i, ms := range seen[p][:rows[p].First+int64(rows[p].Len())] {
						latest = max(latest, ms)
						if latest < bound && !slices.ContainsFunc(all, func(d drawn) bool { return int(d.Partition) == p && int(d.Offset) == i }) {
							t.Fatalf("cuts %d, epoch %d: %d/%d, seen at %d, is not drawn, though none before %d is to come", cuts, e, p, i, latest, bound)
						}
					}
				}
				if next := s.Consumers[0].NextNowMs(); next < bound && next != math.MaxInt64 {
					t.Fatalf("cuts %d, epoch %d: the clock may be %d, not %d", cuts, e, next, bound)
				}
			}
			return all
		}
		whole := draw()
		for cut := range int64(13) {
			if got := draw(cut+1, cut+4); !slices.Equal(got, whole) {
				t.Fatalf("cut at %d and %d:\n%v, want\n%v", cut+1, cut+4, got, whole)
			}
		}
	})
}
