package philox

import (
	"math"
	"testing"
)

// The answers are those of the authors' Random123 distribution (kat_vectors).
func TestBlockKnownAnswers(t *testing.T) {
	const ones = math.MaxUint64
	for _, c := range []struct {
		ctr  [4]uint64
		key  [2]uint64
		want [4]uint64
	}{
		{
			want: [4]uint64{0x16554d9eca36314c, 0xdb20fe9d672d0fdc, 0xd7e772cee186176b, 0x7e68b68aec7ba23b},
		},
		{
			ctr:  [4]uint64{ones, ones, ones, ones},
			key:  [2]uint64{ones, ones},
			want: [4]uint64{0x87b092c3013fe90b, 0x438c3c67be8d0224, 0x9cc7d7c69cd777b6, 0xa09caebf594f0ba0},
		},
		{
			ctr:  [4]uint64{0x243f6a8885a308d3, 0x13198a2e03707344, 0xa4093822299f31d0, 0x082efa98ec4e6c89},
			key:  [2]uint64{0x452821e638d01377, 0xbe5466cf34e90c6c},
			want: [4]uint64{0xa528f45403e61d95, 0x38c72dbd566e9788, 0xa5a1610e72fd18b5, 0x57bd43b5e52b7fe6},
		},
	} {
		if got := Block(c.ctr, c.key); got != c.want {
			t.Errorf("Block(%x, %x) = %x, want %x", c.ctr, c.key, got, c.want)
		}
	}
}

func TestFloatsStayInRange(t *testing.T) {
	for _, u := range []uint64{0, 1, 1 << 11, 1 << 63, math.MaxUint64} {
		if f := Float(u); f < 0 || f >= 1 {
			t.Errorf("Float(%x) = %v, want in [0, 1)", u, f)
		}
		if f := OpenFloat(u); f <= 0 || f >= 1 {
			t.Errorf("OpenFloat(%x) = %v, want in (0, 1)", u, f)
		}
	}
	if got := Float(1 << 63); got != 0.5 {
		t.Errorf("Float(1<<63) = %v, want 0.5", got)
	}
}

// Neighbouring counters and keys must not be related: over many of them the
// mean and the bit balance are those of uniform numbers. Nothing here is
// random, so the bounds (6 standard deviations) hold always or never.
func TestNeighboursAreUnrelated(t *testing.T) {
	const n = 1 << 14
	axes := map[string]func(i uint64) [4]uint64{
		"counter 0": func(i uint64) [4]uint64 { return Block([4]uint64{i}, [2]uint64{1}) },
		"counter 1": func(i uint64) [4]uint64 { return Block([4]uint64{0, i}, [2]uint64{1}) },
		"counter 3": func(i uint64) [4]uint64 { return Block([4]uint64{0, 0, 0, i}, [2]uint64{1}) },
		"key 0":     func(i uint64) [4]uint64 { return Block([4]uint64{}, [2]uint64{i}) },
		"key 1":     func(i uint64) [4]uint64 { return Block([4]uint64{}, [2]uint64{0, i}) },
	}
	for name, at := range axes {
		var sum float64
		var ones [64]int
		for i := range uint64(n) {
			u := at(i)
			sum += Float(u[0])
			for bit := range ones {
				ones[bit] += int(u[2] >> bit & 1)
			}
		}
		if d := math.Abs(sum/n - 0.5); d > 6/math.Sqrt(12*n) {
			t.Errorf("%s: mean is off by %v", name, d)
		}
		for bit, c := range ones {
			if d := math.Abs(float64(c) - n/2); d > 6*math.Sqrt(n)/2 {
				t.Errorf("%s: bit %d is set %d times of %d", name, bit, c, n)
			}
		}
	}
}

func BenchmarkBlock(b *testing.B) {
	var sum uint64
	for i := range uint64(b.N) {
		sum += Block([4]uint64{i}, [2]uint64{42})[0]
	}
	sink = sum
}

var sink uint64
