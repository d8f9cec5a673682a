package rediscounter

import (
	"errors"
	"math"
	"testing"
	"time"

	"pgregory.net/rapid"

	"twindrift/generator"
	"twindrift/generator/redis"
)

// 2025-09-15 10:00:00 +08:00, and its seconds since 2022 in local time.
const (
	tenOClockMs int64 = 1757901600000
	tenOClockS  int64 = 1757901600 + 8*3600 - 1640995200
)

func newPublished(t testing.TB, change func(*Config)) *Generator {
	t.Helper()
	cfg := DefaultConfig(redis.New(redis.Config{RoundTripNs: 1_000_000}))
	if change != nil {
		change(&cfg)
	}
	g, err := New(cfg)
	if err != nil {
		t.Fatal(err)
	}
	return g
}

// draws gives n ids at one clock.
func draws(t testing.TB, g generator.Generator, nowMs int64, n int) (ids []int64, kinds []generator.Kind) {
	t.Helper()
	for range n {
		id, how, err := g.Draw(0, nowMs)
		if err != nil {
			t.Fatal(err)
		}
		ids, kinds = append(ids, id), append(kinds, how.Kind)
	}
	return ids, kinds
}

// GENERATORS, section 2: the formula, by hand.
func TestKnownIDs(t *testing.T) {
	g := newPublished(t, nil)
	ids, _ := draws(t, g, tenOClockMs, 2)
	if ids[0] != tenOClockS<<32|1 || ids[1] != ids[0]+1 {
		t.Errorf("ids %d, want %d and the next", ids, tenOClockS<<32|1)
	}
	// The next local day begins at 16:00 UTC, and counts from 1.
	if next, _ := draws(t, g, tenOClockMs+14*3_600_000, 1); next[0]&countMask != 1 {
		t.Errorf("the next day begins with %d", next[0]&countMask)
	}
	// A second before 2022, local time: -1.
	if early, _ := draws(t, g, EpochS*1000-8*3_600_000-1, 1); early[0] != -1<<32|1 {
		t.Errorf("before 2022: %d", early[0])
	}
	if c := g.Costs(); c.RoundTrips != 4 || c.Keys != 3 || c.Wasted != 0 {
		t.Errorf("costs %+v, want 4 round trips and 3 keys that stay", c)
	}
}

// Research note B: 31 bits end 2090-01-19 03:14:07 (here of local time).
func TestEndOfTime(t *testing.T) {
	end := time.Date(2090, 1, 19, 3, 14, 7, 999e6, time.FixedZone("", 8*3600)).UnixMilli()
	g := newPublished(t, nil)
	ids, _ := draws(t, g, end, 1)
	if ids[0] != math.MaxInt32<<32|1 {
		t.Errorf("last second: %d", ids[0])
	}
	for ms, want := range map[int64]generator.Kind{
		end + 1:                 generator.TooLate,
		math.MaxInt64:           generator.TooLate,
		tenOClockMs * 1000:      generator.TooLate,
		math.MinInt64:           generator.TooEarly,
		-tenOClockMs:            generator.TooEarly,
		-1:                      generator.Drawn,
		EpochS*1000 - 1<<31*1e3: generator.Drawn, // 8 h into the first second there is
	} {
		_, how, err := g.Draw(0, ms)
		var refused generator.Refusal
		if errors.As(err, &refused) {
			how.Kind = refused.Kind()
		}
		if how.Kind != want {
			t.Errorf("clock %d: %v (%v), want %v", ms, how.Kind, err, want)
		}
	}
}

// Research note B: OR is not +. With an even second the id past 2^32 is that of the next
// second; with an odd one it is that of the same second.
func TestCountRunsIntoTheTime(t *testing.T) {
	overflown := newPublished(t, func(c *Config) { c.Start = 1 << 32 })
	fresh := newPublished(t, nil)
	for _, c := range []struct{ ms, same int64 }{
		{tenOClockMs, tenOClockMs + 1000}, // tenOClockS is even
		{tenOClockMs + 1000, tenOClockMs + 1000},
	} {
		got, kinds := draws(t, overflown, c.ms, 1)
		want, _ := draws(t, fresh, c.same, 1)
		if got[0] != want[0] || kinds[0] != generator.CounterOverflow {
			t.Errorf("clock %d: id %d (%v), want %d of clock %d", c.ms, got[0], kinds[0], want[0], c.same)
		}
	}
}

// GENERATORS, section 2: two sites with a Redis each give the same ids; in different zones
// they differ by the zone offset.
func TestSites(t *testing.T) {
	a, _ := draws(t, newPublished(t, nil), tenOClockMs, 100)
	b, _ := draws(t, newPublished(t, nil), tenOClockMs, 100)
	z, _ := draws(t, newPublished(t, func(c *Config) { c.UTCOffsetMs = 9 * 3_600_000 }), tenOClockMs, 100)
	for i := range a {
		if a[i] != b[i] || z[i]-a[i] != 3600<<32 {
			t.Fatalf("id %d: %d, %d and, an hour further east, %d", i, a[i], b[i], z[i])
		}
	}
}

