package secondslot

import (
	"math"
	"testing"

	"pgregory.net/rapid"

	"twindrift/generator"
)

// oracle is GENERATORS 1, steps 1 to 11, word for word, for one goroutine: a
// slot is three numbers, and nothing is done for speed.
type oracle struct {
	cfg   Config
	slots map[int64]oracleSlot
}

type oracleSlot struct{ day, jump, next int64 }

func (o *oracle) DrawNode(node int32, eventMs int64) (id int64, how generator.Outcome) {
	s := (eventMs + o.cfg.UTCOffsetMs) / 1000 // 1
	day, d := s/86400, s%86400
	compose := func(offset, seq int64) int64 {
		return (s+offset)*10_000_000 + int64(node)*1_000_000 + seq*int64(o.cfg.Step) + 621_355_968_000_000_000
	}
	k, hops := d, 0
	for {
		slot := o.slots[k] // 2
		w, j, n := slot.day, slot.jump, slot.next
		if w > day { // 3
			return compose(0, 0), generator.Outcome{Kind: generator.StaleDay, Hops: int32(hops)}
		}
		switch {
		case w < day: // 4
			o.slots[k] = oracleSlot{day, 0, 1}
			j, n = 0, 0
		case j == 0 && n < int64(o.cfg.PerSecond): // 5
			o.slots[k] = oracleSlot{day, 0, n + 1}
		case j == 0: // 6
			o.slots[k] = oracleSlot{day, k + 1, n}
			j = k + 1
		} // 7: nothing to write; 8: nobody else writes
		kind := generator.Drawn
		if j > 0 { // 9
			k = j
			kind = generator.DayEnd
			if k < 86400 {
				hops++
				if hops-1 < o.cfg.JumpLimit {
					continue
				}
				kind = generator.JumpLimit
			}
		}
		if offset := k - d; hops > 2 && offset > 1 && o.slots[d].jump < k { // 10
			o.slots[d] = oracleSlot{day, k, int64(o.cfg.PerSecond)}
		}
		return compose(k-d, n), generator.Outcome{Kind: kind, Hops: int32(hops)} // 11
	}
}

func (o *oracle) Reset() { o.slots = map[int64]oracleSlot{} }

// smallConfig has seconds that are full soon, and a jump limit that is reached.
func smallConfig(t *rapid.T) Config {
	cfg := DefaultConfig()
	cfg.Node = rapid.IntRange(-3, 12).Draw(t, "node")
	cfg.PerSecond = rapid.IntRange(1, 3).Draw(t, "ids a second")
	cfg.JumpLimit = rapid.IntRange(0, 6).Draw(t, "jump limit")
	cfg.UTCOffsetMs = rapid.SampledFrom([]int64{DefaultUTCOffsetMs, 0, -5 * 3_600_000, 20_700_000}).Draw(t, "UTC offset")
	return cfg
}

// eventTimes are in the last seconds of a local day and the first of the next,
// on two days.
func eventTimes(cfg Config) *rapid.Generator[int64] {
	return rapid.Custom(func(t *rapid.T) int64 {
		day := rapid.Int64Range(20_000, 20_001).Draw(t, "day")
		second := rapid.Int64Range(86_400-9, 86_400).Draw(t, "second")
		return (day*86_400+second)*1000 - cfg.UTCOffsetMs + rapid.Int64Range(0, 999).Draw(t, "ms")
	})
}

// Both forms do what the eleven steps say, on seconds that are full, past
// midnight, and of two days at once.
func TestBothFormsFollowTheSteps(t *testing.T) {
	single, many := newSingle(t, 0), newConcurrent(t, 0)
	kinds := map[generator.Kind]int{}
	rapid.Check(t, func(t *rapid.T) {
		cfg := smallConfig(t)
		f, err := newFormula(cfg)
		if err != nil {
			t.Fatal(err)
		}
		single.formula, many.formula = f, f
		single.Reset()
		many.Reset()
		o := &oracle{cfg: cfg}
		o.Reset()
		for i, ms := range rapid.SliceOfN(eventTimes(cfg), 20, 100).Draw(t, "events") {
			want, wantHow := o.DrawNode(int32(cfg.Node), ms)
			kinds[wantHow.Kind]++
			for form, g := range map[string]generator.Generator{"single": single, "concurrent": many} {
				id, how, err := g.Draw(ms, 0)
				if err != nil || id != want || how != wantHow {
					t.Fatalf("%s, event %d (%d): id %d %v %v, the steps give %d %v", form, i, ms, id, how, err, want, wantHow)
				}
			}
		}
	})
	if len(kinds) != 4 {
		t.Errorf("not every kind of outcome came about: %v", kinds)
	}
}

// One batch gives what single draws give.
func TestDrawBatchIsManyDraws(t *testing.T) {
	one, all := newSingle(t, 0), newSingle(t, 0)
	rapid.Check(t, func(t *rapid.T) {
		f, err := newFormula(smallConfig(t))
		if err != nil {
			t.Fatal(err)
		}
		one.formula, all.formula = f, f
		one.Reset()
		all.Reset()
		ms := rapid.SliceOfN(eventTimes(DefaultConfig()), 20, 100).Draw(t, "events")
		ids, kinds, hops := make([]int64, len(ms)), make([]generator.Kind, len(ms)), make([]int32, len(ms))
		if err := all.DrawBatch(generator.Calls{EventMs: ms}, ids, kinds, hops); err != nil {
			t.Fatal(err)
		}
		for i := range ms {
			id, how, err := one.Draw(ms[i], 0)
			if err != nil || ids[i] != id || kinds[i] != how.Kind || hops[i] != how.Hops {
				t.Fatalf("event %d: batch %d %v %d, draw %d %v %v", i, ids[i], kinds[i], hops[i], id, how, err)
			}
		}
	})
}

// No id lies below Floor of its own or an earlier event time, whatever the
// node, and whatever went wrong.
func TestFloorIsBelowEveryId(t *testing.T) {
	single, many := newSingle(t, 0), newConcurrent(t, 0)
	rapid.Check(t, func(t *rapid.T) {
		cfg := smallConfig(t)
		cfg.Node = rapid.OneOf(rapid.IntRange(-12, 12), rapid.IntRange(math.MinInt32, math.MaxInt32)).Draw(t, "any node")
		f, err := newFormula(cfg)
		if err != nil {
			t.Fatal(err)
		}
		single.formula, many.formula = f, f
		single.Reset()
		many.Reset()
		times := rapid.OneOf(eventTimes(cfg), rapid.Int64())
		from := times.Draw(t, "floor of")
		floor := single.Floor(from, 0)
		for _, ms := range rapid.SliceOfN(times, 1, 60).Draw(t, "events") {
			for _, g := range []generator.Generator{single, many} {
				own := g.Floor(ms, 0)
				id, _, err := g.Draw(ms, 0)
				if err == nil && (id < own || ms >= from && id < floor) {
					t.Fatalf("id %d of %d is below its floor %d, or below %d, the floor of %d", id, ms, own, floor, from)
				}
			}
			if next := single.Floor(max(from, ms), 0); next < floor {
				t.Fatalf("the floor falls from %d to %d as time goes on", floor, next)
			}
		}
	})
}
