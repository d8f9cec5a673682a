package redisstreams

import (
	"fmt"
	"testing"

	"pgregory.net/rapid"

	"twindrift/generator"
	"twindrift/generator/redis"
)

// plainStreams are streams said plainly: all their entries.
type plainStreams map[string][][2]int64

func (s plainStreams) top(stream string) [2]int64 {
	if all := s[stream]; len(all) > 0 {
		return all[len(all)-1]
	}
	return [2]int64{}
}

// add appends an entry, or says that it is not above the top.
func (s plainStreams) add(stream string, id [2]int64) bool {
	if top := s.top(stream); id[0] < top[0] || id[0] == top[0] && id[1] <= top[1] {
		return false
	}
	s[stream] = append(s[stream], id)
	return true
}

// plainProcess is GENERATORS, section 4, as one would write it down.
type plainProcess struct {
	strategy Strategy
	retry    bool
	maxSeq   int64
	site     int
	last     map[int32][2]int64
	trips    int64
	rejected int64
	pinned   int64
	keys     int64
}

// draw gives the entry's id, whether the number has run into those of the next partition,
// and whether the entry was written.
func (p *plainProcess) draw(s plainStreams, t, serverNow int64, partition int32) (id [2]int64, spill, ok bool) {
	stream, of, own := fmt.Sprint(p.site), int32(0), t
	last, any := p.last[0]
	switch p.strategy {
	case Auto:
		top := s.top(stream)
		id, own = [2]int64{serverNow, 0}, serverNow
		if serverNow <= top[0] {
			id = [2]int64{top[0], top[1] + 1}
		}
	case Monotonic:
		if !any {
			p.trips++
			last = s.top(stream)
		}
		switch {
		case t > last[0]:
			id = [2]int64{t, 0}
		case last[1]+1 > p.maxSeq:
			id = [2]int64{last[0] + 1, 0}
		default:
			id = [2]int64{last[0], last[1] + 1}
		}
	case Sharded:
		stream = fmt.Sprint(p.site, "/", partition)
		fallthrough
	case PartitionCoded:
		of = partition
		last, any = p.last[of]
		fallthrough
	case Event:
		if id = [2]int64{t, 0}; any && last[0] == t {
			id[1] = last[1] + 1
		}
	}
	p.last[of] = id
	if p.strategy == PartitionCoded {
		spill = id[1] >= 1000
		id[1] += int64(partition) * 1000
	}
	had := len(s[stream])
	p.trips++
	if ok = s.add(stream, id); !ok {
		p.rejected++
		if !p.retry {
			return id, false, false
		}
		p.trips += 2
		top := s.top(stream)
		if id = [2]int64{top[0], top[1] + 1}; p.strategy == Monotonic && id[1] > p.maxSeq {
			id = [2]int64{top[0] + 1, 0}
		}
		spill, ok = false, s.add(stream, id)
	}
	if p.strategy != PartitionCoded {
		p.last[of] = id
	}
	if had == 0 {
		p.keys++
	}
	if id[0] > own {
		p.pinned++
	}
	return id, spill, ok
}

// Processes of two sites, of any strategies but one a site, write and are restarted with
// and without their state: entries, refusals and costs are those of the plain processes;
// ids of a stream ascend, what is refused is not above the top, and no id is below Floor.
func TestAgainstPlain(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		const roundTripMs = 4
		server := redis.New(redis.Config{RoundTripNs: roundTripMs * msNs})
		streams := plainStreams{}
		var real []*Generator
		var plain []*plainProcess
		for site := range 2 {
			cfg := Config{
				Server: server, Site: int64(site), Strategy: rapid.SampledFrom(Strategies()).Draw(t, "strategy"),
				Retry: rapid.Bool().Draw(t, "retry"), MaxSeq: rapid.Int64Range(1, 3).Draw(t, "max seq"),
			}
			for range rapid.IntRange(1, 2).Draw(t, "processes") {
				g, err := New(cfg)
				if err != nil {
					t.Fatal(err)
				}
				real = append(real, g)
				plain = append(plain, &plainProcess{strategy: cfg.Strategy, retry: cfg.Retry, maxSeq: cfg.MaxSeq, site: site, last: map[int32][2]int64{}})
			}
		}
		saved := make([]generator.State, len(real))
		savedLast := make([]map[int32][2]int64, len(real))
		last := map[redis.Key]int64{}
		nowMs := int64(10)
		for i := range rapid.IntRange(1, 80).Draw(t, "steps") {
			k := rapid.IntRange(0, len(real)-1).Draw(t, "process")
			g, p := real[k], plain[k]
			switch rapid.IntRange(0, 20).Draw(t, "what") {
			case 0:
				g.Reset()
				p.last = map[int32][2]int64{}
				continue
			case 1:
				saved[k], savedLast[k] = g.Snapshot(), copied(p.last)
				continue
			case 2:
				g.Restore(saved[k])
				p.last = copied(savedLast[k])
				continue
			}
			nowMs += rapid.Int64Range(0, 1).Draw(t, "later")
			eventMs := rapid.Int64Range(0, 6).Draw(t, "event")
			clockMs := max(0, nowMs+rapid.Int64Range(-3, 3).Draw(t, "clock"))
			partition := rapid.Int32Range(0, 2).Draw(t, "partition")
			stream := g.stream(0)
			if p.strategy == Sharded {
				stream = g.stream(1 + int64(partition))
			}
			floor := g.Floor(eventMs, clockMs)
			id, kind, err := g.draw(eventMs, clockMs, nowMs*msNs, partition)
			want, spill, ok := p.draw(streams, eventMs, clockMs+roundTripMs/2, partition)
			wantKind := generator.Drawn
			switch {
			case !ok:
				wantKind = generator.NotAbove
				if packed := want[0]<<20 | want[1]; packed > last[stream] || err == nil || id != 0 {
					t.Fatalf("step %d: %v is refused, the top is %s: %d, %v", i, want, Layout{}.Text(last[stream]), id, err)
				}
			case err != nil || id != want[0]<<20|want[1]:
				t.Fatalf("step %d, %s of event %d, clock %d: %s, %v; want %v", i, p.strategy, eventMs, clockMs, Layout{}.Text(id), err, want)
			case id <= last[stream] || id < floor:
				t.Fatalf("step %d: id %d after %d, floor %d", i, id, last[stream], floor)
			case spill:
				wantKind = generator.SequenceSpill
			}
			if kind != wantKind {
				t.Fatalf("step %d: %v, want %v", i, kind, wantKind)
			}
			last[stream] = max(last[stream], id)
			c := g.Costs()
			if c.RoundTrips != p.trips || c.Rejected != p.rejected || c.Pinned != p.pinned || c.Keys != p.keys {
				t.Fatalf("step %d: costs %+v, want %+v", i, c, *p)
			}
		}
	})
}

