package main

import (
	"io/fs"
	"os"
	"path/filepath"
	"reflect"
	"regexp"
	"strings"
	"testing"

	"twindrift/sim/result"
)

// The tables of measures in the README name fields that there are, and tests
// that there are; no measure goes without a test.
func TestReadmeNamesFieldsAndTests(t *testing.T) {
	readme, err := os.ReadFile("../../README.md")
	if err != nil {
		t.Fatal(err)
	}
	_, section, _ := strings.Cut(string(readme), "\n## Reference\n")
	section, _, _ = strings.Cut(section, "\n## ")
	code, tests, rows := regexp.MustCompile("`([^`]+)`"), testNames(t), 0
	var root reflect.Type
	for line := range strings.Lines(section) {
		switch {
		case strings.HasPrefix(line, "| measure, in `sites"):
			root = reflect.TypeFor[result.Site]()
		case strings.HasPrefix(line, "| measure, in `between"):
			root = reflect.TypeFor[result.Between]()
		case strings.HasPrefix(line, "| `"):
			rows++
			cells := strings.Split(line, " | ")
			prefix := ""
			for _, m := range code.FindAllStringSubmatch(cells[0], -1) {
				path := m[1]
				if !hasField(root, path) && !hasField(root, prefix+path) && !hasField(reflect.TypeFor[result.Result](), path) {
					t.Errorf("a result has no %s, in\n%s", path, line)
				}
				if i := strings.LastIndexByte(path, '.'); i >= 0 {
					prefix = path[:i+1] // of the names after it
				}
			}
			if !strings.Contains(cells[3], "Test") && !strings.Contains(cells[3], "the same") {
				t.Errorf("no test in\n%s", line)
			}
		}
	}
	if rows < 20 {
		t.Errorf("%d measures", rows)
	}
	for _, name := range regexp.MustCompile("`(Test[A-Za-z0-9]+)`").FindAllStringSubmatch(section, -1) {
		if !tests[name[1]] {
			t.Errorf("there is no test %s", name[1])
		}
	}
}

// hasField says whether the JSON of a type has something at a path. Maps and
// lists are passed over.
func hasField(t reflect.Type, path string) bool {
	for t.Kind() == reflect.Pointer || t.Kind() == reflect.Slice || t.Kind() == reflect.Map {
		t = t.Elem()
	}
	if path == "" {
		return true
	}
	if t.Kind() != reflect.Struct {
		return false
	}
	name, rest, _ := strings.Cut(path, ".")
	for i := range t.NumField() {
		f := t.Field(i)
		if tag, _, _ := strings.Cut(f.Tag.Get("json"), ","); f.Anonymous && hasField(f.Type, path) || tag == name && hasField(f.Type, rest) {
			return true
		}
	}
	return false
}

// testNames are the tests of all packages.
func testNames(t *testing.T) map[string]bool {
	names := map[string]bool{}
	err := filepath.WalkDir("../..", func(path string, d fs.DirEntry, err error) error {
		if err != nil || !strings.HasSuffix(path, "_test.go") {
			return err
		}
		text, err := os.ReadFile(path)
		for _, m := range regexp.MustCompile(`(?m)^func (Test\w+)\(`).FindAllStringSubmatch(string(text), -1) {
			names[m[1]] = true
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return names
}
