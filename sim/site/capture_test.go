package site

import (
	"context"
	"math"
	"slices"
	"testing"

	"twindrift/replay"
	"twindrift/sim/delay"
)

// capture is a small capture for tests: the timestamps of each partition's
// messages, in offset order. All partitions are of topic "t".
type capture [][]int64

func (c capture) plan() *replay.Plan {
	m := &replay.Memory{BlockRows: 3}
	for number, times := range c {
		b := &replay.Batch{}
		for i, ms := range times {
			b.Offset = append(b.Offset, int64(i))
			b.TimestampMs = append(b.TimestampMs, ms)
			b.TimestampType = append(b.TimestampType, replay.TimestampCreate)
		}
		m.Partition("t", int32(number), b)
	}
	plan, err := m.Plan(context.Background(), nil)
	if err != nil {
		panic(err)
	}
	return plan
}

// epochs cuts a capture at append times, ascending.
func (c capture) epochs(cuts ...int64) [][]Rows {
	out := make([][]Rows, len(cuts)+1)
	for e := range out {
		out[e] = make([]Rows, len(c))
	}
	for p, times := range c {
		appendMs, e := int64(math.MinInt64), 0
		for i, ms := range times {
			appendMs = max(appendMs, ms)
			for e < len(cuts) && appendMs >= cuts[e] {
				e++
				out[e][p].First = int64(i)
			}
			r := &out[e][p]
			if r.Len() == 0 {
				r.First = int64(i)
			}
			r.Offset, r.EventMs, r.AppendMs = append(r.Offset, int64(i)), append(r.EventMs, ms), append(r.AppendMs, appendMs)
			r.KeyHash, r.ValueLen = append(r.KeyHash, uint64(i)), append(r.ValueLen, int32(i))
		}
	}
	return out
}

// drawn is one delivery.
type drawn struct {
	Partition                               int32
	Offset, EventMs, ArrivalNs, DrawNs, Now int64
	State                                   State
}

func (d *Draws) list() []drawn {
	var out []drawn
	for i := range d.Offset {
		out = append(out, drawn{d.Partition[i], d.Offset[i], d.EventMs[i], d.ArrivalNs[i], d.DrawNs[i], d.NowMs[i], d.State[i]})
	}
	return out
}

// failer is a testing.TB or a rapid.T.
type failer interface {
	Helper()
	Fatal(...any)
}

// run replays a capture, cut into epochs, through a site and gives each
// consumer's draws, epoch after epoch.
func run(t failer, s *Site, c capture, cuts ...int64) [][]drawn {
	t.Helper()
	all := make([][]drawn, len(s.Consumers))
	draws := make([]Draws, len(s.Consumers))
	for e, rows := range c.epochs(cuts...) {
		next := int64(math.MaxInt64)
		if e < len(cuts) {
			next = cuts[e]
		}
		if err := s.Advance(rows, next, draws); err != nil {
			t.Fatal(err)
		}
		for i := range draws {
			all[i] = append(all[i], draws[i].list()...)
		}
	}
	return all
}

func dist(text string) delay.Dist {
	d, err := delay.Parse(text)
	if err != nil {
		panic(err)
	}
	return d
}

// oneConsumer is a site whose one consumer takes every partition of a capture.
func oneConsumer(c capture, cc ConsumerConfig) Config {
	for p := range c {
		cc.Partitions = append(cc.Partitions, p)
	}
	return Config{Name: "east", Seed: 1, Filter: Filter{Keep: 1}, Consumers: []ConsumerConfig{cc}}
}

// drawAt is a draw in short.
type drawAt struct {
	Partition, Offset int
	DrawMs            float64
}

func timesOf(draws []drawn) []drawAt {
	var out []drawAt
	for _, d := range draws {
		out = append(out, drawAt{int(d.Partition), int(d.Offset), float64(d.DrawNs) / 1e6})
	}
	return out
}

func expect(t *testing.T, got []drawn, want ...drawAt) {
	t.Helper()
	if times := timesOf(got); !slices.Equal(times, want) {
		t.Errorf("draws (partition, offset, ms):\n got %v\nwant %v", times, want)
	}
}
