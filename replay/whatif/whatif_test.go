package whatif

import (
	"errors"
	"math"
	"testing"

	gocmp "github.com/google/go-cmp/cmp"

	"twindrift/replay"
)

func equal(t testing.TB, what string, want, got any) {
	t.Helper()
	if d := gocmp.Diff(want, got); d != "" {
		t.Fatalf("%s differ (-first +second):\n%s", what, d)
	}
}

func total(rows []replay.Batch) (n int) {
	for i := range rows {
		n += rows[i].Len()
	}
	return n
}

func TestUnchangedIsTheSame(t *testing.T) {
	src := steady(4000, 3)
	want, rows := changed(t, src, Unchanged())
	inner, _ := src.Plan(t.Context(), nil)
	inner.Notes = want.Notes
	equal(t, "the plans", inner, want)
	for i := range rows {
		for k := range src.rows[i].Partition {
			src.rows[i].Partition[k] = int32(i)
		}
	}
	equal(t, "the rows", src.rows, rows)
	none := Unchanged()
	if !none.None() || none.Scale != 1 {
		t.Errorf("%+v changes something", none)
	}
	// A burst of scale 1 goes the other way through the code.
	once := Unchanged()
	once.Bursts = []Burst{{Scale: 1}}
	_, again := changed(t, src, once)
	equal(t, "the rows", rows, again)
}

// The number of copies follows its law: whole parts exactly, the rest within
// five standard deviations of a binomial; and these very numbers always.
func TestScaleCounts(t *testing.T) {
	const n = 40_000
	for _, c := range []struct {
		scale float64
		want  int
	}{
		{0.3, 11817}, {1, n}, {2, 2 * n}, {2.5, 99822}, {7, 7 * n},
	} {
		ch := Unchanged()
		ch.Seed, ch.Scale = 1, c.scale
		_, rows := changed(t, steady(n, 5), ch)
		got := total(rows)
		rest := c.scale - math.Floor(c.scale)
		if off := math.Abs(float64(got) - c.scale*n); off > 5*math.Sqrt(n*rest*(1-rest)) {
			t.Errorf("scale %v of %d messages gives %d", c.scale, n, got)
		}
		if got != c.want {
			t.Errorf("scale %v gives %d messages, and gave %d", c.scale, got, c.want)
		}
	}
}

// Moves are uniform from 0 to the spread, both included, and keys of copies new.
func TestCopies(t *testing.T) {
	c := &capture{cut: 1}
	c.partition("t", 0)
	const n = 20_000
	for i := range int64(n) {
		c.add(i, startMs+i*10_000, uint64(i%10)) // key 0 is null
	}
	ch := Unchanged()
	ch.Scale, ch.SpreadMs = 2, 4
	_, rows := changed(t, c, ch)
	b := &rows[0]
	var moved [5]int
	twins := map[uint64]map[uint64]bool{} // keys of copies, by key
	for i := 0; i < b.Len(); i += 2 {
		moved[b.TimestampMs[i+1]-b.TimestampMs[i]]++
		if b.KeyHash[i] == 0 && (b.KeyHash[i+1] != 0 || b.KeyLen[i+1] != replay.NullLen) {
			t.Fatalf("the copy of a message without key has the key %x of length %d", b.KeyHash[i+1], b.KeyLen[i+1])
		}
		if twins[b.KeyHash[i]] == nil {
			twins[b.KeyHash[i]] = map[uint64]bool{}
		}
		twins[b.KeyHash[i]][b.KeyHash[i+1]] = true
		if b.MessageID[i] == replay.NoMessageID || b.MessageID[i+1] != replay.NoMessageID {
			t.Fatalf("ids %d, and %d of the copy", b.MessageID[i], b.MessageID[i+1])
		}
		if b.ProcessedAtMs[i+1]-b.TimestampMs[i+1] != 40 {
			t.Fatalf("the copy was processed %d ms after its timestamp, want 40", b.ProcessedAtMs[i+1]-b.TimestampMs[i+1])
		}
	}
	for by, count := range moved {
		if off := math.Abs(float64(count) - n/5); off > 5*math.Sqrt(n*0.2*0.8) {
			t.Errorf("%d of %d copies are moved by %d ms", count, n, by)
		}
	}
	for key, of := range twins {
		if len(of) != 1 || of[key] != (key == 0) {
			t.Errorf("key %x has twins %v", key, of)
		}
	}
}

