package reading

import (
	"math"
	"strconv"
	"strings"
	"testing"
	"unicode/utf8"

	"pgregory.net/rapid"
)

// The first id of partition 1 at 2024-05-30 10:00:00 +08:00.
func TestReading(t *testing.T) {
	id, err := Reader{}.Parse("1717034400000-1000")
	if err != nil {
		t.Fatal(err)
	}
	want := Reading{"1717034400000-1000", "redis-streams", "2024-05-30T02:00:00.000Z", 1717034400000, 1000, "1800441063014401000"}
	if got := (Reader{}).Of(id); got != want {
		t.Errorf("got  %+v\nwant %+v", got, want)
	}
	if got := (Reader{}).Text(id); !strings.Contains(got, "partition 1, number 0 of it") {
		t.Error(got)
	}
}

func TestParseSaysTheWayOut(t *testing.T) {
	for text, want := range map[string]string{
		"":                    "want ms-seq, like",
		"x-1":                 "want ms-seq, like",
		"1717034400000-":      "want ms-seq, like",
		"-5":                  "want ms-seq, like",
		"8796093022208-0":     "the last one is 8796093022207",
		"1-1048576":           "the last one is 1048575",
		"1800441063014401000": "the id is 1717034400000-1000",
	} {
		if id, err := (Reader{}).Parse(text); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %d, error %v; want %q", text, id, err, want)
		}
	}
}

// What Encode makes, Parse reads.
func TestEncodeReadsBack(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		ms, seq := rapid.Int64Range(0, 1<<43-1).Draw(t, "ms"), rapid.Int64Range(0, 1<<20-1).Draw(t, "seq")
		text, note, err := Reader{}.Encode(ms, 0, seq)
		if err != nil || (note != "") != (ms == 0 && seq == 0) {
			t.Fatalf("note %q, error %v", note, err)
		}
		id, err := Reader{}.Parse(text)
		if r := (Reader{}).Of(id).(Reading); err != nil || r.OwnerMs != ms || r.Sequence != seq || r.ID != text || r.Packed != strconv.FormatInt(id, 10) {
			t.Fatalf("%s: %+v, error %v", text, r, err)
		}
	})
	for _, c := range [][2]int64{{-1, 0}, {1, -1}, {1 << 43, 0}, {1, 1 << 20}} {
		if id, _, err := (Reader{}).Encode(c[0], 0, c[1]); err == nil {
			t.Errorf("%d, %d: %s", c[0], c[1], id)
		}
	}
}

// Everything is readable on 80 columns, whatever the id.
func FuzzReading(f *testing.F) {
	for _, id := range []int64{0, 1, math.MaxInt64, 1800441063014401000} {
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
	})
}

func FuzzParse(f *testing.F) {
	for _, s := range []string{"1717034400000-1000", "0-0", "1", "-", "1-", "9223372036854775807", "-1"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		if id, err := (Reader{}).Parse(s); err == nil && id < 0 {
			t.Errorf("Parse(%q) = %d", s, id)
		}
	})
}
