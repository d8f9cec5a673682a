package measure

import (
	"math"
	"slices"
	"testing"

	"twindrift/sim/site"
)

// Two sites over two partitions; one message left out of the run, one filtered
// at both, one stored at only one of them.
func TestPair(t *testing.T) {
	p := NewPair(layout, 2, false)
	rows := []site.Rows{
		{Offset: []int64{10, 11, 12, 13, 14}, EventMs: []int64{5, 6, 7, 8, 9}, Absent: []bool{false, true, false, false, false}},
		{Offset: []int64{20, 21}, EventMs: []int64{5, 1}},
	}
	p.Extend(rows)
	id := idOf(dawn, 1, 0)
	later := idOf(dawn+3, 1, 0)
	message := func(partition int32, ordinal, id int64, state site.State) row {
		return row{partition: partition, offset: ordinal, id: id, state: state}
	}
	p.AddA(columns(message(0, 0, id, site.Store), message(0, 2, id+200, site.Store), message(0, 3, 0, site.Filtered), message(0, 4, id+400, site.Store),
		message(1, 0, later, site.Store), message(1, 1, id+600, site.Store)))
	p.Join(math.MaxInt64, id, []int64{5, 2}, []int64{0, 0}) // B has drawn nothing yet
	if p.Both != 0 {
		t.Fatalf("%d at both before B has drawn", p.Both)
	}
	p.AddB(columns(message(0, 0, id, site.Store), message(0, 2, id+1400, site.Store), message(0, 3, 0, site.Filtered), message(0, 4, 0, site.StoreOff),
		message(1, 0, id, site.Store), message(1, 1, later, site.Store)))
	p.Join(math.MaxInt64, math.MaxInt64, []int64{5, 2}, []int64{5, 2})
	if p.Both != 4 || p.OnlyA != 1 || p.OnlyB != 0 || p.Neither != 2 || p.SameID != 1 || p.SameSecond != 1 || p.OtherSec != 2 {
		t.Errorf("both %d, only A %d, only B %d, neither %d; same id %d, same second %d, other %d",
			p.Both, p.OnlyA, p.OnlyB, p.Neither, p.SameID, p.SameSecond, p.OtherSec)
	}
	if want := []Joined{{1, 21, 1, id + 600, later}, {1, 20, 5, later, id}}; !slices.Equal(p.First, want) {
		t.Errorf("witnesses %v, want the earliest event first: %v", p.First, want)
	}
	for difference, want := range map[int64]int64{-3: 1, 0: 2, 3: 1} {
		if got := p.Difference.Counts().Count(difference); got != want {
			t.Errorf("difference %d s: %d messages, want %d", difference, got, want)
		}
	}
	if pairs := p.Joint.Result()[1]; pairs.N != 4 || pairs.Discordant != 1 || p.Joint.Err() != nil {
		t.Errorf("%+v, error %v", pairs, p.Joint.Err())
	}
}

// Of many messages with different seconds the first five by event time are
// kept, whatever order they come in.
func TestPairWitnesses(t *testing.T) {
	p := NewPair(layout, 1, false)
	var a, b []row
	r := site.Rows{}
	for i, event := range []int64{9, 3, 7, 3, 1, 8, 2, 9, 0} {
		r.Offset, r.EventMs = append(r.Offset, int64(i)), append(r.EventMs, event)
		a = append(a, row{offset: int64(i), id: idOf(dawn, 1, int64(i))})
		b = append(b, row{offset: int64(i), id: idOf(dawn+1, 1, int64(i))})
	}
	p.Extend([]site.Rows{r})
	p.AddA(columns(a...))
	p.AddB(columns(b...))
	p.Join(math.MaxInt64, math.MaxInt64, []int64{9}, []int64{9})
	var offsets []int64
	for _, j := range p.First {
		offsets = append(offsets, j.Offset)
	}
	if want := []int64{8, 4, 6, 1, 3}; !slices.Equal(offsets, want) {
		t.Errorf("witnesses %v, want %v", offsets, want)
	}
}
