package secondslot

import (
	"testing"

	"twindrift/generator"
)

// load makes n timestamps that run on at a steady rate a second, each up to a
// second behind.
func load(n, perSecond int) []int64 {
	ms := make([]int64, n)
	for i := range ms {
		ms[i] = 1789430400000 + int64(i)*1000/int64(perSecond) - int64(i)*7919%1000
	}
	return ms
}

func BenchmarkDraw(b *testing.B) {
	for _, c := range []struct {
		name      string
		perSecond int
	}{{"3000-a-second", 3000}, {"6000-a-second", 6000}} {
		ms := load(450_000, c.perSecond)
		g, err := New(DefaultConfig())
		if err != nil {
			b.Fatal(err)
		}
		b.Run(c.name, func(b *testing.B) {
			b.ReportAllocs()
			for i := 0; b.Loop(); i++ {
				if i%len(ms) == 0 {
					b.StopTimer()
					g.Reset()
					i = 0
					b.StartTimer()
				}
				g.Draw(ms[i], 0)
			}
		})
	}
}

func BenchmarkDrawBatch(b *testing.B) {
	for _, c := range []struct {
		name      string
		perSecond int
	}{{"3000-a-second", 3000}, {"6000-a-second", 6000}} {
		ms := load(450_000, c.perSecond)
		g, err := New(DefaultConfig())
		if err != nil {
			b.Fatal(err)
		}
		ids, kinds, hops := make([]int64, len(ms)), make([]generator.Kind, len(ms)), make([]int32, len(ms))
		b.Run(c.name, func(b *testing.B) {
			for b.Loop() {
				b.StopTimer()
				g.Reset()
				b.StartTimer()
				for at := 0; at < len(ms); at += 1000 {
					g.DrawBatch(generator.Calls{EventMs: ms[at : at+1000]}, ids, kinds, hops)
				}
			}
			b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/float64(len(ms)), "ns/id")
		})
	}
}

func BenchmarkConcurrent(b *testing.B) {
	ms := load(450_000, 3000)
	g, err := NewConcurrent(DefaultConfig())
	if err != nil {
		b.Fatal(err)
	}
	b.RunParallel(func(pb *testing.PB) {
		for i := 0; pb.Next(); i++ {
			g.Draw(ms[i%len(ms)], 0)
		}
	})
}
