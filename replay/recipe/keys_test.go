package recipe

import (
	"math"
	"testing"

	"pgregory.net/rapid"
)

// The answers are those of Kafka's own UtilsTest.
func TestMurmur2KnownAnswers(t *testing.T) {
	for key, want := range map[string]int32{
		"21":                         -973932308,
		"foobar":                     -790332482,
		"a-little-bit-long-string":   -985981536,
		"a-little-bit-longer-string": -1486304829,
		"lkjh234lh9fiuh90y23oiuhsafujhadof229phr9h19h89h8": -58897971,
		"abc": 479470107,
	} {
		if got := int32(murmur2([]byte(key))); got != want {
			t.Errorf("murmur2(%q) = %d, want %d", key, got, want)
		}
	}
}

// An alias table gives each member exactly its weight, to the last digits of a
// float64.
func TestAliasTableKeepsWeights(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		weights := rapid.SliceOfN(rapid.OneOf(rapid.Float64Range(0, 1), rapid.Float64Range(0, 1e-6)), 1, 200).Draw(t, "weights")
		weights[rapid.IntRange(0, len(weights)-1).Draw(t, "sure")] = 0.5
		members := make([]int32, len(weights))
		sum := 0.0
		for i, w := range weights {
			members[i] = int32(i)
			sum += w
		}
		table := newAliasTable(members, weights)
		got := make([]float64, len(weights))
		for _, e := range table {
			own := float64(e.split) / 0x1p64 / float64(len(table))
			got[e.own] += own
			got[e.other] += 1/float64(len(table)) - own
		}
		for i, w := range weights {
			if math.Abs(got[i]-w/sum) > 1e-12 {
				t.Fatalf("member %d has probability %g, want %g", i, got[i], w/sum)
			}
		}
	})
}

func TestAliasTableDrawsEveryPart(t *testing.T) {
	table := newAliasTable([]int32{4, 9}, []float64{4: 1, 9: 3})
	counts := map[int32]int{}
	const n = 1 << 12
	for i := range uint64(n) {
		counts[table.draw(i<<52)]++
	}
	if counts[4] != n/4 || counts[9] != n*3/4 {
		t.Errorf("%v, want a quarter of %d to be 4 and the rest 9", counts, n)
	}
	if newAliasTable(nil, nil) != nil {
		t.Error("a table without members is not nil")
	}
}

func TestZipfWeights(t *testing.T) {
	w, err := (&keys{Count: 3, Skew: 1}).weights("$")
	if err != nil {
		t.Fatal(err)
	}
	// 1, 1/2, 1/3 of 11/6.
	for i, want := range []float64{6. / 11, 3. / 11, 2. / 11} {
		if math.Abs(w[i]-want) > 1e-15 {
			t.Errorf("key %d has weight %g, want %g", i+1, w[i], want)
		}
	}
}

// The shares of the partitions are those of the keys that Kafka sends there.
func TestKeysGoWhereKafkaSendsThem(t *testing.T) {
	s := newKeySpace("orders", []float64{0.5, 0.25, 0.25}, 5)
	total := 0.0
	for p, table := range s.tables {
		want := 0.0
		for _, e := range table {
			key := []byte("orders-1")
			key[7] += byte(e.own)
			if got := int(murmur2(key)&0x7fffffff) % 5; got != p {
				t.Errorf("%s is in partition %d, Kafka sends it to %d", key, p, got)
			}
			want += []float64{0.5, 0.25, 0.25}[e.own]
		}
		if s.partitionShares[p] != want {
			t.Errorf("partition %d has share %g, its keys have %g", p, s.partitionShares[p], want)
		}
		total += s.partitionShares[p]
	}
	if total != 1 {
		t.Errorf("the shares add up to %g", total)
	}
}
