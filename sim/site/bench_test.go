package site

import (
	"math"
	"testing"

	"twindrift/replay"
	"twindrift/replay/philox"
)

// steady is a capture of many equal epochs: so many messages a partition in
// each, at perSecond over all partitions, with timestamps up to jitterMs out of
// order.
func steady(epochs, partitions, messages int, perSecond, jitterMs int64) (*replay.Plan, [][]Rows, []int64) {
	var planner replay.Planner
	all, cuts := make([][]Rows, epochs), make([]int64, epochs)
	for e := range all {
		all[e] = make([]Rows, partitions)
		cuts[e] = int64(e+1) * int64(messages*partitions) * 1000 / perSecond
	}
	cuts[epochs-1] = math.MaxInt64
	for p := range partitions {
		tally := planner.Partition("push", int32(p))
		appendMs, e := int64(math.MinInt64), 0
		var offset, times []int64
		for i := range int64(epochs * messages) {
			word := philox.Block([4]uint64{uint64(i), uint64(p)}, [2]uint64{})[0]
			ms := (i*int64(partitions)+int64(p))*1000/perSecond - int64(word%uint64(jitterMs+1))
			appendMs = max(appendMs, ms)
			for appendMs >= cuts[e] {
				e++
			}
			r := &all[e][p]
			if r.Len() == 0 {
				r.First = i
			}
			r.Offset, r.EventMs, r.AppendMs = append(r.Offset, i), append(r.EventMs, ms), append(r.AppendMs, appendMs)
			r.KeyHash, r.ValueLen = append(r.KeyHash, word), append(r.ValueLen, 100)
			offset, times = append(offset, i), append(times, ms)
		}
		tally.Add(offset, times, nil)
	}
	return planner.Plan(), all, cuts
}

// BenchmarkAdvance takes a site of four consumers through epochs of 16,384
// messages of 8 partitions.
func BenchmarkAdvance(b *testing.B) {
	const epochs, partitions, messages = 32, 8, 2048
	for _, c := range []struct {
		name, link, service, handling string
		jitterMs                      int64
		workers                       int
	}{
		{"fixed", "5ms", "0s", "0s", 50, 1},
		{"fixed, no disorder", "5ms", "0s", "0s", 0, 1},
		{"lognormal", "lognormal:35ms,400ms", "0s", "0s", 50, 1},
		{"lognormal, eight workers", "lognormal:35ms,400ms", "0s", "0s", 50, 8},
		{"service", "5ms", "lognormal:100us,300us", "0s", 50, 1},
		{"handling", "5ms", "0s", "lognormal:1ms,3ms", 50, 8},
	} {
		b.Run(c.name, func(b *testing.B) {
			plan, rows, cuts := steady(epochs, partitions, messages, 4000, c.jitterMs)
			cfg := Config{Name: "east", Seed: 1, Filter: Filter{Keep: 1}, Link: dist(c.link), PartDraws: 16 * replay.BlockRows}
			for n := range 4 {
				cfg.Consumers = append(cfg.Consumers, ConsumerConfig{Node: n, Workers: c.workers,
					Service: dist(c.service), Handling: dist(c.handling), Partitions: []int{2 * n, 2*n + 1}})
			}
			draws := make([][]Draws, 8)
			for i := range draws {
				draws[i] = make([]Draws, 4)
			}
			drawn := 0
			b.ReportAllocs()
			for b.Loop() {
				s := New(cfg, plan)
				for e := range rows {
					to := draws[e%len(draws)]
					err := s.Advance(rows[e], cuts[e], to)
					if drawn += to[0].Len(); err != nil || s.More() {
						b.Fatal(err, "or more than an epoch")
					}
				}
			}
			if drawn != b.N*epochs*messages*2 {
				b.Fatalf("%d draws of consumer 0", drawn)
			}
			b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/(epochs*partitions*messages), "ns/message")
		})
	}
}
