package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/testscript"

	"twindrift/replay"
	"twindrift/replay/parquet"
	"twindrift/sim/report"
	"twindrift/sim/result"
)

// TestScenarios runs testdata/scenarios/*.txtar: what each shows stands in its
// first lines, what must come out of it in its thresholds, and what a user gets
// to read of it in its golden digests. Beside what testscript knows there are
//
//	digest TEXT JSON TO             the beginning of a text report, and key figures of the JSON result
//	stamped s|us CAPTURE TO         the same capture with timestamps in another unit, taken for ms
func TestScenarios(t *testing.T) {
	testscript.Run(t, testscript.Params{
		Dir:                 "testdata/scenarios",
		UpdateScripts:       *update,
		RequireExplicitExec: true,
		RequireUniqueNames:  true,
		Cmds: map[string]func(*testscript.TestScript, bool, []string){
			"digest": func(ts *testscript.TestScript, neg bool, args []string) {
				if neg || len(args) != 3 {
					ts.Fatalf("usage: digest TEXT JSON TO")
				}
				text, err := digest(ts.ReadFile(args[0]), ts.ReadFile(args[1]))
				ts.Check(err)
				ts.Check(os.WriteFile(ts.MkAbs(args[2]), []byte(text), 0o666))
			},
			"stamped": func(ts *testscript.TestScript, neg bool, args []string) {
				if neg || len(args) != 3 || args[0] != "s" && args[0] != "us" {
					ts.Fatalf("usage: stamped s|us CAPTURE TO")
				}
				ts.Check(stamped(args[0], ts.MkAbs(args[1]), ts.MkAbs(args[2])))
			},
		},
	})
}

// Every scenario begins with prose: a title, then what it shows.
func TestScenariosOpenWithProse(t *testing.T) {
	files, err := os.ReadDir("testdata/scenarios")
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range files {
		text, err := os.ReadFile("testdata/scenarios/" + f.Name())
		if err != nil {
			t.Fatal(err)
		}
		prose, _, _ := strings.Cut(string(text), "\n\n")
		for line := range strings.Lines(prose) {
			if !strings.HasPrefix(line, "#") {
				t.Errorf("%s: %q among its first lines, which are to say what it shows", f.Name(), line)
			}
		}
		if lines := strings.Count(prose, "\n"); lines < 4 || !strings.Contains(prose, "\n#\n") {
			t.Errorf("%s: its first lines are no title and prose", f.Name())
		}
	}
}

// digest is the text report up to its first part, and key figures of the result.
func digest(text, resultJSON string) (string, error) {
	top, _, found := strings.Cut(text, "\n1 MACRO-ORDER DRIFT")
	if !found {
		return "", errors.New("the report has no part 1")
	}
	r, err := report.ReadJSON(strings.NewReader(resultJSON))
	if err != nil {
		return "", err
	}
	var b strings.Builder
	b.WriteString(top)
	b.WriteString("\nKEY FIGURES OF THE RESULT\n=========================\n")
	line := func(path string, figure func(name string) string, names []string) {
		fmt.Fprintf(&b, "  %-36s", path)
		for _, name := range names {
			fmt.Fprintf(&b, "%14s", figure(name))
		}
		b.WriteByte('\n')
	}
	line("sites.", func(name string) string { return name }, r.SiteNames)
	for _, f := range siteFigures {
		line("  "+f.path, func(name string) string { return fmt.Sprint(f.of(r.Sites[name])) }, r.SiteNames)
	}
	line("between.", func(name string) string { return name }, r.PairNames)
	for _, f := range pairFigures {
		line("  "+f.path, func(name string) string { return fmt.Sprint(f.of(r.Between[name])) }, r.PairNames)
	}
	return b.String(), nil
}

var siteFigures = []struct {
	path string
	of   func(*result.Site) any
}{
	{"push.consumed", func(s *result.Site) any { return s.Push.Consumed }},
	{"push.again", func(s *result.Site) any { return s.Push.Again }},
	{"push.late", func(s *result.Site) any { return s.Push.Late }},
	{"push.lateness_ms.max", func(s *result.Site) any { return s.Push.Lateness.Max }},
	{"list.entries", func(s *result.Site) any { return s.List.Entries }},
	{"list.several_ids", func(s *result.Site) any { return s.List.SeveralIDs }},
	{"overflow.with_offset", func(s *result.Site) any { return s.Overflow.WithOffset }},
	{"overflow.offset_s.max", func(s *result.Site) any { return s.Overflow.Offset.Max }},
	{"duplicates.ids", func(s *result.Site) any { return s.Duplicates.IDs }},
	{"duplicates.unexplained", func(s *result.Site) any { return s.Duplicates.Unexplained }},
	{"duplicates.scores", func(s *result.Site) any { return s.Duplicates.Scores }},
	{`order.discordant["1s"]`, func(s *result.Site) any { return s.Order.Discordant["1s"] }},
	{`baseline.order.discordant["1s"]`, func(s *result.Site) any { return s.Baseline.Order.Discordant["1s"] }},
}

var pairFigures = []struct {
	path string
	of   func(*result.Between) any
}{
	{"both", func(b *result.Between) any { return b.Both }},
	{"same_id", func(b *result.Between) any { return b.SameID }},
	{"different_second", func(b *result.Between) any { return b.DifferentSecond }},
	{"baseline.different_second", func(b *result.Between) any { return b.Baseline.DifferentSecond }},
	{"duplicates.ids", func(b *result.Between) any { return b.Duplicates.IDs }},
	{"duplicates.unexplained", func(b *result.Between) any { return b.Duplicates.Unexplained }},
}

// stamped writes a capture anew with its timestamps in seconds or microseconds.
func stamped(unit, from, to string) error {
	capture, err := parquet.Open([]string{from}, parquet.Options{})
	if err != nil {
		return err
	}
	ctx := context.Background()
	plan, err := capture.Plan(ctx, nil)
	if err != nil {
		return err
	}
	var file bytes.Buffer
	w, err := parquet.NewWriter(&file, parquet.WriterOptions{})
	if err != nil {
		return err
	}
	for _, p := range plan.Partitions {
		w.Partition(p.Topic, p.Number)
	}
	err = replay.Walk(ctx, capture, plan, func(b *replay.Batch) error {
		for i := range b.TimestampMs {
			if unit == "s" {
				b.TimestampMs[i] /= 1000
			} else {
				b.TimestampMs[i] *= 1000
			}
		}
		return w.Write(b)
	})
	if err := errors.Join(err, w.Close()); err != nil {
		return err
	}
	return os.WriteFile(to, file.Bytes(), 0o666)
}
