package measure

import (
	"math"
	"testing"

	"pgregory.net/rapid"
)

// The last delivery of each message is its entry, in whatever second and however many
// others are there; those before are out of the list.
func TestLaterDeliveriesTakeTheirPlace(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		messages := rapid.SampledFrom([]int64{1, 3, 50, 2000}).Draw(t, "messages")
		p := processes(1)
		p.Redelivers = true
		l, last := NewList(p), map[int64]int64{}
		ids := rapid.Uint64().Draw(t, "ids")
		var rows []row
		for i := range 4 * messages {
			ids = ids*6364136223846793005 + 1442695040888963407
			offset := int64(ids>>33) % messages
			last[offset] = idOf(100+int64(ids>>60)%3, 1, int64(ids>>40)%5000)
			rows = append(rows, row{offset: offset, event: 100_000, now: 100_000 + i, id: last[offset]})
		}
		d, g := columns(rows...)
		for _, now := range d.NowMs {
			d.DrawNs = append(d.DrawNs, now*1e6)
		}
		l.Add(0, d, g)
		closed, _ := l.Close(math.MaxInt64, math.MaxInt64, settled, nil)
		found := 0
		for _, s := range closed {
			for _, e := range entriesOf(s) {
				if e.Life&gone != 0 {
					continue
				}
				if found++; e.ID != last[e.Offset] {
					t.Fatalf("message %d stands at id %d, want %d", e.Offset, e.ID, last[e.Offset])
				}
			}
		}
		if found != len(last) || l.Again.Overwritten != int64(len(rows)-len(last)) {
			t.Fatalf("%d entries of %d messages, %d of %d deliveries overwritten", found, len(last), l.Again.Overwritten, len(rows))
		}
	})
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
