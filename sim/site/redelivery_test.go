package site

import (
	"slices"
	"testing"

	"pgregory.net/rapid"
)

// However many wait, one that goes moves few of them.
func TestRepeatsLeaveTheOthersWhereTheyAre(t *testing.T) {
	const n = 1000
	var q repeats
	p := &partition{}
	for i := range n {
		q.add(repeat{message: waiting{arrivalNs: int64(i)}, partition: p})
	}
	moved := 0
	for i := range n {
		last := &q.list[len(q.list)-1]
		if got := q.waiting()[0].message.arrivalNs; got != int64(i) {
			t.Fatalf("the one that arrives at %d goes, want %d", got, i)
		}
		q.remove(0)
		if left := len(q.waiting()); left > 0 && last != &q.list[len(q.list)-1] {
			moved += left
		}
	}
	if moved > n {
		t.Errorf("%d repeats moved for %d that went", moved, n)
	}
}

// They go in their order, whatever comes in between.
func TestRepeatsGoInOrder(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		var q repeats
		var want []int64
		p := &partition{}
		for range rapid.IntRange(0, 100).Draw(t, "steps") {
			if len(want) > 0 && rapid.Bool().Draw(t, "go") {
				i := rapid.SampledFrom([]int{0, 0, 0, len(want) - 1}).Draw(t, "which")
				q.remove(i)
				want = slices.Delete(want, i, i+1)
			} else {
				at := rapid.Int64Range(0, 50).Draw(t, "arrival")
				q.add(repeat{message: waiting{arrivalNs: at}, partition: p})
				want = append(want, at)
				slices.Sort(want)
			}
			var got []int64
			for _, r := range q.waiting() {
				got = append(got, r.message.arrivalNs)
			}
			if !slices.Equal(got, want) {
				t.Fatalf("%v wait, want %v", got, want)
			}
		}
	})
}
