package sim

// A plain, slow re-statement of the model and the measures: no epochs, no
// batches, no streaming. It is what the engine is checked against. It shares
// with the engine only the pieces that have right answers of their own: the
// draws of luck, the distributions, the assignment of partitions and the
// single-owner generators.

import (
	"cmp"
	"math"
	"slices"

	"twindrift/generator"
	"twindrift/replay"
	"twindrift/sim/luck"
	"twindrift/sim/scenario"
)

// plainMessage is one message of the capture.
type plainMessage struct {
	part    int
	offset  int64
	eventMs int64
	append  int64
	seen    int64 // when it was seen to be processed
	base    int64 // ms from which virtual time counts
	keyHash uint64
	value   int32
}

// plainDelivery is a message at a site.
type plainDelivery struct {
	plainMessage
	consumer                              int
	node                                  int
	arrival, start, draw, nowMs, handling int64
	service                               int64
	filtered, storeOff                    bool
	ids                                   [2]plainID

	delivery, again int32   // how often it was started, and drawn, before
	repeat          bool    // it comes by chance
	from            int64   // when the delivery before it draws, if so
	life            int     // restarts of its process before the draw
	gone            [2]bool // by lane: overwritten in the list by a later delivery
	known           [2]bool // by lane: the store has its message already
	last            [2]bool // stored delivery of its message
}

type plainID struct {
	id    int64
	kind  generator.Kind
	hops  int64
	owner int64 // ms
	node  int64 // that the digits say

	byClock bool
}

func (d *plainDelivery) stored(lane int) bool {
	return !d.filtered && !d.storeOff && !d.ids[lane].kind.Refused() && !d.known[lane]
}

// drawn says that the delivery has an id.
func (d *plainDelivery) drawn(lane int) bool { return !d.filtered && !d.ids[lane].kind.Refused() }

// plainAppend is MODEL 1.
func plainAppend(parts []replay.Partition, batches []*replay.Batch, policy string) [][]plainMessage {
	out := make([][]plainMessage, len(parts))
	var all []int64
	for _, b := range batches {
		all = append(all, stamps(b)...)
	}
	first := int64(0)
	if len(all) > 0 {
		first = slices.Min(all)
	}
	// Virtual time is from 1770 to 2170, or a century from the first message
	// where all are later.
	const year = 365 * 86_400_000
	base, from, to := int64(0), int64(-200*year), int64(200*year)
	if first > to {
		base, from, to = first, first, first+100*year
	}
	for p, b := range batches {
		at := first // before the first timestamp: the smallest of the partition, else of the capture
		if own := stamps(b); len(own) > 0 {
			at = slices.Min(own)
		}
		for i, ms := range b.TimestampMs {
			if ms == replay.NoTimestamp && policy == scenario.NoTimestampSkip {
				continue
			}
			if ms != replay.NoTimestamp {
				at = max(at, ms)
			}
			m := plainMessage{part: p, offset: b.Offset[i], eventMs: ms, append: at, base: base, keyHash: b.KeyHash[i], value: b.ValueLen[i]}
			if b.TimestampType[i] == replay.TimestampLogAppend {
				m.append = ms
			}
			m.append = min(max(m.append, from), to)
			if len(b.ProcessedAtMs) > 0 {
				if len(b.ProcessedAtMs) > 0 {
					m.seen = min(max(b.ProcessedAtMs[i], from), to)
				}
			}
			out[p] = append(out[p], m)
		}
	}
	return out
}

// stamps are the timestamps of the messages that have one.
func stamps(b *replay.Batch) []int64 {
	return slices.DeleteFunc(slices.Clone(b.TimestampMs), func(ms int64) bool { return ms == replay.NoTimestamp })
}

// plainSite is MODEL 2, 3 and 7 for one site: every delivery, by consumer in the
// order of the draws, without the ids.
func plainSite(t failer, sc *scenario.Scenario, s *scenario.Site, replication uint32, parts []replay.Partition, messages [][]plainMessage) *plainWorld {
	deal, err := s.Assign(parts)
	if err != nil {
		t.Fatal(err)
	}
	w := &plainWorld{sc: sc, s: s, replication: replication, parts: parts, owner: map[int]*plainProcess{}}
	w.startMs, w.base = plainStart(messages)
	for c := range s.Consumers {
		p := &plainProcess{Consumer: &s.Consumers[c], index: c, busy: map[int]int64{}, committed: map[int]int64{}, since: math.MinInt64}
		for range p.Workers {
			p.workers = append(p.workers, math.MinInt64)
		}
		w.processes = append(w.processes, p)
		for _, part := range deal[c] {
			w.owner[part] = p
			p.waiting = append(p.waiting, w.link(p, part, messages[part])...)
		}
	}
	w.all = w.run(t)
	for _, p := range w.processes {
		for _, d := range p.done {
			d.nowMs = w.clockAt(d.draw)
			for _, l := range p.lives {
				if l.at <= d.draw && l.what != "saved" {
					d.life++
				}
			}
		}
	}
	return w
}

