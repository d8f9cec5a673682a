package luck

import (
	"fmt"
	"math"
	"slices"
	"testing"

	"twindrift/replay/philox"
)

// The scheme is part of the promise that a scenario and a seed give the same
// results in every version, so these words must never change. They were worked
// out by another program (xxHash64 and Philox written anew in Python).
func TestWordsAreFixed(t *testing.T) {
	s := New(1, "east", "orders", 3)
	words := s.Words(42, 0)
	got := [4]uint64(words[:4])
	want := [4]uint64{0x24ac12c2a61f135b, 0xd736e7cf1dd05077, 0xd14cc7b2eaacf225, 0xb892bad57c6d4614}
	if got != want {
		t.Errorf("Words(42, 0) = %#x, want %#x", got, want)
	}
}

// Every part of the name of a delivery changes every word that it should
// change, and no two names share a word.
func TestEveryNameCounts(t *testing.T) {
	base := New(1, "east", "orders", 3)
	first := base.Words(42, 0)
	seen := map[uint64]string{}
	for p, w := range first {
		seen[w] = fmt.Sprint("base, word ", p)
	}
	for _, c := range []struct {
		name       string
		stream     Stream
		offset     int64
		delivery   int32
		sameFilter bool
	}{
		{"seed", New(2, "east", "orders", 3), 42, 0, false},
		{"site", New(1, "west", "orders", 3), 42, 0, true},
		{"topic", New(1, "east", "trades", 3), 42, 0, false},
		{"partition", New(1, "east", "orders", 4), 42, 0, false},
		{"names run together", New(1, "eastor", "ders", 3), 42, 0, false},
		{"offset", base, 43, 0, false},
		{"delivery", base, 42, 1, true},
		{"replication", base.Replication(1), 42, 0, false},
	} {
		words := c.stream.Words(c.offset, c.delivery)
		if same := words[Filter] == first[Filter]; same != c.sameFilter {
			t.Errorf("%s: the filter's word is the same: %v, want %v", c.name, same, c.sameFilter)
		}
		for p, w := range words {
			if p == Filter && c.sameFilter {
				continue
			}
			if other, twice := seen[w]; twice {
				t.Errorf("%s, word %d is that of %s", c.name, p, other)
			}
			seen[w] = fmt.Sprint(c.name, ", word ", p)
		}
	}
	if base.Replication(0) != base {
		t.Error("replication 0 is not the run itself")
	}
}

func TestFillIsWords(t *testing.T) {
	s := New(7, "west", "trades", 0)
	offsets := []int64{0, 1, 5, math.MaxInt64, -1}
	var words [Purposes][]uint64
	for purpose := range words {
		words[purpose] = make([]uint64, len(offsets)+1)
	}
	s.Fill(offsets, &words)
	for purpose := range words {
		for i, offset := range offsets {
			if want := s.Words(offset, 0)[purpose]; words[purpose][i] != want {
				t.Errorf("offset %d, word %d: filled %#x, want %#x", offset, purpose, words[purpose][i], want)
			}
		}
		if words[purpose][len(offsets)] != 0 {
			t.Error("Fill wrote past the offsets")
		}
	}
	again := s.Replication(3)
	again.Fill(offsets, &words)
	link := make([]uint64, len(offsets)+1)
	again.FillLink(offsets, link)
	if !slices.Equal(link, words[Link]) {
		t.Errorf("of the link alone: %#x, want %#x", link, words[Link])
	}
}

// The words of neighbouring offsets, of sites and of purposes are not
// correlated: over n offsets the correlation stays within 6/sqrt(n).
func TestUncorrelated(t *testing.T) {
	const n = 1 << 14
	east, west := New(1, "east", "orders", 0), New(1, "west", "orders", 0)
	pairs := map[string]func(i int64) (uint64, uint64){
		"sites":      func(i int64) (uint64, uint64) { return east.Words(i, 0)[Link], west.Words(i, 0)[Link] },
		"neighbours": func(i int64) (uint64, uint64) { return east.Words(i, 0)[Link], east.Words(i+1, 0)[Link] },
		"purposes":   func(i int64) (uint64, uint64) { return east.Words(i, 0)[Link], east.Words(i, 0)[Service] },
		"filter":     func(i int64) (uint64, uint64) { return east.Words(i, 0)[Filter], east.Words(i+1, 0)[Filter] },
		"deliveries": func(i int64) (uint64, uint64) { return east.Words(i, 0)[Service], east.Words(i, 1)[Service] },
	}
	for name, pair := range pairs {
		var sum float64
		for i := range int64(n) {
			a, b := pair(i)
			sum += (philox.Float(a) - 0.5) * (philox.Float(b) - 0.5) * 12
		}
		if r := sum / n; math.Abs(r) > 6/math.Sqrt(n) {
			t.Errorf("%s: correlation %v", name, r)
		}
	}
}

func BenchmarkWords(b *testing.B) {
	s := New(1, "east", "orders", 3)
	for i := range int64(b.N) {
		sink ^= s.Words(i, 0)[0]
	}
}

func BenchmarkFill(b *testing.B) {
	s := New(1, "east", "orders", 3)
	offsets := make([]int64, 1024)
	var words [Purposes][]uint64
	for purpose := range words {
		words[purpose] = make([]uint64, 1024)
	}
	for i := range offsets {
		offsets[i] = int64(i)
	}
	b.ReportAllocs()
	for b.Loop() {
		s.Fill(offsets, &words)
	}
	b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/1024, "ns/message")
}

var sink uint64
