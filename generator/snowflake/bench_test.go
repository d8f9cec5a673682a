package snowflake

import (
	"maps"
	"slices"
	"testing"

	"twindrift/generator"
	"twindrift/generator/redis"
)

func BenchmarkDrawBatch(b *testing.B) {
	const n = 10_000
	for _, name := range slices.Sorted(maps.Keys(forms)) {
		b.Run(name, func(b *testing.B) {
			g := made(forms[name](redis.New(redis.Config{}), 1))
			c := generator.Calls{EventMs: make([]int64, n), NowMs: make([]int64, n), AtNs: make([]int64, n)}
			ids, kinds, hops := make([]int64, n), make([]generator.Kind, n), make([]int32, n)
			b.ReportAllocs()
			at := nowMs * 1e6
			for b.Loop() {
				for i := range c.AtNs {
					at += 100_000 // 10,000 a second
					c.AtNs[i], c.NowMs[i] = at, at/1e6
				}
				g.DrawBatch(c, ids, kinds, hops)
			}
			b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/n, "ns/id")
		})
	}
}
