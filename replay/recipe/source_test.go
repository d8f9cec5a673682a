package recipe

import (
	"testing"

	"twindrift/replay"
)

func BenchmarkStream(b *testing.B) {
	for name, extra := range map[string]string{
		"plain":  "",
		"keys":   "keys: {count: 1000, skew: 1}\n    value: {p50: 300, p99: 2000}",
		"unruly": "keys: {count: 1000, skew: 1}\n    jitter: 40ms\n    late: {share: 2%, p50: 3s, p99: 40s, max: 5m}\n    stalls: [{at: 30s, for: 20s, share: 25%}]",
	} {
		b.Run(name, func(b *testing.B) {
			s, err := Parse("bench", []byte(`
start: 2026-03-02T20:00:00Z
length: 2m
topics:
  - name: orders
    partitions: 8
    rate: 5000/s
    `+extra))
			if err != nil {
				b.Fatal(err)
			}
			var rows int64
			var batch replay.Batch
			if _, err := s.Plan(b.Context(), nil); err != nil {
				b.Fatal(err)
			}
			for b.Loop() {
				st := s.open(b.Context())
				for p := range st.partitions {
					for batch.Reset(); st.Next(p, &batch) == nil; batch.Reset() {
						rows += int64(batch.Len())
					}
				}
			}
			b.ReportMetric(float64(rows)/b.Elapsed().Seconds(), "rows/s")
		})
	}
}
