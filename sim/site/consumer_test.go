package site

import (
	"errors"
	"math"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"twindrift/sim/delay"
	"twindrift/sim/luck"
)

// MODEL 3: the earliest arrival goes first and starts when a worker is free.
func TestFirstComeFirstServed(t *testing.T) {
	c := capture{{0, 1, 2}, {1, 3}}
	t.Run("one worker", func(t *testing.T) {
		s := New(oneConsumer(c, ConsumerConfig{Workers: 1, Service: dist("10ms")}), c.plan())
		expect(t, run(t, s, c)[0], drawAt{0, 0, 0}, drawAt{0, 1, 10}, drawAt{1, 0, 20}, drawAt{0, 2, 30}, drawAt{1, 1, 40})
		if got := s.Consumers[0]; got.Consumed != 5 || got.MaxWaitNs != 37e6 {
			t.Errorf("consumed %d, longest wait %d ns; want 5 and 37 ms", got.Consumed, got.MaxWaitNs)
		}
	})
	t.Run("two workers", func(t *testing.T) {
		s := New(oneConsumer(c, ConsumerConfig{Workers: 2, Service: dist("10ms")}), c.plan())
		expect(t, run(t, s, c)[0], drawAt{0, 0, 0}, drawAt{0, 1, 1}, drawAt{1, 0, 10}, drawAt{0, 2, 11}, drawAt{1, 1, 20})
	})
	t.Run("more workers than messages", func(t *testing.T) {
		s := New(oneConsumer(c, ConsumerConfig{Workers: 100, Service: dist("10ms")}), c.plan())
		expect(t, run(t, s, c)[0], drawAt{0, 0, 0}, drawAt{0, 1, 1}, drawAt{1, 0, 1}, drawAt{0, 2, 2}, drawAt{1, 1, 3})
	})
}

// MODEL 3, parallel: partitions: one message of a partition at a time.
func TestPartitionsInParallel(t *testing.T) {
	c := capture{{0, 1, 2}, {1, 3}}
	for workers, want := range map[int][]drawAt{
		1: {{0, 0, 0}, {0, 1, 10}, {1, 0, 20}, {0, 2, 30}, {1, 1, 40}},
		2: {{0, 0, 0}, {1, 0, 1}, {0, 1, 10}, {1, 1, 11}, {0, 2, 20}},
		9: {{0, 0, 0}, {1, 0, 1}, {0, 1, 10}, {1, 1, 11}, {0, 2, 20}},
	} {
		s := New(oneConsumer(c, ConsumerConfig{Workers: workers, Parallel: Partitions, Service: dist("10ms")}), c.plan())
		expect(t, run(t, s, c)[0], want...)
	}
}

// MODEL 4: the id is drawn a handling delay after the start, and the worker is
// busy for the longer of the two.
func TestHandlingKeepsTheWorker(t *testing.T) {
	c := capture{{0, 0, 0}}
	s := New(oneConsumer(c, ConsumerConfig{Workers: 1, Service: dist("3ms"), Handling: dist("5ms")}), c.plan())
	expect(t, run(t, s, c)[0], drawAt{0, 0, 5}, drawAt{0, 1, 10}, drawAt{0, 2, 15})
	s = New(oneConsumer(c, ConsumerConfig{Workers: 1, Service: dist("7ms"), Handling: dist("5ms")}), c.plan())
	expect(t, run(t, s, c)[0], drawAt{0, 0, 5}, drawAt{0, 1, 12}, drawAt{0, 2, 19})
}

// MODEL 4: with several workers draws can pass each other.
func TestDrawsPassEachOther(t *testing.T) {
	times := make([]int64, 100)
	for i := range times {
		times[i] = int64(i)
	}
	c := capture{times}
	s := New(oneConsumer(c, ConsumerConfig{Workers: 50, Handling: dist("uniform:0s,20ms")}), c.plan())
	draws := run(t, s, c, 30, 60)[0]
	stream := luck.New(1, "east", "t", 0)
	handling := dist("uniform:0s,20ms")
	passed := 0
	for i, d := range draws {
		if want := d.Offset*1e6 + handling.Sample(stream.Words(d.Offset, 0)[luck.Handling]); d.DrawNs != want {
			t.Errorf("offset %d is drawn at %d, want %d", d.Offset, d.DrawNs, want)
		}
		if i > 0 && d.Offset < draws[i-1].Offset {
			passed++
		}
	}
	if passed == 0 || len(draws) != 100 {
		t.Errorf("%d draws, %d of them passed by a later message", len(draws), passed)
	}
}