// A failover that loses three increments gives three numbers again, and within the same
// second three ids.
func TestFailover(t *testing.T) {
	g := newPublished(t, func(c *Config) {
		c.Server = redis.New(redis.Config{Failovers: []redis.Failover{{AtNs: (tenOClockMs + 500) * 1e6, Lose: 3}}})
	})
	before, _ := draws(t, g, tenOClockMs, 10)
	after, kinds := draws(t, g, tenOClockMs+500, 5)
	for i, id := range after {
		want, kind := before[6]+int64(i)+1, generator.CounterBack
		if i >= 3 {
			kind = generator.Drawn
		}
		if id != want || kinds[i] != kind {
			t.Errorf("id %d after the failover: %d (%v), want %d (%v)", i, id, kinds[i], want, kind)
		}
	}
}

func TestPublishedOutage(t *testing.T) {
	g := newPublished(t, func(c *Config) {
		c.Server = redis.New(redis.Config{Outages: []redis.Window{{FromNs: 0, ToNs: math.MaxInt64}}})
	})
	_, _, err := g.Draw(0, tenOClockMs)
	var refused generator.Refusal
	if !errors.Is(err, redis.ErrDown) || !errors.As(err, &refused) || refused.Kind() != generator.RedisDown {
		t.Errorf("error %v", err)
	}
}

// plain is the published code, word by word: times are calendar times, keys are text.
type plain struct {
	counters map[string]int64
	zone     *time.Location
	start    int64
}

func (p *plain) draw(ms int64) int64 {
	local := time.UnixMilli(ms).In(p.zone)
	asUTC := time.Date(local.Year(), local.Month(), local.Day(), local.Hour(), local.Minute(), local.Second(), 0, time.UTC)
	timestamp := asUTC.Unix() - time.Date(2022, 1, 1, 0, 0, 0, 0, time.UTC).Unix()
	key := "icr:order:" + local.Format("2006:01:02")
	p.counters[key]++
	return timestamp<<32 | (p.start + p.counters[key])
}

// Random calls of two processes, held against the plain code, one by one and as a batch;
// no id lies below the floor.
func TestPublishedAgainstPlain(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		cfg := DefaultConfig(nil)
		cfg.UTCOffsetMs = rapid.SampledFrom([]int64{0, 8, -5, 9}).Draw(t, "zone") * 3_600_000
		cfg.ByEvent = rapid.Bool().Draw(t, "by event")
		cfg.Start = rapid.SampledFrom([]int64{0, 1<<32 - 3, 1 << 33}).Draw(t, "start")
		want := &plain{map[string]int64{}, time.FixedZone("", int(cfg.UTCOffsetMs/1000)), cfg.Start}
		var one, batch [2]*Generator
		for _, gs := range []*[2]*Generator{&one, &batch} {
			cfg.Server = redis.New(redis.Config{RoundTripNs: 300_000})
			for i := range gs {
				gs[i], _ = New(cfg)
			}
		}
		var c generator.Calls
		atMs := tenOClockMs
		for range rapid.IntRange(1, 40).Draw(t, "draws") {
			atMs += rapid.SampledFrom([]int64{0, 1, 700, 20_000_000}).Draw(t, "pause")
			c.NowMs = append(c.NowMs, atMs)
			c.AtNs = append(c.AtNs, atMs*1e6)
			c.EventMs = append(c.EventMs, atMs-rapid.Int64Range(-5, 100_000_000).Draw(t, "age"))
			c.Partition = append(c.Partition, 0)
		}
		ids, kinds, hops := make([]int64, 1), make([]generator.Kind, 1), make([]int32, 1)
		for i := range c.Len() {
			who := rapid.IntRange(0, 1).Draw(t, "process")
			if rapid.IntRange(0, 9).Draw(t, "restart") == 0 {
				one[who].Reset()
			}
			floor := one[who].Floor(c.EventMs[i], c.NowMs[i])
			id, how, err := one[who].Draw(c.EventMs[i], c.NowMs[i])
			if err := batch[who].DrawBatch(c.Cut(i, i+1), ids, kinds, hops); err != nil {
				t.Fatal(err)
			}
			ms := c.NowMs[i]
			if cfg.ByEvent {
				ms = c.EventMs[i]
			}
			plainID := want.draw(ms)
			if err != nil || id != plainID || ids[0] != id || kinds[0] != how.Kind || id < floor {
				t.Fatalf("draw %d at %d: %d (%v, %v), in a batch %d (%v), floor %d; the plain code gives %d",
					i, ms, id, how.Kind, err, ids[0], kinds[0], floor, plainID)
			}
			if (id&^countMask != floor) && how.Kind == generator.Drawn {
				t.Fatalf("%d says another second than its floor %d, and is %v", id, floor, how.Kind)
			}
		}
	})
}
