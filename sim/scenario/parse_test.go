package scenario

import (
	"bytes"
	"errors"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

var update = flag.Bool("update", false, "write golden files anew")

// golden compares got with a file, or writes the file.
func golden(t *testing.T, file, got string) {
	t.Helper()
	if *update {
		if err := os.WriteFile(file, []byte(got), 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	want, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(string(want), got); diff != "" {
		t.Errorf("%s is not what comes out (-file +now; -update writes it anew):\n%s", file, diff)
	}
}

// Each file of testdata/bad is a scenario with a mistake; errors.txt is what
// its author is told.
func TestBadScenarios(t *testing.T) {
	files, err := filepath.Glob("testdata/bad/*.yaml")
	if err != nil || len(files) < 50 {
		t.Fatalf("%d bad scenarios, %v", len(files), err)
	}
	var all strings.Builder
	for _, file := range files {
		data, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		s, err := Parse(filepath.Base(file), data)
		errs, ok := errors.AsType[Errors](err)
		if !ok {
			t.Fatalf("%s: %v, want Errors", file, err)
		}
		if !s.isZero() {
			t.Errorf("%s: a scenario comes with the error", file)
		}
		for _, e := range errs {
			if e.Line < 1 || e.Column < 1 || e.excerpt == "" {
				t.Errorf("%s: %v says no place", file, e)
			}
		}
		fmt.Fprintf(&all, "%v\n\n", err)
	}
	golden(t, "testdata/bad/errors.txt", all.String())
}

func (s *Scenario) isZero() bool { return s.Sites == nil && s.Generator == Generator{} }

func TestEmptyFileIsDefault(t *testing.T) {
	want := Default()
	for _, text := range []string{"", "# nothing\n", "---\n", "%YAML 1.2\n---\nseed: 1\n...\n", "{}", "\ufeffseed: 1\n"} {
		got, err := Parse("empty.yaml", []byte(text))
		if err != nil {
			t.Errorf("%q: %v", text, err)
		} else if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("%q is not the default (-default +file):\n%s", text, diff)
		}
	}
}

func TestInitIsDefault(t *testing.T) {
	got, err := Parse("init.yaml", Init())
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(Default(), got); diff != "" {
		t.Errorf("the starting scenario is not the default (-default +init):\n%s", diff)
	}
}

// What the starting scenario has commented out must be right too.
func TestInitWithoutCommentMarks(t *testing.T) {
	text := regexp.MustCompile(`(?m)^( *)#([a-z-])`).ReplaceAll(Init(), []byte("$1$2"))
	s, err := Parse("init.yaml", text)
	if err != nil {
		t.Fatal(err)
	}
	if len(s.Filter.Drop) != 3 || len(s.Store.Except) != 1 || len(s.Sites[1].Link.Topics) != 1 ||
		s.Sites[1].Assignor != AssignExplicit || len(s.Sites[1].Consumers[0].Partitions) != 2 ||
		len(s.Sites[1].Link.Outages) != 1 || s.Sites[1].Redelivery.Probability == 0 || len(s.Sites[1].Clock.Steps) != 1 ||
		len(s.Sites[1].Rebalances) != 1 || len(s.Sites[1].Consumers[0].Stalls) != 1 || len(s.Sites[1].Consumers[0].Restarts) != 1 {
		t.Errorf("not every commented field was read: %+v", s)
	}
}

func TestEverything(t *testing.T) {
	s, err := Read("testdata/everything.yaml")
	if err != nil {
		t.Fatal(err)
	}
	text, err := s.Marshal()
	if err != nil {
		t.Fatal(err)
	}
	golden(t, "testdata/everything.golden", string(text))
	again, err := Parse("again.yaml", text)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(s, again); diff != "" {
		t.Errorf("read back it is another (-first +again):\n%s", diff)
	}
}

func TestReadErrors(t *testing.T) {
	if _, err := Read(filepath.Join(t.TempDir(), "none.yaml")); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("a missing file: %v", err)
	}
	big := filepath.Join(t.TempDir(), "big.yaml")
	if err := os.WriteFile(big, bytes.Repeat([]byte("#"), MaxBytes+1), 0o644); err != nil {
		t.Fatal(err)
	}
	if _, err := Read(big); err == nil || !strings.HasSuffix(err.Error(), "65537 bytes: a scenario is a YAML file of at most 65536; is this a capture?") {
		t.Errorf("a file too large: %v", err)
	}
	if _, err := Read(t.TempDir()); err == nil {
		t.Error("a directory is read as a scenario")
	}
}

// What the YAML parser would take long for is refused before.
func TestHostileFilesAreRefused(t *testing.T) {
	for _, text := range []string{
		strings.Repeat("[", maxDepth+1),
		strings.Repeat("{a: ", MaxBytes/4),
		"sites:\n" + strings.Repeat("- ", maxDepth+1),
		strings.Repeat("? ", MaxBytes/2),
	} {
		if _, err := Parse("x", []byte(text)); err == nil || err.Error() != "x: not a scenario: more than 50 levels of lists or blocks" {
			t.Errorf("%.20q...: %v", text, err)
		}
	}
	if _, err := Parse("x", make([]byte, MaxBytes+1)); err == nil || err.Error() != "x: 65537 bytes: a scenario is a YAML file of at most 65536" {
		t.Errorf("a file too large: %v", err)
	}
	_, err := Parse("x", []byte("sites: ["+strings.Repeat("{},", 1000)+"]"))
	if errs, ok := errors.AsType[Errors](err); !ok || len(errs) != 1 || errs[0].Message != "1000 sites: at most 100" {
		t.Errorf("1000 sites: %v", err)
	}
	_, err = Parse("x", []byte(strings.Repeat("- a\n", 1000)+strings.Repeat("a: 1\n", 1000)))
	if err == nil {
		t.Error("a list that goes on as fields is read")
	}
	_, err = Parse("x", []byte("filter: {drop: ["+strings.Repeat("{a: 1},", 1000)+"]}"))
	if errs, ok := errors.AsType[Errors](err); !ok || len(errs) != maxErrors {
		t.Errorf("1000 mistakes: %v", err)
	}
}

// Aliases may repeat what they name, but not without end.
func TestAliasesAreBounded(t *testing.T) {
	var b strings.Builder
	row := strings.Repeat("*c,", 500)
	b.WriteString("sites: [{name: a, consumers: [&c {node: 1}]}, &s {name: b, consumers: [" + row + "]}" + strings.Repeat(",*s", 500) + "]\n")
	_, err := Parse("bomb.yaml", []byte(b.String()))
	if err == nil || !strings.Contains(err.Error(), "aliases make this file too large") {
		t.Errorf("got %.300v", err)
	}
}

func FuzzParse(f *testing.F) {
	files, _ := filepath.Glob("testdata/bad/*.yaml")
	for _, file := range append(files, "testdata/everything.yaml", "init.yaml") {
		data, err := os.ReadFile(file)
		if err != nil {
			f.Fatal(err)
		}
		f.Add(data)
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		s, err := Parse("fuzz.yaml", data)
		if err != nil {
			if _, ok := errors.AsType[Errors](err); !ok || err.Error() == "" {
				t.Fatalf("%T: %v", err, err)
			}
			return
		}
		text, err := s.Marshal()
		if err != nil {
			t.Fatal(err)
		}
		again, err := Parse("again.yaml", text)
		if err != nil {
			t.Fatalf("%v\nin\n%s", err, text)
		}
		if diff := cmp.Diff(s, again); diff != "" {
			t.Fatalf("read back it is another (-first +again):\n%s", diff)
		}
	})
}
