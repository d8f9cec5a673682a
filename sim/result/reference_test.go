package result

import (
	"flag"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"reflect"
	"slices"
	"strings"
	"testing"
)

var update = flag.Bool("update", false, "write README.md anew")

// TestReference makes the reference of the JSON fields, README.md, from the
// fields themselves and their comments: none can be missing, and none can go
// without a meaning.
func TestReference(t *testing.T) {
	c := readComments(t)
	r := reference{comments: c}
	r.visit(reflect.TypeFor[Result](), "")
	for _, field := range r.silent {
		t.Errorf("%s has no comment: say what it is, and in which unit", field)
	}
	got := r.text()
	if *update {
		if err := os.WriteFile("README.md", []byte(got), 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	want, err := os.ReadFile("README.md")
	if err != nil {
		t.Fatal(err)
	}
	if got != string(want) {
		t.Errorf("README.md is not what the comments say; write it anew with: go test ./sim/result -update")
	}
}

// comments are what the source says of the package, its types and their fields
// ("Type.Field").
type comments struct {
	pkg           string
	types, fields map[string]string
}

func readComments(t *testing.T) comments {
	c := comments{types: map[string]string{}, fields: map[string]string{}}
	entries, err := os.ReadDir(".")
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range entries {
		if !strings.HasSuffix(e.Name(), ".go") || strings.HasSuffix(e.Name(), "_test.go") {
			continue
		}
		f, err := parser.ParseFile(token.NewFileSet(), e.Name(), nil, parser.ParseComments)
		if err != nil {
			t.Fatal(err)
		}
		if f.Doc != nil {
			c.pkg = f.Doc.Text()
		}
		for _, d := range f.Decls {
			if g, ok := d.(*ast.GenDecl); ok && g.Tok == token.TYPE {
				c.read(g)
			}
		}
	}
	return c
}

func (c *comments) read(g *ast.GenDecl) {
	for _, spec := range g.Specs {
		s := spec.(*ast.TypeSpec)
		c.types[s.Name.Name] = g.Doc.Text()
		body, ok := s.Type.(*ast.StructType)
		if !ok {
			continue
		}
		for _, f := range body.Fields.List {
			for _, name := range f.Names {
				c.fields[s.Name.Name+"."+name.Name] = strings.TrimSpace(f.Doc.Text() + " " + f.Comment.Text())
			}
		}
	}
}

// reference collects the types that a result is made of, in the order in which
// they are met.
type reference struct {
	comments
	order  []reflect.Type
	paths  map[reflect.Type][]string // where each stands in the JSON
	silent []string                  // fields without a comment
}

// visit goes over a type that stands at a path.
func (r *reference) visit(t reflect.Type, path string) {
	switch t.Kind() {
	case reflect.Pointer:
		r.visit(t.Elem(), path)
	case reflect.Slice:
		r.visit(t.Elem(), path+"[]")
	case reflect.Map:
		r.visit(t.Elem(), path+".*")
	case reflect.Struct:
		if r.paths == nil {
			r.paths = map[reflect.Type][]string{}
		}
		if !slices.Contains(r.order, t) {
			r.order = append(r.order, t)
		}
		r.paths[t] = append(r.paths[t], strings.TrimPrefix(path, "."))
		for i := range t.NumField() {
			f := t.Field(i)
			if f.Anonymous {
				r.visit(f.Type, path)
				continue
			}
			if name := t.Name() + "." + f.Name; r.fields[name] == "" && !slices.Contains(r.silent, name) {
				r.silent = append(r.silent, name)
			}
			r.visit(f.Type, path+"."+jsonName(f))
		}
	}
}

func jsonName(f reflect.StructField) string {
	name, _, _ := strings.Cut(f.Tag.Get("json"), ",")
	return name
}

// text is the page.
func (r *reference) text() string {
	var b strings.Builder
	b.WriteString("# The fields of a JSON result\n\n")
	b.WriteString("Made from the comments of this package by `go test ./sim/result -update`; a test holds it to them.\n\n")
	b.WriteString(r.pkg)
	for _, t := range r.order {
		r.section(&b, t)
	}
	return b.String()
}

// pathsShown is how many of the places of a type are listed.
const pathsShown = 4

func (r *reference) section(b *strings.Builder, t reflect.Type) {
	fmt.Fprintf(b, "\n## %s\n\n", t.Name())
	if paths := r.paths[t]; paths[0] != "" {
		fmt.Fprintf(b, "At `%s`", strings.Join(paths[:min(len(paths), pathsShown)], "`, `"))
		if more := len(paths) - pathsShown; more > 0 {
			fmt.Fprintf(b, " and %d more", more)
		}
		b.WriteString(".\n\n")
	}
	b.WriteString(r.types[t.Name()])
	b.WriteString("\n| field | is | meaning |\n| --- | --- | --- |\n")
	for i := range t.NumField() {
		f := t.Field(i)
		if f.Anonymous {
			fmt.Fprintf(b, "| | | all fields of %s |\n", link(f.Type))
			continue
		}
		meaning := strings.ReplaceAll(strings.Join(strings.Fields(r.fields[t.Name()+"."+f.Name]), " "), "|", "\\|")
		fmt.Fprintf(b, "| `%s` | %s | %s |\n", jsonName(f), kind(f.Type), meaning)
	}
}

func link(t reflect.Type) string {
	return fmt.Sprintf("[%s](#%s)", t.Name(), strings.ToLower(t.Name()))
}

// kind is what the JSON of a type is.
func kind(t reflect.Type) string {
	switch t.Kind() {
	case reflect.Pointer:
		return kind(t.Elem()) + " or null"
	case reflect.Slice:
		return "list of " + kind(t.Elem())
	case reflect.Map:
		of := t.Elem()
		if of.Kind() == reflect.Pointer && of.Elem().Kind() == reflect.Struct {
			of = of.Elem() // what is named is there
		}
		return "map of " + kind(of)
	case reflect.Struct:
		return link(t)
	case reflect.Bool:
		return "true or false"
	case reflect.String:
		return "text"
	case reflect.Float64:
		return "number"
	case reflect.Interface:
		return "object"
	}
	return "integer"
}
