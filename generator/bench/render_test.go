package bench

import (
	"bytes"
	"encoding/json"
	"reflect"
	"strings"
	"testing"
	"unicode/utf8"
)

func measured() *Result {
	return &Result{Processors: 8, WarmUp: 1, Rounds: 3, Points: []Point{
		{Generator: "second-slot", Variant: "published", Contention: OwnSeconds, Threads: 1, IDs: 1000,
			NsPerID: []float64{17.25, 15, 28}, Median: 17.25, Checked: 3000},
		{Generator: "second-slot", Variant: "published", Contention: OneSecond, Threads: 1000, IDs: 1_000_000,
			NsPerID: []float64{54, 123.46, 50}, Median: 54, Checked: 3_000_000,
			Faults: Faults{Duplicates: 12_345_678, WrongNode: 42, OffStep: 7, SharedScore: 999_999}},
		{Generator: "second-slot", Variant: "corrected", Contention: OneSecond, Threads: 2, IDs: 1000,
			NsPerID: []float64{5, 4, 6}, Median: 5, Checked: 2990, Refused: 10, Wasted: 31},
	}}
}

func TestText(t *testing.T) {
	const want = `8 processors, 3 rounds after 1 of warm-up, a new process in each.
ns an id by the wall clock, median and range of the rounds; faults of the ids of
all rounds.

second-slot, published
  seconds threads ns an id           range M ids/s   twice   node  step   score
  own           1     17.2       15.0-28.0    58.0       0      0     0       0
  one        1000     54.0      50.0-123.5    18.5   12.3M     42     7  999999

second-slot, corrected
  seconds threads ns an id           range M ids/s   twice   node  step   score
  one           2      5.0         4.0-6.0   200.0       0      0     0       0
          of 3000 draws 10 refused; 31 numbers taken and not used

seconds  own: every thread draws for its own; shared: all for the same ones, in
         turn, 512 s apart; one: all for a single one, which overflows
twice    ids that were given before    node   ids that say another node
step     ids off the step              score  ids with the float64 of another id
`
	var b bytes.Buffer
	if err := measured().Text(&b); err != nil {
		t.Fatal(err)
	}
	if b.String() != want {
		t.Errorf("got\n%s\nwant\n%s", b.String(), want)
	}
	for line := range strings.Lines(b.String()) {
		if n := utf8.RuneCountInString(strings.TrimSuffix(line, "\n")); n > 80 {
			t.Errorf("%d columns: %s", n, line)
		}
	}
}

func TestGoBench(t *testing.T) {
	var b bytes.Buffer
	if err := measured().GoBench(&b); err != nil {
		t.Fatal(err)
	}
	lines := strings.Split(b.String(), "\n")
	const want = "BenchmarkDraw/generator=second-slot/variant=published/seconds=own/threads=1-8\t1000\t17.25 ns/op"
	if len(lines) != 3*3+1 || lines[0] != want {
		t.Errorf("%d lines, the first\n%s\nwant\n%s", len(lines), lines[0], want)
	}
}

func TestJSON(t *testing.T) {
	var b bytes.Buffer
	if err := measured().JSON(&b); err != nil {
		t.Fatal(err)
	}
	var back Result
	d := json.NewDecoder(&b)
	d.DisallowUnknownFields()
	if err := d.Decode(&back); err != nil || !reflect.DeepEqual(&back, measured()) {
		t.Errorf("comes back as %+v, error %v", back, err)
	}
}
