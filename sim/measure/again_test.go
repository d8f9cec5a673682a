package measure

import (
	"math"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"twindrift/sim/spill"
)

// The last delivery of each message is its entry, in whatever second and however many
// others are there; those before are out of the list. It is so however few entries there
// are to a chunk, while chunks go to disk and come back, and in whatever pieces they close.
func TestLaterDeliveriesTakeTheirPlace(t *testing.T) {
	dir, fromDisk, inPieces := t.TempDir(), 0, 0
	rapid.Check(t, func(t *rapid.T) {
		messages := rapid.SampledFrom([]int64{1, 3, 50, 2000}).Draw(t, "messages")
		p := processes(1)
		p.Redelivers = true
		l, last := NewList(p), map[int64]int64{}
		l.Pace(rapid.SampledFrom([]int{1 << 20, 100, 7}).Draw(t, "pace"))
		limit := rapid.SampledFrom([]int64{1 << 40, 1 << 17, 1}).Draw(t, "memory")
		disk, err := spill.New(limit, dir)
		if err != nil {
			t.Fatal(err)
		}
		defer disk.Close()
		l.Spill(disk.Owner())
		ids := rapid.Uint64().Draw(t, "ids")
		var rows []row
		for i := range 4 * messages {
			ids = ids*6364136223846793005 + 1442695040888963407
			offset := int64(ids>>33) % messages
			last[offset] = idOf(100+int64(ids>>60)%3, 1, int64(ids>>40)%5000)
			rows = append(rows, row{offset: offset, event: 100_000, now: 100_000 + i, id: last[offset]})
		}
		var closed []Second
		for from := 0; from < len(rows); {
			to := min(len(rows), from+rapid.SampledFrom([]int{1, 100, 3000}).Draw(t, "rows"))
			d, g := columns(rows[from:to]...)
			for _, now := range d.NowMs {
				d.DrawNs = append(d.DrawNs, now/2*1e6) // two at a time
			}
			l.Add(0, d, g)
			if to < len(rows) {
				closed, _ = l.Close(100, math.MinInt64, []int64{0}, closed)
			}
			from = to
		}
		for _, o := range l.opens { // before the last close, which may read what is on disk
			if slices.ContainsFunc(o.chunks, (*chunk).onDisk) {
				fromDisk++
			}
			if o.many() {
				inPieces++
			}
		}
		for more := true; more; more = l.More() {
			closed, _ = l.Close(math.MaxInt64, math.MaxInt64, settled, closed)
		}
		if err := disk.Err(); err != nil {
			t.Fatal(err)
		}
		all, lastID := 0, int64(math.MinInt64)
		found := 0
		for _, s := range closed {
			for _, e := range entriesOf(s) {
				if e.ID < lastID {
					t.Fatalf("id %d stands behind %d", e.ID, lastID)
				}
				all, lastID = all+1, e.ID
				if e.Life&gone != 0 {
					continue
				}
				if found++; e.ID != last[e.Offset] {
					t.Fatalf("message %d stands at id %d, want %d", e.Offset, e.ID, last[e.Offset])
				}
			}
		}
		if all != len(rows) || found != len(last) || l.Again.Overwritten != int64(len(rows)-len(last)) {
			t.Fatalf("%d entries of %d messages, %d of %d deliveries overwritten, %d in the list",
				found, len(last), l.Again.Overwritten, len(rows), all)
		}
		Recycle(closed)
	})
	if fromDisk == 0 || inPieces == 0 {
		t.Errorf("%d seconds on disk, %d closed in pieces: the test does not reach what it is about", fromDisk, inPieces)
	}
}

// Of two deliveries drawn at once by two processes, the later delivery stays.
func TestDeliveriesAtOnce(t *testing.T) {
	p := processes(1, 2)
	p.Redelivers = true
	l := NewList(p)
	for consumer, delivery := range []int32{2, 1} {
		d, g := columns(row{event: 100_000, now: 100_000, id: idOf(100, int64(consumer)+1, 0)})
		d.DrawNs, d.Delivery[0] = []int64{1e6}, delivery
		l.Add(consumer, d, g)
	}
	closed, _ := l.Close(math.MaxInt64, math.MaxInt64, settled, nil)
	for _, e := range entriesOf(closed[0]) {
		if stays := e.Life&gone == 0; stays != (e.Consumer == 0) {
			t.Errorf("the entry of process %d stays: %t", e.Consumer, stays)
		}
	}
}

// BenchmarkAgain adds messages of one second that all come twice.
func BenchmarkAgain(b *testing.B) {
	const messages = 5000
	var rows []row
	for i := range int64(2 * messages) {
		rows = append(rows, row{offset: i % messages, event: 100_000, now: 100_000 + i, id: idOf(100, 1, i%messages)})
	}
	d, g := columns(rows...)
	d.DrawNs = make([]int64, len(rows))
	p := processes(1)
	p.Redelivers = true
	for b.Loop() {
		NewList(p).Add(0, d, g)
	}
	b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/float64(len(rows)), "ns/row")
}

// Where many messages may come again, those that cannot any more are forgotten after a
// while, and all of them at the end; until then no second closes too early.
func TestSettle(t *testing.T) {
	const messages = 20 * settleCredit
	a := Again{current: map[messageKey]*delivered{}}
	for i := range int64(messages) {
		a.current[messageKey{ordinal: i}] = &delivered{second: 100 + i}
	}
	a.floor = 100
	half := []int64{messages / 2}
	calls := 0
	for floor := int64(0); floor < 100+messages/2; calls++ {
		if floor = a.settle(half, false); floor > 100+messages/2 || calls > 20 {
			t.Fatalf("a floor of %d after %d calls, want %d", floor, calls, 100+messages/2)
		}
	}
	if calls < 3 {
		t.Errorf("all were gone over in call %d", calls)
	}
	if floor := a.settle([]int64{messages}, true); floor != math.MaxInt64 || len(a.current) > 0 {
		t.Errorf("at the end the floor is %d, and %d are left", floor, len(a.current))
	}
}
