package recipe

import (
	"cmp"
	"slices"
	"testing"

	"twindrift/replay/philox"
)

// message is one of the messages of a partition and its way into the log.
type message struct {
	row
	held bool
}

// messages draws all messages of a partition the plain way: cell by cell into
// one list, with no feeders, buckets or bounds; in log order but for those of
// one ms.
func messages(s *Source, p *partition) []message {
	t := p.topic
	var all []message
	for _, piece := range t.pieces {
		for from := piece.from; from < piece.to; {
			to := min(piece.to, (from/1000+1)*1000)
			mean := float64(piece.rate) * t.partitions[p.number] * float64(to-from)
			word := func(i, purpose, sub uint64) [4]uint64 {
				return philox.Block([4]uint64{uint64(from), i, purpose, sub}, p.key)
			}
			n := newPoisson(mean).draw(word(0, forCount, 0)[0])
			for i := range uint64(n) {
				w := word(i, forMessage, 0)
				m := message{row: row{bytes: t.valueBytes[w[2]%quantiles]}}
				m.createdMs = from + int64(float64(w[0]>>11)*0x1p-53*float64(to-from))
				if t.keyed != nil {
					m.key = t.keyed.tables[p.number].draw(w[1])
				}
				m.appendMs = m.createdMs + int64(float64(w[3]>>11)*0x1p-53*float64(t.jitterMs+1))
				if t.late != nil {
					l := word(i, forLate, 0)
					m.appendMs += t.late.draw(l[0], l[1])
				}
				for k := len(t.stalls) - 1; k >= 0; k-- { // the first that holds it counts
					h := t.stalls[k]
					if h.holds(m.createdMs) && philox.Float(word(i, forStall, uint64(k))[0]) < float64(h.share) {
						m.held = true
						m.appendMs = h.to + (m.createdMs-h.from)*h.drainMs/(h.to-h.from)
					}
				}
				all = append(all, m)
				for _, r := range t.resends {
					if r.holds(m.createdMs) {
						again := m.row
						again.appendMs = m.createdMs + r.afterMs
						all = append(all, message{row: again})
					}
				}
			}
			from = to
		}
	}
	slices.SortFunc(all, func(a, b message) int { return compareRows(a.row, b.row) })
	return all
}

func compareRows(a, b row) int {
	return cmp.Or(cmp.Compare(a.appendMs, b.appendMs), cmp.Compare(a.createdMs, b.createdMs),
		cmp.Compare(a.key, b.key), cmp.Compare(a.bytes, b.bytes))
}

// The stream must bring the same messages as the plain way, in the order of
// the log.
func TestStreamBringsWhatThePlainWayDoes(t *testing.T) {
	s := parse(t, unruly)
	if _, err := s.Plan(t.Context(), nil); err != nil {
		t.Fatal(err)
	}
	for _, p := range s.open(t.Context()).partitions {
		want := messages(s, p)
		var got []row
		held := 0
		for p.nextSecond() {
			for _, i := range p.ready {
				got = append(got, p.current.rows[i])
			}
		}
		if !slices.IsSortedFunc(got, func(a, b row) int { return cmp.Compare(a.appendMs, b.appendMs) }) {
			t.Errorf("%s %d: not in log order", p.topic.name, p.number)
		}
		slices.SortFunc(got, compareRows)
		if len(got) != len(want) {
			t.Fatalf("%s %d: %d messages, want %d", p.topic.name, p.number, len(got), len(want))
		}
		for i := range want {
			if got[i] != want[i].row {
				t.Fatalf("%s %d: message %d is %+v, want %+v", p.topic.name, p.number, i, got[i], want[i])
			}
			if want[i].held {
				held++
			}
		}
		if p.topic.name == "orders" && held < 100 {
			t.Errorf("partition %d: only %d messages were held: the test shows little", p.number, held)
		}
	}
}