// The copies of one message move independently of each other.
func TestCopiesMoveIndependently(t *testing.T) {
	c := &capture{cut: 1}
	c.partition("t", 0)
	const n = 5000
	for i := range int64(n) {
		c.add(i, startMs+i*10_000, 1)
	}
	ch := Unchanged()
	ch.Scale, ch.SpreadMs = 3, 9
	_, rows := changed(t, c, ch)
	b, same := &rows[0], 0
	for i := 0; i < b.Len(); i += 3 {
		if b.TimestampMs[i+1] == b.TimestampMs[i+2] {
			same++
		}
		if b.KeyHash[i+1] == b.KeyHash[i+2] {
			t.Fatalf("two copies have the key %x", b.KeyHash[i+1])
		}
	}
	if off := math.Abs(float64(same) - n/10); off > 5*math.Sqrt(n*0.1*0.9) {
		t.Errorf("%d of %d pairs of copies moved by the same time, where one in ten is to be expected", same, n)
	}
}

// What a scale keeps, a larger one keeps too.
func TestScalesShareTheirLuck(t *testing.T) {
	kept := func(scale float64) map[int64]bool {
		ch := Unchanged()
		ch.Scale = scale
		_, rows := changed(t, steady(4000, 1), ch)
		m := map[int64]bool{}
		for _, ms := range rows[0].TimestampMs {
			m[ms] = true
		}
		return m
	}
	small, large := kept(0.3), kept(0.5)
	for ms := range small {
		if !large[ms] {
			t.Fatalf("0.3 keeps the message of %d, 0.5 does not", ms)
		}
	}
	if len(small) == 0 || len(small) >= len(large) {
		t.Errorf("0.3 keeps %d, 0.5 keeps %d", len(small), len(large))
	}
}

func TestRoundsHaveTheirOwnLuck(t *testing.T) {
	ch := Unchanged()
	ch.Scale, ch.Repeat = 0.5, 2
	_, rows := changed(t, steady(4000, 1), ch)
	kept := map[int64]int{} // rounds that keep the message, by its time in its round
	for _, ms := range rows[0].TimestampMs {
		kept[(ms-startMs)%40_000]++
	}
	both := 0
	for _, n := range kept {
		if n == 2 {
			both++
		}
	}
	if off := math.Abs(float64(both) - 1000/4); off > 5*math.Sqrt(1000*0.25*0.75) {
		t.Errorf("both rounds keep %d of 1000 messages, where a quarter is to be expected", both)
	}
}

func TestWindowOnlyRepeatShift(t *testing.T) {
	ch := Unchanged()
	ch.Only = []Partitions{{"orders", 1, 2}, {"trades", 0, -1}}
	ch.Window = Window{Moment{AfterStart, 1000}, Moment{Instant, startMs + 3000}}
	plan, rows := changed(t, steady(4000, 3), ch)
	if len(rows) != 3 || plan.Partitions[0].Number != 1 || total(rows) != 150 {
		t.Fatalf("%d messages of %d partitions: %+v", total(rows), len(rows), plan.Partitions)
	}
	equal(t, "the partitions without messages", []replay.Partition{{Topic: "orders", Number: 0}}, plan.Silent)
	if p := plan.Partitions[2]; p.Topic != "trades" || p.MinMs != startMs+1030 || p.MaxMs != startMs+2990 || p.FirstOffset != 125 {
		t.Errorf("of trades there is %+v", p)
	}
	ch.Repeat, ch.ShiftMs = 3, -3_600_000
	plan, again := changed(t, steady(4000, 3), ch)
	if total(again) != 450 || plan.Partitions[0].FirstOffset != 0 || plan.Partitions[0].LastOffset != 149 {
		t.Fatalf("repeated: %d messages: %+v", total(again), plan.Partitions)
	}
	for i, b := range again {
		for k, ms := range b.TimestampMs {
			of := k % rows[i].Len()
			if want := rows[i].TimestampMs[of] + int64(k/rows[i].Len())*2000 - 3_600_000; ms != want || b.KeyHash[k] != rows[i].KeyHash[of] {
				t.Fatalf("partition %d, row %d: at %d, want %d", i, k, ms, want)
			}
		}
	}
	if text := plan.Notes[0].Text; text != "the traffic is changed: only orders/1-2, trades, window 1s..2026-03-02T11:00:03Z, repeated 3 times, shifted by -1h, offsets counted anew; of 4,000 messages it makes 450" {
		t.Errorf("note %q", text)
	}
}

