package external

import (
	"strconv"
	"testing"
	"time"

	"twindrift/generator"
)

// A message in a batch costs no memory in the binary framing, and neither does a batch.
func TestNothingIsAllocated(t *testing.T) {
	g := newGenerator(t, Config{Command: helperCommand("binary")})
	c := calls(20_000)
	ids, kinds, hops := make([]int64, c.Len()), make([]generator.Kind, c.Len()), make([]int32, c.Len())
	if n := testing.AllocsPerRun(20, func() {
		if err := g.DrawBatch(c, ids, kinds, hops); err != nil {
			t.Error(err)
		}
	}); n > 0 {
		t.Errorf("%v allocations for a batch of %d messages", n, c.Len())
	}
}

// ns a message, both processes together by the wall clock. The helper draws nothing that
// takes time.
func BenchmarkDrawBatch(b *testing.B) {
	for _, c := range []struct {
		helper string
		calls  int
		batch  int
	}{{"binary", 8192, 0}, {"binary", 100_000, 0}, {"binary", 100_000, 512}, {"ndjson", 8192, 0}, {"ndjson", 100_000, 0}, {"lines", 8192, 0}} {
		b.Run(c.helper+"/calls="+strconv.Itoa(c.calls)+"/batch="+strconv.Itoa(c.batch), func(b *testing.B) {
			g := newGenerator(b, Config{Command: helperCommand(c.helper), Framing: helperFraming[c.helper], Batch: c.batch, Timeout: time.Minute})
			calls := calls(c.calls)
			ids, kinds, hops := make([]int64, c.calls), make([]generator.Kind, c.calls), make([]int32, c.calls)
			b.ReportAllocs()
			for b.Loop() {
				if err := g.DrawBatch(calls, ids, kinds, hops); err != nil {
					b.Fatal(err)
				}
			}
			b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/float64(c.calls), "ns/message")
		})
	}
}

// One message at a time: a round trip between processes for each.
func BenchmarkDraw(b *testing.B) {
	g := newGenerator(b, Config{Command: helperCommand("binary")})
	b.ReportAllocs()
	for b.Loop() {
		if _, _, err := g.Draw(1_757_901_600_001, 0); err != nil {
			b.Fatal(err)
		}
	}
}
