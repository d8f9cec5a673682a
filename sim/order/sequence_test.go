package order

import (
	"errors"
	"math"
	"testing"

	"pgregory.net/rapid"
)

// cut draws a list and cuts it into stretches that keep ties together.
func cut(t *rapid.T) (whole Stretch, stretches []Stretch) {
	ys := sequence().Draw(t, "ys")
	lowest := lowestAfter(ys)
	whole = Stretch{FloorMs: math.MinInt64, YMs: ys}
	id := int64(0)
	from := 0
	for i := range ys {
		ys[i] /= 4
		step := rapid.Int64Range(0, 3).Draw(t, "step")
		id += step
		if step > 0 && i > from && rapid.IntRange(0, 4).Draw(t, "cut") == 0 {
			floor := rapid.SampledFrom([]int64{math.MinInt64, lowest[i] / 4}).Draw(t, "floor")
			stretches = append(stretches, Stretch{int64(from), whole.IDs[from:i], whole.XMs[from:i], ys[from:i], floor})
			from = i
		}
		whole.IDs, whole.XMs = append(whole.IDs, id), append(whole.XMs, id*7)
	}
	if from < len(ys) {
		stretches = append(stretches, Stretch{int64(from), whole.IDs[from:], whole.XMs[from:], ys[from:], math.MinInt64})
	}
	return whole, stretches
}

func sameSequence(a, b *SequenceResult) bool {
	return a.Pairs == b.Pairs && sameReordering(a.Reordering, b.Reordering) && sameDisplacement(a.Displacement, b.Displacement)
}

// However a list is cut, whoever takes which stretch, and in whichever order they
// are put together: the result is that of the list in one piece, and of the oracles.
func TestSequenceDoesNotDependOnTheOrderOfStretches(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		whole, stretches := cut(t)
		parts := make([]Sequence, 4)
		for _, k := range rapid.Permutation(indices(len(stretches))).Draw(t, "order") {
			parts[rapid.IntRange(0, 3).Draw(t, "part")].Add(stretches[k])
		}
		for len(parts) > 1 { // merge any two
			to := rapid.IntRange(0, len(parts)-1).Draw(t, "to")
			from := (to + rapid.IntRange(1, len(parts)-1).Draw(t, "from")) % len(parts)
			parts[to].Merge(&parts[from])
			parts[from] = parts[len(parts)-1]
			if to == len(parts)-1 {
				to = from
			}
			parts = parts[:len(parts)-1]
		}
		got, err := parts[0].Result()
		if err != nil {
			t.Fatal(err)
		}
		want := &SequenceResult{slowDiscordance(whole.IDs, whole.YMs), slowReordering(whole.XMs, whole.YMs), slowDisplacement(whole.YMs)}
		if !sameSequence(got, want) {
			t.Fatalf("%d stretches: %+v", len(stretches), got.Pairs)
		}
	})
}

func indices(n int) []int {
	list := make([]int, n)
	for i := range list {
		list[i] = i
	}
	return list
}

func TestSequenceTellsOfStretchesThatDoNotFit(t *testing.T) {
	stretch := func(from int64, ids ...int64) Stretch {
		return Stretch{from, ids, ids, ids, math.MinInt64}
	}
	floored := stretch(0, 1, 2)
	floored.FloorMs = 9
	for name, c := range map[string]struct {
		stretches []Stretch
		want      error
	}{
		"all there":        {[]Stretch{stretch(2, 3), stretch(0, 1, 2)}, nil},
		"one missing":      {[]Stretch{stretch(0, 1, 2), stretch(3, 4)}, ErrStretches},
		"none at 0":        {[]Stretch{stretch(1, 2)}, ErrStretches},
		"overlapping":      {[]Stretch{stretch(0, 1, 2), stretch(1, 3)}, ErrStretches},
		"twice":            {[]Stretch{stretch(0, 1, 2), stretch(0, 1, 2)}, ErrStretches},
		"ids not in order": {[]Stretch{stretch(0, 2, 1)}, ErrNotAscending},
		"a tie cut in two": {[]Stretch{stretch(0, 1, 2), stretch(2, 2)}, ErrNotAscending},
		"a broken floor":   {[]Stretch{floored, stretch(2, 3)}, ErrBelowFloor},
	} {
		var one, first, second Sequence
		for i, s := range c.stretches {
			one.Add(s)
			if i == 0 {
				first.Add(s)
			} else {
				second.Add(s)
			}
		}
		second.Merge(&first)
		_, err := one.Result()
		_, merged := second.Result()
		if !errors.Is(err, c.want) || !errors.Is(merged, c.want) {
			t.Errorf("%s: %v, merged %v, want %v", name, err, merged, c.want)
		}
	}
	for _, to := range []Stretch{stretch(0, 1), stretch(1, 2)} {
		var good, bad Sequence
		good.Add(to)
		bad.Add(Stretch{From: 2, IDs: []int64{3}})
		good.Merge(&bad)
		if _, err := good.Result(); err == nil || errors.Is(err, ErrStretches) {
			t.Errorf("columns of different lengths pass: %v", err)
		}
	}
}

// Adding up the pairs of independent sequences in any order gives the same counts.
func TestPairsMergeInAnyOrder(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		a, b := sequence().Draw(t, "a"), sequence().Draw(t, "b")
		ab, ba := slowPairs(a, a), slowPairs(b, b)
		ab.Merge(ba)
		ba.Merge(slowPairs(a, a))
		if ab != ba || ab.N != int64(len(a)+len(b)) || ab.Pairs != choose2(int64(len(a)))+choose2(int64(len(b))) {
			t.Fatalf("%+v %+v", ab, ba)
		}
	})
}
