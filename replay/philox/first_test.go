package philox

import (
	"math"
	"testing"
)

func TestFirstWords(t *testing.T) {
	counters := []int64{0, 1, 2, -1, math.MaxInt64, math.MinInt64}
	for i := range int64(100) {
		counters = append(counters, i*i*i*0x1234567)
	}
	out := make([]uint64, len(counters)+1)
	for i := range uint64(50) {
		w := Block([4]uint64{i}, [2]uint64{7})
		c2, k0, k1 := w[0]>>(w[3]%65), w[1], w[2]
		FirstWords(counters, c2, k0, k1, out)
		for n, c := range counters {
			if want, _, _, _ := Words(uint64(c), 0, c2, 0, k0, k1); out[n] != want {
				t.Fatalf("counter (%d, 0, %d, 0) under (%#x, %#x): %#x, want %#x", c, c2, k0, k1, out[n], want)
			}
		}
	}
	if out[len(counters)] != 0 {
		t.Error("wrote past the counters")
	}
}

func BenchmarkFirstWords(b *testing.B) {
	counters, out := make([]int64, 1024), make([]uint64, 1024)
	for b.Loop() {
		FirstWords(counters, 0, 1, 2, out)
	}
	b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/1024, "ns/message")
}
