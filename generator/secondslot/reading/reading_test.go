package reading

import (
	"encoding/json"
	"math"
	"strings"
	"testing"
	"unicode/utf8"

	"pgregory.net/rapid"

	"twindrift/generator"
	"twindrift/generator/secondslot"
)

const tenOClockNode = 638935272001000000 // 2025-09-15 10:00:00 +08:00, node 1

func TestReading(t *testing.T) {
	want := Reading{
		ID: "638935272001000200", Layout: "second-slot",
		OwnerLocal: "2025-09-15T10:00:00+08:00", OwnerUTC: "2025-09-15T02:00:00Z",
		OwnerSecondMs: 1757901600000, OwnerMs: 1757901600100,
		Node: 1, Sequence: 1, Aligned: true,
		Score: "638935272001000192", SameScoreFrom: "638935272001000128", SameScoreTo: "638935272001000256",
	}
	if got := Of(secondslot.DefaultLayout(), tenOClockNode+200); got != want {
		t.Errorf("got  %+v\nwant %+v", got, want)
	}
}

// JSON keeps every digit of an id, also in readers that make numbers floats.
func TestReadingInJSON(t *testing.T) {
	b, err := json.Marshal(Of(secondslot.DefaultLayout(), tenOClockNode+200))
	if err != nil {
		t.Fatal(err)
	}
	var fields map[string]any
	if err := json.Unmarshal(b, &fields); err != nil {
		t.Fatal(err)
	}
	for _, field := range []string{"id", "score", "same_score_from", "same_score_to"} {
		if _, ok := fields[field].(string); !ok {
			t.Errorf("%s is %T, want a string", field, fields[field])
		}
	}
}

// The explanations of the faults that an id of sequence 0 can come from.
func TestExplainSuspicions(t *testing.T) {
	l := secondslot.DefaultLayout()
	for _, c := range []struct {
		name      string
		id        int64
		want, not []string
	}{
		{"node 2, sequence 0", 638935272002000000,
			[]string{"the first id of node 2", "It may be node 1's of 2025-09-15 10:00:00", "jump limit", "stale day"}, []string{"day end", "No suspicion"}},
		{"node 0, sequence 0: node 9 carried into the next second", 638935272010000000,
			[]string{"the first id of node 0", "It may be node 9's of 2025-09-15 10:00:00"}, []string{"day end"}},
		{"midnight", 639251136005000000, []string{"It may be node 4's of 2026-09-16 00:00:00", "day end"}, nil},
		{"midnight and a second, node 0", 639251136010000000, []string{"It may be node 9's of 2026-09-16 00:00:00", "day end"}, nil},
		{"sequence 1", tenOClockNode + 200, []string{"No suspicion", "On the step"}, []string{"jump limit", "Not on the step"}},
		{"a score, rounded down", tenOClockNode + 192, []string{"Not on the step: 192", "id behind it is then 638935272001000200"}, []string{"No suspicion", "jump limit"}},
		{"a score, rounded up", 638935272000000000 + 4864, []string{"Not on the step: 64", "id behind it is then 638935272000004800"}, nil},
		{"neither id nor score", tenOClockNode + 101, []string{"Not on the step: 101", "Another step, another layout"}, []string{"behind it"}},
	} {
		got := strings.Join(strings.Fields(Explain(l, c.id)), " ")
		for _, want := range c.want {
			if !strings.Contains(got, want) {
				t.Errorf("%s: %q is not in\n%s", c.name, want, got)
			}
		}
		for _, not := range c.not {
			if strings.Contains(got, not) {
				t.Errorf("%s: %q is in\n%s", c.name, not, got)
			}
		}
	}
}

// What Encode makes, Parse and Of read; the note is there where it reads as
// something else. What would be no id is refused.
func TestEncodeReadsBack(t *testing.T) {
	r := Reader{secondslot.DefaultLayout()}
	rapid.Check(t, func(t *rapid.T) {
		ms := rapid.OneOf(rapid.Int64Range(-1e12, 4e12), rapid.Int64Range(-28_900_000, -28_700_000), rapid.Int64Range(253_402e9, 253_403e9)).Draw(t, "ms")
		node := rapid.Int64Range(-2, 12).Draw(t, "node")
		seq := rapid.Int64Range(-10, 5010).Draw(t, "seq")
		text, note, err := r.Encode(ms, node, seq)
		if err != nil {
			if lastMs := int64(253_402_300_799_999 - 28_800_000); ms >= -28_800_000 && ms <= lastMs && node >= 0 && node < 10 && seq >= 0 && seq < 5000 {
				t.Fatal(err)
			}
			return
		}
		id, err := r.Parse(text)
		if err != nil {
			t.Fatalf("%d ms, node %d, sequence %d: %v", ms, node, seq, err)
		}
		of := Of(r.Layout, id)
		if same := of.OwnerSecondMs == generator.FloorDiv(ms, 1000)*1000 && of.Node == node && of.Sequence == seq; same != (note == "") {
			t.Fatalf("%s: note %q of %+v", text, note, of)
		}
	})
}

