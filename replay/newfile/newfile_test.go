package newfile

import (
	"errors"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// files are the names in a folder.
func files(t *testing.T, dir string) (names []string) {
	t.Helper()
	entries, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range entries {
		names = append(names, e.Name())
	}
	return names
}

func content(t *testing.T, path string) string {
	t.Helper()
	b, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return string(b)
}

func create(t *testing.T, path, text string) *File {
	t.Helper()
	f, err := Create(path)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := io.WriteString(f, text); err != nil {
		t.Fatal(err)
	}
	return f
}

func TestTakesItsNameWhenWhole(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "a")
	f := create(t, path, "one")
	if names := files(t, dir); !slices.Equal(names, []string{".a.tmp"}) {
		t.Errorf("%q before Finish", names)
	}
	if err := f.Finish(); err != nil {
		t.Fatal(err)
	}
	f.Abort()
	if err := f.Finish(); err != nil {
		t.Errorf("Finish once more: %v", err)
	}
	create(t, path, "two").Abort()
	if names := files(t, dir); !slices.Equal(names, []string{"a"}) || content(t, path) != "one" {
		t.Errorf("%q, with %q", names, content(t, path))
	}
	if err := create(t, path, "three").Finish(); err != nil || content(t, path) != "three" {
		t.Errorf("%q in place of the one before: %v", content(t, path), err)
	}
}

// A link stays one, and what it leads to is replaced.
func TestThroughALink(t *testing.T) {
	dir := t.TempDir()
	link, path := filepath.Join(dir, "latest"), filepath.Join(dir, "a")
	if err := errors.Join(os.WriteFile(path, nil, 0o644), os.Symlink("a", link)); err != nil {
		t.Fatal(err)
	}
	err := create(t, link, "one").Finish()
	if target, _ := os.Readlink(link); err != nil || target != "a" || content(t, path) != "one" {
		t.Errorf("the link leads to %q, which has %q: %v", target, content(t, path), err)
	}
}

func TestErrorsSayWhatIsWrong(t *testing.T) {
	dir := t.TempDir()
	for path, want := range map[string]string{
		dir:                              "this is a folder; name a file in it",
		filepath.Join(dir, "no", "file"): "there is no folder " + filepath.Join(dir, "no") + "; make it first",
		filepath.Join(dir, strings.Repeat("x", 252)): "folder " + dir + " takes no file of this name: file name too long; name another",
		"-": "name a file (./- is one of that name)",
	} {
		if f, err := Create(path); f != nil || err == nil || err.Error() != want {
			t.Errorf("%s: %v, want %s", path, err, want)
		}
	}
	if names := files(t, dir); len(names) > 0 {
		t.Errorf("left: %q", names)
	}
}

// What cannot be written is told by the name that was asked for.
func TestErrorsOfWritingNameTheFile(t *testing.T) {
	dir := t.TempDir()
	f := create(t, filepath.Join(dir, "a"), "one")
	f.file.Close()
	if _, err := f.Write([]byte("two")); err == nil || err.Error() != "write "+f.name+": file already closed" {
		t.Errorf("writing: %v", err)
	}
	if err := f.Finish(); err == nil || err.Error() != "sync "+f.name+": file already closed" {
		t.Errorf("finishing: %v", err)
	}
	f = create(t, filepath.Join(dir, "b"), "one")
	if err := os.Mkdir(filepath.Join(dir, "b"), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := f.Finish(); err == nil || err.Error() != "rename "+f.name+": file exists" {
		t.Errorf("finishing where a folder has the name by now: %v", err)
	}
	if names := files(t, dir); !slices.Equal(names, []string{"b"}) {
		t.Errorf("left: %q", names)
	}
}
