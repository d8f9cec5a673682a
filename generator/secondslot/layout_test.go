package secondslot

import (
	"math"
	"math/big"
	"slices"
	"testing"
	"time"

	"pgregory.net/rapid"
)

func TestLayoutKnown(t *testing.T) {
	l := DefaultLayout()
	for _, c := range []struct {
		id   int64
		want Fields
	}{
		{tenOClockNode, Fields{SecondMs: tenOClockMs, OwnerMs: tenOClockMs + 100, Node: 1}},
		{tenOClockNode + 4999*200 + 7, Fields{SecondMs: tenOClockMs, OwnerMs: tenOClockMs + 199, Node: 1, Ticks: 999_807, Seq: 4999, Rest: 7}},
		{0, Fields{SecondMs: -62_135_596_800_000 - DefaultUTCOffsetMs, OwnerMs: -62_135_596_800_000 - DefaultUTCOffsetMs}},
		{-1, Fields{SecondMs: -62_135_596_801_000 - DefaultUTCOffsetMs, OwnerMs: -62_135_596_800_001 - DefaultUTCOffsetMs,
			Node: 9, Ticks: 999_999, Seq: 4999, Rest: 199}},
	} {
		if got := l.Decode(c.id); got != c.want {
			t.Errorf("%d: %+v, want %+v", c.id, got, c.want)
		}
	}
	if l.Name() != "second-slot" {
		t.Errorf("the layout is called %q", l.Name())
	}
}

// An id is a .NET tick value: ticks of 100 ns since 0001-01-01, local time.
func TestIdsAreTicksOfLocalTime(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		id := rapid.Int64Range(0, 3_155_378_975_999_999_999).Draw(t, "id")
		l := Layout{UTCOffsetMs: rapid.Int64Range(-maxUTCOffsetMs, maxUTCOffsetMs).Draw(t, "UTC offset"), Step: 200}
		owner := time.Date(1, 1, 1, 0, 0, 0, 0, time.UTC)
		owner = time.Unix(owner.Unix()+id/secondTicks, id%secondTicks*100)
		if got := l.OwnerMs(id); got != owner.UnixMilli()-l.UTCOffsetMs {
			t.Fatalf("owner time %d, want %d", got, owner.UnixMilli()-l.UTCOffsetMs)
		}
	})
}

// Digits is OwnerMs and Node of many.
func TestDigits(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		ids := rapid.SliceOf(rapid.Int64()).Draw(t, "ids")
		l := DefaultLayout()
		ownerMs, nodes := make([]int64, len(ids)), make([]int64, len(ids))
		alone := make([]int64, len(ids))
		l.Digits(ids, alone, nil)
		l.Digits(ids, ownerMs, nodes)
		if !slices.Equal(alone, ownerMs) {
			t.Fatalf("without nodes the owner times are %v, with them %v", alone, ownerMs)
		}
		for i, id := range ids {
			if ownerMs[i] != l.OwnerMs(id) || nodes[i] != l.Node(id) {
				t.Fatalf("%d: %d and node %d, want %d and %d", id, ownerMs[i], nodes[i], l.OwnerMs(id), l.Node(id))
			}
		}
	})
}

// Encode is the formula, over integers of any size.
func TestEncodeIsTheFormula(t *testing.T) {
	numbers := rapid.OneOf(rapid.Int64(), rapid.Int64Range(-10, 10_000), rapid.Int64Range(1.7e12, 1.8e12))
	rapid.Check(t, func(t *rapid.T) {
		l := Layout{UTCOffsetMs: rapid.Int64Range(-maxUTCOffsetMs, maxUTCOffsetMs).Draw(t, "UTC offset"), Step: rapid.Int64Range(1, nodeTicks).Draw(t, "step")}
		ms, node, seq := numbers.Draw(t, "ms"), numbers.Draw(t, "node"), numbers.Draw(t, "seq")
		b := big.NewInt
		local := b(0).Add(b(ms), b(l.UTCOffsetMs))
		want := b(0).Div(local, b(1000)) // Euclidean: floor, for a positive divisor
		want.Mul(want, b(secondTicks))
		want.Add(want, b(0).Mul(b(node), b(nodeTicks)))
		want.Add(want, b(0).Mul(b(seq), b(l.Step)))
		want.Add(want, b(Epoch))
		got, err := l.Encode(ms, node, seq)
		if err == nil && want.Cmp(b(got)) != 0 {
			t.Fatalf("%d, want %s", got, want)
		}
		if err != nil && want.IsInt64() && abs(ms) < 1e15 && abs(node) < 1e6 && abs(seq) < 1e6 {
			t.Fatalf("%v, but %s is an int64", err, want)
		}
	})
}

// Where a product, or only the sum, does not fit.
func TestEncodeRefusesWhatIsNoInt64(t *testing.T) {
	for _, c := range [][3]int64{
		{0, 1e13, 0}, {0, -1e13, 0}, {0, 9e12, 0}, {-9e14, -9e12, 0}, {math.MaxInt64, 0, 0}, {math.MinInt64, 0, 0}, {0, 0, math.MaxInt64},
	} {
		if id, err := DefaultLayout().Encode(c[0], c[1], c[2]); err == nil {
			t.Errorf("%v encodes to %d", c, id)
		}
	}
}

func abs(n int64) int64 {
	if n == math.MinInt64 {
		return math.MaxInt64
	}
	return max(n, -n)
}

// Any int64 can be decoded, and its fields give it back.
func FuzzDecode(f *testing.F) {
	for _, id := range []int64{0, -1, math.MinInt64, math.MaxInt64, Epoch, tenOClockNode, 68916183520448384} {
		f.Add(id, DefaultUTCOffsetMs, int64(200))
	}
	f.Fuzz(func(t *testing.T, id, offset, step int64) {
		l := Layout{UTCOffsetMs: offset % maxUTCOffsetMs, Step: max(1, step%nodeTicks)}
		d := l.Decode(id)
		if d.Node < 0 || d.Node > 9 || d.Rest < 0 || d.Rest >= l.Step || d.Seq < 0 || d.Ticks != d.Seq*l.Step+d.Rest || d.Aligned() != (d.Rest == 0) {
			t.Errorf("%d: %+v", id, d)
		}
		if ms := d.OwnerMs - d.SecondMs; ms < 0 || ms > 999 {
			t.Errorf("%d: owner time %d is not in its second %d", id, d.OwnerMs, d.SecondMs)
		}
		if back, err := l.Encode(d.SecondMs, d.Node, d.Seq); err == nil && back+d.Rest != id || err != nil && id > math.MinInt64+secondTicks {
			t.Errorf("%d: %+v encodes to %d, %v", id, d, back, err)
		}
	})
}
