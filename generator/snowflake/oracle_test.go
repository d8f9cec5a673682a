package snowflake

import (
	"fmt"
	"math"
	"testing"

	"pgregory.net/rapid"

	"twindrift/generator"
	"twindrift/generator/redis"
)

// The published forms once more, from the page's words: a program that goes on in steps
// of virtual time, with all that it knows in maps under the names of their keys, ids put
// together from digits, and a Redis of its own.

// plainRedis answers at once; commands take a round trip all the same.
type plainRedis struct {
	tripNs   int64
	outages  []redis.Window
	counters map[string]int64
	locks    map[string]int64 // until when
}

func (r *plainRedis) down(ns int64) bool {
	for _, w := range r.outages {
		if ns >= w.FromNs && ns < w.ToNs {
			return true
		}
	}
	return false
}

// plain is a process: its numbers, and the time at which it may begin the next call.
type plain struct {
	redis  *plainRedis
	worker int64
	vars   map[string]int64
	freeNs int64
	clock  int64 // read at the end of the last call
}

// plainDraw is one call.
type plainDraw struct {
	p             *plain
	nowMs, baseNs int64
	ns            int64
}

func (p *plain) begin(nowMs, atNs int64) *plainDraw {
	d := &plainDraw{p: p, nowMs: nowMs, baseNs: atNs, ns: atNs}
	if p.freeNs > atNs {
		d.ns = p.freeNs
		if d.time() == p.clock-1 { // the rounding of nowMs
			d.nowMs, d.baseNs = p.clock, d.ns
		}
	}
	return d
}

func (d *plainDraw) time() int64 { return d.nowMs + (d.ns-d.baseNs)/1_000_000 }

func (d *plainDraw) end() { d.p.freeNs, d.p.clock = d.ns, d.time() }

// digits puts an id together bit by bit: a bit is set that is set in any part.
func digits(ms, worker, seq int64) (id int64) {
	for bit := range 64 {
		set := seq>>bit&1 == 1 ||
			bit >= 12 && worker>>(bit-12)&1 == 1 ||
			bit >= 22 && (ms-1288834974657)>>(bit-22)&1 == 1
		if set {
			id |= 1 << bit
		}
	}
	return id
}

// locked: GENERATORS, section 3, "locked, published".
func (p *plain) locked(nowMs, atNs int64) (int64, generator.Kind) {
	d := p.begin(nowMs, atNs)
	defer d.end()
	for {
		timestamp := d.time()
		if timestamp < p.vars["lastTimestamp"] {
			return 0, generator.ClockBack
		}
		if timestamp != p.vars["lastTimestamp"] {
			p.vars["sequence"] = 0
			p.vars["lastTimestamp"] = timestamp
			return 0, generator.ZeroID
		}
		lock := fmt.Sprintf("snowflake:lock:%d:%d", p.worker, timestamp)
		askedNs := d.ns + p.redis.tripNs/2
		if p.redis.down(askedNs) {
			return 0, generator.RedisDown
		}
		d.ns += p.redis.tripNs
		if p.redis.locks[lock] > askedNs {
			d.ns += 1_000_000
			continue
		}
		// Redis keeps time in whole ms: the key is there until the end of the fifth ms on.
		p.redis.locks[lock] = (askedNs/1_000_000 + 6) * 1_000_000
		timestamp = d.time()
		p.vars["sequence"] = (p.vars["sequence"] + 1) % 4096
		if p.vars["sequence"] == 0 {
			for timestamp <= p.vars["lastTimestamp"] {
				d.ns += 1_000_000 - (d.ns-d.baseNs)%1_000_000
				timestamp = d.time()
			}
		}
		p.vars["lastTimestamp"] = timestamp
		backNs := d.ns + p.redis.tripNs/2
		if backNs < askedNs+5_000_000 {
			if p.redis.down(backNs) {
				return 0, generator.RedisDown
			}
			p.redis.locks[lock] = backNs
		}
		d.ns += p.redis.tripNs
		return digits(timestamp, p.worker, p.vars["sequence"]), generator.Drawn
	}
}

// preallocated: GENERATORS, section 3, "pre-allocated, published".
func (p *plain) preallocated(nowMs, atNs, size int64) (int64, generator.Kind) {
	d := p.begin(nowMs, atNs)
	timestamp := d.time()
	next, any := p.vars["next"]
	if !any || next > p.vars["end"] {
		key := fmt.Sprintf("snowflake:alloc:%d:%d", p.worker, int64(math.Floor(float64(timestamp)/1000)))
		if p.redis.down(d.ns + p.redis.tripNs/2) {
			return 0, generator.RedisDown
		}
		d.ns += p.redis.tripNs
		old := p.redis.counters[key]
		p.redis.counters[key] += size
		p.vars["end"] = old - 1
		p.vars["second"] = int64(math.Floor(float64(timestamp) / 1000))
		p.vars["next"] = old - size + 2
		next = old - size
	} else {
		p.vars["next"]++
	}
	d.end()
	kind := generator.Drawn
	if next < 0 {
		kind = generator.NegativeRange
	} else if next > 4095 {
		kind = generator.SequenceSpill
	} else if p.vars["second"] != int64(math.Floor(float64(timestamp)/1000)) {
		kind = generator.StaleRange
	}
	return digits(timestamp, p.worker, next), kind
}

