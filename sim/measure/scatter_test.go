package measure

import (
	"slices"
	"testing"

	"pgregory.net/rapid"

	"twindrift/generator"
)

// Entries in many runs are put in the order that sorting gives, and every entry keeps
// what belongs to it: also those of messages that come again, and ids that are no
// neighbours.
func TestScatterEntries(t *testing.T) {
	var s sorter
	rapid.Check(t, func(t *rapid.T) {
		e := new(entries)
		var all []Entry
		ids := rapid.SampledFrom([]int64{1, 3, 1000, 1 << 31, 1 << 60}).Draw(t, "ids")
		base := rapid.SampledFrom([]int64{-1024, 0, -1 << 62, 1 << 61}).Draw(t, "base")
		partitions := rapid.Int64Range(1, 5).Draw(t, "partitions")
		again := rapid.SampledFrom([]int64{1 << 40, 50, 1}).Draw(t, "again after")
		goes := rapid.Bool().Draw(t, "some are gone")
		word := rapid.Uint64().Draw(t, "luck")
		next := func(below int64) int64 {
			word = word*6364136223846793005 + 1442695040888963407
			return int64(word>>33) % below
		}
		life := uint8(0)
		for i := range int64(scatterEntries + rapid.IntRange(0, 300).Draw(t, "more")) {
			if next(100) == 0 {
				life++
			}
			one := Entry{ID: base + next(1<<20)*(ids>>20) + next(ids), EventMs: 7 * i, NowMs: i / 3, Offset: i % again, Partition: int32(next(partitions)),
				Consumer: int16(next(3)), Kind: generator.Kind(next(3)), Life: life}
			if goes && next(4) == 0 {
				one.Life |= gone
			}
			e.append(one)
			all = append(all, one)
		}
		slices.SortStableFunc(all, func(a, b Entry) int { return compareBool(b.before(&a), a.before(&b)) })
		s.sort(e)
		w := walk{entries: e}
		if got := w.appendTo(nil, 0, e.len()); !slices.Equal(got, all) {
			t.Fatalf("got %v, want %v", got, all)
		}
		if len(e.runs) > 0 {
			t.Fatalf("%d runs of %d entries", len(e.runs), len(all))
		}
	})
}
