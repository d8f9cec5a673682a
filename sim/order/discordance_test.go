package order

import (
	"errors"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"
)

// slowDiscordance floors y, not x.
func slowDiscordance(xs, ys []int64) (pairs [Grains]Pairs) {
	for g, grain := range GrainsMs {
		pairs[g] = slowPairs(xs, floored(ys, grain))
	}
	return pairs
}

// The streaming counts are those of comparing every pair, with ties in x, any y,
// and floors promised at any legal moment; and the 1 ms grain is Kendall's.
func TestDiscordanceAgreesWithEveryPair(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		ys := sequence().Draw(t, "ys")
		lowest := lowestAfter(ys)
		xs := make([]int64, len(ys))
		var d Discordance
		for start, x := 0, int64(0); start < len(ys); x++ {
			if rapid.IntRange(0, 9).Draw(t, "promise") == 0 {
				d.Floor(legalFloor(t, lowest[start]))
			}
			size := 1
			if rapid.IntRange(0, 5).Draw(t, "tie") == 0 {
				size = rapid.IntRange(0, 40).Draw(t, "size")
			}
			end := min(start+size, len(ys))
			for i := start; i < end; i++ {
				xs[i] = x
			}
			switch {
			case end-start > 1 && rapid.IntRange(0, 3).Draw(t, "each") == 0:
				for i := start; i < end; i++ {
					xs[i] = x
					x++
				}
				d.AddEach(ys[start:end])
			case end-start == 1 && rapid.Bool().Draw(t, "alone"):
				d.Add(ys[start])
			default:
				d.AddTied(ys[start:end])
			}
			if rapid.IntRange(0, 50).Draw(t, "peek") == 0 {
				if diff := cmp.Diff(slowDiscordance(xs[:end], ys[:end]), d.Result()); diff != "" {
					t.Fatalf("after %d elements (-oracle +got):\n%s", end, diff)
				}
			}
			start = end
		}
		got := d.Result()
		if diff := cmp.Diff(slowDiscordance(xs, ys), got); diff != "" {
			t.Fatalf("(-oracle +got):\n%s", diff)
		}
		if batch := Kendall(xs, ys); batch != got[0] {
			t.Fatalf("Kendall %+v, streaming %+v", batch, got[0])
		}
		if err := d.Err(); err != nil {
			t.Fatal(err)
		}
	})
}

// Long sequences fill the dense second blocks and grow the tree of minutes; the
// merge sort is the oracle here.
func TestDiscordanceAgreesWithMergeSortAtLength(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.IntRange(500, 5000).Draw(t, "n")
		step := rapid.SampledFrom([]int64{0, 1, 50, 60_000, 400_000}).Draw(t, "step")
		lag := rapid.SampledFrom([]int64{1, 2000, 600_000, 40_000_000_000}).Draw(t, "lag")
		x := rapid.Uint64().Draw(t, "seed") | 1
		xs, ys := make([]int64, n), make([]int64, n)
		for i := range ys {
			x = x*6364136223846793005 + 1442695040888963407
			xs[i], ys[i] = int64(i), int64(i)*step-int64(x>>20)%lag
		}
		lowest := lowestAfter(ys)
		every := rapid.IntRange(1, 2000).Draw(t, "floor every")
		var d Discordance
		for i, y := range ys {
			if i%every == 0 {
				d.Floor(lowest[i])
			}
			d.Add(y)
		}
		for g, got := range d.Result() {
			if want := Kendall(xs, floored(ys, GrainsMs[g])); got != want {
				t.Fatalf("grain %s: %+v, want %+v", GrainNames[g], got, want)
			}
		}
	})
}

func TestDiscordanceTellsOfABrokenPromise(t *testing.T) {
	for _, later := range []int64{999, -1, 10} {
		var d Discordance
		d.Add(10)
		d.Floor(1000)
		d.Floor(5) // lower: changes nothing
		d.Add(1000)
		if err := d.Err(); err != nil {
			t.Fatal(err)
		}
		d.Add(later)
		if err := d.Err(); !errors.Is(err, ErrBelowFloor) {
			t.Fatalf("y %d after a floor of 1000: %v", later, err)
		}
	}
}

// Released memory is used again: a long sequence under promises keeps few blocks.
func TestDiscordanceKeepsLittleUnderPromises(t *testing.T) {
	var d Discordance
	for i := range int64(2_000_000) {
		d.Add(i*5 - i%7*100)
		if i%1000 == 0 {
			d.Floor(i*5 - 600)
		}
	}
	if err := d.Err(); err != nil {
		t.Fatal(err)
	}
	if got := len(d.line.spare.minutes) + d.line.minutes.root.n; got > 5 {
		t.Fatalf("%d minutes kept", got)
	}
	if d.Result()[0].N != 2_000_000 {
		t.Fatal("elements lost")
	}
}

