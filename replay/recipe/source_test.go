package recipe

import (
	"context"
	"fmt"
	"io"
	"math"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"twindrift/replay"
)

// unruly is a recipe with everything that can go wrong.
const unruly = `
seed: 11
start: 2026-03-02T20:00:00.250+08:00
length: 5m
topics:
  - name: orders
    partitions: 3
    rate: 40/s
    keys: {count: 20, skew: 1}
    value: {p50: 300, p99: 2000}
    jitter: 90ms
    late: {share: 5%, p50: 3s, p99: 40s, max: 2m}
    bursts:
      - {at: 70s500ms, for: 3s200ms, rate: 900/s}
    stalls:
      - {at: 1m, for: 30s, share: 40%}
      - {at: 80s, for: 30s, share: 50%, drain: 0s}
    resends:
      - {from: 50s700ms, for: 31s, after: 2m}
      - {from: 4m, for: 1m, after: 1m}
  - name: prices
    shares: [4, 0, 1]
    rate: 15/s
    timestamps: log-append
    jitter: 500ms
`

func parse(t testing.TB, text string) *Source {
	t.Helper()
	s, err := Parse("test.yaml", []byte(text))
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// read plans a source and reads it partition by partition.
func read(t testing.TB, s replay.Source) (*replay.Plan, []replay.Batch) {
	t.Helper()
	plan, err := s.Plan(t.Context(), nil)
	if err != nil {
		t.Fatal(err)
	}
	st, err := s.Open(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	defer st.Close()
	parts := make([]replay.Batch, len(plan.Partitions))
	for p := range parts {
		for err == nil {
			err = st.Next(p, &parts[p])
		}
		if err != io.EOF {
			t.Fatal(err)
		}
		err = nil
	}
	return plan, parts
}

func TestEveryPassIsTheSame(t *testing.T) {
	s := parse(t, unruly)
	plan, parts := read(t, s)
	again, partsAgain := read(t, parse(t, unruly))
	if d := cmp.Diff(plan, again); d != "" {
		t.Errorf("the plan of another reading differs:\n%s", d)
	}
	if !slices.EqualFunc(parts, partsAgain, sameRows) {
		t.Error("the rows of another reading differ")
	}
	// Partitions read by turns.
	mixed := make([]replay.Batch, len(parts))
	err := replay.Walk(t.Context(), s, plan, func(b *replay.Batch) error {
		for i, p := range b.Partition {
			mixed[p].Append(b, i)
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	if !slices.EqualFunc(parts, mixed, sameRows) {
		t.Error("partitions read by turns differ")
	}
}

func sameRows(a, b replay.Batch) bool {
	return slices.Equal(a.Partition, b.Partition) && slices.Equal(a.Offset, b.Offset) &&
		slices.Equal(a.TimestampMs, b.TimestampMs) && slices.Equal(a.TimestampType, b.TimestampType) &&
		slices.Equal(a.KeyHash, b.KeyHash) && slices.Equal(a.KeyLen, b.KeyLen) && slices.Equal(a.ValueLen, b.ValueLen)
}

func TestPlanIsThatOfTheRows(t *testing.T) {
	plan, parts := read(t, parse(t, unruly))
	var names []string
	perSecond := map[int64]int64{}
	total := int64(0)
	for i, p := range plan.Partitions {
		names = append(names, fmt.Sprint(p.Topic, p.Number))
		b := &parts[i]
		total += int64(b.Len())
		if int64(b.Len()) != p.Messages || p.FirstOffset != 0 || p.LastOffset != p.Messages-1 {
			t.Errorf("%s: %d rows, the plan has %d with offsets %d to %d", names[i], b.Len(), p.Messages, p.FirstOffset, p.LastOffset)
		}
		reordered, largest := int64(0), int64(0)
		for k, ts := range b.TimestampMs {
			perSecond[ts/1000]++
			if ts < largest {
				reordered++
			}
			largest = max(largest, ts)
			if b.Offset[k] != int64(k) || b.Partition[k] != int32(i) {
				t.Fatalf("%s: row %d has offset %d, partition %d", names[i], k, b.Offset[k], b.Partition[k])
			}
		}
		if p.Reordered != reordered {
			t.Errorf("%s: %d reordered, the plan says %d", names[i], reordered, p.Reordered)
		}
		if p.Topic == "prices" && (reordered != 0 || p.LogAppend != p.Messages) {
			t.Errorf("%s: %d reordered, %d of %d stamped by the broker", names[i], reordered, p.LogAppend, p.Messages)
		}
	}
	// Partition 1 of prices has no share: no messages, so no place in the plan.
	if want := []string{"orders0", "orders1", "orders2", "prices0", "prices2"}; !slices.Equal(names, want) {
		t.Errorf("partitions %q, want %q", names, want)
	}
	if total != plan.Messages {
		t.Errorf("%d rows, the plan says %d", total, plan.Messages)
	}
	if perSecond[plan.PeakSecond] != plan.PeakCount {
		t.Errorf("the peak second has %d messages, the plan says %d", perSecond[plan.PeakSecond], plan.PeakCount)
	}
}

// What concerns one topic must not move the messages of another; nor does the
// order of the topics; another seed gives other messages.
func TestTopicsAreIndependent(t *testing.T) {
	const head = "start: 2026-03-02T20:00:00Z\nlength: 1m\n"
	const a = "  - {name: a, rate: 30/s, keys: {count: 9}}\n"
	const b = "  - {name: b, rate: 50/s, partitions: 2}\n"
	columns := func(text string, topic string) (ts [][]int64) {
		plan, parts := read(t, parse(t, text))
		for i, p := range plan.Partitions {
			if p.Topic == topic {
				ts = append(ts, parts[i].TimestampMs)
			}
		}
		return ts
	}
	alone := columns(head+"topics:\n"+a, "a")
	for name, text := range map[string]string{
		"with another topic":   head + "topics:\n" + a + b,
		"behind another topic": head + "topics:\n" + b + a,
		"with more partitions of the other": head + "topics:\n" + a +
			"  - {name: b, rate: 50/s, partitions: 7}\n",
	} {
		if !cmp.Equal(alone, columns(text, "a")) {
			t.Errorf("%s, topic a differs", name)
		}
	}
	if cmp.Equal(alone, columns("seed: 1\n"+head+"topics:\n"+a, "a")) {
		t.Error("another seed gives the same messages")
	}
}

func TestPlanReportsProgressAndStops(t *testing.T) {
	s := parse(t, unruly)
	var last [2]int64
	plan, err := s.Plan(t.Context(), func(done, total int64) {
		if done < last[0] || done > total {
			t.Errorf("progress %d of %d after %d", done, total, last[0])
		}
		last = [2]int64{done, total}
	})
	if err != nil {
		t.Fatal(err)
	}
	if last != [2]int64{plan.Messages, plan.Messages} {
		t.Errorf("the last progress is %d of %d, of %d messages", last[0], last[1], plan.Messages)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := s.Plan(ctx, nil); err == nil {
		t.Error("a cancelled plan gives no error")
	}
}

// The messages of each hour are as many as the curve and the bursts say: each
// count is Poisson, so within 6 standard deviations.
func TestRatesFollowTheCurve(t *testing.T) {
	s := parse(t, `
start: 2026-03-02T22:00:00+05:30
length: 1d
topics:
  - name: a
    partitions: 3
    rate: [0/s, 1/s, 2/s, 3/s, 4/s, 5/s, 0/s, 1/s, 2/s, 3/s, 4/s, 5/s, 0/s, 1/s, 2/s, 3/s, 4/s, 5/s, 0/s, 1/s, 2/s, 3/s, 4/s, 5/s]
    bursts:
      - {at: "23:30", for: 2h, rate: 12/s}
      - {at: 2h, for: 30m, rate: 180/m}
`)
	_, parts := read(t, s)
	got := map[int64]float64{} // by half hours from the start
	const start = 1772469000   // 2026-03-02 16:30 UTC
	for _, b := range parts {
		for _, ts := range b.TimestampMs {
			got[(ts/1000-start)/1800]++
		}
	}
	for half := range int64(48) {
		hour := (22 + half/2) % 24
		perSecond := float64(hour % 6)
		switch {
		case half == 4: // 00:00 to 00:30, the later burst in the list
			perSecond = 3
		case half >= 3 && half < 7: // 23:30 to 01:30
			perSecond = 12
		}
		want := perSecond * 1800
		if math.Abs(got[half]-want) > 6*math.Sqrt(want) {
			t.Errorf("half hour %d: %g messages, want %g", half, got[half], want)
		}
		delete(got, half)
	}
	if len(got) > 0 {
		t.Errorf("messages outside the day: %v", got)
	}
}

func TestKeysAndValuesFollowTheirDistributions(t *testing.T) {
	_, parts := read(t, parse(t, `
start: 2026-03-02T22:00:00Z
length: 5m
topics:
  - name: a
    partitions: 4
    rate: 300/s
    keys: {weights: [60, 30, 10]}
    value: {p50: 300, p99: 2000}
  - name: b
    partitions: 2
    shares: [9, 1]
    rate: 300/s
    value: 77
`))
	counts := map[uint64]float64{}
	n, belowMedian, below99 := 0., 0., 0.
	var null [2]float64
	for _, b := range parts {
		for i, h := range b.KeyHash {
			if b.KeyLen[i] == replay.NullLen {
				if h != 0 || b.ValueLen[i] != 77 {
					t.Fatalf("a null key with hash %d, value of %d bytes", h, b.ValueLen[i])
				}
				null[b.Partition[i]-int32(len(parts)-2)]++
				continue
			}
			counts[h]++
			n++
			if b.ValueLen[i] < 300 {
				belowMedian++
			}
			if b.ValueLen[i] < 2000 {
				below99++
			}
		}
	}
	near := func(what string, got, n, share float64) {
		if math.Abs(got-n*share) > 6*math.Sqrt(n*share*(1-share)) {
			t.Errorf("%s: %g of %g, want a share of %g", what, got, n, share)
		}
	}
	keyed := parse(t, "start: 2026-03-02T22:00:00Z\nlength: 1s\ntopics: [{name: a, rate: 1/s, keys: {count: 3}}]").topics[0].keyed
	for i, share := range []float64{0.6, 0.3, 0.1} {
		near(fmt.Sprintf("key %d", i+1), counts[keyed.hash[i]], n, share)
	}
	near("values below the median", belowMedian, n, 0.5)
	near("values below the 99th percentile", below99, n, 0.99)
	near("partition 0 of b", null[0], null[0]+null[1], 0.9)
}

func BenchmarkStream(b *testing.B) {
	for _, c := range []struct{ name, rate, length, extra string }{
		{"plain", "5000/s", "2m", ""},
		{"keys", "5000/s", "2m", "keys: {count: 1000, skew: 1}\n    value: {p50: 300, p99: 2000}"},
		{"unruly", "5000/s", "2m", "keys: {count: 1000, skew: 1}\n    jitter: 40ms\n    late: {share: 2%, p50: 3s, p99: 40s, max: 5m}\n    stalls: [{at: 30s, for: 20s, share: 25%}]"},
		{"sparse", "8/s", "1d", ""},
	} {
		b.Run(c.name, func(b *testing.B) {
			s := parse(b, fmt.Sprintf("start: 2026-03-02T20:00:00Z\nlength: %s\ntopics:\n  - name: orders\n    partitions: 8\n    rate: %s\n    %s",
				c.length, c.rate, c.extra))
			if _, err := s.Plan(b.Context(), nil); err != nil {
				b.Fatal(err)
			}
			var rows int64
			var batch replay.Batch
			b.ReportAllocs()
			for b.Loop() {
				st := s.open(b.Context())
				for p := range st.partitions {
					for batch.Reset(); st.Next(p, &batch) == nil; batch.Reset() {
						rows += int64(batch.Len())
					}
				}
			}
			b.ReportMetric(float64(rows)/b.Elapsed().Seconds(), "rows/s")
		})
	}
}
