package whatif

import (
	"cmp"
	"math"
	"slices"
	"testing"

	gocmp "github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"twindrift/replay"
)

// plain is the definition, word by word, with all rows in memory.
func plain(src *capture, part int, c Changes, b *bounds) replay.Batch {
	type row struct {
		appendMs int64
		batch    replay.Batch
	}
	var all []row
	appended := int64(math.MinInt64)
	name := newPartition(&c, b, &src.names[part], int32(part)) // for the luck alone
	in := &src.rows[part]
	for round := range c.Repeat {
		seen := int64(math.MinInt64)
		for i, ms := range in.TimestampMs {
			at := ms
			if ms == replay.NoTimestamp {
				at = seen
			}
			seen = max(seen, at)
			if !(b.window.from <= at && at < b.window.to) {
				continue
			}
			by := int64(round) * b.periodMs
			if ms != replay.NoTimestamp {
				ms += by
				appended = max(appended, ms)
			}
			name.rows.Reset()
			name.rows.Append(in, i)
			name.rows.TimestampMs[0] = ms
			name.reachMs = appended
			for copy := range name.number(0, round) {
				var one replay.Batch
				place := appended
				if copy == 0 {
					one.Append(in, i)
					one.TimestampMs[0] = ms
					if one.ProcessedAtMs[0] != replay.NoTimestamp {
						one.ProcessedAtMs[0] += by
					}
				} else {
					w := newPartition(&c, b, &src.names[part], int32(part))
					w.reachMs = appended
					w.rows.Append(in, i)
					w.move(&w.rows, 0, 1, by)
					w.twin(0, round, copy)
					one.Append(&w.waiting.rows, 0)
					if moved := one.ProcessedAtMs[0] - by - in.ProcessedAtMs[i]; appended != math.MinInt64 {
						place += moved
					}
				}
				all = append(all, row{place, one})
			}
		}
	}
	slices.SortStableFunc(all, func(a, b row) int { return cmp.Compare(a.appendMs, b.appendMs) })
	var out replay.Batch
	for i := range all {
		out.Append(&all[i].batch, 0)
		if c.copies() || c.Repeat > 1 {
			out.Offset[i] = int64(i)
		}
		if out.TimestampMs[i] != replay.NoTimestamp {
			out.TimestampMs[i] += c.ShiftMs
		}
		if out.ProcessedAtMs[i] != replay.NoTimestamp {
			out.ProcessedAtMs[i] += c.ShiftMs
		}
	}
	return out
}

func randomCapture(t *rapid.T) *capture {
	c := &capture{cut: rapid.IntRange(1, 9).Draw(t, "cut")}
	for p := range rapid.IntRange(1, 3).Draw(t, "partitions") {
		c.partition("t", int32(p))
		ms := int64(startMs)
		for i := range rapid.Int64Range(1, 60).Draw(t, "rows") {
			ms += rapid.Int64Range(-700, 900).Draw(t, "step")
			stamp := ms
			if rapid.IntRange(0, 9).Draw(t, "none") == 0 {
				stamp = replay.NoTimestamp
			}
			c.add(2*i, stamp, uint64(i%3))
		}
	}
	return c
}

func randomChanges(t *rapid.T) Changes {
	c := Unchanged()
	c.Seed = rapid.Uint64().Draw(t, "seed")
	c.Scale = rapid.SampledFrom([]float64{1, 1, 0.4, 2, 2.7}).Draw(t, "scale")
	c.Repeat = rapid.IntRange(1, 3).Draw(t, "repeat")
	c.SpreadMs = rapid.SampledFrom([]int64{0, 5, 999, 5000}).Draw(t, "spread")
	c.ShiftMs = rapid.Int64Range(-1e9, 1e9).Draw(t, "shift")
	if rapid.Bool().Draw(t, "burst") {
		from := rapid.Int64Range(0, 9000).Draw(t, "burst from")
		c.Bursts = []Burst{{Window{Moment{Instant, startMs + from}, Moment{Instant, startMs + from + 3000}}, 2.5}}
	}
	if rapid.Bool().Draw(t, "window") {
		c.Window = Window{Moment{Instant, startMs - 500}, Moment{Instant, startMs + rapid.Int64Range(0, 6000).Draw(t, "window to")}}
	}
	return c
}

// Streaming, whatever the batches, gives what the definition says.
func TestAgainstDefinition(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		src, ch := randomCapture(rt), randomChanges(rt)
		s := New(src, ch)
		plan, err := s.Plan(t.Context(), nil)
		if err != nil {
			rt.Skip(err) // a window that no message lies in, which has its own test
		}
		got := make([]replay.Batch, len(plan.Partitions))
		if err := replay.Walk(t.Context(), s, plan, func(b *replay.Batch) error {
			for i, p := range b.Partition {
				got[p].Append(b, i)
			}
			return nil
		}); err != nil {
			rt.Fatal(err)
		}
		for i := range src.names {
			want, at := plain(src, i, ch, s.bounds), s.places[i]
			if at < 0 {
				if want.Len() > 0 {
					rt.Fatalf("partition %d of %d messages is missing", i, want.Len())
				}
				continue
			}
			for k := range want.Partition {
				want.Partition[k] = int32(at)
			}
			if d := gocmp.Diff(want, got[at]); d != "" {
				rt.Fatalf("partition %d differs (-definition +streamed):\n%s", i, d)
			}
		}
	})
}
