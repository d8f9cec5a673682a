package redisstreams

import (
	"errors"
	"math"
	"slices"
	"strings"
	"testing"

	"twindrift/generator"
	"twindrift/generator/redis"
)

const msNs = 1_000_000

// process is a new one on a server.
func process(t testing.TB, s *redis.Server, strategy Strategy, change func(*Config)) *Generator {
	t.Helper()
	cfg := Config{Server: s, Strategy: strategy}
	if change != nil {
		change(&cfg)
	}
	g, err := New(cfg)
	if err != nil {
		t.Fatal(err)
	}
	return g
}

func retried(c *Config) { c.Retry = true }

// row is a draw, and the entry that comes of it, or the refusal.
type row struct {
	eventMs   int64
	partition int32
	want      string
}

// drawn draws with the clock at 5000 ms, all in one batch.
func drawn(t testing.TB, g *Generator, rows ...row) {
	t.Helper()
	var c generator.Calls
	for i, r := range rows {
		c.EventMs = append(c.EventMs, r.eventMs)
		c.NowMs = append(c.NowMs, 5000)
		c.AtNs = append(c.AtNs, int64(i))
		c.Partition = append(c.Partition, r.partition)
	}
	ids, kinds, hops := make([]int64, c.Len()), make([]generator.Kind, c.Len()), make([]int32, c.Len())
	if err := g.DrawBatch(c, ids, kinds, hops); err != nil {
		t.Fatal(err)
	}
	for i, r := range rows {
		got := Layout{}.Text(ids[i])
		if kinds[i] != generator.Drawn {
			got = strings.TrimPrefix(got+" "+kinds[i].String(), "0-0 ")
		}
		if got != r.want || hops[i] != 0 {
			t.Fatalf("row %d, event %d of partition %d: %s, want %s", i, r.eventMs, r.partition, got, r.want)
		}
	}
}

func costs(t testing.TB, g *Generator, want generator.Costs) {
	t.Helper()
	got := g.Costs()
	if got.RoundTrips != want.RoundTrips || got.Rejected != want.Rejected || got.Pinned != want.Pinned || got.MaxPinMs != want.MaxPinMs || got.Keys != want.Keys {
		t.Fatalf("costs %+v, want %+v", got, want)
	}
}

const refused = "equal-or-smaller"

// GENERATORS, section 4, each strategy.

func TestAuto(t *testing.T) {
	s := redis.New(redis.Config{RoundTripNs: 7 * msNs})
	g := process(t, s, Auto, nil)
	drawn(t, g, row{1000, 0, "5003-0"}, row{9000, 1, "5003-1"}, row{-1, 0, "5003-2"}) // half a round trip later
	costs(t, g, generator.Costs{RoundTrips: 3, Keys: 1})
	// A clock that falls back goes on from the top.
	id, how, err := g.Draw(0, 4000)
	if err != nil || (Layout{}).Text(id) != "5003-3" || how.Kind != generator.Drawn {
		t.Fatal(id, how, err)
	}
	costs(t, g, generator.Costs{RoundTrips: 4, Keys: 1, Pinned: 1, MaxPinMs: 1000})
}

func TestEvent(t *testing.T) {
	rows := []row{{1000, 0, "1000-0"}, {1000, 1, "1000-1"}, {1002, 0, "1002-0"}, {1001, 0, refused}, {1002, 0, refused}, {1002, 0, "1002-1"}, {1003, 0, "1003-0"}}
	g := process(t, redis.New(redis.Config{}), Event, nil)
	drawn(t, g, rows...)
	costs(t, g, generator.Costs{RoundTrips: 7, Rejected: 2, Keys: 1})

	g = process(t, redis.New(redis.Config{}), Event, retried)
	rows[3].want, rows[4].want, rows[5].want = "1002-1", "1002-2", "1002-3" // counted on from the retry
	drawn(t, g, rows...)
	costs(t, g, generator.Costs{RoundTrips: 9, Rejected: 1, Keys: 1, Pinned: 1, MaxPinMs: 1})
}

// 0-0 is no entry's id.
func TestEventAtZero(t *testing.T) {
	drawn(t, process(t, redis.New(redis.Config{}), Event, nil), row{0, 0, refused}, row{0, 0, "0-1"})
	drawn(t, process(t, redis.New(redis.Config{}), Event, retried), row{0, 0, "0-1"}, row{0, 0, "0-2"})
	drawn(t, process(t, redis.New(redis.Config{}), Monotonic, nil), row{0, 0, "0-1"}, row{0, 0, "0-2"})
}

