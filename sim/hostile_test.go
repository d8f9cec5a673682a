package sim

import (
	"bytes"
	"errors"
	"math"
	"strings"
	"testing"

	"twindrift/generator/catalog"
	"twindrift/replay"
	"twindrift/sim/duration"
	"twindrift/sim/report"
	"twindrift/sim/result"
	"twindrift/sim/scenario"
)

// batchOf is a partition's messages with these timestamps.
func batchOf(times ...int64) *replay.Batch {
	b := &replay.Batch{}
	for i, ms := range times {
		kind := replay.TimestampCreate
		if ms == replay.NoTimestamp {
			kind = replay.TimestampNone
		}
		b.Offset = append(b.Offset, int64(10+i))
		b.TimestampMs = append(b.TimestampMs, ms)
		b.TimestampType = append(b.TimestampType, kind)
		b.KeyHash = append(b.KeyHash, uint64(i))
		b.KeyLen = append(b.KeyLen, 1)
		b.ValueLen = append(b.ValueLen, 1)
	}
	return b
}

// every gives n timestamps from a first one on.
func every(stepMs int64, from int64, n int) []int64 {
	times := make([]int64, n)
	for i := range times {
		times[i] = from + int64(i)*stepMs
	}
	return times
}

const evening = 1_772_540_000_000

// hostile are partitions of timestamps that nobody should write.
var hostile = map[string][][]int64{
	"one message":                           {{evening}},
	"all equal":                             {every(0, evening, 200), every(0, evening, 150)},
	"all without a timestamp":               {every(0, -1, 60), every(0, -1, 60)},
	"the first without":                     {append(every(0, -1, 5), every(10, evening, 50)...), every(0, -1, 3)},
	"seconds":                               {every(1, evening/1000, 100), every(1, evening/1000, 100)},
	"microseconds":                          {every(5000, evening*1000, 100), every(7000, evening*1000, 100)},
	"nanoseconds":                           {every(5_000_000, evening*1_000_000, 100), every(7_000_000, evening*1_000_000, 100)},
	"microseconds in one of two partitions": {every(5000, evening*1000, 60), every(5, evening, 60)},
	"microseconds half the way":             {append(every(5, evening, 50), every(5000, evening*1000, 50)...)},
	"one far in the future":                 {append(append(every(5, evening, 50), 9e18), every(5, evening+250, 50)...), every(5, evening, 90)},
	"the last of int64":                     {append(every(5, evening, 50), math.MaxInt64-2*86_400_000)},
	"one in 1970":                           {append(append(every(5, evening, 50), 0), every(5, evening+250, 50)...), every(5, evening, 90)},
	"before 1970":                           {every(1000, -28_800_000, 100)},
	"backwards":                             {every(-100, evening, 200), every(-86_400_000, evening, 50)},
	"centuries apart":                       {every(7_000_000_000_000, 0, 100)},
	"lengths far apart":                     {every(1, evening, 1), every(5, evening, 300), every(5, evening+1400, 2)},
	"one partition ends early, one starts late": {every(10, evening, 20), every(10, evening, 200), every(10, evening+5_000_000, 20)},
}

// Whatever the timestamps: no panic, no sum that does not add up, no duplicate
// without a cause, and the figures of the plain model.
func TestHostileTimestamps(t *testing.T) {
	for name := range hostile {
		t.Run(name, func(t *testing.T) {
			for _, nodes := range [][]int32{{1}, {1, 1}, {9, 11}} {
				sc := scenario.Default()
				sc.Generator.PerSecond, sc.Generator.JumpLimit = 3, 4
				sc.Sites[1] = scenario.NewSite("west", nodes...)
				checkHostile(t, name, sc, 300)
			}
		})
	}
}