// MODEL 3 and 4: ties by topic, partition, offset.
func TestTies(t *testing.T) {
	c := capture{{5, 5}, {5, 5}, {5}}
	want := []drawAt{{0, 0, 5}, {0, 1, 5}, {1, 0, 5}, {1, 1, 5}, {2, 0, 5}}
	for _, parallel := range []Parallel{Messages, Partitions} {
		s := New(oneConsumer(c, ConsumerConfig{Workers: 2, Parallel: parallel}), c.plan())
		expect(t, run(t, s, c)[0], want...)
	}
	// Starts at one moment in the order of arrival, draws of it in the order of
	// partitions: 1/0 arrives first, but both wait for the first message.
	c = capture{{0, 3}, {2}}
	s := New(oneConsumer(c, ConsumerConfig{Workers: 2, Service: dist("empirical:0s/10ms")}), c.plan())
	draws := run(t, s, c)[0]
	for i := 1; i < len(draws); i++ {
		if draws[i].DrawNs == draws[i-1].DrawNs && draws[i].Partition < draws[i-1].Partition {
			t.Errorf("draws of one moment out of order: %v", draws)
		}
	}
}

// MODEL 2: a message arrives no earlier than the one before it in its
// partition.
func TestLinkKeepsOrder(t *testing.T) {
	c := capture{{0, 1, 2, 3, 4, 5, 6, 7, 8, 9}, {0, 0, 0, 100, 50, 101}}
	cfg := oneConsumer(c, ConsumerConfig{Workers: 1})
	cfg.Link = dist("uniform:0s,20ms")
	draws := run(t, New(cfg, c.plan()), c, 4, 60)[0]
	held := 0
	for p, times := range c {
		stream := luck.New(1, "east", "t", int32(p))
		previous, appended := int64(math.MinInt64), int64(math.MinInt64)
		for offset, ms := range times {
			appended = max(appended, ms)
			want := appended*1e6 + cfg.Link.Sample(stream.Words(int64(offset), 0)[luck.Link])
			if want < previous {
				held++
			}
			previous = max(previous, want)
			i := slices.IndexFunc(draws, func(d drawn) bool { return d.Partition == int32(p) && d.Offset == int64(offset) })
			if draws[i].ArrivalNs != previous || draws[i].DrawNs != previous {
				t.Errorf("%d@%d arrives at %d and draws at %d, want %d", p, offset, draws[i].ArrivalNs, draws[i].DrawNs, previous)
			}
		}
	}
	if held == 0 {
		t.Error("no message was held back by the one before it: the test shows nothing")
	}
}

func TestLinkOfATopic(t *testing.T) {
	c := capture{{0}}
	cfg := oneConsumer(c, ConsumerConfig{Workers: 1})
	cfg.Link = dist("5ms")
	expect(t, run(t, New(cfg, c.plan()), c)[0], drawAt{0, 0, 5})
	cfg.LinkTopics = map[string]delay.Dist{"t": dist("7ms")}
	expect(t, run(t, New(cfg, c.plan()), c)[0], drawAt{0, 0, 7})
}

