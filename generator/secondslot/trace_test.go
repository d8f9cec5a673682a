package secondslot

import (
	"math"
	"reflect"
	"testing"

	"pgregory.net/rapid"

	"twindrift/generator"
)

// What a trace foretells is what the draw then does, and telling changes
// nothing.
func TestTraceForetellsTheDraw(t *testing.T) {
	const lastSecond = 1_772_553_599_000 // 23:59:59 at UTC+8
	kinds := map[generator.Kind]bool{}
	rapid.Check(t, func(t *rapid.T) {
		cfg := DefaultConfig()
		cfg.Node = rapid.IntRange(-3, 12).Draw(t, "node")
		cfg.PerSecond = rapid.IntRange(1, 3).Draw(t, "per second")
		cfg.JumpLimit = rapid.IntRange(0, 4).Draw(t, "jump limit")
		g, err := New(cfg)
		if err != nil {
			t.Fatal(err)
		}
		for range rapid.IntRange(1, 60).Draw(t, "draws") {
			ms := lastSecond - rapid.Int64Range(0, 8).Draw(t, "before")*1000 +
				rapid.SampledFrom([]int64{0, 0, 0, 0, 86_400_000}).Draw(t, "day")
			before := g.slots
			trace, err := g.Trace(ms, 0)
			if err != nil || g.slots != before {
				t.Fatalf("Trace(%d): error %v, or slots changed", ms, err)
			}
			id, how, err := g.Draw(ms, 0)
			if err != nil || trace.ID != id || trace.How != how {
				t.Fatalf("Trace(%d) says %d, %+v; Draw gives %d, %+v, %v", ms, trace.ID, trace.How, id, how, err)
			}
			checkReads(t, &trace)
			kinds[how.Kind] = true
		}
	})
	if len(kinds) != 4 {
		t.Errorf("only these kinds of draws were seen: %v", kinds)
	}
}

// checkReads holds the slots read against each other: a walk starts at its own
// second, goes where full slots lead, and ends at the first that is not full,
// or leaves for one that it does not read.
func checkReads(t *rapid.T, trace *Trace) {
	at := trace.Second
	for i, r := range trace.Reads {
		if r.Second != at {
			t.Fatalf("read %d is of second %d, want %d: %+v", i, r.Second, at, trace)
		}
		if last := i == len(trace.Reads)-1; !last && r.Found != Full || last && (r.Found == Full) != (trace.How.Kind == generator.DayEnd || trace.How.Kind == generator.JumpLimit) {
			t.Fatalf("read %d: %+v", i, trace)
		}
		at = r.JumpTo
	}
}

func TestTraceOfAKnownWalk(t *testing.T) {
	cfg := DefaultConfig()
	cfg.Node, cfg.PerSecond = 1, 2
	g, err := New(cfg)
	if err != nil {
		t.Fatal(err)
	}
	const ms = 1_757_901_600_000 // 2025-09-15 10:00:00 +08:00, day 20346
	for range 3 {
		g.Draw(ms, 0)
	}
	got, err := g.Trace(ms, 0)
	want := Trace{
		Day: 20346, Second: 36_000, ID: 638935272011000200, How: generator.Outcome{Hops: 1},
		Reads: []Read{
			{Second: 36_000, Day: 20346, Next: 2, Found: Full, JumpTo: 36_001},
			{Second: 36_001, Day: 20346, Next: 1, Found: Room},
		},
	}
	if err != nil || !reflect.DeepEqual(got, want) {
		t.Errorf("got %+v, %v\nwant %+v", got, err, want)
	}
	if _, err := g.Trace(math.MinInt64/2, 0); err == nil {
		t.Error("a refused timestamp has a trace")
	}
}