// So it is with every other generator.
func TestHostileTimestampsForEveryGenerator(t *testing.T) {
	for _, e := range catalog.Entries() {
		if e.Name == "external" || e.Slots && e.Variant == "published" {
			continue
		}
		t.Run(e.Name+" "+e.Variant, func(t *testing.T) {
			sc := scenario.Default()
			if e.Redis {
				sc = jointScenario(&e)
			}
			sc.Generator.Name, sc.Generator.Variant = e.Name, e.Variant
			if e.Slots {
				sc.Generator.PerSecond = 3
				sc.Generator.Corrected = &scenario.Corrected{Reach: duration.Duration(5e9), KeepDays: 1, AheadDays: 1, ClampOld: true, Block: 2}
			} else if !e.Redis {
				sc.Generator.Snowflake = &scenario.Snowflake{Range: 1, Call: duration.Duration(2e6)}
			}
			sc.Sites = []scenario.Site{scenario.NewSite("east", 1, 2), scenario.NewSite("west", 1)}
			sc.Sites[0].Consumers[0].Workers = 3
			sc.Sites[1].Consumers[0].Restarts = []scenario.Restart{{At: scenario.Moment{After: duration.Duration(300e6)}, State: scenario.StateLost}}
			sc.Sites[1].Clock.Steps = []scenario.ClockStep{{At: scenario.Moment{After: duration.Duration(200e6)}, By: duration.Duration(-150e6)}}
			for name := range hostile {
				checkHostile(t, name, sc, 55) // the plain model is slow
			}
		})
	}
}

// checkHostile runs a scenario on hostile timestamps, the first so many of each
// partition.
func checkHostile(t *testing.T, name string, sc scenario.Scenario, most int) {
	t.Helper()
	var parts []replay.Partition
	var batches []*replay.Batch
	for i, times := range hostile[name] {
		parts = append(parts, replay.Partition{Topic: "t", Number: int32(i)})
		batches = append(batches, batchOf(times[:min(len(times), most)]...))
	}
	sink := &deliverySink{}
	r, err := Run(t.Context(), Config{Source: memory(parts, batches, 4), Scenario: sc, Deliveries: sink.open, epochBlocks: 2})
	if err != nil {
		t.Fatalf("%s: %v", name, err)
	}
	checkAgainstPlain(t, &sc, parts, batches, r)
	checkDeliveries(t, &sc, parts, batches, sink.got)
	if err := report.Text(&bytes.Buffer{}, r, report.TextOptions{}); err != nil {
		t.Error(err)
	}
	if t.Failed() {
		t.Fatalf("%s", name)
	}
}

// checkExplained checks that every duplicate has a cause that its digits bear out.
func checkExplained(t failer, r *result.Result) {
	t.Helper()
	for name, s := range r.Sites {
		if n := s.Duplicates.Unexplained + s.Baseline.Duplicates.Unexplained; n != 0 {
			t.Errorf("site %s: %d duplicates without a cause", name, n)
		}
	}
	for name, p := range r.Between {
		if n := p.Duplicates.Unexplained + p.Baseline.Duplicates.Unexplained; n != 0 {
			t.Errorf("%s: %d duplicates without a cause", name, n)
		}
	}
}

// A capture without messages is a result without messages.
func TestNoMessages(t *testing.T) {
	r, err := Run(t.Context(), Config{Source: &replay.Memory{}, Scenario: scenario.Default()})
	if err != nil {
		t.Fatal(err)
	}
	sc := scenario.Default()
	checkAgainstPlain(t, &sc, nil, nil, r)
	var text, js bytes.Buffer
	if err := errors.Join(report.Text(&text, r, report.TextOptions{}), report.JSON(&js, r)); err != nil {
		t.Fatal(err)
	}
	for _, odd := range []string{"NaN", "Inf", "null:", "%!"} {
		if strings.Contains(text.String()+js.String(), odd) {
			t.Errorf("%q in the report of no messages:\n%s", odd, text.String())
		}
	}
}

