package measure

import (
	"fmt"
	"math"
	"testing"

	"pgregory.net/rapid"

	"twindrift/sim/order"
	"twindrift/sim/site"
	"twindrift/sim/spill"
	"twindrift/sim/tally"
)

// twoLists are the lists of two sites and what compares them.
type twoLists struct {
	lists      [2]*List
	pair       *Pair
	collisions *Collisions
	entries    [2][]Entry
	seconds    [2]int // closed, or pieces of them
}

// newTwoLists has all go to disk but for what fits in so many bytes; disk may be nil.
func newTwoLists(p Processes, pace int, disk *spill.Store) *twoLists {
	w := &twoLists{pair: NewPair(layout, 2, p.Redelivers), collisions: NewCollisions(p, p)}
	w.pair.CompareRanks()
	w.pair.Pace(pace)
	for side := range w.lists {
		w.lists[side] = NewList(p)
		w.lists[side].Places = new(Places)
		w.lists[side].Pace(pace)
	}
	if disk != nil {
		w.pair.Spill(disk.Owner(), disk.Owner())
		w.collisions.Spill(disk.Owner())
		for _, l := range w.lists {
			l.Spill(disk.Owner())
		}
	}
	return w
}

// draw takes in what the processes of a site drew.
func (w *twoLists) draw(side int, rows [2][]row) {
	for consumer, drawn := range rows {
		d, g := columns(drawn...)
		d.DrawNs = d.NowMs
		w.lists[side].Add(consumer, d, g)
		if side == 0 {
			w.pair.AddA(d, g)
		} else {
			w.pair.AddB(d, g)
		}
	}
}

// close closes what lies before a second at a site.
func (w *twoLists) close(side int, second int64, settled []int64) (closed []Second, floor int64) {
	closed, floor = w.lists[side].Close(second, math.MinInt64, settled, nil)
	for _, s := range closed {
		w.entries[side] = append(w.entries[side], entriesOf(s)...)
	}
	w.seconds[side] += len(closed)
	return closed, floor
}

// end closes all that is left, at both sites in turns, which B leaves out as it likes.
func (w *twoLists) end(waits func() bool) {
	floor := [2]int64{math.MinInt64, math.MinInt64}
	for more := [2]bool{true, true}; more[0] || more[1]; {
		var closed [2][]Second
		for side, l := range w.lists {
			if more[side] && (side == 0 || !more[0] || !waits()) {
				closed[side], floor[side] = w.close(side, math.MaxInt64, settled)
				more[side] = l.More()
			}
		}
		w.collisions.Add(closed[0], closed[1], floor[0], floor[1])
		Recycle(closed[0])
		Recycle(closed[1])
	}
}

// found is all that was found, as text.
func (w *twoLists) found() string {
	counts := func(c *tally.Counts) (all []int64) {
		for v, n := range c.All() {
			all = append(all, v, n)
		}
		return all
	}
	places := func(d *order.DisplacementResult) []any { return []any{d.N, counts(&d.Signed), counts(&d.Occupancy)} }
	text := ""
	for side, l := range w.lists {
		d, r := &l.Duplicates, l.Reordering.Result()
		text += fmt.Sprintln("list", side, w.entries[side])
		text += fmt.Sprintln("order", l.Discordance.Result(), r.N, r.Reordered, counts(&r.Extents), counts(&r.LateMs), r.MaxBehind, counts(&r.Degrees), r.Runs, l.Reordered)
		text += fmt.Sprintln("places", places(l.Places.Displacement.Result()), counts(l.Drift.Counts()))
		text += fmt.Sprintln("duplicates", d.Extra, d.Groups, d.Distinct, d.Scores, d.ByCause, d.WithinNode, d.First)
		text += fmt.Sprintln("again", l.Again.Overwritten, l.Again.Lost, l.Again.SeveralIDs, l.Again.Stored)
		text += fmt.Sprintln("errors", l.Discordance.Err(), l.Reordering.Err(), l.Places.Displacement.Err())
	}
	p, c := w.pair, w.collisions
	text += fmt.Sprintln("pair", p.Both, p.OnlyA, p.OnlyB, p.Neither, p.SameID, p.SameSecond, p.OtherSec, counts(p.Difference.Counts()), p.First)
	text += fmt.Sprintln("joint", p.Joint.Result(), places(p.Ranks.Result()), p.Err())
	return text + fmt.Sprintln("collisions", c.Extra, c.Groups, c.ByCause, c.First)
}