// 2500 events of one ms end at 1002-499, 2 ms later.
func TestMonotonicBorrows(t *testing.T) {
	g := process(t, redis.New(redis.Config{}), Monotonic, nil)
	var id int64
	for i := range 2500 {
		var err error
		if id, _, err = g.Draw(1000, 5000); err != nil {
			t.Fatal(i, err)
		}
	}
	if got := (Layout{}).Text(id); got != "1002-499" {
		t.Errorf("the last of 2500: %s, want 1002-499", got)
	}
	costs(t, g, generator.Costs{RoundTrips: 2501, Keys: 1, Pinned: 1500, MaxPinMs: 2})

	g = process(t, redis.New(redis.Config{}), Monotonic, func(c *Config) { c.MaxSeq = 1 })
	drawn(t, g, row{7, 0, "7-0"}, row{7, 0, "7-1"}, row{7, 0, "8-0"}, row{8, 0, "8-1"}, row{9, 0, "9-0"})
}

// One event far in the future pins all that come after it.
func TestMonotonicPin(t *testing.T) {
	g := process(t, redis.New(redis.Config{}), Monotonic, nil)
	drawn(t, g, row{1_000_000, 0, "1000000-0"}, row{2000, 0, "1000000-1"}, row{2001, 0, "1000000-2"})
	costs(t, g, generator.Costs{RoundTrips: 4, Keys: 1, Pinned: 2, MaxPinMs: 998_000})
}

// A process that has lost its state asks for the last id first, and goes on above it; one
// that has it back does not.
func TestMonotonicRestart(t *testing.T) {
	s := redis.New(redis.Config{})
	g := process(t, s, Monotonic, nil)
	drawn(t, g, row{1000, 0, "1000-0"}, row{1000, 0, "1000-1"})
	saved := g.Snapshot()
	g.Reset()
	drawn(t, g, row{900, 0, "1000-2"})
	costs(t, g, generator.Costs{RoundTrips: 5, Keys: 1, Pinned: 1, MaxPinMs: 100})
	g.Restore(saved)
	drawn(t, g, row{900, 0, refused}) // 1000-2 once more
	g.Restore(nil)
	drawn(t, g, row{1001, 0, "1001-0"})
	costs(t, g, generator.Costs{RoundTrips: 8, Rejected: 1, Keys: 1, Pinned: 1, MaxPinMs: 100})
}

// In one ms, partition 0 after partition 1 is refused.
func TestPartitionCoded(t *testing.T) {
	rows := []row{{1000, 0, "1000-0"}, {1000, 1, "1000-1000"}, {1000, 0, refused}, {1000, 1, "1000-1001"}, {1001, 0, "1001-0"}, {1001, 2, "1001-2000"}}
	g := process(t, redis.New(redis.Config{}), PartitionCoded, nil)
	drawn(t, g, rows...)
	costs(t, g, generator.Costs{RoundTrips: 6, Rejected: 1, Keys: 1})

	g = process(t, redis.New(redis.Config{}), PartitionCoded, retried)
	rows[2].want, rows[3].want = "1000-1001", "1000-1002"
	drawn(t, g, rows...)
	costs(t, g, generator.Costs{RoundTrips: 10, Rejected: 2, Keys: 1})

	numbers := func(c *Config) { c.PartitionNumber = []int32{7, 3} }
	g = process(t, redis.New(redis.Config{}), PartitionCoded, numbers)
	drawn(t, g, row{1000, 1, "1000-3000"}, row{1000, 0, "1000-7000"})
	err := g.DrawBatch(generator.Calls{EventMs: []int64{1}, NowMs: []int64{1}, AtNs: []int64{1}, Partition: []int32{2}}, make([]int64, 1), make([]generator.Kind, 1), make([]int32, 1))
	if err == nil || err.Error() != "redis-streams: partition index 2 has no number: there are 2" {
		t.Error(err)
	}
}

// The thousandth message of a ms says the next partition.
func TestPartitionCodedSpills(t *testing.T) {
	g := process(t, redis.New(redis.Config{}), PartitionCoded, nil)
	for range 1000 {
		if _, how, err := g.Draw(1000, 5000); err != nil || how.Kind != generator.Drawn {
			t.Fatal(how, err)
		}
	}
	drawn(t, g, row{1000, 0, "1000-1000 sequence-spill"}, row{1000, 1, refused}, row{1000, 1, "1000-1001"})

	// Where the next partition was there first, there is a retry, as of any other number.
	g = process(t, redis.New(redis.Config{}), PartitionCoded, retried)
	for range 1000 {
		if _, _, err := g.Draw(1000, 5000); err != nil {
			t.Fatal(err)
		}
	}
	drawn(t, g, row{1000, 1, "1000-1000"}, row{1000, 0, "1000-1001"})
}