// Epochs of any size give the same draws, and what a consumer says of the draws
// to come holds. Times and delays are such that much falls on one moment.
func TestEpochsChangeNothing(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		var c capture
		for range rapid.IntRange(1, 4).Draw(t, "partitions") {
			c = append(c, rapid.SliceOfN(rapid.Int64Range(0, 12), 1, 20).Draw(t, "times"))
		}
		delays := func(name string) delay.Dist {
			return dist(rapid.SampledFrom([]string{"0s", "0s", "1ms", "empirical:0s/0s/3ms", "empirical:0s/1ms/2ms", "uniform:0s,9ms"}).Draw(t, name))
		}
		cfg := Config{Name: "east", Filter: Filter{Keep: 1}, Link: delays("link")}
		cfg.Consumers = make([]ConsumerConfig, rapid.IntRange(1, 2).Draw(t, "consumers"))
		for i := range cfg.Consumers {
			cfg.Consumers[i] = ConsumerConfig{
				Workers:  rapid.IntRange(1, 4).Draw(t, "workers"),
				Parallel: rapid.SampledFrom([]Parallel{Messages, Partitions}).Draw(t, "parallel"),
				Service:  delays("service"), Handling: delays("handling"),
			}
		}
		for p := range c {
			own := &cfg.Consumers[p%len(cfg.Consumers)]
			own.Partitions = append(own.Partitions, p)
		}
		everyMs := []int64{1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13}
		for seed := range uint64(8) {
			cfg.Seed = seed
			whole := run(t, New(cfg, c.plan()), c)
			checkEpochs(t, cfg, c, whole, everyMs[seed:]...)
			checkEpochs(t, cfg, c, whole, everyMs[seed])
		}
	})
}

// checkEpochs replays a capture cut into epochs, of which whole are the draws.
func checkEpochs(t *rapid.T, cfg Config, c capture, whole [][]drawn, cuts ...int64) {
	s := New(cfg, c.plan())
	draws := make([]Draws, len(s.Consumers))
	done := make([]int, len(s.Consumers))
	for e, rows := range c.epochs(cuts...) {
		next := append(cuts, math.MaxInt64)[e]
		if err := s.Advance(rows, next, draws); err != nil {
			t.Fatal(err)
		}
		for i, consumer := range s.Consumers {
			got, rest := draws[i].list(), whole[i][done[i]:]
			if len(got) > len(rest) || !slices.Equal(got, rest[:len(got)]) {
				t.Fatalf("seed %d, cuts %d, consumer %d, epoch %d: draws\n%v, want the next of\n%v", cfg.Seed, cuts, i, e, got, rest)
			}
			done[i] += len(got)
			for _, d := range rest[len(got):] {
				if d.Now < consumer.NextNowMs() || d.EventMs < consumer.MinEventMs() {
					t.Fatalf("seed %d, cuts %d, consumer %d, epoch %d: next clock %d, earliest event %d, and yet %+v is to come",
						cfg.Seed, cuts, i, e, consumer.NextNowMs(), consumer.MinEventMs(), d)
				}
			}
		}
	}
	for i, consumer := range s.Consumers {
		if done[i] != len(whole[i]) || consumer.MinEventMs() != math.MaxInt64 || consumer.NextNowMs() != math.MaxInt64 {
			t.Fatalf("consumer %d has drawn %d of %d at the end", i, done[i], len(whole[i]))
		}
	}
}

// A consumer does not hold back what can no longer be overtaken.
func TestDrawsAsSoonAsPossible(t *testing.T) {
	c := capture{{0, 10, 20, 30}, {0, 10, 20, 30}}
	s := New(oneConsumer(c, ConsumerConfig{Workers: 1}), c.plan())
	draws := make([]Draws, 1)
	for e, want := range []int{4, 2, 2} {
		if err := s.Advance(c.epochs(20, 30)[e], []int64{20, 30, math.MaxInt64}[e], draws); err != nil {
			t.Fatal(err)
		}
		if draws[0].Len() != want {
			t.Errorf("epoch %d: %d draws, want %d", e, draws[0].Len(), want)
		}
	}
}

// Work that never ends is an error, not a clock that starts anew.
func TestVirtualTimeEnds(t *testing.T) {
	times := make([]int64, 4000)
	for _, parallel := range []Parallel{Messages, Partitions} {
		c := capture{times, times}
		s := New(oneConsumer(c, ConsumerConfig{Node: 7, Workers: 2, Parallel: parallel, Service: dist("720h"), Handling: dist("uniform:0s,720h")}), c.plan())
		err := s.Advance(c.epochs()[0], math.MaxInt64, make([]Draws, 1))
		if !errors.Is(err, ErrTooLong) || !strings.Contains(err.Error(), "site east, node 7") {
			t.Errorf("parallel %d: error %v", parallel, err)
		}
	}
}

