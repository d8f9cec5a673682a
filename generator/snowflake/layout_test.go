package snowflake

import (
	"math"
	"testing"
	"time"

	"pgregory.net/rapid"
)

// nowMs is a moment like any other.
const nowMs int64 = 1_757_901_600_000

// The epoch is the published one, 2010-11-04 01:42:54.657 UTC, and 41 bits of ms after it
// end 2080-07-10 17:30:30.208.
func TestLayoutKnown(t *testing.T) {
	var l Layout
	if l.OwnerMs(0) != time.Date(2010, 11, 4, 1, 42, 54, 657e6, time.UTC).UnixMilli() {
		t.Errorf("0 is of %d", l.OwnerMs(0))
	}
	if want := time.Date(2080, 7, 10, 17, 30, 30, 208e6, time.UTC).UnixMilli(); l.OwnerMs(math.MaxInt64) != want {
		t.Errorf("the last id is of %d, want %d", l.OwnerMs(math.MaxInt64), want)
	}
	if got := l.Decode(-1); got != (Fields{EpochMs - 1, 1023, 4095}) {
		t.Errorf("-1 is %+v", got)
	}
	id, err := l.Encode(nowMs, 1, 2)
	if err != nil || id != (nowMs-1288834974657)*4194304+4096+2 || l.Name() != "snowflake" {
		t.Errorf("%d, %v", id, err)
	}
	for _, ms := range []int64{math.MinInt64, math.MaxInt64, EpochMs + 1<<41, EpochMs - 1<<41 - 1} {
		if _, err := l.Encode(ms, 0, 0); err == nil {
			t.Errorf("%d has room", ms)
		}
	}
}

func TestDigits(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		ids := rapid.SliceOf(rapid.Int64()).Draw(t, "ids")
		var l Layout
		owner, nodes, alone := make([]int64, len(ids)), make([]int64, len(ids)), make([]int64, len(ids))
		l.Digits(ids, owner, nodes)
		l.Digits(ids, alone, nil)
		for i, id := range ids {
			f := l.Decode(id)
			back, err := l.Encode(f.OwnerMs, f.Worker, f.Seq)
			if owner[i] != f.OwnerMs || alone[i] != f.OwnerMs || nodes[i] != f.Worker || err != nil || back != id {
				t.Fatalf("%d: %d, %d, %+v, and back %d, %v", id, owner[i], nodes[i], f, back, err)
			}
		}
	})
}

// The bound of a worker's ids holds for any worker and number.
func TestFloorOf(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		now := rapid.Int64().Draw(t, "now")
		if rapid.Bool().Draw(t, "near") {
			now = EpochMs + rapid.Int64Range(-5, 5).Draw(t, "ms")
		}
		later := now + rapid.Int64Range(0, min(math.MaxInt64-max(now, 0), 1e7)).Draw(t, "later")
		worker := int64(rapid.Int32().Draw(t, "worker"))
		seq := rapid.Int64Range(0, 1<<20).Draw(t, "seq")
		id, err := Layout{}.Encode(later, worker, seq)
		if floor := floorOf(now, worker); err == nil && id < floor {
			t.Fatalf("%d is below %d", id, floor)
		}
	})
}