// Partitions do not get in each other's way, and their ids can be equal.
func TestSharded(t *testing.T) {
	rows := []row{{1000, 0, "1000-0"}, {1000, 1, "1000-0"}, {999, 2, "999-0"}, {1000, 0, "1000-1"}, {999, 1, refused}, {1000, 2, "1000-0"}}
	g := process(t, redis.New(redis.Config{}), Sharded, nil)
	drawn(t, g, rows...)
	costs(t, g, generator.Costs{RoundTrips: 6, Rejected: 1, Keys: 3})

	g = process(t, redis.New(redis.Config{}), Sharded, retried)
	rows[4].want = "1000-1"
	drawn(t, g, rows...)
	costs(t, g, generator.Costs{RoundTrips: 8, Rejected: 1, Keys: 3, Pinned: 1, MaxPinMs: 1})

	// None of these streams is the one that all partitions share.
	s := redis.New(redis.Config{})
	drawn(t, process(t, s, Sharded, nil), row{1000, 0, "1000-0"}, row{1000, 1, "1000-0"})
	drawn(t, process(t, s, Event, nil), row{1000, 0, "1000-0"})
}

// Two processes write to the stream of their site, not to that of another.
func TestTwoProcesses(t *testing.T) {
	s := redis.New(redis.Config{})
	one, two := process(t, s, Event, nil), process(t, s, Event, nil)
	other := process(t, s, Event, func(c *Config) { c.Site = 1 })
	drawn(t, one, row{1000, 0, "1000-0"})
	drawn(t, two, row{1000, 0, refused}, row{1000, 0, "1000-1"}, row{2000, 0, "2000-0"})
	drawn(t, one, row{1000, 0, refused}, row{2000, 0, refused}, row{2000, 0, "2000-1"})
	drawn(t, other, row{1000, 0, "1000-0"})

	one, two = process(t, s, Monotonic, nil), process(t, s, Monotonic, retried)
	drawn(t, one, row{1000, 0, "2000-2"})
	drawn(t, two, row{1000, 0, "2000-3"}, row{3000, 0, "3000-0"})
	drawn(t, one, row{1000, 0, refused}, row{3000, 0, refused}, row{3000, 0, "3000-1"})
	drawn(t, two, row{1000, 0, "3000-2"}) // after 3000-1 was refused
	costs(t, two, generator.Costs{RoundTrips: 6, Rejected: 1, Pinned: 2, MaxPinMs: 2000})
}

// A server that is down refuses; one that has lost entries gives their ids again.
func TestServerTrouble(t *testing.T) {
	s := redis.New(redis.Config{
		RoundTripNs: 2 * msNs,
		Outages:     []redis.Window{{FromNs: 11 * msNs, ToNs: 12 * msNs}},
		Failovers:   []redis.Failover{{AtNs: 13 * msNs, Lose: 2}},
	})
	draw := func(g *Generator, nowMs, eventMs int64, want string, kind generator.Kind) {
		t.Helper()
		id, how, err := g.Draw(eventMs, nowMs)
		var refusal *Refused
		if errors.As(err, &refusal) {
			how.Kind = refusal.Kind()
		}
		if got := (Layout{}).Text(id); got != want || how.Kind != kind {
			t.Fatalf("at %d ms: %s, %v, %v; want %s, %v", nowMs, got, how.Kind, err, want, kind)
		}
	}
	g := process(t, s, Monotonic, nil)
	draw(g, 10, 1, "0-0", generator.RedisDown) // arrives at 11 ms
	costs(t, g, generator.Costs{})
	event := process(t, s, Event, nil)
	draw(event, 10, 1, "0-0", generator.RedisDown)
	costs(t, event, generator.Costs{})
	draw(g, 11, 1, "1-0", generator.Drawn)
	costs(t, g, generator.Costs{RoundTrips: 2, Keys: 1})
	draw(g, 11, 2, "2-0", generator.Drawn)
	draw(g, 11, 2, "2-1", generator.Drawn)
	draw(g, 12, 2, "2-2", generator.Drawn) // the process remembers, so nothing is given again
	g.Reset()
	draw(g, 12, 2, "2-3", generator.Drawn)
	costs(t, g, generator.Costs{RoundTrips: 7, Keys: 1})
}

// What was written before a failover, and lost, is given a second time by a producer that
// counts by itself.
func TestGivenAgain(t *testing.T) {
	s := redis.New(redis.Config{Failovers: []redis.Failover{{AtNs: 10, Lose: 2}}})
	g := process(t, s, Event, nil)
	drawn(t, g, row{1000, 0, "1000-0"}, row{1001, 0, "1001-0"}, row{1001, 0, "1001-1"})
	if _, err := s.Top(10, g.stream(0)); err != nil {
		t.Fatal(err)
	}
	g.Reset()
	drawn(t, g, row{1001, 0, "1001-0 counter-back"}, row{1001, 0, "1001-1 counter-back"}, row{1001, 0, "1001-2"})
}

