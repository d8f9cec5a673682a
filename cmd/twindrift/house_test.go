package main

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path"
	"slices"
	"strconv"
	"strings"
	"testing"
	"testing/fstest"
)

// The house rules: who may import whom, and what nobody does.

// places lists the top-level folders with Go code, and which of them each may
// import beside itself.
var places = map[string][]string{
	"cmd":       {"datasets", "generator", "replay", "sim"},
	"sim":       {"generator", "replay"},
	"datasets":  {"replay"},
	"generator": {},
	"replay":    {},
}

// inTests lists what tests may import on top of that.
var inTests = map[string][]string{"sim": {"datasets"}}

// reserved lists modules that only some folders may import.
var reserved = map[string][]string{
	"github.com/parquet-go/parquet-go":  {"replay/parquet", "sim/report", "datasets", "cmd"},
	"github.com/twmb/franz-go":          {"replay/kafka", "cmd"},
	"github.com/spf13/cobra":            {"cmd"},
	"github.com/spf13/pflag":            {"cmd"},
	"github.com/schollz/progressbar/v3": {"cmd"},
	"golang.org/x/term":                 {"cmd"},
	"github.com/rogpeppe/go-internal":   {"cmd"},
}

// A ban forbids names of a package outside some folders. A ban that tests
// share holds for them too.
type ban struct {
	pkg    string
	names  []string // none means all
	except []string // folders or files
	tests  bool
	why    string
}

var bans = []ban{
	{"log", nil, nil, true, "errors are returned"},
	{"os", []string{"Exit"}, []string{"cmd/twindrift/main.go", "cmd/twindrift/script_test.go"}, true, "only main ends the process"},
	{"os", []string{"Stdin", "Stdout", "Stderr"}, []string{"cmd/twindrift/main.go"}, false, "streams are handed in"},
	{"fmt", []string{"Print", "Printf", "Println"}, nil, false, "streams are handed in"},
	{"time", []string{"Now", "Since", "Until"}, []string{"cmd", "replay/kafka/fetch.go", "replay/kafka/leaders.go", "replay/kafka/patience.go", "replay/kafka/read.go", "generator/bench/bench.go"}, false, "results do not depend on the clock"}, // but how long a broker is waited for, and how fast ids are drawn
	{"time", []string{"Sleep"}, nil, true, "nothing waits for the clock"},
	{"math/rand", nil, nil, false, "random numbers are functions of names and numbers"},
	{"math/rand/v2", nil, nil, false, "random numbers are functions of names and numbers"},
}

// within tells whether a file lies in one of the folders, or is one of them.
func within(file string, folders []string) bool {
	return slices.ContainsFunc(folders, func(f string) bool { return file == f || strings.HasPrefix(file, f+"/") })
}

// brokenRules checks every Go file of a module called twindrift.
func brokenRules(module fs.FS) (broken []string, files int, err error) {
	err = fs.WalkDir(module, ".", func(name string, d fs.DirEntry, err error) error {
		base := path.Base(name)
		if err == nil && d.IsDir() && (base == "testdata" || len(base) > 1 && base[0] == '.') {
			return fs.SkipDir
		}
		if err != nil || d.IsDir() || !strings.HasSuffix(name, ".go") {
			return err
		}
		source, err := fs.ReadFile(module, name)
		if err != nil {
			return err
		}
		files++
		found, err := brokenIn(name, source)
		broken = append(broken, found...)
		return err
	})
	return broken, files, err
}

// brokenIn checks one file.
func brokenIn(name string, source []byte) (broken []string, err error) {
	set := token.NewFileSet()
	file, err := parser.ParseFile(set, name, source, 0)
	if err != nil {
		return nil, err
	}
	say := func(at token.Pos, format string, args ...any) {
		broken = append(broken, fmt.Sprintf("%v: %s", set.Position(at), fmt.Sprintf(format, args...)))
	}
	place, _, _ := strings.Cut(name, "/")
	allowed, known := places[place]
	isTest := strings.HasSuffix(name, "_test.go")
	if !known {
		say(file.Package, "Go code outside the places of ARCHITECTURE.md")
	}
	imported := map[string]string{} // local name to path
	for _, spec := range file.Imports {
		target, err := strconv.Unquote(spec.Path.Value)
		if err != nil {
			return nil, err
		}
		local := path.Base(target)
		if target == "math/rand/v2" {
			local = "rand"
		}
		if spec.Name != nil {
			local = spec.Name.Name
		}
		imported[local] = target
		if ours, ok := strings.CutPrefix(target, "twindrift/"); ok {
			to, _, _ := strings.Cut(ours, "/")
			if to != place && !slices.Contains(allowed, to) && !(isTest && slices.Contains(inTests[place], to)) {
				say(spec.Pos(), "%s may not import %s", place, target)
			}
		}
		for module, folders := range reserved {
			if within(target, []string{module}) && !within(name, folders) {
				say(spec.Pos(), "only %s may import %s", strings.Join(folders, ", "), target)
			}
		}
		if local == "." {
			say(spec.Pos(), "dot import of %s", target)
		}
	}
	ast.Inspect(file, func(n ast.Node) bool {
		use, ok := n.(*ast.SelectorExpr)
		if !ok {
			return true
		}
		// An identifier that the parser resolved is a variable, not a package.
		x, ok := use.X.(*ast.Ident)
		if !ok || x.Obj != nil {
			return true
		}
		for _, b := range bans {
			if imported[x.Name] != b.pkg || len(b.names) > 0 && !slices.Contains(b.names, use.Sel.Name) {
				continue
			}
			if within(name, b.except) || isTest && !b.tests {
				continue
			}
			say(use.Pos(), "%s.%s: %s", b.pkg, use.Sel.Name, b.why)
		}
		return true
	})
	return broken, nil
}

