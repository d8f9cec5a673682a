package replay

import (
	"math"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"
)

func TestPlannerCountsDisorder(t *testing.T) {
	var pl Planner
	p := pl.Partition("t", 3)
	var b Batch
	for i, row := range []struct {
		ts   int64
		kind int8
	}{
		{NoTimestamp, TimestampNone},
		{5000, TimestampCreate},
		{7000, TimestampCreate},
		{6999, TimestampCreate},    // 1 ms behind
		{7000, TimestampCreate},    // a tie is in order
		{4000, TimestampLogAppend}, // 3 s behind
		{NoTimestamp, TimestampNone},
	} {
		b.Offset = append(b.Offset, int64(10+2*i))
		b.TimestampMs = append(b.TimestampMs, row.ts)
		b.TimestampType = append(b.TimestampType, row.kind)
	}
	p.Add(b.Offset, b.TimestampMs, b.TimestampType)
	plan := pl.Plan()
	want := &Plan{
		Messages:   7,
		PeakSecond: 7,
		PeakCount:  2,
		BlockRows:  BlockRows,
		Partitions: []Partition{{
			Topic: "t", Number: 3, Messages: 7, FirstOffset: 10, LastOffset: 22,
			MinMs: 4000, MaxMs: 7000, NoTimestamp: 2, LogAppend: 1, Reordered: 2, MaxBehindMs: 3000,
			BlockAppendMs: []int64{NoTimestamp}, BlockFloorMs: []int64{NoTimestamp},
		}},
	}
	if d := cmp.Diff(want, plan); d != "" {
		t.Errorf("plan differs (-want +got):\n%s", d)
	}
}

// The plan must be what its definition says, computed the slow way, however
// the rows of the partitions are interleaved and in whatever order the
// partitions were named.
func TestPlannerAgainstDefinition(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		topics := []string{"b", "a", "b"}
		numbers := []int32{0, 7, -1}
		rows := rapid.IntRange(0, 5000).Draw(t, "rows")
		spread := rapid.SampledFrom([]int64{10, 3000, 1 << 40}).Draw(t, "spread")
		seed := rapid.Uint64().Draw(t, "seed")
		var pl Planner
		var tallies [3]*Tally
		for i := range topics {
			tallies[i] = pl.Partition(topics[i], numbers[i])
		}
		var b, all Batch
		offsets := [3]int64{}
		for range rows {
			seed = seed*6364136223846793005 + 1442695040888963407
			p := int32(seed >> 33 % 3)
			ts := int64(seed>>13)%spread - spread/2
			kind := int8(seed>>50%3) - 1
			if kind == TimestampNone {
				ts = NoTimestamp
			}
			b.Partition = append(b.Partition, p)
			b.Offset = append(b.Offset, offsets[p])
			b.TimestampMs = append(b.TimestampMs, ts)
			b.TimestampType = append(b.TimestampType, kind)
			offsets[p] += 1 + int64(seed>>60)
			if b.Len() == 700 {
				tally(tallies[:], &b)
				keep(&all, &b)
			}
		}
		tally(tallies[:], &b)
		keep(&all, &b)
		plan := pl.Plan()
		counts := map[int64]int64{}
		var want []Partition
		for _, n := range []int{1, 2, 0} { // a 7, b -1, b 0
			p := planOf(&all, int32(n), counts)
			p.Topic, p.Number = topics[n], numbers[n]
			if p.Messages > 0 {
				want = append(want, p)
			}
		}
		if d := cmp.Diff(want, plan.Partitions); d != "" {
			t.Fatalf("the partitions differ (-want +got):\n%s", d)
		}
		if plan.Messages != int64(rows) {
			t.Fatalf("Messages = %d, want %d", plan.Messages, rows)
		}
		for s, c := range counts {
			if c > plan.PeakCount || c == plan.PeakCount && s < plan.PeakSecond {
				t.Fatalf("second %d has %d messages, the plan says the peak is %d with %d", s, c, plan.PeakSecond, plan.PeakCount)
			}
		}
		if counts[plan.PeakSecond] != plan.PeakCount {
			t.Fatalf("PeakCount = %d, the second has %d", plan.PeakCount, counts[plan.PeakSecond])
		}
	})
}

// tally hands the rows of a batch to the tallies of their partitions.
func tally(tallies []*Tally, b *Batch) {
	for i, p := range b.Partition {
		tallies[p].Add(b.Offset[i:i+1], b.TimestampMs[i:i+1], b.TimestampType[i:i+1])
	}
}

// keep moves the rows of b to the end of all.
func keep(all, b *Batch) {
	all.Partition = append(all.Partition, b.Partition...)
	all.Offset = append(all.Offset, b.Offset...)
	all.TimestampMs = append(all.TimestampMs, b.TimestampMs...)
	all.TimestampType = append(all.TimestampType, b.TimestampType...)
	b.Reset()
}

// planOf is the plan of one partition straight from the definition.
func planOf(b *Batch, n int32, counts map[int64]int64) Partition {
	var ts, offs, appends []int64
	p := Partition{MinMs: NoTimestamp, MaxMs: NoTimestamp}
	seen := false
	for i := range b.Offset {
		if b.Partition[i] != n {
			continue
		}
		t := b.TimestampMs[i]
		if t == NoTimestamp {
			p.NoTimestamp++
		} else {
			counts[int64(math.Floor(float64(t)/1000))]++
			if seen && t < p.MaxMs {
				p.Reordered++
				p.MaxBehindMs = max(p.MaxBehindMs, p.MaxMs-t)
			}
			if !seen || t > p.MaxMs {
				p.MaxMs = t
			}
			if !seen || t < p.MinMs {
				p.MinMs = t
			}
			seen = true
		}
		a := p.MaxMs
		if b.TimestampType[i] == TimestampLogAppend {
			p.LogAppend++
			if t != NoTimestamp {
				a = t
			}
		}
		ts, offs, appends = append(ts, t), append(offs, b.Offset[i]), append(appends, a)
	}
	p.Messages = int64(len(ts))
	if len(ts) > 0 {
		p.FirstOffset, p.LastOffset = offs[0], offs[len(offs)-1]
	}
	for i := 0; i < len(ts); i += BlockRows {
		p.BlockAppendMs = append(p.BlockAppendMs, appends[i])
		p.BlockFloorMs = append(p.BlockFloorMs, slices.Min(ts[i:]))
	}
	return p
}

func BenchmarkPlanner(b *testing.B) {
	const rows = 1 << 16
	var batch Batch
	for i := range rows {
		batch.Offset = append(batch.Offset, int64(i))
		batch.TimestampMs = append(batch.TimestampMs, 1.7e12+int64(i)-int64(i*7919%40))
		batch.TimestampType = append(batch.TimestampType, TimestampCreate)
	}
	b.ReportAllocs()
	var pl Planner
	p := pl.Partition("t", 0)
	for b.Loop() {
		p.Add(batch.Offset, batch.TimestampMs, batch.TimestampType)
	}
	b.ReportMetric(float64(b.N)*rows/b.Elapsed().Seconds(), "rows/s")
}
