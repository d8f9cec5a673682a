package reading

import (
	"math"
	"strconv"
	"strings"
	"testing"
	"unicode/utf8"

	"pgregory.net/rapid"

	"twindrift/generator/redis"
	"twindrift/generator/snowflake"
)

// The id that accounts of the layout take apart: machine 378 in 2022.
func TestReading(t *testing.T) {
	got := of(1541815603606036480)
	if got.OwnerUTC != "2022-06-28T16:07:40.105Z" || got.OwnerMs != 367597485448+1288834974657 || got.Node != 378 || got.Sequence != 0 || got.Suspect != "" || got.Layout != "snowflake" {
		t.Errorf("got %+v", got)
	}
}

// What Encode makes, Of reads; the note is there where it reads as something else.
func TestEncodeReadsBack(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		ms := rapid.Int64Range(0, 3e12).Draw(t, "ms")
		node := rapid.Int64Range(0, 1030).Draw(t, "node")
		seq := rapid.Int64Range(0, 4100).Draw(t, "seq")
		text, note, err := Reader{}.Encode(ms, node, seq)
		if err != nil {
			t.Fatal(err)
		}
		id, err := Reader{}.Parse(text)
		if err != nil {
			t.Fatal(err)
		}
		r := of(id)
		if same := r.OwnerMs == ms && r.Node == node && r.Sequence == seq; same != (note == "") || !same && node < 1024 && seq < 4096 {
			t.Fatalf("%s: note %q of %+v", text, note, r)
		}
	})
}

// The ids that are called suspect are those that the published forms give.
func TestSuspectsAreGiven(t *testing.T) {
	const ms = 1757901600000
	locked, err := snowflake.NewLocked(snowflake.LockedConfig{Server: redis.New(redis.Config{}), Worker: 7})
	if err != nil {
		t.Fatal(err)
	}
	if id, how, err := locked.Draw(ms, ms); err != nil || of(id).Suspect != how.Kind.String() {
		t.Errorf("locked gives %d, %v, %v, read as %q", id, how.Kind, err, of(id).Suspect)
	}
	allotted, err := snowflake.NewPreallocated(snowflake.PreallocatedConfig{Server: redis.New(redis.Config{}), Worker: 7, Range: 1024})
	if err != nil {
		t.Fatal(err)
	}
	for range 3000 {
		if id, how, err := allotted.Draw(ms, ms); err != nil || (of(id).Suspect == "negative-range") != (how.Kind.String() == "negative-range") {
			t.Fatalf("preallocated gives %d, %v, %v, read as %q", id, how.Kind, err, of(id).Suspect)
		}
	}
}

func TestExplainSuspicions(t *testing.T) {
	for id, want := range map[int64][]string{
		0:                       {"zero-id", "It is no id"},
		-1024:                   {"negative-range: number -1024 of the first range", "every node gives it"},
		-1025:                   {"negative-range", "this is of a larger one, at least 1025"},
		-5000:                   {"Negative: a clock before 2010-11-04T01:42:54.657Z"},
		1541815603606036480:     {"Node 378", "The node is even", "Sequence 0: the first number of a ms"},
		1541815603606036480 | 1: {"Sequence 1 of 0..4095"},
		3<<12 | 5:               {"The node is odd", "node 2's or node 3's 4101 reads the same"},
	} {
		got := strings.Join(strings.Fields(Reader{}.Explain(id)), " ")
		for _, want := range want {
			if !strings.Contains(got, want) {
				t.Errorf("%d: %q is not in\n%s", id, want, got)
			}
		}
	}
}

// Everything is readable on 80 columns, and the formula adds up, whatever the id.
func FuzzReading(f *testing.F) {
	for _, id := range []int64{0, -1, -1024, -4097, math.MinInt64, math.MaxInt64, 1541815603606036480, 1757901600000, 638935272001000200} {
		f.Add(id)
	}
	f.Fuzz(func(t *testing.T, id int64) {
		for _, text := range []string{Reader{}.Explain(id), Reader{}.Text(id)} {
			for line := range strings.Lines(text) {
				if n := utf8.RuneCountInString(strings.TrimSuffix(line, "\n")); n > 80 {
					t.Errorf("%d: %d columns: %s", id, n, line)
				}
			}
		}
		var sum int64
		for line := range strings.Lines(Reader{}.Explain(id)) {
			if cells := strings.Fields(line); len(cells) > 1 && strings.HasPrefix(line, "  ") {
				if cells[0] == "+" {
					cells = cells[1:]
				}
				if n, err := strconv.ParseInt(cells[0], 10, 64); err == nil && strings.Contains(line, "(") {
					sum += n
				}
			}
		}
		if sum != id {
			t.Errorf("the terms of %d add up to %d", id, sum)
		}
	})
}
