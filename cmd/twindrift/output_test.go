package main

import (
	"bytes"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"twindrift/sim/report"
	"twindrift/sim/result"
)

func TestParseOutputs(t *testing.T) {
	for _, c := range []struct {
		specs []string
		want  []output
	}{
		{nil, []output{{"text", ""}}},
		{[]string{"json"}, []output{{"json", ""}}},
		{[]string{"text,json=a.json"}, []output{{"text", ""}, {"json", "a.json"}}},
		{[]string{"json=a=b.json", "parquet=-", "text=t"}, []output{{"json", "a=b.json"}, {"parquet", ""}, {"text", "t"}}},
	} {
		got, err := parseOutputs(c.specs, runFormats)
		if err != nil || !cmp.Equal(got, c.want, cmp.AllowUnexported(output{})) {
			t.Errorf("%q: %v, %v; want %v", c.specs, got, err, c.want)
		}
	}
}

func TestParseOutputsRefuses(t *testing.T) {
	for spec, want := range map[string]string{
		"html=a.html":       `unknown format "html"; there are text, json, parquet`,
		"":                  "unknown format",
		"text,":             "unknown format",
		"json=":             "the file is missing",
		"text,json":         "both go to stdout; give one a file: -o json=FILE",
		"text,json=-":       "both go to stdout",
		"json=a,json=b":     "-o json is given twice",
		"json=a,parquet=a":  "both go to a",
		"json=a,text=./a":   "both go to a",
		"text=a,JSON=a":     `unknown format "JSON"`,
		"json=a.json,b.txt": `unknown format "b.txt"`,
	} {
		_, err := parseOutputs([]string{spec}, runFormats)
		if _, usage := errors.AsType[usageError](err); !usage || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: error %v, want a usage error with %q", spec, err, want)
		}
	}
}

func TestOutputsLeaveNothingHalfDone(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "r.json")
	if err := os.WriteFile(path, []byte("old"), 0o644); err != nil {
		t.Fatal(err)
	}
	term := &terminal{out: new(bytes.Buffer)}
	o, err := term.openOutputs([]output{{"json", path}})
	if err != nil {
		t.Fatal(err)
	}
	o.abort()
	names(t, dir, "r.json")
	if got, _ := os.ReadFile(path); string(got) != "old" {
		t.Errorf("after abort the file says %q", got)
	}

	o, err = term.openOutputs([]output{{"json", path}})
	if err != nil {
		t.Fatal(err)
	}
	if err := o.finish(&result.Result{Format: result.Format, Version: result.Version}, report.TextOptions{}); err != nil {
		t.Fatal(err)
	}
	o.abort()
	names(t, dir, "r.json")
	if _, err := readResult(nil, path); err != nil {
		t.Error(err)
	}
}

func TestOutputsThatCannotBeOpenedFailEarly(t *testing.T) {
	dir := t.TempDir()
	term := &terminal{out: new(bytes.Buffer)}
	for _, path := range []string{dir, filepath.Join(dir, "no", "such.json")} {
		_, err := term.openOutputs([]output{{"text", filepath.Join(dir, "a.txt")}, {"json", path}})
		if err == nil || !strings.Contains(err.Error(), "-o json="+path) {
			t.Errorf("%s: error %v", path, err)
		}
		names(t, dir)
	}
}

func TestOutputThroughASymlinkKeepsIt(t *testing.T) {
	dir := t.TempDir()
	link := filepath.Join(dir, "latest.json")
	if err := os.WriteFile(filepath.Join(dir, "r.json"), nil, 0o644); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink("r.json", link); err != nil {
		t.Fatal(err)
	}
	o, err := (&terminal{}).openOutputs([]output{{"json", link}})
	if err != nil {
		t.Fatal(err)
	}
	if err := o.finish(&result.Result{Format: result.Format, Version: result.Version}, report.TextOptions{}); err != nil {
		t.Fatal(err)
	}
	names(t, dir, "latest.json", "r.json")
	if target, err := os.Readlink(link); target != "r.json" {
		t.Errorf("the link points to %q: %v", target, err)
	}
	if _, err := readResult(nil, filepath.Join(dir, "r.json")); err != nil {
		t.Error(err)
	}
}

func TestDeliveriesGoToTheirFile(t *testing.T) {
	path := filepath.Join(t.TempDir(), "d.parquet")
	o, err := (&terminal{}).openOutputs([]output{{"parquet", path}})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := o.sink([]result.InputPartition{{Topic: "orders"}}); err != nil {
		t.Fatal(err)
	}
	if err := o.finish(new(result.Result), report.TextOptions{}); err != nil {
		t.Fatal(err)
	}
	if got, err := os.ReadFile(path); !bytes.HasPrefix(got, []byte("PAR1")) {
		t.Errorf("%q, %v", got, err)
	}
}

func TestNoSinkUnlessAskedFor(t *testing.T) {
	o, err := (&terminal{out: new(bytes.Buffer)}).openOutputs([]output{{"text", ""}})
	if err != nil {
		t.Fatal(err)
	}
	if sink, err := o.sink(nil); sink != nil || err != nil {
		t.Errorf("%v, %v", sink, err)
	}
}

// names checks what is in a directory.
func names(t *testing.T, dir string, want ...string) {
	t.Helper()
	entries, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, e := range entries {
		got = append(got, e.Name())
	}
	if !cmp.Equal(got, want) {
		t.Errorf("in the directory: %q, want %q", got, want)
	}
}