// Times that entry ids have no room for.
func TestTimes(t *testing.T) {
	for _, strategy := range Strategies() {
		g := process(t, redis.New(redis.Config{}), strategy, nil)
		for ms, kind := range map[int64]generator.Kind{
			-1: generator.TooEarly, -9e12: generator.TooEarly, 1 << 43: generator.TooLate, 9e12: generator.TooLate,
		} {
			id, _, err := g.Draw(ms, ms)
			var refusal generator.Refusal
			if id != 0 || !errors.As(err, &refusal) || refusal.Kind() != kind {
				t.Errorf("%s at %d: %d, %v; want %v", strategy, ms, id, err, kind)
			}
		}
		costs(t, g, generator.Costs{})
		if id, _, err := g.Draw(1<<43-1, 1<<43-1); err != nil || (Layout{}).Text(id) != "8796093022207-0" {
			t.Errorf("%s: the last ms: %d, %v", strategy, id, err)
		}
	}
	// What borrows past the last ms has no room either.
	g := process(t, redis.New(redis.Config{}), Monotonic, func(c *Config) { c.MaxSeq = 1 })
	drawn(t, g, row{1<<43 - 1, 0, "8796093022207-0"}, row{5, 0, "8796093022207-1"}, row{5, 0, "too-late"})
}

// Sequence numbers that no id has room for end the run.
func TestSequenceDoesNotFit(t *testing.T) {
	g := process(t, redis.New(redis.Config{}), PartitionCoded, func(c *Config) { c.PartitionNumber = []int32{1048, 1049} })
	drawn(t, g, row{1000, 0, "1000-1048000"})
	batch := generator.Calls{EventMs: []int64{1000}, NowMs: []int64{0}, AtNs: []int64{0}, Partition: []int32{1}}
	err := g.DrawBatch(batch, make([]int64, 1), make([]generator.Kind, 1), make([]int32, 1))
	var refusal generator.Refusal
	if err == nil || errors.As(err, &refusal) || !strings.HasPrefix(err.Error(), "redis-streams: entry 1000-1049000: the sequence number does not fit") {
		t.Error(err)
	}

	s := redis.New(redis.Config{})
	auto := process(t, s, Auto, nil)
	if _, err := s.Add(0, auto.stream(0), redis.EntryID{Ms: 1000, Seq: maxSeq}); err != nil {
		t.Fatal(err)
	}
	if _, _, err := auto.Draw(0, 1000); err == nil || errors.As(err, &refusal) {
		t.Error(err)
	}
	// A retry goes to the next ms instead.
	s = redis.New(redis.Config{})
	event := process(t, s, Event, retried)
	if _, err := s.Add(0, event.stream(0), redis.EntryID{Ms: 1000, Seq: maxSeq}); err != nil {
		t.Fatal(err)
	}
	drawn(t, event, row{1000, 0, "1001-0"})
}

func TestFloorSays(t *testing.T) {
	s := redis.New(redis.Config{})
	for _, strategy := range Strategies() {
		g := process(t, s, strategy, nil)
		for ms, want := range map[int64]int64{-1: 0, 0: 0, 1000: 1000 << 20, endMs - 1: (endMs - 1) << 20, endMs: math.MaxInt64} {
			eventMs, nowMs := ms, int64(77)
			if strategy == Auto {
				eventMs, nowMs = nowMs, eventMs
			}
			if got := g.Floor(eventMs, nowMs); got != want {
				t.Errorf("%s: the floor of %d is %d, want %d", strategy, ms, got, want)
			}
		}
	}
}

func TestRefusedSays(t *testing.T) {
	g := process(t, redis.New(redis.Config{}), Event, nil)
	drawn(t, g, row{1000, 0, "1000-0"})
	_, _, err := g.Draw(999, 5000)
	const want = "redis-streams: event at 999 ms, clock at 5000 ms: ERR The ID specified in XADD is equal or smaller than the target stream top item"
	if err == nil || err.Error() != want || !errors.Is(err, redis.ErrNotAbove) {
		t.Errorf("%v, want %s", err, want)
	}
}

func TestNewRefuses(t *testing.T) {
	s := redis.New(redis.Config{})
	for want, cfg := range map[string]Config{
		"no server":                  {Strategy: Auto},
		`no strategy is called ""`:   {Server: s},
		"no strategy is called":      {Server: s, Strategy: "sharted"},
		"last sequence number":       {Server: s, Strategy: Monotonic, MaxSeq: -1},
		"want 1 to 1048575":          {Server: s, Strategy: Monotonic, MaxSeq: 1 << 20},
		"partition index 1: number ": {Server: s, Strategy: PartitionCoded, PartitionNumber: []int32{0, -1}},
	} {
		if _, err := New(cfg); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%v, want %s", err, want)
		}
	}
	if got := Strategies(); !slices.Equal(got, []Strategy{"auto", "event", "monotonic", "partition-coded", "sharded"}) {
		t.Error(got)
	}
}