// link is MODEL 2 for one partition: the messages as they arrive.
func (w *plainWorld) link(p *plainProcess, part int, messages []plainMessage) (arrived []*plainDelivery) {
	link := w.s.Link.Delay
	if d, ok := w.s.Link.Topics[w.parts[part].Topic]; ok {
		link = d
	}
	// What varies over the day goes by local time, on the link at the append and
	// at the consumer at the arrival.
	link = link.InZone(w.sc.Generator.UTCOffset.Ms())
	stream := w.luck(part)
	previous := int64(math.MinInt64)
	for _, m := range messages {
		word := stream.Words(m.offset, 0)
		d := &plainDelivery{plainMessage: m, consumer: p.index, node: int(p.Node)}
		d.arrival = max(previous, (m.append-m.base)*1e6+link.SampleAt(word[luck.Link], m.append))
		if w.s.Observed {
			d.arrival = max(previous, (m.seen-m.base)*1e6)
		}
		d.arrival = plainHeld(w, w.s.Link.Outages, d.arrival)
		previous = d.arrival
		w.work(p, d)
		d.filtered = plainFiltered(&w.sc.Filter, &w.parts[part], m, word[luck.Filter])
		d.storeOff = slices.Contains(w.sc.Store.Except, w.parts[part].Topic)
		arrived = append(arrived, d)
	}
	return arrived
}

// luck is that of a partition at the site.
func (w *plainWorld) luck(part int) luck.Stream {
	return luck.New(uint64(w.sc.Seed), w.s.Name, w.parts[part].Topic, w.parts[part].Number).Replication(w.replication)
}

// plainStart is the earliest timestamp of the messages, and from when virtual
// time is counted.
func plainStart(messages [][]plainMessage) (startMs, base int64) {
	startMs = math.MaxInt64
	for _, list := range messages {
		for _, m := range list {
			base = m.base
			if m.eventMs != replay.NoTimestamp {
				startMs = min(startMs, m.eventMs)
			}
		}
	}
	if startMs == math.MaxInt64 {
		startMs = 0
	}
	return startMs, base
}

// plainOverwrite says which delivery of each message is its last: deliveries of
// a process are in order, and among processes comesAfter tells.
func plainOverwrite(sc *scenario.Scenario, all []*plainDelivery) {
	type key struct {
		part   int
		offset int64
	}
	for lane := range 2 {
		first := map[key]*plainDelivery{}
		for _, d := range all {
			k := key{d.part, d.offset}
			if f := first[k]; d.stored(lane) && (f == nil || cmp.Or(cmp.Compare(d.draw, f.draw), cmp.Compare(d.again, f.again)) < 0) {
				first[k] = d
			}
		}
		for _, d := range all {
			d.known[lane] = sc.Store.Deduplicate && d.stored(lane) && first[key{d.part, d.offset}] != d
		}
		last := map[key]*plainDelivery{}
		for _, d := range all {
			if !d.stored(lane) {
				continue
			}
			k := key{d.part, d.offset}
			if last[k] == nil || !comesAfter(last[k], d) {
				last[k] = d
			}
		}
		for _, d := range all {
			d.last[lane] = last[key{d.part, d.offset}] == d
			d.gone[lane] = d.stored(lane) && !d.last[lane] && sc.Store.Member == scenario.MemberKey
		}
	}
}

func plainFiltered(f *scenario.Filter, p *replay.Partition, m plainMessage, word uint64) bool {
	if f.Keep < 1 && float64(word>>11)/(1<<53) >= f.Keep {
		return true
	}
	for _, r := range f.Drop {
		if (r.Topic == "" || r.Topic == p.Topic) && (r.Partition == nil || *r.Partition == p.Number) &&
			(len(r.KeyHashMod) == 0 || m.keyHash%uint64(r.KeyHashMod[0]) == uint64(r.KeyHashMod[1])) &&
			(r.ValueLargerThan == nil || m.value > *r.ValueLargerThan) {
			return true
		}
	}
	return false
}

// plainPairs are the counts of pairs at a grain, by looking at every pair.
type plainPairs struct{ comparable, discordant, concordant, tiedX, tiedY int64 }

func countPairs(x, y []int64) plainPairs {
	var p plainPairs
	for i := range x {
		for j := range i {
			dx, dy := cmp.Compare(x[i], x[j]), cmp.Compare(y[i], y[j])
			if dx == 0 {
				p.tiedX++
			}
			if dy == 0 {
				p.tiedY++
			}
			switch dx * dy {
			case 1:
				p.concordant++
			case -1:
				p.discordant++
			}
		}
	}
	p.comparable = p.concordant + p.discordant
	return p
}

func (p plainPairs) tauB(n int) (float64, bool) {
	pairs := float64(n) * float64(n-1) / 2
	a, b := pairs-float64(p.tiedX), pairs-float64(p.tiedY)
	if a == 0 || b == 0 {
		return 0, false
	}
	return float64(p.concordant-p.discordant) / math.Sqrt(a) / math.Sqrt(b), true
}

func floorTo(values []int64, grain int64) []int64 {
	out := make([]int64, len(values))
	for i, v := range values {
		out[i] = generator.FloorDiv(v, grain)
	}
	return out
}

func byClock(group []*plainDelivery) {
	slices.SortStableFunc(group, func(a, b *plainDelivery) int {
		return cmp.Or(cmp.Compare(a.nowMs, b.nowMs), cmp.Compare(a.part, b.part), cmp.Compare(a.offset, b.offset))
	})
}
