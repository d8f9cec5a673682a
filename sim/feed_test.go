package sim

import (
	"context"
	"errors"
	"fmt"
	"io"
	"math"
	"testing"

	"pgregory.net/rapid"

	"twindrift/replay"
	"twindrift/sim/scenario"
	"twindrift/sim/site"
)

// Rows that are added in stretches are what they are added one by one.
func TestScatterIsAdd(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		clock := site.Clock{BaseMs: rapid.SampledFrom([]int64{0, nsRangeMs + 5}).Draw(t, "base")}
		noTimestamp := rapid.SampledFrom([]string{scenario.NoTimestampAppend, scenario.NoTimestampSkip, scenario.NoTimestampFail}).Draw(t, "without")
		sc := scenario.Scenario{Append: scenario.Append{NoTimestamp: noTimestamp}}
		if rapid.Bool().Draw(t, "filter") {
			larger := int32(10)
			sc.Filter.Drop = []scenario.Rule{{KeyHashMod: []int64{3, 1}}, {ValueLargerThan: &larger}}
		}
		newFeed := func() *feed {
			return newFeed(&replay.Plan{Partitions: make([]replay.Partition, 3)}, nil, clock, &sc, epochBlocks)
		}
		inStretches, oneByOne := newFeed(), newFeed()
		odd := rapid.SampledFrom([]int{0, 1, 10}).Draw(t, "odd rows in 20")
		for range rapid.IntRange(1, 3).Draw(t, "batches") {
			b := drawRows(t, clock.BaseMs, odd)
			err := inStretches.scatter(b)
			var want error
			for i := 0; i < b.Len() && want == nil; i++ {
				want = oneByOne.add(b, i)
			}
			if fmt.Sprint(err) != fmt.Sprint(want) {
				t.Fatalf("error %v, want %v", err, want)
			}
			for i := range inStretches.parts {
				got, want := &inStretches.parts[i], &oneByOne.parts[i]
				if fmt.Sprint(*got) != fmt.Sprint(*want) || inStretches.skipped != oneByOne.skipped {
					t.Fatalf("partition %d:\n got %+v, %d skipped\nwant %+v, %d", i, *got, inStretches.skipped, *want, oneByOne.skipped)
				}
				got.moveTo(&site.Rows{}, clock.BaseMs+10)
				want.moveTo(&site.Rows{}, clock.BaseMs+10)
			}
			if err != nil {
				return
			}
		}
	})
}

// drawRows is a batch of rows of three partitions, of which so many in 20 have no
// timestamp, one of the broker or one that is not plausible.
func drawRows(t *rapid.T, baseMs int64, odd int) *replay.Batch {
	b := &replay.Batch{}
	index := int32(0)
	for i := range rapid.IntRange(1, 60).Draw(t, "rows") {
		if rapid.IntRange(0, 3).Draw(t, "another partition") == 0 {
			index = rapid.Int32Range(0, 2).Draw(t, "partition")
		}
		ts, kind := baseMs+rapid.Int64Range(0, 20).Draw(t, "ms"), replay.TimestampCreate
		if rapid.IntRange(1, 20).Draw(t, "odd") <= odd {
			switch rapid.IntRange(0, 3).Draw(t, "how") {
			case 0:
				ts, kind = replay.NoTimestamp, replay.TimestampNone
			case 1:
				ts = rapid.SampledFrom([]int64{math.MinInt64, -5, math.MaxInt64}).Draw(t, "far off")
			default:
				kind = replay.TimestampLogAppend
			}
		}
		b.Partition, b.Offset = append(b.Partition, index), append(b.Offset, int64(i))
		b.TimestampMs, b.TimestampType = append(b.TimestampMs, ts), append(b.TimestampType, kind)
		b.KeyHash, b.KeyLen, b.ValueLen = append(b.KeyHash, uint64(i)), append(b.KeyLen, 8), append(b.ValueLen, int32(i))
	}
	return b
}

// BenchmarkFeed cuts a capture in memory into epochs.
func BenchmarkFeed(b *testing.B) {
	const n = 1 << 20
	m := traffic(n, 8, 4000, 50)
	plan, err := m.Plan(context.Background(), nil)
	if err != nil {
		b.Fatal(err)
	}
	epochs := make([]epoch, inFlight)
	b.ReportAllocs()
	for b.Loop() {
		stream, err := m.Open(context.Background())
		if err != nil {
			b.Fatal(err)
		}
		f := newFeed(plan, stream, clockFor(plan), &scenario.Scenario{}, epochBlocks)
		for i := 0; err == nil; i++ {
			err = f.next(&epochs[i%len(epochs)])
		}
		if !errors.Is(err, io.EOF) || f.done != n {
			b.Fatal(err, f.done)
		}
	}
	b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/n, "ns/message")
}
