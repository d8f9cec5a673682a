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

// stretches draws what comes of a list in stretches: of times near each other, all over
// a few seconds, in two sweeps as of two nodes, and now and then far off; at 0, at full
// minutes and at the ends of int64.
func stretches(t *rapid.T) (list [][]int64) {
	random := rand.New(rand.NewPCG(rapid.Uint64().Draw(t, "seed"), 0))
	base := rapid.SampledFrom([]int64{0, -1500, 58_500, 1_700_000_000_123, math.MaxInt64 - 200_000, math.MinInt64 + 200_000, math.MaxInt64/2 - 1000, math.MinInt64/2 + 500}).Draw(t, "base")
	spread := rapid.SampledFrom([]int64{1, 3, 50, 900, 1900, 4095, 100_000}).Draw(t, "spread")
	sweep := rapid.SampledFrom([]int64{0, 0, 1, 2}).Draw(t, "sweep")
	far := rapid.SampledFrom([]int{0, 0, 20, 1000}).Draw(t, "one in so many far off")
	ends := rapid.IntRange(0, 9).Draw(t, "at the ends") == 0
	step := rapid.SampledFrom([]int64{0, 100, 1000, 4000}).Draw(t, "step")
	for s := range rapid.Int64Range(1, 12).Draw(t, "stretches") {
		ys := make([]int64, random.IntN(rapid.SampledFrom([]int{100, 400, 6000}).Draw(t, "most")))
		for i := range ys {
			ys[i] = base + s*step + random.Int64N(spread)
			if sweep > 0 {
				ys[i] += int64(i) * sweep % 1000
			}
			if far > 0 && random.IntN(far) == 0 {
				ys[i] += random.Int64N(90_000) - 45_000
				if ends && random.IntN(5) == 0 {
					ys[i] = math.MinInt64
				} else if ends && random.IntN(5) == 0 {
					ys[i] = math.MaxInt64
				}
			}
		}
		list = append(list, ys)
	}
	return list
}

// blocksOf goes over the elements block by block.
func blocksOf(b *Block, ys []int64, visit func(from, to int)) {
	for from := 0; from < len(ys); {
		n := b.Take(ys[from:])
		visit(from, from+n)
		from += n
	}
}

// lastNotGreater gives the position of the last one before each element that is not
// greater, -1 for none.
func lastNotGreater(ys []int64) []int {
	positions := make([]int, len(ys))
	for i := range ys {
		k := i - 1
		for k >= 0 && ys[k] > ys[i] {
			k = positions[k]
		}
		positions[i] = k
	}
	return positions
}

func TestBlockIsSorted(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		var b Block
		for _, ys := range stretches(t) {
			blocksOf(&b, ys, func(from, to int) {
				if !slices.Equal(b.ysMs, ys[from:to]) {
					t.Fatal("other elements")
				}
				if len(b.sorted) == 0 {
					return
				}
				place := 0
				notGreater := lastNotGreater(b.ysMs)
				for i, p := range sortedPlaces(b.ysMs) {
					if int(b.notGreater[i])-1 != notGreater[i] {
						t.Fatalf("element %d comes after %d, which is not greater, not after %d", i, notGreater[i], int(b.notGreater[i])-1)
					}
					if e := b.sorted[p]; b.yMs(e) != b.ysMs[i] || e%blockSize != uint32(i) {
						t.Fatalf("element %d of %d is at another place", i, len(b.ysMs))
					}
				}
				for u, end := range b.ends[:b.span()] {
					for place < len(b.sorted) && b.yMs(b.sorted[place]) == b.lowMs+int64(u) {
						place++
					}
					if place != int(end) {
						t.Fatalf("%d ms end at %d, not at %d", u, end, place)
					}
				}
			})
		}
	})
}

