package scenario

import (
	"bytes"
	"errors"
	"flag"
	"fmt"
	"os"
	"path/filepath"
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
	var b strings.Builder
	for line := range strings.Lines(string(Init())) {
		trimmed := strings.TrimLeft(line, " ")
		field, _, isField := strings.Cut(strings.TrimPrefix(trimmed, "# "), ":")
		if isField && strings.HasPrefix(trimmed, "# ") && strings.TrimLeft(field, " -{") == strings.ToLower(strings.TrimLeft(field, " -{")) &&
			!strings.Contains(strings.Trim(field, " -{"), " ") && !strings.HasPrefix(trimmed, "#   ") || strings.HasPrefix(trimmed, "#   -") || strings.HasPrefix(trimmed, "#   orders:") || strings.HasPrefix(trimmed, "#   except:") {
			line = strings.Replace(line, "# ", "", 1)
		}
		b.WriteString(line)
	}
	s, err := Parse("init.yaml", []byte(strings.Replace(b.String(), "assign: range", "assign: explicit", 1)))
	if err != nil {
		t.Fatal(err)
	}
	if len(s.Filter.Drop) != 3 || len(s.Store.Except) != 1 || len(s.Sites[1].Link.Topics) != 1 || len(s.Sites[1].Consumers[0].Partitions) != 2 {
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
	if err := os.WriteFile(big, bytes.Repeat([]byte("#"), maxBytes+1), 0o644); err != nil {
		t.Fatal(err)
	}
	if _, err := Read(big); err == nil || !strings.HasSuffix(err.Error(), "1048577 bytes: a scenario is a YAML file of at most 1048576; is this a capture?") {
		t.Errorf("a file too large: %v", err)
	}
}

// Aliases may repeat what they name, but not without end.
func TestAliasesAreBounded(t *testing.T) {
	var b strings.Builder
	b.WriteString("filter: {drop: [" + strings.Repeat("{partition: 1},", 1000) + "]}\n")
	row := strings.Repeat("*c,", 2000)
	b.WriteString("sites: [{name: a, consumers: [&c {node: 1}]}, &s {name: b, consumers: [" + row + "]}" + strings.Repeat(",*s", 2000) + "]\n")
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