// Whole stretches at a time count as one element at a time does: in few seconds and
// in many, at the ends of int64, and past what a packed count holds.
func TestDiscordanceOfStretches(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		random := rand.New(rand.NewPCG(rapid.Uint64().Draw(t, "seed"), 0))
		base := rapid.SampledFrom([]int64{0, -1500, 1_700_000_000_123, math.MaxInt64 - 2000, math.MinInt64 + 3000}).Draw(t, "base")
		spread := rapid.SampledFrom([]int64{3, 900, 1900, 100_000}).Draw(t, "spread")
		var each, one Discordance
		for range rapid.IntRange(1, 20).Draw(t, "stretches") {
			ys := make([]int64, random.IntN(400))
			for i := range ys {
				ys[i] = base - 1000 + random.Int64N(1000)
				if base < math.MaxInt64-spread && random.IntN(20) > 0 {
					ys[i] = base + random.Int64N(spread)
				}
			}
			each.AddEach(ys)
			for _, y := range ys {
				one.Add(y)
			}
			if rapid.IntRange(0, 9).Draw(t, "many") == 0 {
				ys := slices.Repeat([]int64{base}, 30_000)
				each.AddTied(ys)
				one.AddTied(ys)
			}
			if diff := cmp.Diff(one.Result(), each.Result()); diff != "" {
				t.Fatalf("(-one by one +in stretches):\n%s", diff)
			}
		}
	})
}

// A stretch that breaks a promise is an error, as an element is.
func TestDiscordanceOfStretchesKeepsPromises(t *testing.T) {
	var d Discordance
	d.AddEach(slices.Repeat([]int64{500}, 100))
	d.Floor(400)
	d.AddEach([]int64{500, 501, 399})
	if err := d.Err(); !errors.Is(err, ErrBelowFloor) {
		t.Fatal(err)
	}
}

// Packed and wide counts are those of a plain list, also as one goes over to the other.
func TestDenseMillis(t *testing.T) {
	random := rand.New(rand.NewPCG(3, 4))
	var d denseMillis
	var counts [1000]int64
	for i := range 3000 {
		ms, n := random.IntN(1000), 1+random.Int64N(60)
		var later int64
		for _, n := range counts[ms+1:] {
			later += n
		}
		if got := d.later(ms); got != later {
			t.Fatalf("%d: %d later than %d ms, want %d", i, got, ms, later)
		}
		if n == 1 && d.room() > 0 {
			if gotLater, before := d.laterThenAdd(uint(ms)); int64(gotLater) != later || int64(before) != counts[ms] {
				t.Fatalf("%d: %d later, %d before, want %d, %d", i, gotLater, before, later, counts[ms])
			}
			d.n++
		} else if before := d.add(ms, n); before != counts[ms] {
			t.Fatalf("%d: %d before, want %d", i, before, counts[ms])
		}
		counts[ms] += n
	}
	if d.wide == nil {
		t.Fatal("never wide")
	}
}

func benchmarkDiscordance(b *testing.B, y func(i, random int64) int64) {
	var d Discordance
	b.ReportAllocs()
	x := uint64(1)
	i := int64(0)
	lag := int64(3_700_000)
	for b.Loop() {
		x = x*6364136223846793005 + 1442695040888963407
		now := i / 5
		d.Add(y(now, int64(x>>33)))
		if i++; i%4096 == 0 {
			d.Floor(now - lag)
		}
	}
	if err := d.Err(); err != nil {
		b.Fatal(err)
	}
}

func BenchmarkDiscordance(b *testing.B) {
	b.Run("sorted", func(b *testing.B) { benchmarkDiscordance(b, func(i, _ int64) int64 { return i }) })
	b.Run("jitter-20ms", func(b *testing.B) { benchmarkDiscordance(b, func(i, r int64) int64 { return i - r%20 }) })
	b.Run("jitter-1s", func(b *testing.B) { benchmarkDiscordance(b, func(i, r int64) int64 { return i - r%1000 }) })
	b.Run("jitter-1h", func(b *testing.B) { benchmarkDiscordance(b, func(i, r int64) int64 { return i - r%3_600_000 }) })
	b.Run("one-in-100-ten-minutes-late", func(b *testing.B) {
		benchmarkDiscordance(b, func(i, r int64) int64 {
			if r%100 == 0 {
				return i - 600_000
			}
			return i - r%20
		})
	})
	b.Run("two-partitions-ten-minutes-apart", func(b *testing.B) {
		benchmarkDiscordance(b, func(i, r int64) int64 { return i - r%2*600_000 - r%20 })
	})
}
