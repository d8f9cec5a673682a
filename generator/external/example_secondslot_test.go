package external

import (
	"errors"
	"math/rand/v2"
	"testing"

	"twindrift/generator"
	"twindrift/generator/secondslot"
)

// The examples give what our own generator gives, whatever the calls: seconds that fill
// up, near the end of a day and before the first slot, days back and ahead, restarts.
func TestExamplesAgainstSecondSlot(t *testing.T) {
	for name, config := range examples {
		t.Run(name, func(t *testing.T) {
			cfg := config(t)
			for seed := range uint64(3) {
				rng := rand.New(rand.NewPCG(seed, 0))
				cfg.Node = rng.IntN(12) - 1 // also outside 0..9, which the published code lets pass
				own := secondslot.DefaultConfig()
				own.Node, own.WrapIDs = cfg.Node, true
				want, err := secondslot.New(own)
				if err != nil {
					t.Fatal(err)
				}
				g := example(t, cfg)
				for round := range 6 {
					c := randomCalls(rng, 1+rng.IntN(60_000))
					if rng.IntN(4) == 0 {
						g.Reset()
						want.Reset()
					}
					ids, kinds, _, err := drawn(g, c)
					if err != nil {
						t.Fatalf("seed %d, round %d: %v", seed, round, err)
					}
					for i, ms := range c.EventMs {
						id, _, err := want.Draw(ms, 0)
						kind := generator.Drawn
						if err != nil {
							id, kind = 0, generator.External
						}
						if err != nil && !errors.Is(err, secondslot.ErrTooEarly) || ids[i] != id || kinds[i] != kind {
							t.Fatalf("seed %d, round %d, call %d (timestamp %d): id %d (%v), ours is %d (%v)", seed, round, i, ms, ids[i], kinds[i], id, err)
						}
					}
				}
			}
		})
	}
}

// randomCalls are n events of a stretch of seconds that fills up.
func randomCalls(rng *rand.Rand, n int) (c generator.Calls) {
	starts := []int64{
		1_789_430_400_000,          // midnight of 2026-09-15, +08:00
		1_789_430_400_000 - 12_000, // the last seconds of the day before
		1_789_430_400_000 + 86_400_000,
		-28_800_000 - 5_000, // the first slots ever, and before
	}
	start := starts[rng.IntN(len(starts))]
	stretchMs := 1 + rng.Int64N(30_000)
	for i := range n {
		ms := start + int64(i)*stretchMs/int64(n) - rng.Int64N(2000)
		c.EventMs = append(c.EventMs, ms)
		c.NowMs = append(c.NowMs, start+int64(i))
		c.AtNs = append(c.AtNs, int64(i)*1_000_000)
		c.Partition = append(c.Partition, rng.Int32N(8))
	}
	return c
}