func TestHouseRules(t *testing.T) {
	broken, files, err := brokenRules(os.DirFS("../.."))
	if err != nil {
		t.Fatal(err)
	}
	for _, b := range broken {
		t.Error(b)
	}
	if files < 10 {
		t.Errorf("checked %d files only: is this the module's root?", files)
	}
}

// Every rule is seen to fail.
func TestHouseRulesCanFail(t *testing.T) {
	for _, c := range []struct{ file, source, want string }{
		{"replay/a.go", `import "twindrift/generator"`, "replay may not import twindrift/generator"},
		{"replay/parquet/a.go", `import "twindrift/replay"`, ""},
		{"generator/x/a_test.go", `import "twindrift/replay"`, "generator may not import twindrift/replay"},
		{"sim/a.go", `import "twindrift/cmd/twindrift"`, "sim may not import twindrift/cmd/twindrift"},
		{"sim/a.go", `import ("twindrift/generator"; "twindrift/replay")`, ""},
		{"sim/a.go", `import "twindrift/datasets"`, "sim may not import twindrift/datasets"},
		{"sim/a_test.go", `import "twindrift/datasets"`, ""},
		{"sim/a_test.go", `import "twindrift/cmd/twindrift"`, "sim may not import twindrift/cmd/twindrift"},
		{"datasets/a.go", `import "twindrift/sim/run"`, "datasets may not import twindrift/sim/run"},
		{"cmd/twindrift/a.go", `import "twindrift/datasets"`, ""},
		{"tools/a.go", ``, "Go code outside the places"},
		{"a.go", ``, "Go code outside the places"},
		{"sim/run/a.go", `import "github.com/parquet-go/parquet-go/format"`, "may import github.com/parquet-go/parquet-go/format"},
		{"sim/report/a.go", `import "github.com/parquet-go/parquet-go"`, ""},
		{"sim/a.go", `import "github.com/spf13/cobra"`, "only cmd may import github.com/spf13/cobra"},
		{"sim/a.go", `import . "strings"`, "dot import"},
		{"cmd/twindrift/a.go", `import "os"; func f() { os.Exit(1) }`, "only main ends the process"},
		{"cmd/twindrift/a.go", `import sys "os"; func f() { sys.Exit(1) }`, "only main ends the process"},
		{"cmd/twindrift/main.go", `import "os"; func f() { os.Exit(1) }`, ""},
		{"cmd/twindrift/a.go", `import "os"; var w = os.Stdout`, "os.Stdout: streams are handed in"},
		{"cmd/twindrift/a.go", `import "fmt"; func f() { fmt.Println() }`, "fmt.Println: streams are handed in"},
		{"sim/a_test.go", `import "log"; func f() { log.Fatal() }`, "log.Fatal: errors are returned"},
		{"sim/a.go", `import "time"; var t = time.Now()`, "time.Now: results do not depend on the clock"},
		{"sim/a_test.go", `import "time"; var t = time.Now()`, ""},
		{"cmd/twindrift/a.go", `import "time"; var t = time.Now()`, ""},
		{"sim/a_test.go", `import "time"; func f() { time.Sleep(1) }`, "nothing waits for the clock"},
		{"sim/a.go", `import "math/rand/v2"; var r = rand.Int()`, "random numbers are functions"},
		{"sim/a.go", `import "time"; func f() { time := struct{ Now int }{}; _ = time.Now }`, ""},
		{".ci/a.go", `import "log"; func f() { log.Fatal() }`, ""},
		{"sim/testdata/a.go", `import "log"; func f() { log.Fatal() }`, ""},
	} {
		got, _, err := brokenRules(fstest.MapFS{c.file: {Data: []byte("package p\n" + c.source)}})
		if err != nil {
			t.Fatalf("%s: %s: %v", c.file, c.source, err)
		}
		if c.want == "" && len(got) > 0 || c.want != "" && (len(got) != 1 || !strings.Contains(got[0], c.want)) {
			t.Errorf("%s: %s: got %q, want %q", c.file, c.source, got, c.want)
		}
	}
}
