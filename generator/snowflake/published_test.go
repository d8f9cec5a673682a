package snowflake

import (
	"errors"
	"fmt"
	"math"
	"slices"
	"testing"

	"twindrift/generator"
	"twindrift/generator/redis"
)

// drawn gives n ids at one clock.
func drawn(t testing.TB, g generator.Generator, nowMs int64, n int) (ids []int64, kinds []generator.Kind) {
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

// made makes a generator, or ends the test.
func made[G any](g G, err error) G {
	if err != nil {
		panic(err)
	}
	return g
}

func server(c redis.Config) *redis.Server { return redis.New(c) }

// id is by the formula of the page, with + where digits do not overlap.
func id(ms, worker, seq int64) int64 { return (ms-1_288_834_974_657)*4_194_304 + worker*4096 + seq }

// GENERATORS, section 3: calls that overlap give one id.
func TestOverlap(t *testing.T) {
	g := made(NewUnsynchronised(UnsynchronisedConfig{Worker: 5, Workers: 3, CallNs: 1000}))
	at := nowMs * 1e6
	c := generator.Calls{
		EventMs: make([]int64, 7),
		NowMs:   []int64{nowMs, nowMs, nowMs, nowMs, nowMs, nowMs, nowMs + 1},
		AtNs:    []int64{at, at + 500, at + 999, at + 999, at + 2500, at + 3499, at + 3499},
	}
	ids, kinds := make([]int64, 7), make([]generator.Kind, 7)
	if err := g.DrawBatch(c, ids, kinds, make([]int32, 7)); err != nil {
		t.Fatal(err)
	}
	const o, d = generator.Overlap, generator.Drawn
	// Three at once; the fourth comes when the first is done, at 1000. The sixth overlaps
	// with the fifth. So does the seventh, whose clock says the next ms.
	want := []int64{0, 0, 0, 1, 2, 2, 0}
	for i, seq := range want {
		if ids[i] != id(c.NowMs[i], 5, seq) || kinds[i] != []generator.Kind{d, o, o, d, d, o, o}[i] {
			t.Errorf("call %d: %+v (%v), want number %d", i, Layout{}.Decode(ids[i]), kinds[i], seq)
		}
	}
	one := made(NewUnsynchronised(UnsynchronisedConfig{Workers: 1, CallNs: 1000}))
	c.NowMs[6] = nowMs
	one.DrawBatch(c, ids, kinds, make([]int32, 7))
	if slices.Contains(kinds, o) || slices.Max(ids) != ids[6] || len(slices.Compact(ids)) != 7 {
		t.Errorf("one worker: %v, %v", ids, kinds)
	}
}

// A ms has 4096 numbers; the next call waits for the next ms.
func TestNextMs(t *testing.T) {
	g := made(NewUnsynchronised(UnsynchronisedConfig{Workers: 1, CallNs: 1}))
	ids, _ := drawn(t, g, nowMs, 4097)
	if ids[4095] != id(nowMs, 0, 4095) || ids[4096] != id(nowMs+1, 0, 0) {
		t.Errorf("%d and %d", ids[4095], ids[4096])
	}
	if _, _, err := g.Draw(0, nowMs-2); !errors.Is(err, ErrClockBack) {
		t.Errorf("error %v", err)
	}
}

// Workers past 10 bits run into the time: 1024 in an even ms is worker 0 of the next.
func TestWorkerRunsIntoTheTime(t *testing.T) {
	a := made(NewUnsynchronised(UnsynchronisedConfig{Worker: 1024, Workers: 1, CallNs: 1}))
	const even = EpochMs + 1000
	if ids, _ := drawn(t, a, even, 1); ids[0] != id(even+1, 0, 0) {
		t.Errorf("%+v", Layout{}.Decode(ids[0]))
	}
}

// GENERATORS, section 3, and research note C: the first call of a ms gives 0; the others
// take two round trips each.
func TestZeroID(t *testing.T) {
	g := made(NewLocked(LockedConfig{server(redis.Config{RoundTripNs: 100_000}), 7}))
	ids, kinds := drawn(t, g, nowMs, 3)
	more, moreKinds := drawn(t, g, nowMs+1, 1)
	want := []int64{0, id(nowMs, 7, 1), id(nowMs, 7, 2), 0}
	if got := append(ids, more...); !slices.Equal(got, want) {
		t.Errorf("%d, want %d", got, want)
	}
	if got := fmt.Sprint(append(kinds, moreKinds...)); got != "[zero-id drawn drawn zero-id]" {
		t.Error(got)
	}
	c := g.Costs()
	var waits []string
	for us, n := range c.Waits.All() {
		waits = append(waits, fmt.Sprint(us, "us ", n))
	}
	// The third starts when the second is done.
	if c.RoundTrips != 4 || fmt.Sprint(waits) != "[0us 3 200us 1]" {
		t.Errorf("%d round trips, waits %v", c.RoundTrips, waits)
	}
}

// The clock is read again with the lock: after a round trip of 3 ms the id says 3 ms more,
// and keeps its number.
func TestClockIsReadAgain(t *testing.T) {
	g := made(NewLocked(LockedConfig{server(redis.Config{RoundTripNs: 3_000_000}), 0}))
	ids, _ := drawn(t, g, nowMs, 2)
	if ids[1] != id(nowMs+3, 0, 1) {
		t.Errorf("%+v", Layout{}.Decode(ids[1]))
	}
}

// Two processes of one worker: the lock that one has makes the other sleep 1 ms and start
// again, in a new ms, which gives 0. Without overlap both give the same ids.
func TestOneWorkerTwice(t *testing.T) {
	s := server(redis.Config{RoundTripNs: 100_000})
	a, b := made(NewLocked(LockedConfig{s, 1})), made(NewLocked(LockedConfig{s, 1}))
	drawn(t, a, nowMs, 1)
	drawn(t, b, nowMs, 1)
	ids, _ := drawn(t, a, nowMs, 1)
	other, kinds := drawn(t, b, nowMs, 1)
	if ids[0] != id(nowMs, 1, 1) || other[0] != 0 || kinds[0] != generator.ZeroID || b.Costs().RoundTrips != 1 {
		t.Errorf("%d and %d (%v), %d round trips", ids[0], other[0], kinds[0], b.Costs().RoundTrips)
	}
	c := generator.Calls{EventMs: []int64{0, 0}, NowMs: []int64{nowMs + 2, nowMs + 2}, AtNs: []int64{(nowMs + 2) * 1e6, (nowMs+2)*1e6 + 1}}
	late := generator.Calls{EventMs: c.EventMs, NowMs: c.NowMs, AtNs: []int64{(nowMs+2)*1e6 + 400_000, (nowMs+2)*1e6 + 400_001}}
	x, y, k := make([]int64, 2), make([]int64, 2), make([]generator.Kind, 2)
	a.DrawBatch(c, x, k, make([]int32, 2))
	b.DrawBatch(late, y, k, make([]int32, 2))
	if x[1] != id(nowMs+2, 1, 1) || y[1] != x[1] {
		t.Errorf("%d and %d", x, y)
	}
}

// GENERATORS, section 3: the lock runs out under a slow holder, here by a round trip of
// 12 ms, and lets a second one in. (Its clock is 6 ms behind; locks are by the ms.)
func TestLockRunsOut(t *testing.T) {
	s := server(redis.Config{RoundTripNs: 12_000_000})
	a, b := made(NewLocked(LockedConfig{s, 1})), made(NewLocked(LockedConfig{s, 1}))
	ids, kinds := make([]int64, 2), make([]generator.Kind, 2)
	for i, laterMs := range []int64{4, 6} { // 4 ms later the lock is still there
		other, otherKinds := make([]int64, 2), make([]generator.Kind, 2)
		ms := nowMs + int64(i)*1000
		c := generator.Calls{EventMs: []int64{0, 0}, NowMs: []int64{ms, ms}, AtNs: []int64{ms * 1e6, ms * 1e6}}
		a.DrawBatch(c, ids, kinds, make([]int32, 2))
		c.AtNs = []int64{(ms + laterMs) * 1e6, (ms + laterMs) * 1e6}
		b.DrawBatch(c, other, otherKinds, make([]int32, 2))
		if want := []generator.Kind{generator.ZeroID, generator.Drawn}[i]; ids[1] != id(ms+12, 1, 1) || otherKinds[1] != want || i == 1 && other[1] != ids[1] {
			t.Errorf("%d ms later: %d and %d (%v)", laterMs, ids, other, otherKinds)
		}
	}
}

func TestLockedRefusals(t *testing.T) {
	down := made(NewLocked(LockedConfig{server(redis.Config{Outages: []redis.Window{{FromNs: 0, ToNs: math.MaxInt64}}}), 0}))
	drawn(t, down, nowMs, 1) // 0 needs no Redis
	_, _, err := down.Draw(0, nowMs)
	var refused generator.Refusal
	if !errors.Is(err, redis.ErrDown) || !errors.As(err, &refused) || refused.Kind() != generator.RedisDown {
		t.Errorf("error %v", err)
	}
	if _, _, err := down.Draw(0, nowMs-1); !errors.Is(err, ErrClockBack) {
		t.Errorf("error %v", err)
	}
}

// Research note C: ranges are (-1024,-1), (0,1023), (1024,2047); for size 8 the numbers
// after the first range are 0, 2..8, 10..16, 18.
func TestRanges(t *testing.T) {
	g := made(NewPreallocated(PreallocatedConfig{server(redis.Config{}), 0, 8}))
	ids, kinds := drawn(t, g, nowMs, 7+7+7+2)
	var got []int64
	for i, n := range ids {
		if kinds[i] == generator.Drawn {
			n -= id(nowMs, 0, 0)
		}
		got = append(got, n)
	}
	want := []int64{-8, -6, -5, -4, -3, -2, -1, 0, 2, 3, 4, 5, 6, 7, 8, 10, 11, 12, 13, 14, 15, 16, 18}
	if !slices.Equal(got, want) {
		t.Errorf("%d,\nwant %d", got, want)
	}
	g.Reset()
	if c := g.Costs(); c.RoundTrips != 4 || c.Keys != 1 || c.Wasted != 4+5 {
		t.Errorf("%+v, want 4 round trips, 1 key, and wasted 1 of each range and 5 of the last", c)
	}
	g = made(NewPreallocated(DefaultPreallocated(server(redis.Config{}))))
	ids, kinds = drawn(t, g, nowMs, 3*1023)
	for i, want := range map[int]int64{0: -1024, 1022: -1, 1023: id(nowMs, 0, 0), 2045: id(nowMs, 0, 1023), 2046: id(nowMs, 0, 1024), 3068: id(nowMs, 0, 2047)} {
		if ids[i] != want {
			t.Errorf("id %d: %d (%v), want %d", i, ids[i], kinds[i], want)
		}
	}
}

// Research note C: every worker in every second gives the ids -1024 to -1.
func TestNegativeRange(t *testing.T) {
	s := server(redis.Config{})
	a := made(NewPreallocated(PreallocatedConfig{s, 1, 1024}))
	b := made(NewPreallocated(PreallocatedConfig{s, 2, 1024}))
	x, kinds := drawn(t, a, nowMs, 1023)
	y, _ := drawn(t, b, nowMs+1000, 1023)
	if !slices.Equal(x, y) || x[0] != -1024 || x[1022] != -1 || kinds[5] != generator.NegativeRange || !slices.IsSorted(x) {
		t.Errorf("%d.. and %d.. (%v)", x[:3], y[:3], kinds[5])
	}
}

// Research note C: after 4096 in a second the numbers run into the worker. Worker 1's 4096
// is worker 1's 0, and worker 2's is worker 3's 0.
func TestSequenceSpill(t *testing.T) {
	for worker, same := range map[int64]int64{1: 1, 2: 3} {
		g := made(NewPreallocated(PreallocatedConfig{server(redis.Config{}), worker, 1024}))
		ids, kinds := drawn(t, g, nowMs, 5*1023+1)
		if last := len(ids) - 1; ids[last] != id(nowMs, same, 0) || kinds[last] != generator.SequenceSpill || kinds[last-1] != generator.Drawn {
			t.Errorf("worker %d: %+v (%v)", worker, Layout{}.Decode(ids[last]), kinds[last])
		}
	}
}

// A restart makes holes, not duplicates, and only while the key is there. A refill is
// waited for.
func TestRefillAndRestart(t *testing.T) {
	s := server(redis.Config{RoundTripNs: 2_000_000, Outages: []redis.Window{{FromNs: (nowMs + 500) * 1e6, ToNs: math.MaxInt64}}})
	g := made(NewPreallocated(PreallocatedConfig{s, 1, 8}))
	drawn(t, g, nowMs, 8)
	g.Reset()
	ids, _ := drawn(t, g, nowMs+10, 1)
	if ids[0] != id(nowMs+10, 1, 8) {
		t.Errorf("after the restart: %+v", Layout{}.Decode(ids[0]))
	}
	g.Reset()
	if _, _, err := g.Draw(0, nowMs+600); !errors.Is(err, redis.ErrDown) {
		t.Errorf("error %v", err)
	}
	waits := map[int64]int64{}
	costs := g.Costs()
	for us, n := range costs.Waits.All() {
		waits[us] += n
	}
	// All eight are asked for at once: the first waits 2 ms, those after it as well, and
	// the eighth waits for its own range on top.
	if fmt.Sprint(waits) != "map[2000:8 4000:1]" {
		t.Errorf("%v", waits)
	}
}
