package reading

import (
	"math"
	"strconv"
	"strings"
	"testing"
	"unicode/utf8"

	"pgregory.net/rapid"

	"twindrift/generator/redis"
	"twindrift/generator/rediscounter"
)

var eastern = Reader{rediscounter.Layout{UTCOffsetMs: 8 * 3_600_000}}

// 2025-09-15 10:00:00 +08:00, which is 116,935,200 s after the epoch.
const (
	tenOClockMs = 1757901600000
	tenOClock   = 116_935_200 << 32
)

func TestReading(t *testing.T) {
	got := eastern.of(tenOClock + 77)
	if got.ID != "502232859751219277" || got.OwnerLocal != "2025-09-15T10:00:00+08:00" || got.OwnerUTC != "2025-09-15T02:00:00Z" ||
		got.OwnerMs != tenOClockMs || got.Count != 77 || got.Fallback != nil {
		t.Errorf("got %+v", got)
	}
	if got := eastern.of(0); got.OwnerLocal != "2022-01-01T00:00:00+08:00" { // the epoch is local
		t.Errorf("0 is of %s", got.OwnerLocal)
	}
}

// Ids that the corrected form gives while Redis is down read as such, and say node
// and ms; those of Redis do not.
func TestFallbackIsGiven(t *testing.T) {
	const outNs = (tenOClockMs + 5000) * 1_000_000
	server := redis.New(redis.Config{Outages: []redis.Window{{FromNs: outNs, ToNs: math.MaxInt64}}})
	cfg := rediscounter.DefaultConfig(server)
	cfg.Node, cfg.Block = 1023, 1
	g, err := rediscounter.NewCorrected(cfg)
	if err != nil {
		t.Fatal(err)
	}
	for _, ms := range []int64{tenOClockMs, tenOClockMs + 5001, tenOClockMs + 5999} {
		id, _, err := g.Draw(ms, ms)
		if err != nil {
			t.Fatal(err)
		}
		r, down := eastern.of(id), ms >= tenOClockMs+5000
		if (r.Fallback != nil) != down || down && (r.Fallback.Node != 1023 || r.Fallback.Ms != ms%1000) || r.OwnerMs != ms-ms%1000 {
			t.Errorf("at %d: %d reads as %+v, %+v", ms, id, r, r.Fallback)
		}
	}
}

// What Encode makes, Of reads; the note is there where it reads as something else.
func TestEncodeReadsBack(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		ms := rapid.Int64Range(-5e11, 37e11).Draw(t, "ms")
		count := rapid.OneOf(rapid.Int64Range(0, 10), rapid.Int64Range(1, 1<<33)).Draw(t, "count")
		text, note, err := eastern.Encode(ms, 0, count)
		if err != nil {
			t.Fatal(err)
		}
		id, err := eastern.Parse(text)
		if err != nil {
			t.Fatal(err)
		}
		r := eastern.of(id)
		if plain := r.Count == count && count != 0 && r.Fallback == nil; plain != (note == "") || plain && (r.OwnerMs > ms || r.OwnerMs <= ms-1000) {
			t.Fatalf("%s: note %q of %+v", text, note, r)
		}
	})
}

func TestExplainSuspicions(t *testing.T) {
	for id, want := range map[int64][]string{
		tenOClock:                      {"Count 0: INCR gives 1 first", "The seconds are even"},
		tenOClock + 77:                 {"Redis counted it in icr:{prefix}:2025:09:15"},
		tenOClock + 1<<32 + 5:          {"The seconds are odd", "number 4294967301 of its day"},
		tenOClock + 1<<31:              {"Bit 31 of the count is set", "node 0, sequence 0 of ms 0", "24855 ids a second"},
		tenOClock + 1<<31 | 1001*2048:  {"would say ms 1001 of a second, which none of them does"},
		tenOClock + 1<<31 | 5<<21 | 33: {"node 5, sequence 33 of ms 0"},
		638935272001000200:             {"It may be a second-slot id"},
	} {
		got := strings.Join(strings.Fields(eastern.Explain(id)), " ")
		for _, want := range want {
			if !strings.Contains(got, want) {
				t.Errorf("%d: %q is not in\n%s", id, want, got)
			}
		}
	}
}

// Everything is readable on 80 columns, and the formula adds up, whatever the id.
func FuzzReading(f *testing.F) {
	for _, id := range []int64{0, -1, math.MinInt64, math.MaxInt64, tenOClock, tenOClock + 77, tenOClock + 1<<31, 1757901600} {
		f.Add(id)
	}
	f.Fuzz(func(t *testing.T, id int64) {
		for _, text := range []string{eastern.Explain(id), eastern.Text(id)} {
			for line := range strings.Lines(text) {
				if n := utf8.RuneCountInString(strings.TrimSuffix(line, "\n")); n > 80 {
					t.Errorf("%d: %d columns: %s", id, n, line)
				}
			}
		}
		var sum int64
		for line := range strings.Lines(eastern.Explain(id)) {
			if term, what, ok := strings.Cut(strings.TrimLeft(line, " +"), "  "); ok && strings.Contains(what, "(") {
				n, err := strconv.ParseInt(term, 10, 64)
				if err != nil {
					t.Fatal(err)
				}
				sum += n
			}
		}
		if sum != id {
			t.Errorf("the terms of %d add up to %d", id, sum)
		}
	})
}
