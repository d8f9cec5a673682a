package sim

import (
	"context"
	"fmt"
	"runtime"
	"slices"
	"testing"

	"twindrift/generator/catalog"
	"twindrift/replay"
	"twindrift/replay/philox"
	"twindrift/sim/scenario"
)

// traffic is a capture of n messages over so many partitions at a rate, with
// timestamps up to jitterMs out of order.
func traffic(n, partitions int, perSecond, jitterMs int64) *replay.Memory {
	m := &replay.Memory{}
	for p := range partitions {
		var b replay.Batch
		for i := p; i < n; i += partitions {
			word := philox.Block([4]uint64{uint64(i)}, [2]uint64{})
			ms := 1_772_540_000_000 + int64(i)*1000/perSecond - int64(word[0]%uint64(jitterMs+1))
			b.Offset = append(b.Offset, int64(i/partitions))
			b.TimestampMs = append(b.TimestampMs, ms)
			b.TimestampType = append(b.TimestampType, replay.TimestampCreate)
			b.KeyHash = append(b.KeyHash, word[1])
			b.KeyLen = append(b.KeyLen, 8)
			b.ValueLen = append(b.ValueLen, 100)
		}
		m.Partition("push", int32(p), &b)
	}
	return m
}

func twoSites(consumers int) scenario.Scenario {
	s := scenario.Default()
	for i := range s.Sites {
		var nodes []int32
		for c := range consumers {
			nodes = append(nodes, int32(1+i+2*c))
		}
		delay := s.Sites[i].Link.Delay
		s.Sites[i] = scenario.NewSite(s.Sites[i].Name, nodes...)
		s.Sites[i].Link.Delay = delay
	}
	return s
}

// BenchmarkRun replays messages from memory through two sites of two consumers
// each, all measures on, on one core and on all of them.
func BenchmarkRun(b *testing.B) {
	const n = 2_000_000
	m := traffic(n, 8, 4000, 50)
	for _, cores := range slices.Compact([]int{1, runtime.NumCPU()}) {
		b.Run(fmt.Sprintf("cores=%d", cores), func(b *testing.B) {
			defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(cores))
			var before, after runtime.MemStats
			runtime.ReadMemStats(&before)
			for b.Loop() {
				if _, err := Run(context.Background(), Config{Source: m, Scenario: twoSites(2)}); err != nil {
					b.Fatal(err)
				}
			}
			runtime.ReadMemStats(&after)
			messages := float64(n) * float64(b.N)
			b.ReportMetric(messages/b.Elapsed().Seconds()/1e6, "Mmsg/s")
			b.ReportMetric(float64(b.Elapsed().Nanoseconds())/messages/2, "ns/msg-site")
			b.ReportMetric(float64(after.Mallocs-before.Mallocs)/messages, "allocs/msg")
		})
	}
}

// BenchmarkGenerators is BenchmarkRun with each generator that needs no program: what
// one costs against second-slot published, in the same run.
func BenchmarkGenerators(b *testing.B) {
	const n = 1_000_000
	m := traffic(n, 8, 4000, 50)
	for _, e := range catalog.Entries() {
		if e.Name == "external" {
			continue
		}
		b.Run(e.Name+"/"+e.Variant, func(b *testing.B) {
			sc := twoSites(2)
			var err error
			if sc.Generator, err = sc.Generator.Against(e.Name + "/" + e.Variant); err != nil {
				b.Fatal(err)
			}
			for b.Loop() {
				if _, err := Run(context.Background(), Config{Source: m, Scenario: sc}); err != nil {
					b.Fatal(err)
				}
			}
			b.ReportMetric(float64(n)*float64(b.N)/b.Elapsed().Seconds()/1e6, "Mmsg/s")
		})
	}
}
