package order

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"
)

// ownerSecond is a second of a list as a site hands it over: entries in order of id,
// those of one node after those of the other.
type ownerSecond struct{ ownersMs, eventsMs []int64 }

// traffic describes lists to time measures on: what two consumers of four partitions
// each made of messages with event times up to 50 ms out of order.
type traffic struct {
	name      string
	perSecond int
	jitterMs  int64
	late      bool // ids by the time of consumption: p50 35 ms, p99 400 ms after the event
}

var traffics = []traffic{
	{"event-seconds", 4000, 50, false},
	{"busy", 8000, 50, false},
	{"late", 4000, 50, true},
	{"few", 20, 50, false},
}

const trafficSeconds = 60

// seconds are trafficSeconds of the traffic, from time 0 on.
func (c traffic) seconds() []ownerSecond {
	random := rand.New(rand.NewPCG(1, uint64(c.perSecond)))
	const partitions, nodes = 8, 2
	type draw struct{ at, event int64 }
	var drawn [nodes][]draw
	var before [partitions]int64
	for i := range int64(c.perSecond * trafficSeconds) {
		p := i % partitions
		at := i * 1000 / int64(c.perSecond)
		event := at - random.Int64N(c.jitterMs+1)
		before[p] = max(before[p], at+int64(35*math.Exp(1.047*random.NormFloat64())))
		drawn[p%nodes] = append(drawn[p%nodes], draw{before[p], event})
	}
	seconds := make([]ownerSecond, trafficSeconds)
	for node, list := range drawn {
		slices.SortStableFunc(list, func(a, b draw) int { return int(a.at - b.at) })
		var sequence [trafficSeconds]int64
		for _, d := range list {
			second := floorDiv(d.event, 1000)
			if c.late {
				second = d.at / 1000
			}
			if second < 0 || second >= trafficSeconds {
				continue
			}
			s := &seconds[second]
			s.ownersMs = append(s.ownersMs, second*1000+int64(node)*100+sequence[second]/50)
			s.eventsMs = append(s.eventsMs, d.event)
			sequence[second]++
		}
	}
	return seconds
}

// shift moves the seconds on by their own length.
func shift(seconds []ownerSecond) {
	for _, s := range seconds {
		for i := range s.eventsMs {
			s.ownersMs[i] += trafficSeconds * 1000
			s.eventsMs[i] += trafficSeconds * 1000
		}
	}
}

// benchmarkTraffic times a measure on each traffic, changed or not: take gets one second
// after the other, and below what no later event lies.
func benchmarkTraffic(b *testing.B, change func([]ownerSecond), start func() (take func(s ownerSecond, floorMs int64))) {
	for _, c := range traffics {
		b.Run(c.name, func(b *testing.B) {
			seconds := c.seconds()
			if change != nil {
				change(seconds)
			}
			n := 0
			for _, s := range seconds {
				n += len(s.eventsMs)
			}
			take := start()
			b.ReportAllocs()
			floor := int64(-2000)
			for b.Loop() {
				for _, s := range seconds {
					take(s, floor)
					floor += 1000
				}
				b.StopTimer()
				shift(seconds)
				b.StartTimer()
			}
			b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/float64(n), "ns/element")
		})
	}
}

func BenchmarkTrafficReordering(b *testing.B) {
	benchmarkTraffic(b, nil, func() func(ownerSecond, int64) {
		var r Reordering
		var block Block
		return func(s ownerSecond, floorMs int64) {
			for from := 0; from < len(s.eventsMs); {
				n := block.Take(s.eventsMs[from:])
				r.AddBlock(s.ownersMs[from:from+n], &block)
				from += n
			}
			r.Floor(floorMs)
		}
	})
}

func BenchmarkTrafficDiscordance(b *testing.B) {
	benchmarkTraffic(b, nil, func() func(ownerSecond, int64) {
		var d Discordance
		var block Block
		return func(s ownerSecond, floorMs int64) {
			for ys := s.eventsMs; len(ys) > 0; {
				ys = ys[block.Take(ys):]
				d.AddBlock(&block)
			}
			d.Floor(floorMs)
		}
	})
}

func BenchmarkTrafficDisplacement(b *testing.B) {
	benchmarkTraffic(b, nil, func() func(ownerSecond, int64) {
		var d Displacement
		return func(s ownerSecond, floorMs int64) {
			d.AddEach(s.eventsMs)
			d.Floor(floorMs)
		}
	})
}

func BenchmarkTrafficRecall(b *testing.B) {
	benchmarkTraffic(b, nil, func() func(ownerSecond, int64) {
		var r Recall
		return func(s ownerSecond, floorMs int64) {
			r.AddEach(s.ownersMs, s.eventsMs)
			r.Release(floorMs, 100)
		}
	})
}

// pair puts in place of the event times the owner times that another site has given
// those elements: those of elements near by, as the links shuffle them.
func pair(seconds []ownerSecond) {
	random := rand.New(rand.NewPCG(2, 3))
	for _, s := range seconds {
		for i := range s.eventsMs {
			near := min(len(s.ownersMs)-1, i+random.IntN(300))
			s.eventsMs[i] = s.ownersMs[near] + 100
		}
	}
}

func BenchmarkTrafficJoint(b *testing.B) {
	benchmarkTraffic(b, pair, func() func(ownerSecond, int64) {
		var j Joint
		return func(s ownerSecond, floorMs int64) {
			j.AddSecond(s.ownersMs[0]/1000, s.ownersMs, s.eventsMs)
			j.Floor(floorMs)
		}
	})
}

// Second-slot ids of two sites.
func BenchmarkTrafficRankDisplacement(b *testing.B) {
	benchmarkTraffic(b, pair, func() func(ownerSecond, int64) {
		var r RankDisplacement
		var idsA, idsB []int64
		return func(s ownerSecond, floorMs int64) {
			idsA, idsB = idsA[:0], idsB[:0]
			k := int64(0) // ids of one owner millisecond before
			for i, owner := range s.ownersMs {
				if k++; i == 0 || owner != s.ownersMs[i-1] {
					k = 0
				}
				idsA, idsB = append(idsA, owner*10_000+k*200), append(idsB, s.eventsMs[i]*10_000+k*200)
			}
			r.AddEach(idsA, idsB)
			r.Floor(floorMs * 10_000)
		}
	})
}

// What the measures of blocks have in common.
func BenchmarkTrafficBlock(b *testing.B) {
	benchmarkTraffic(b, nil, func() func(ownerSecond, int64) {
		var block Block
		return func(s ownerSecond, floorMs int64) {
			for ys := s.eventsMs; len(ys) > 0; {
				ys = ys[block.Take(ys):]
			}
		}
	})
}