// drawnRows are the messages from..to as the two processes of a site draw them, and maybe
// some of those from again on once more. The ids are those of three seconds.
func drawnRows(t *rapid.T, base, ids int64, again, from, to int64) (rows [2][]row) {
	luck := rapid.Uint64().Draw(t, "luck")
	next := func(n int64) int64 {
		luck = luck*6364136223846793005 + 1442695040888963407
		return int64(luck>>33) % n
	}
	add := func(message, now int64) {
		one := row{partition: int32(message % 2), offset: message / 2, event: 100_000 + next(3000), now: 100_000 + now}
		one.id = base + next(3)*ticksPerSecond + next(ids)*200
		if next(8) == 0 {
			one.state = site.StoreOff
		}
		rows[message/2%2] = append(rows[message/2%2], one)
	}
	for message := from; message < to; message++ {
		add(message, 2*message)
		if again < message && next(4) == 0 {
			add(again+next(message-again), 2*message+1)
		}
	}
	return rows
}

// Whatever the pieces in which seconds close, and however little of them stays in memory:
// lists, and what two of them have in common, are found to be what they are as a whole.
// Seconds close at different times at the two sites. Ids may lie at the ends of int64.
func TestPiecesAreTheWhole(t *testing.T) {
	dir, inPieces, onDisk, collided := t.TempDir(), 0, int64(0), int64(0)
	rapid.Check(t, func(t *rapid.T) {
		p := processes(1, 2)
		p.Redelivers = rapid.Bool().Draw(t, "redelivers")
		p.MemberIsID = rapid.IntRange(0, 3).Draw(t, "member is id") == 0
		disk, err := spill.New(rapid.SampledFrom([]int64{1, 1 << 12, 1 << 15}).Draw(t, "memory"), dir)
		if err != nil {
			t.Fatal(err)
		}
		defer disk.Close()
		whole := newTwoLists(p, 0, nil)
		whole.pair.chunk, whole.lists[0].chunk, whole.lists[1].chunk = 1<<20, 1<<20, 1<<20
		pieces := newTwoLists(p, rapid.SampledFrom([]int{1, 2, 7, 70, 300}).Draw(t, "pace"), disk)
		base := rapid.SampledFrom([]int64{idOf(100, 0, 0), idOf(100, 3, 4990), -ticksPerSecond, 0,
			math.MinInt64 + 2, math.MaxInt64 - 3*ticksPerSecond}).Draw(t, "base") // a Pair takes no lower ones
		ids := rapid.SampledFrom([]int64{1, 30, 1000, 40_000}).Draw(t, "ids")
		messages, from := rapid.Int64Range(1, 400).Draw(t, "messages"), int64(0)
		first := secondOf(layout.OwnerMs(base))
		for from < messages {
			to := min(messages, from+rapid.SampledFrom([]int64{1, 10, 100}).Draw(t, "rows"))
			rows := make([]site.Rows, 2)
			for m := from; m < to; m++ {
				r := &rows[m%2]
				r.Offset, r.EventMs = append(r.Offset, m/2), append(r.EventMs, 100_000+m)
			}
			again := to
			if p.Redelivers {
				again = 0
			}
			whole.pair.Extend(rows)
			pieces.pair.Extend(rows)
			for side := range 2 {
				drawn := drawnRows(t, base, ids, again, from, to)
				for _, w := range []*twoLists{whole, pieces} {
					w.draw(side, drawn)
					if closed, _ := w.close(side, first, []int64{0, 0}); len(closed) > 0 {
						t.Fatalf("%d seconds closed before the first", len(closed))
					}
				}
			}
			of := []int64{(to + 1) / 2, to / 2}
			if p.Redelivers {
				of = []int64{0, 0}
			}
			whole.pair.Join(base, base, of, of)
			pieces.pair.Join(base, base, of, of)
			from = to
		}
		for _, w := range []*twoLists{whole, pieces} {
			w.end(func() bool { return rapid.Bool().Draw(t, "B waits") })
			w.pair.Join(math.MaxInt64, math.MaxInt64, settled, settled)
		}
		if err := disk.Err(); err != nil {
			t.Fatal(err)
		}
		if got, want := pieces.found(), whole.found(); got != want {
			t.Fatalf("in pieces:\n%s\nas a whole:\n%s", got, want)
		}
		if pieces.seconds[0] > whole.seconds[0] && pieces.seconds[1] > whole.seconds[1] {
			inPieces++
			collided += pieces.collisions.Groups
		}
		onDisk += disk.Written()
	})
	if inPieces == 0 || onDisk == 0 || collided == 0 {
		t.Errorf("%d times in pieces at both sites, %d bytes on disk, %d ids of two messages: the test does not reach what it is about", inPieces, onDisk, collided)
	}
}

