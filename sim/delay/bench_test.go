package delay

import "testing"

func BenchmarkSampleBatch(b *testing.B) {
	us := make([]uint64, 4096)
	x := uint64(1)
	for i := range us {
		x = x*6364136223846793005 + 1442695040888963407
		us[i] = x ^ x>>32
	}
	out := make([]int64, len(us))
	for _, text := range []string{
		"20ms", "uniform:1ms,5ms", "normal:50ms,10ms", "lognormal:35ms,400ms", "exponential:20ms",
		"gamma:35ms,400ms", "weibull:35ms,400ms", "pareto:35ms,400ms,10s", "mixture:(0.9*lognormal:35ms,400ms|0.1*2s)",
		"daily:(00:00=20ms;09:30=lognormal:35ms,400ms)",
		"empirical:p50=10ms,p90=20ms,p99=100ms,max=1s", "empirical:10ms/12ms/40ms",
	} {
		d := mustParse(b, text)
		b.Run(text, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				d.SampleBatch(us, out)
			}
			b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/float64(len(us)), "ns/sample")
		})
		b.Run(text+"/one", func(b *testing.B) {
			for b.Loop() {
				for i, u := range us {
					out[i] = d.Sample(u)
				}
			}
			b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/float64(len(us)), "ns/sample")
		})
	}
}
