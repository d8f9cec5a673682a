package measure

import (
	"fmt"
	"math"
	"testing"

	"twindrift/sim/site"
)

// BenchmarkNewest takes in epochs of two consumers that draw 4,000 ids a second;
// where messages come again, every hundredth does.
func BenchmarkNewest(b *testing.B) {
	for _, again := range []bool{false, true} {
		b.Run(fmt.Sprintf("again=%v", again), func(b *testing.B) {
			const rows = 4_000
			n := NewNewest(&site.Clock{}, again)
			var tops []Top
			next := int64(0)
			b.ReportAllocs()
			var d [2]site.Draws
			var g [2]Drawn
			for b.Loop() {
				b.StopTimer()
				for c := range d {
					d[c], g[c] = site.Draws{}, Drawn{}
					for i := range int64(rows) {
						at := next + 2*i + int64(c)
						m := at
						if again && i%100 == 99 {
							m -= 1000
						}
						d[c].Offset, d[c].Partition, d[c].Ordinal, d[c].DrawNs = append(d[c].Offset, m), append(d[c].Partition, 0), append(d[c].Ordinal, m), append(d[c].DrawNs, at*250_000)
						d[c].State, d[c].Delivery, d[c].Repeat = append(d[c].State, site.Store), append(d[c].Delivery, int32((at-m)/1000)), append(d[c].Repeat, m != at)
						d[c].Recurs = append(d[c].Recurs, again && (at+1000)%100 == 99)
						g[c].ID = append(g[c].ID, at/4000*10_000_000+int64(c)*1_000_000+at%4000*200)
					}
				}
				for c := range d {
					g[c].MarkRefused(d[c].State)
				}
				next += 2 * rows
				b.StartTimer()
				for c := range d {
					n.Add(&d[c], &g[c])
				}
				tops, _ = n.Close(next*250_000, tops[:0])
			}
			b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/(2*rows), "ns/message")
			if _, floor := n.Close(math.MaxInt64, nil); floor != math.MaxInt64 {
				b.Fatal("not at the end")
			}
		})
	}
}