// Without a window, rounds are as long as the whole seconds of the capture.
func TestRoundsAreWholeSeconds(t *testing.T) {
	c := &capture{cut: 1}
	c.partition("t", 0)
	c.add(0, startMs+200, 1)
	c.add(1, startMs+5100, 1)
	ch := Unchanged()
	ch.Repeat = 2
	_, rows := changed(t, c, ch)
	equal(t, "the timestamps", []int64{startMs + 200, startMs + 5100, startMs + 6200, startMs + 11100}, rows[0].TimestampMs)
}

func TestBurst(t *testing.T) {
	ch := Unchanged()
	ch.SpreadMs = 0
	ch.Bursts = []Burst{
		{Window{Moment{AfterStart, 10_000}, Moment{AfterStart, 20_000}}, 5},
		{Window{Moment{AfterStart, 30_000}, Moment{}}, 0},
	}
	_, rows := changed(t, steady(4000, 2), ch)
	perSecond := map[int64]int{}
	for _, b := range rows {
		for _, ms := range b.TimestampMs {
			perSecond[(ms-startMs)/1000]++
		}
	}
	for s := range int64(40) {
		want := 100
		switch {
		case s >= 30:
			want = 0
		case s >= 10 && s < 20:
			want = 500
		}
		if perSecond[s] != want {
			t.Errorf("second %d has %d messages, want %d", s, perSecond[s], want)
		}
	}
}

// Only what comes within the spread has to wait.
func TestLittleWaits(t *testing.T) {
	src := steady(40_000, 7) // 25 messages a second and partition
	ch := Unchanged()
	ch.Scale, ch.Repeat = 3, 2
	s := New(src, ch)
	if _, err := s.Plan(t.Context(), nil); err != nil {
		t.Fatal(err)
	}
	if src.open != 0 {
		t.Errorf("%d streams stay open", src.open)
	}
	p := s.pass(t.Context())
	var b replay.Batch
	for ended, turn := [4]bool{}, 0; ended != [4]bool{true, true, true, true}; turn++ {
		b.Reset()
		ended[turn%4] = p.next(turn%4, &b) != nil
	}
	for i := range p.parts {
		if n := p.parts[i].waiting.rows.Len(); n < 20 || n > 2*26 {
			t.Errorf("partition %d had up to %d copies waiting, where %d come within a second", i, n, 50)
		}
	}
	if src.open != 0 || src.mostOpen > 2 {
		t.Errorf("%d streams stay open, up to %d were", src.open, src.mostOpen)
	}
}

// A window of a shifted capture, shifted itself, holds the same.
func TestShiftAndWindowCommute(t *testing.T) {
	ch := Unchanged()
	ch.Window = Window{Moment{Instant, startMs + 2000}, Moment{Instant, startMs + 9000}}
	ch.ShiftMs = 86_400_000
	_, want := changed(t, steady(4000, 3), ch)
	shifted, windowed := Unchanged(), Unchanged()
	shifted.ShiftMs = ch.ShiftMs
	windowed.Window = Window{Moment{Instant, startMs + 2000 + ch.ShiftMs}, Moment{Instant, startMs + 9000 + ch.ShiftMs}}
	_, got := changed(t, New(steady(4000, 3), shifted), windowed)
	equal(t, "the rows", want, got)
}