// What cannot be read back from the disk is the disk's error, whatever comes out of it:
// nothing panics, where it fails while seconds close.
func TestPiecesThatCannotBeReadBack(t *testing.T) {
	dir, failed := t.TempDir(), 0
	rapid.Check(t, func(t *rapid.T) {
		disk, err := spill.New(rapid.SampledFrom([]int64{1, 1 << 14}).Draw(t, "memory"), dir)
		if err != nil {
			t.Fatal(err)
		}
		p := processes(1, 2)
		p.Redelivers = rapid.Bool().Draw(t, "redelivers")
		w := newTwoLists(p, rapid.SampledFrom([]int{1, 7, 100}).Draw(t, "pace"), disk)
		base := idOf(100, 0, 0)
		messages := rapid.Int64Range(1, 300).Draw(t, "messages")
		for from := int64(0); from < messages; from += 10 {
			rows := make([]site.Rows, 2)
			for m := from; m < from+10; m++ {
				r := &rows[m%2]
				r.Offset, r.EventMs = append(r.Offset, m/2), append(r.EventMs, 100_000+m)
			}
			w.pair.Extend(rows)
			for side := range 2 {
				w.draw(side, drawnRows(t, base, 5000, from+10, from, from+10))
				w.close(side, 100, []int64{0, 0})
			}
			w.pair.Join(base, base, []int64{from/2 + 5, from/2 + 5}, []int64{from/2 + 5, from/2 + 5})
		}
		closes := rapid.IntRange(0, 20).Draw(t, "closes before it fails")
		w.end(func() bool {
			if closes--; closes == 0 {
				disk.Close()
			}
			return rapid.Bool().Draw(t, "B waits")
		})
		disk.Close()
		w.pair.Join(math.MaxInt64, math.MaxInt64, settled, settled)
		if disk.Err() != nil {
			failed++
		}
	})
	if failed == 0 {
		t.Error("the disk never failed")
	}
}

// A chunk that comes back from disk, grows and goes to disk again says of all its entries
// where they lie: or the pieces would be as large as many such chunks.
func TestPiecesOfChunksThatGrow(t *testing.T) {
	const pace, chunks = 1000, 60
	p := processes(1)
	p.Redelivers = true
	l := NewList(p)
	l.Pace(pace)
	disk, err := spill.New(1, t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	defer disk.Close()
	l.Spill(disk.Owner())
	message := int64(0)
	add := func(n int64, second int64) {
		for range n {
			d, g := columns(row{offset: message, event: 100_000, now: 100_000 + message, id: idOf(second, 1, message*7919%5000)})
			d.DrawNs = d.NowMs
			l.Add(0, d, g)
			message++
		}
	}
	for range chunks {
		add(1, 100)
		l.Close(100, math.MinInt64, []int64{0}, nil)
		message--
		add(1, 101) // which takes out the entry on disk
		add(pace-1, 100)
		l.Close(100, math.MinInt64, []int64{0}, nil)
	}
	most := 0
	for more := true; more; more = l.More() {
		closed, _ := l.Close(math.MaxInt64, math.MaxInt64, settled, nil)
		for _, s := range closed {
			most = max(most, s.entries.len())
		}
		Recycle(closed)
	}
	if err := disk.Err(); err != nil || most > 3*pace {
		t.Errorf("%d entries in a piece of a second with %d; error %v", most, chunks*pace, err)
	}
}

// A second takes no more room than it has entries, also where some came after the others
// had gone to disk.
func TestRoomOfPieces(t *testing.T) {
	disk, err := spill.New(1, t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	defer disk.Close()
	const n = 1000
	l := NewList(processes(1))
	l.Spill(disk.Owner())
	var rows []row
	for i := range int64(n) {
		rows = append(rows, row{offset: i, event: 100_000, now: 100_000 + i, id: idOf(100, 1, i)})
	}
	for from, to := 0, n-10; from < n; from, to = to, n {
		d, g := columns(rows[from:to]...)
		l.Add(0, d, g)
		l.Close(0, math.MinInt64, settled, nil)
	}
	closed, _ := l.Close(math.MaxInt64, math.MinInt64, settled, nil)
	for _, s := range closed {
		if room := cap(s.entries.ids); s.entries.len() != n || room > 2*n {
			t.Errorf("%d entries have room for %d", s.entries.len(), room)
		}
	}
	if disk.Written() == 0 || len(closed) != 1 {
		t.Errorf("%d bytes went to disk, %d pieces", disk.Written(), len(closed))
	}
}