// Windows are cut to the time of the recipe; those of every day come on every
// day, also where they begin before the recipe does.
func TestWindows(t *testing.T) {
	const hour = 3_600_000
	// 10 January 1970, 20:00 at UTC+8, for 30 hours.
	start := int64(9*dayMs + 12*hour)
	b := bounds{window{start, start + 30*hour}, 8 * hour}
	for _, c := range []struct {
		at     moment
		length int64
		want   []window // after start
	}{
		{moment{afterStart, hour}, hour, []window{{hour, 2 * hour}}},
		{moment{afterStart, 29 * hour}, 2 * hour, []window{{29 * hour, 30 * hour}}},
		{moment{afterStart, 30 * hour}, hour, nil},
		{moment{atInstant, start - hour}, 2 * hour, []window{{0, hour}}},
		{moment{atInstant, start - hour}, hour, nil},
		{moment{everyDay, 0}, hour, []window{{4 * hour, 5 * hour}, {28 * hour, 29 * hour}}},
		{moment{everyDay, 19*hour + hour/2}, hour, []window{{0, hour / 2}, {23*hour + hour/2, 24*hour + hour/2}}},
		{moment{everyDay, 21 * hour}, dayMs + 2*hour, []window{{0, 3 * hour}, {hour, 27 * hour}, {25 * hour, 30 * hour}}},
	} {
		var got []window
		for _, w := range b.windows(c.at, c.length) {
			got = append(got, window{w.from - start, w.to - start})
		}
		if !slices.Equal(got, c.want) {
			t.Errorf("windows(%+v, %d) = %v, want %v", c.at, c.length, got, c.want)
		}
	}
}

// A stall of all producers leaves the log silent, then brings everything in
// order within drain.
func TestStallSilencesTheLog(t *testing.T) {
	const head = "start: 2026-03-02T20:00:00Z\nlength: 3m\ntopics:\n  - {name: a, rate: 100/s, timestamps: log-append"
	_, calm := read(t, parse(t, head+"}"))
	_, held := read(t, parse(t, head+", stalls: [{at: 1m, for: 1m, drain: 500ms}]}"))
	const start = 1772481600000
	count := func(ts []int64, from, to int64) (n int) {
		for _, ms := range ts {
			if from <= ms-start && ms-start < to {
				n++
			}
		}
		return n
	}
	before, after := calm[0].TimestampMs, held[0].TimestampMs
	if len(before) != len(after) {
		t.Errorf("%d messages with the stall, %d without", len(after), len(before))
	}
	if n := count(after, 60_000, 120_000); n != 0 {
		t.Errorf("%d messages during the stall", n)
	}
	want := count(before, 60_000, 120_500)
	if n := count(after, 120_000, 120_500); n != want {
		t.Errorf("%d messages while it drains, want %d", n, want)
	}
	if !slices.IsSorted(after) {
		t.Error("what was held is out of order")
	}
}

// Resent messages come so much later, with their stamps, keys and sizes.
func TestResendsAreCopies(t *testing.T) {
	const head = "start: 2026-03-02T20:00:00Z\nlength: 1m\ntopics:\n  - {name: a, rate: 100/s, keys: {count: 50}, value: {p50: 100, p99: 1000}"
	_, once := read(t, parse(t, head+"}"))
	_, twice := read(t, parse(t, head+", resends: [{from: 0s, for: 1m, after: 1d}]}"))
	n := once[0].Len()
	if twice[0].Len() != 2*n {
		t.Fatalf("%d messages, want %d twice", twice[0].Len(), n)
	}
	for i := range n {
		for _, k := range []int{i, n + i} {
			if twice[0].TimestampMs[k] != once[0].TimestampMs[i] || twice[0].KeyHash[k] != once[0].KeyHash[i] ||
				twice[0].ValueLen[k] != once[0].ValueLen[i] || twice[0].Offset[k] != int64(k) {
				t.Fatalf("message %d is not message %d once more", k, i)
			}
		}
	}
}