// Random calls of processes that may share a worker, held against the plain programs, in
// batches and one by one; restarts forget all, and states come back. Nothing lies below the floor.
func TestPublishedAgainstPlain(t *testing.T) {
	kinds := map[string]map[generator.Kind]int{"locked": {}, "preallocated": {}}
	for _, name := range []string{"locked", "preallocated"} {
		rapid.Check(t, func(t *rapid.T) { againstPlain(t, name, kinds[name]) })
	}
	for name, want := range map[string][]generator.Kind{
		"locked":       {generator.ZeroID, generator.Drawn, generator.ClockBack, generator.RedisDown},
		"preallocated": {generator.NegativeRange, generator.Drawn, generator.SequenceSpill, generator.StaleRange, generator.RedisDown},
	} {
		for _, kind := range want {
			if kinds[name][kind] == 0 {
				t.Errorf("%s: no %v was seen: %v", name, kind, kinds[name])
			}
		}
	}
}

func againstPlain(t *rapid.T, name string, kinds map[generator.Kind]int) {
	cfg := randomServer(t, troubles{outages: rapid.Bool().Draw(t, "outages")})
	s := redis.New(cfg)
	own := &plainRedis{tripNs: cfg.RoundTripNs, outages: cfg.Outages, counters: map[string]int64{}, locks: map[string]int64{}}
	size := rapid.SampledFrom([]int64{1, 8, 1024}).Draw(t, "range")
	fresh := func() map[string]int64 {
		if name == "locked" {
			return map[string]int64{"lastTimestamp": -1}
		}
		return map[string]int64{}
	}
	var gs [2]anyProcess
	var ps [2]*plain
	for i := range gs {
		worker := rapid.SampledFrom([]int64{0, 1, 1023, 1024, -1}).Draw(t, "worker")
		if gs[i] = made[anyProcess](NewPreallocated(PreallocatedConfig{s, worker, size})); name == "locked" {
			gs[i] = made[anyProcess](NewLocked(LockedConfig{s, worker}))
		}
		ps[i] = &plain{redis: own, worker: worker, vars: fresh(), freeNs: math.MinInt64}
	}
	atNs, errMs := nowMs*1e6, int64(0)
	for range rapid.IntRange(1, 30).Draw(t, "steps") {
		who := rapid.IntRange(0, 1).Draw(t, "process")
		switch rapid.IntRange(0, 9).Draw(t, "what") {
		case 0:
			gs[who].Reset()
			ps[who].vars = fresh()
		case 1:
			gs[who].Restore(gs[who].Snapshot())
		case 2:
			errMs += rapid.SampledFrom([]int64{-2000, -1, 3}).Draw(t, "clock")
		}
		c := calls(t, &atNs, errMs)
		ids, got := make([]int64, c.Len()), make([]generator.Kind, c.Len())
		cut := rapid.IntRange(0, c.Len()).Draw(t, "cut")
		for _, part := range [][2]int{{0, cut}, {cut, c.Len()}} {
			if err := gs[who].DrawBatch(c.Cut(part[0], part[1]), ids[part[0]:part[1]], got[part[0]:part[1]], make([]int32, part[1]-part[0])); err != nil {
				t.Fatal(err)
			}
		}
		for i := range ids {
			id, kind := ps[who].byName(name, c.NowMs[i], c.AtNs[i], size)
			if ids[i] != id || got[i] != kind {
				t.Fatalf("call %d at %d: %d, %+v (%v); the plain program gives %d, %+v (%v)", i, c.NowMs[i],
					ids[i], Layout{}.Decode(ids[i]), got[i], id, Layout{}.Decode(id), kind)
			}
			if floor := gs[who].Floor(0, c.NowMs[i]); !kind.Refused() && id < floor {
				t.Fatalf("call %d at %d: %d is below the floor %d", i, c.NowMs[i], id, floor)
			}
			kinds[kind]++
		}
	}
}

func (p *plain) byName(name string, nowMs, atNs, size int64) (int64, generator.Kind) {
	if name == "locked" {
		return p.locked(nowMs, atNs)
	}
	return p.preallocated(nowMs, atNs, size)
}