func TestErrors(t *testing.T) {
	at := func(ms int64) Moment { return Moment{AfterStart, ms} }
	for name, c := range map[string]struct {
		change func(*Changes)
		want   string
	}{
		"scale":           {func(c *Changes) { c.Scale = -1 }, "traffic: scale: -1 is out of range: from 0 to 1000"},
		"scale nan":       {func(c *Changes) { c.Scale = math.NaN() }, "traffic: scale: NaN is out of range: from 0 to 1000"},
		"repeat":          {func(c *Changes) { c.Repeat = 0 }, "traffic: repeat: 0 is out of range: from 1 to 100000"},
		"spread":          {func(c *Changes) { c.SpreadMs = -1 }, "traffic: spread: -1ms is out of range: from 0s to 1h"},
		"backwards":       {func(c *Changes) { c.Window = Window{at(2000), at(2000)} }, "traffic: window: it ends at 2s, which is not after its start at 2s"},
		"backwards mixed": {func(c *Changes) { c.Window = Window{at(2000), Moment{Instant, startMs}} }, "traffic: window: it ends at 2026-03-02T11:00:00Z, which is not after its start at 2026-03-02T11:00:02Z; the capture starts at 2026-03-02T11:00:00Z"},
		"empty window":    {func(c *Changes) { c.Window = Window{at(3_600_000), Moment{}} }, "traffic: window: no message lies in it; the capture goes from 2026-03-02T11:00:00Z to 2026-03-02T11:00:39.99Z"},
		"burst":           {func(c *Changes) { c.Bursts = []Burst{{Window{at(5), at(1)}, 2}} }, "traffic: burst[0]: it ends at 1ms, which is not after its start at 5ms"},
		"burst scale":     {func(c *Changes) { c.Bursts = []Burst{{Scale: 2000}} }, "traffic: burst[0].scale: 2000 is out of range: from 0 to 1000"},
		"thin":            {func(c *Changes) { c.Scale = 1e-9 }, "traffic: scale 1e-09: of 4,000 messages none is left; take more"},
		"quiet":           {func(c *Changes) { c.Window = Window{at(1), at(2)} }, "traffic: window 1ms..2ms: of 4,000 messages none is left; take more"},
		"only":            {func(c *Changes) { c.Only = []Partitions{{"orders", 3, 3}} }, "traffic: only: the capture has no partition orders/3; it has orders/0-2, trades/0"},
		"onto none":       {func(c *Changes) { c.ShiftMs = -startMs - 1 }, "traffic: orders/0@100: moved by -1772449200001 ms its timestamp is -1 ms, which stands for none; move by another amount"},
		"too far":         {func(c *Changes) { c.ShiftMs = math.MaxInt64 }, "traffic: timestamps from 1772449200000 to 1772449239990 ms cannot be changed so: they would not fit an int64 any more; leave out what is wrong in them by a window"},
		"far start":       {func(c *Changes) { c.Window = Window{at(math.MaxInt64), Moment{}} }, "traffic: window: 9223372036854775807 ms after the capture's start is past the end of time (its earliest timestamp is 1772449200000 ms); say a date and time"},
	} {
		ch := Unchanged()
		c.change(&ch)
		_, err := New(steady(4000, 3), ch).Plan(t.Context(), nil)
		if err == nil || err.Error() != c.want {
			t.Errorf("%s: %v\nwant %s", name, err, c.want)
		}
	}
}

// What is wrong with the capture is said as the capture says it.
func TestErrorsOfTheCapture(t *testing.T) {
	broken := errors.New("a.parquet: row group 3: broken")
	ch := Unchanged()
	ch.Scale = 2
	s := New(&failing{capture: steady(400, 1), after: 1, err: broken}, ch)
	if _, err := s.Plan(t.Context(), nil); err != broken {
		t.Errorf("Plan says %v", err)
	}
	src := &failing{capture: steady(400, 1), after: 1000, err: broken}
	s = New(src, ch)
	plan, err := s.Plan(t.Context(), nil)
	if err != nil {
		t.Fatal(err)
	}
	src.after = 100
	if err := replay.Walk(t.Context(), s, plan, func(*replay.Batch) error { return nil }); !errors.Is(err, broken) {
		t.Errorf("the pass says %v", err)
	}
	if src.open != 0 {
		t.Errorf("%d streams stay open", src.open)
	}
}

func TestOpenNeedsPlan(t *testing.T) {
	if _, err := New(steady(8, 1), Unchanged()).Open(t.Context()); err == nil {
		t.Error("Open works without a plan")
	}
}

func BenchmarkScale(b *testing.B) {
	src := steady(1_000_000, 1000)
	ch := Unchanged()
	ch.Scale = 2.5
	s := New(src, ch)
	plan, err := s.Plan(b.Context(), nil)
	if err != nil {
		b.Fatal(err)
	}
	b.ReportAllocs()
	for b.Loop() {
		if err := replay.Walk(b.Context(), s, plan, func(*replay.Batch) error { return nil }); err != nil {
			b.Fatal(err)
		}
	}
	b.ReportMetric(float64(plan.Messages)*float64(b.N)/b.Elapsed().Seconds()/1e6, "Mmsg/s")
}