func TestFilter(t *testing.T) {
	c := capture{{0, 1, 2, 3, 4, 5}, {0, 1, 2, 3, 4, 5}} // key hash and size of a value are the offset
	any := Drop{Partition: AnyPartition, LargerThan: AnySize}
	with := func(change func(*Drop)) []Drop { d := any; change(&d); return []Drop{d} }
	for name, test := range map[string]struct {
		filter Filter
		want   string // by partition and offset: F is filtered
	}{
		"nothing":           {Filter{Keep: 1}, "......|......"},
		"all by luck":       {Filter{Keep: 0}, "FFFFFF|FFFFFF"},
		"a partition":       {Filter{Keep: 1, Drop: with(func(d *Drop) { d.Partition = 1 })}, "......|FFFFFF"},
		"a topic":           {Filter{Keep: 1, Drop: with(func(d *Drop) { d.Topic = "t" })}, "FFFFFF|FFFFFF"},
		"another topic":     {Filter{Keep: 1, Drop: with(func(d *Drop) { d.Topic = "u" })}, "......|......"},
		"keys":              {Filter{Keep: 1, Drop: with(func(d *Drop) { d.KeyMod, d.KeyRest = 3, 2 })}, "..F..F|..F..F"},
		"sizes":             {Filter{Keep: 1, Drop: with(func(d *Drop) { d.LargerThan = 3 })}, "....FF|....FF"},
		"keys and sizes":    {Filter{Keep: 1, Drop: with(func(d *Drop) { d.KeyMod, d.KeyRest, d.LargerThan = 3, 2, 3 })}, ".....F|.....F"},
		"either of two":     {Filter{Keep: 1, Drop: append(with(func(d *Drop) { d.LargerThan = 4 }), with(func(d *Drop) { d.KeyMod, d.Partition = 9, 0 })...)}, "F....F|.....F"},
		"half, and not one": {Filter{Keep: 0.5, Drop: with(func(d *Drop) { d.Partition = 0 })}, "FFFFFF|" + halfKept()},
	} {
		cfg := oneConsumer(c, ConsumerConfig{Workers: 1})
		cfg.Filter = test.filter
		got := []byte("......|......")
		for _, d := range run(t, New(cfg, c.plan()), c)[0] {
			if d.State == Filtered {
				got[int(d.Partition)*7+int(d.Offset)] = 'F'
			}
		}
		if string(got) != test.want {
			t.Errorf("%s: %s, want %s", name, got, test.want)
		}
	}
}

// halfKept is what luck keeps of partition 1 at a ratio of a half: where the
// filter's word has its highest bit clear. It is the same for every site.
func halfKept() string {
	got := []byte("......")
	stream := luck.New(1, "west", "t", 1)
	for i := range got {
		if stream.Words(int64(i), 0)[luck.Filter]>>63 == 1 {
			got[i] = 'F'
		}
	}
	return string(got)
}

func TestStoreOff(t *testing.T) {
	c := capture{{0, 1}}
	cfg := oneConsumer(c, ConsumerConfig{Workers: 1})
	cfg.StoreOff = map[string]bool{"t": true}
	for _, d := range run(t, New(cfg, c.plan()), c)[0] {
		if d.State != StoreOff {
			t.Errorf("%+v is stored", d)
		}
	}
}

// Rows left out by the policy for messages without timestamp are nobody's.
func TestAbsentRows(t *testing.T) {
	c := capture{{0, 1, 2}}
	rows := c.epochs()[0]
	rows[0].Absent = []bool{false, true, false}
	s := New(oneConsumer(c, ConsumerConfig{Workers: 1}), c.plan())
	draws := make([]Draws, 1)
	if err := s.Advance(rows, math.MaxInt64, draws); err != nil {
		t.Fatal(err)
	}
	expect(t, draws[0].list(), drawAt{0, 0, 0}, drawAt{0, 2, 2})
	if s.Consumers[0].Consumed != 2 || s.Consumers[0].MinEventMs() != math.MaxInt64 {
		t.Errorf("consumed %d, events from %d to come", s.Consumers[0].Consumed, s.Consumers[0].MinEventMs())
	}
}