// A timestamp that the generator does not take leaves its message without an id: it is
// counted, named, and in no list.
func TestRefusedTimestamps(t *testing.T) {
	for _, test := range []struct {
		ms   int64
		want string
	}{
		{-28_800_001, "too-early"},
		{-5e15, "too-early"},
		{math.MinInt64, "too-early"},
		{math.MaxInt64, "too-late"},
	} {
		m := &replay.Memory{BlockRows: 4}
		m.Partition("orders", 0, batchOf(every(100, evening, 100)...))
		m.Partition("orders", 1, batchOf(append(every(100, evening, 50), test.ms, evening)...))
		r, err := Run(t.Context(), Config{Source: m, Scenario: scenario.Default(), epochBlocks: 2})
		if err != nil {
			t.Fatal(err)
		}
		for name, s := range r.Sites {
			w := s.Refusals.Witnesses
			if s.Push.Refused != 1 || s.Stored != 151 || s.Refusals.ByReason[test.want] != 1 || len(w) != 1 || w[0].Offset != 60 || w[0].Partition != 1 || w[0].ID != "" {
				t.Errorf("timestamp %d at %s: %d refused, %d stored, %+v", test.ms, name, s.Push.Refused, s.Stored, s.Refusals)
			}
		}
		if b := r.Between["east-west"]; b.Both != 151 || b.OnlyA+b.OnlyB != 0 {
			t.Errorf("timestamp %d: %d at both, %d at one", test.ms, b.Both, b.OnlyA+b.OnlyB)
		}
	}
}

func TestRefusedForWantOfATimestamp(t *testing.T) {
	m := &replay.Memory{}
	m.Partition("orders", 3, batchOf(evening, -1))
	sc := scenario.Default()
	sc.Generator.UTCOffset = 0
	if r, err := Run(t.Context(), Config{Source: m, Scenario: sc}); err != nil || r.Sites["east"].Push.Refused != 1 {
		t.Errorf("error %v", err)
	}
	sc.Append.NoTimestamp = scenario.NoTimestampFail
	if _, err := Run(t.Context(), Config{Source: m, Scenario: sc}); err == nil || !strings.Contains(err.Error(), "orders/3@11 has no timestamp") {
		t.Errorf("error %v", err)
	}
	sc.Append.NoTimestamp = scenario.NoTimestampSkip
	if r, err := Run(t.Context(), Config{Source: m, Scenario: sc}); err != nil || r.Input.Skipped != 1 || r.Sites["east"].Push.Consumed != 1 {
		t.Errorf("error %v", err)
	}
}

// What is filtered draws no id, so its timestamp does not matter, and it does
// not put the clocks of the others out.
func TestFilteredTimestampsDoNotMatter(t *testing.T) {
	m := &replay.Memory{}
	m.Partition("orders", 0, batchOf(every(100, evening, 100)...))
	m.Partition("orders", 1, batchOf(-9e18, math.MinInt64, -5e15))
	sc := scenario.Default()
	one := int32(1)
	sc.Filter.Drop = []scenario.Rule{{Partition: &one}}
	r, err := Run(t.Context(), Config{Source: m, Scenario: sc})
	if err != nil {
		t.Fatal(err)
	}
	if p := r.Sites["east"].Push; p.Filtered != 3 || p.Lateness.Max != 0 {
		t.Errorf("%d filtered, oldest %d ms", p.Filtered, p.Lateness.Max)
	}
}

// What cannot be simulated as it is recorded is said in the notes.
func TestNotesOnTimestampsFarOff(t *testing.T) {
	for _, test := range []struct {
		times []int64
		want  string
	}{
		{every(5, evening, 50), ""},
		{every(5, evening*1000, 50), ""}, // all in microseconds: virtual time begins there
		{append(every(5, evening, 50), 9e18), "t/0 has a timestamp of 9000000000000000000 ms, too far off to be simulated: it counts as appended on 2169-11-13"},
		{append(every(5, evening*1000, 50), 9e18), "it counts as appended on 58239-"},
	} {
		m := &replay.Memory{}
		m.Partition("t", 0, batchOf(test.times...))
		r, err := Run(t.Context(), Config{Source: m, Scenario: scenario.Default()})
		if err != nil {
			t.Fatal(err)
		}
		if notes := strings.Join(r.Notes, "\n"); (notes == "") != (test.want == "") || !strings.Contains(notes, test.want) {
			t.Errorf("notes %q, want %q", notes, test.want)
		}
	}
}