// In blocks it is what it is one by one; and a block's own pairs are those of all pairs.
func TestDiscordanceOfBlocks(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		var b Block
		var blocks, one Discordance
		for _, ys := range stretches(t) {
			if rapid.IntRange(0, 9).Draw(t, "many") == 0 && len(ys) > 0 {
				many := slices.Repeat(ys[:1], 40_000)
				blocks.AddTied(many)
				one.AddTied(many)
			}
			blocksOf(&b, ys, func(from, to int) {
				blocks.AddBlock(&b)
				for _, y := range ys[from:to] {
					one.Add(y)
				}
				if diff := cmp.Diff(one.Result(), blocks.Result()); diff != "" {
					t.Fatalf("(-one by one +in blocks):\n%s", diff)
				}
			})
		}
		if one.Err() != nil || blocks.Err() != nil {
			t.Fatal(one.Err(), blocks.Err())
		}
	})
}

// In blocks it finds what it finds one by one, with floors promised now and then; and
// what its list of lows says of elements that follow is the same.
func TestReorderingOfBlocks(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		list := stretches(t)
		lowest := lowestAfter(slices.Concat(list...))
		slow := rapid.SampledFrom([]int64{0, 1, 1, 50}).Draw(t, "elements with one x")
		firstX := rapid.SampledFrom([]int64{0, -500, math.MaxInt64 / 2, math.MaxInt64 - 80_000, math.MinInt64}).Draw(t, "first x")
		var b Block
		var blocks, one Reordering
		n := 0
		for _, ys := range list {
			xs := make([]int64, len(ys))
			for i := range xs {
				if slow > 0 {
					xs[i] = firstX + int64(n+i)/slow
				} else { // from one end of int64 to the other, all over the list
					xs[i] = math.MinInt64 + int64(n+i)*(math.MaxInt64/36_000)
				}
			}
			blocksOf(&b, ys, func(from, to int) {
				if rapid.Bool().Draw(t, "promise") {
					blocks.Floor(lowest[n+from])
					one.Floor(lowest[n+from])
				}
				blocks.AddBlock(xs[from:to], &b)
				for i := from; i < to; i++ {
					one.Add(xs[i], ys[i])
				}
				if !slices.Equal(blocks.lows.list[blocks.lows.head:], one.lows.list[one.lows.head:]) {
					t.Fatalf("lows %v, one by one %v", blocks.lows.list, one.lows.list)
				}
			})
			n += len(ys)
		}
		if one.Err() != nil || blocks.Err() != nil {
			t.Fatal(one.Err(), blocks.Err())
		}
		if got, want := blocks.Result(), one.Result(); !sameReordering(got, want) {
			t.Fatalf("got %+v, want %+v", got, want)
		}
	})
}

// A block that breaks a rule is an error, as an element is.
func TestBlocksTellOfBrokenRules(t *testing.T) {
	ys := slices.Repeat([]int64{5000, 5100, 5050}, 200)
	xs := make([]int64, len(ys))
	for i := range xs {
		xs[i] = int64(i)
	}
	for name, c := range map[string]struct {
		change func(xs, ys []int64)
		want   error
	}{
		"kept":            {func(_, _ []int64) {}, nil},
		"below the floor": {func(_, ys []int64) { ys[300] = 3999 }, ErrBelowFloor},
		"x before x":      {func(xs, _ []int64) { xs[300] = 298 }, ErrNotAscending},
	} {
		var b Block
		var d Discordance
		var r Reordering
		for pass := range 2 {
			xs, ys := slices.Clone(xs), slices.Clone(ys)
			if pass == 1 {
				c.change(xs, ys)
			}
			for i := range xs {
				xs[i] += int64(pass) * 1000
			}
			if n := b.Take(ys); n != len(ys) || len(b.sorted) != n {
				t.Fatalf("%s: %d of %d sorted", name, len(b.sorted), n)
			}
			d.AddBlock(&b)
			r.AddBlock(xs, &b)
			d.Floor(4000)
			r.Floor(4000)
		}
		if err := r.Err(); !errors.Is(err, c.want) {
			t.Errorf("%s: %v, want %v", name, err, c.want)
		}
		if err := d.Err(); c.want == ErrBelowFloor && !errors.Is(err, c.want) || c.want == nil && err != nil {
			t.Errorf("%s: discordance %v", name, err)
		}
	}
}