func copied(m map[int32][2]int64) map[int32][2]int64 {
	to := map[int32][2]int64{}
	for k, v := range m {
		to[k] = v
	}
	return to
}

// Floor stays a bound however much comes between: of every id drawn later for an event not
// before, with a clock not before.
func TestFloor(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		strategy := rapid.SampledFrom(Strategies()).Draw(t, "strategy")
		server := redis.New(redis.Config{RoundTripNs: rapid.Int64Range(0, 5*msNs).Draw(t, "round trip")})
		cfg := Config{Server: server, Strategy: strategy, Retry: rapid.Bool().Draw(t, "retry"), MaxSeq: 2}
		g, err := New(cfg)
		if err != nil {
			t.Fatal(err)
		}
		times := rapid.OneOf(rapid.Int64Range(-2, 20), rapid.Int64Range(endMs-2, endMs+2))
		type bound struct{ eventMs, nowMs, floor int64 }
		var bounds []bound
		for range rapid.IntRange(1, 40).Draw(t, "draws") {
			eventMs, nowMs := times.Draw(t, "event"), times.Draw(t, "clock")
			bounds = append(bounds, bound{eventMs, nowMs, g.Floor(eventMs, nowMs)})
			if rapid.IntRange(0, 9).Draw(t, "reset") == 0 {
				g.Reset()
			}
			id, _, err := g.Draw(eventMs, nowMs)
			if err != nil {
				continue
			}
			for _, b := range bounds {
				if eventMs >= b.eventMs && nowMs >= b.nowMs && id < b.floor {
					t.Fatalf("%s of event %d, clock %d: %s, below the floor %s of %+v", strategy, eventMs, nowMs, Layout{}.Text(id), Layout{}.Text(b.floor), b)
				}
			}
		}
	})
}

// A batch gives what as many draws do.
func TestBatchIsDraws(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		cfg := Config{Strategy: rapid.SampledFrom(Strategies()).Draw(t, "strategy"), Retry: rapid.Bool().Draw(t, "retry")}
		var both [2]*Generator
		for i := range both {
			cfg.Server = redis.New(redis.Config{RoundTripNs: msNs, Outages: []redis.Window{{FromNs: 5 * msNs, ToNs: 7 * msNs}}})
			var err error
			if both[i], err = New(cfg); err != nil {
				t.Fatal(err)
			}
		}
		n := rapid.IntRange(0, 30).Draw(t, "draws")
		var c generator.Calls
		for i := range n {
			c.EventMs = append(c.EventMs, rapid.Int64Range(-1, 5).Draw(t, "event"))
			c.NowMs = append(c.NowMs, int64(i))
			c.AtNs = append(c.AtNs, int64(i)*msNs)
			c.Partition = append(c.Partition, 0)
		}
		ids, kinds, hops := make([]int64, n), make([]generator.Kind, n), make([]int32, n)
		if err := generator.DrawBatch(both[0], c, ids, kinds, hops); err != nil {
			t.Fatal(err)
		}
		for i := range n {
			id, how, err := both[1].Draw(c.EventMs[i], c.NowMs[i])
			if refusal, ok := err.(generator.Refusal); ok {
				how.Kind = refusal.Kind()
			} else if err != nil {
				t.Fatal(err)
			}
			if id != ids[i] || how.Kind != kinds[i] {
				t.Fatalf("draw %d: %d, %v; in the batch %d, %v", i, id, how.Kind, ids[i], kinds[i])
			}
		}
	})
}

func BenchmarkDraw(b *testing.B) {
	for _, strategy := range Strategies() {
		b.Run(string(strategy), func(b *testing.B) {
			g := process(b, redis.New(redis.Config{RoundTripNs: msNs}), strategy, retried)
			for i := int64(0); b.Loop(); i++ {
				if _, _, err := g.Draw(i/100+i%7, i/100); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
