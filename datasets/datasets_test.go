package datasets

import (
	"bytes"
	"flag"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"twindrift/replay"
	"twindrift/replay/parquet"
	"twindrift/replay/recipe"
)

var update = flag.Bool("update", false, "write the captures anew")

// makeCapture writes the capture of a recipe file.
func makeCapture(t *testing.T, path string) []byte {
	t.Helper()
	src, err := recipe.Load(path)
	if err != nil {
		t.Fatal(err)
	}
	plan, err := src.Plan(t.Context(), nil)
	if err != nil {
		t.Fatal(err)
	}
	var out bytes.Buffer
	w, err := parquet.NewWriter(&out, parquet.WriterOptions{})
	if err != nil {
		t.Fatal(err)
	}
	if err := w.WriteSource(t.Context(), src, plan, nil); err != nil {
		t.Fatal(err)
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return out.Bytes()
}

func TestCapturesAreWhatTheirRecipesMake(t *testing.T) {
	recipes, err := filepath.Glob("*.yaml")
	if err != nil {
		t.Fatal(err)
	}
	total := 0
	for _, path := range recipes {
		want := makeCapture(t, path)
		total += len(want)
		path = strings.TrimSuffix(path, ".yaml") + ".parquet"
		if *update {
			if err := os.WriteFile(path, want, 0o666); err != nil {
				t.Fatal(err)
			}
			continue
		}
		got, err := files.ReadFile(path)
		if err != nil {
			t.Errorf("%v; make it with go generate ./datasets", err)
		} else if !bytes.Equal(got, want) {
			t.Errorf("%s is not what its recipe makes; make it anew with go generate ./datasets", path)
		}
	}
	if total > 1_500_000 {
		t.Errorf("the captures have %d bytes together; keep them below 1.5 MB", total)
	}
}

func TestNames(t *testing.T) {
	names := Names()
	if want := []string{"evening", "market-open", "two-midnights"}; !slices.Equal(names, want) {
		t.Errorf("Names() = %q, want %q", names, want)
	}
	if !slices.Contains(names, Default) {
		t.Errorf("the default, %q, is not among %q", Default, names)
	}
	for _, name := range names {
		text, err := Recipe(name)
		about, _, _ := strings.Cut(string(text), "\nseed:")
		if err != nil || len(about) < 100 || !strings.HasPrefix(about, "# ") {
			t.Errorf("the recipe of %s begins with %q, %v; want a paragraph that says what it shows", name, about, err)
		}
	}
	if _, err := Open("morning"); err == nil || !strings.Contains(err.Error(), "two-midnights") {
		t.Errorf("Open of a sample that is not there: %v; want an error that lists those that are", err)
	}
}

// A sample read back has the plan and the rows of its recipe.
func TestSamplesAreReadAsTheyWereMade(t *testing.T) {
	for _, name := range Names() {
		text, err := Recipe(name)
		if err != nil {
			t.Fatal(err)
		}
		made, err := recipe.Parse(name, text)
		if err != nil {
			t.Fatal(err)
		}
		read, err := Open(name)
		if err != nil {
			t.Fatal(err)
		}
		wantPlan, want := rows(t, made)
		gotPlan, got := rows(t, read)
		if d := cmp.Diff(wantPlan, gotPlan); d != "" {
			t.Errorf("%s: the plan differs (-recipe +capture):\n%s", name, d)
		}
		if !slices.EqualFunc(want, got, sameRows) {
			t.Errorf("%s: the rows differ", name)
		}
	}
}

func sameRows(a, b replay.Batch) bool {
	return slices.Equal(a.Partition, b.Partition) && slices.Equal(a.Offset, b.Offset) &&
		slices.Equal(a.TimestampMs, b.TimestampMs) && slices.Equal(a.TimestampType, b.TimestampType) &&
		slices.Equal(a.KeyHash, b.KeyHash) && slices.Equal(a.KeyLen, b.KeyLen) && slices.Equal(a.ValueLen, b.ValueLen)
}

// rows reads a whole capture, partition by partition.
func rows(t *testing.T, src replay.Source) (*replay.Plan, []replay.Batch) {
	t.Helper()
	plan, err := src.Plan(t.Context(), nil)
	if err != nil {
		t.Fatal(err)
	}
	parts := make([]replay.Batch, len(plan.Partitions))
	err = replay.Walk(t.Context(), src, plan, func(b *replay.Batch) error {
		for i, p := range b.Partition {
			parts[p].Append(b, i)
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return plan, parts
}

// What each sample is there to show must be in it.
func TestSamplesShowWhatTheySay(t *testing.T) {
	const capacity = 5000 // ids a second of one node
	perSecond := map[string]map[int64]int{}
	plans := map[string]*replay.Plan{}
	for _, name := range Names() {
		src, err := Open(name)
		if err != nil {
			t.Fatal(err)
		}
		plan, parts := rows(t, src)
		plans[name], perSecond[name] = plan, map[int64]int{}
		for _, b := range parts {
			for _, ts := range b.TimestampMs {
				perSecond[name][ts/1000]++
			}
		}
	}
	reordered := int64(0)
	for _, p := range plans["evening"].Partitions {
		reordered += p.Reordered
	}
	if plan := plans["evening"]; plan.PeakCount >= capacity || len(plan.Partitions) != 8 || reordered == 0 {
		t.Errorf("evening: peak %d, %d partitions, %d reordered; want an unhurried evening on 8 partitions with some disorder",
			plan.PeakCount, len(plan.Partitions), reordered)
	}
	full := 0
	for _, n := range perSecond["market-open"] {
		if n > capacity {
			full++
		}
	}
	if full < 15 {
		t.Errorf("market-open: %d seconds over capacity, want 15 and more", full)
	}
	// 23:59:59 at UTC+8 on 5 March 2026, and the day after.
	for night, s := range []int64{1772726399, 1772726399 + 86400} {
		if n := perSecond["two-midnights"][s]; n <= capacity {
			t.Errorf("two-midnights: the last second of night %d has %d messages, want more than %d", night+1, n, capacity)
		}
	}
	for _, p := range plans["two-midnights"].Partitions {
		if p.MaxBehindMs < 24*60*60*1000 {
			t.Errorf("two-midnights: partition %d is out of order by %d ms at most, want messages sent again a day later", p.Number, p.MaxBehindMs)
		}
	}
}