func TestEncodeRefusesWhatIsNoID(t *testing.T) {
	r := Reader{secondslot.DefaultLayout()}
	for want, c := range map[string][3]int64{
		"time -28800001 ms, node 1, sequence 0: the id would say a time before 1970-01-01 00:00:00 local time": {-28_800_001, 1, 0},
		"node -1, sequence 0: the id would say a time before 1970":                                             {-28_800_000, -1, 0},
		"the id would say a year after 9999":                                                                   {253_402_300_799_999, 1, 0},
	} {
		if text, _, err := r.Encode(c[0], c[1], c[2]); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%v: %s, error %v; want one with %q", c, text, err, want)
		}
	}
	if text, note, err := r.Encode(-28_800_000, 0, 0); err != nil || note != "" || text != "621355968000000000" {
		t.Errorf("the first id is %s, note %q, error %v", text, note, err)
	}
}

// A score that was taken for an id leads back to the id.
func TestExplainFindsTheIdBehindAScore(t *testing.T) {
	l := secondslot.DefaultLayout()
	rapid.Check(t, func(t *rapid.T) {
		id, err := l.Encode(rapid.Int64Range(0, 4e12).Draw(t, "ms"), rapid.Int64Range(0, 9).Draw(t, "node"), rapid.Int64Range(0, 4999).Draw(t, "seq"))
		if err != nil {
			t.Fatal(err)
		}
		score, _ := generator.Score(id)
		if int64(score) == id {
			return
		}
		if text := Explain(l, int64(score)); !strings.Contains(text, Of(l, id).ID) {
			t.Fatalf("%d, the score of %d, is explained so:\n%s", int64(score), id, text)
		}
	})
}

// Everything is readable on 80 columns, whatever the id.
func FuzzReading(f *testing.F) {
	for _, id := range []int64{0, -1, math.MinInt64, math.MaxInt64, tenOClockNode, 638935272000004864, 68916183520448384} {
		f.Add(id)
	}
	f.Fuzz(func(t *testing.T, id int64) {
		l := secondslot.DefaultLayout()
		for _, text := range []string{Explain(l, id), Text(l, id)} {
			for line := range strings.Lines(text) {
				if n := utf8.RuneCountInString(strings.TrimSuffix(line, "\n")); n > 80 {
					t.Errorf("%d: %d columns: %s", id, n, line)
				}
			}
		}
	})
}

func FuzzParse(f *testing.F) {
	for _, s := range []string{"638935272001000000", "1757901600000", "6.38e17", "abc", "", "2025-09-15T10:00:00+08:00", "-1", "NaN"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		if id, err := ParseID(s); err == nil && (id < secondslot.Epoch || id > lastTick) {
			t.Errorf("ParseID(%q) = %d", s, id)
		}
	})
}

func TestParseIDSaysWhatItLooksLike(t *testing.T) {
	for text, want := range map[string]string{
		"abc":                  "whole number of 18 or 19 digits",
		"":                     "whole number of 18 or 19 digits",
		"NaN":                  "whole number of 18 or 19 digits",
		"6.38935272001e17":     "has lost digits",
		"638935272001000000.0": "has lost digits",
		"63893527200100000000": "more digits than an id",
		"1757901600000":        "a timestamp in ms (2025-09-15T02:00:00Z); for its id say: id encode --node N --time 1757901600000",
		"1757901600":           "a timestamp in s (2025-09-15T02:00:00Z); for its id say: id encode --node N --time 1757901600000",
		"1757901600123456":     "a timestamp in us (2025-09-15T02:00:00Z); for its id say: id encode --node N --time 1757901600123",
		"12":                   "a time before 1970",
		"68916183520448384":    "a time before 1970 (the ids of microsecond or nanosecond timestamps may",
		"9035272001000192000":  "a year after 9999",
	} {
		id, err := ParseID(text)
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %d, error %v; want one with %q", text, id, err, want)
		}
	}
	if id, err := ParseID("638935272001000000"); err != nil || id != tenOClockNode {
		t.Errorf("got %d, %v", id, err)
	}
}
