package scenario

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"os"
	"slices"
	"strings"

	"github.com/goccy/go-yaml"
	"github.com/goccy/go-yaml/ast"
	"github.com/goccy/go-yaml/parser"
)

// MaxBytes is the largest scenario file: far above any in earnest. The YAML
// parser takes time with the square of a hostile file's size and depth.
const MaxBytes = 1 << 16

const (
	maxDepth  = 50 // of lists and blocks in each other
	maxErrors = 20 // that are told of one file
)

// Read reads the scenario file at path.
func Read(path string) (Scenario, error) {
	f, err := os.Open(path)
	if err != nil {
		return Scenario{}, err
	}
	defer f.Close()
	info, err := f.Stat()
	if err != nil {
		return Scenario{}, err
	}
	if info.Size() > MaxBytes {
		return Scenario{}, fmt.Errorf("%s: %d bytes: a scenario is a YAML file of at most %d; is this a capture?", path, info.Size(), MaxBytes)
	}
	data, err := os.ReadFile(path)
	if err != nil {
		return Scenario{}, err
	}
	return Parse(path, data)
}

// Parse reads a scenario from YAML, fills in its defaults and validates it.
// file is the name that errors say. What is wrong with the scenario is an
// Errors.
func Parse(file string, data []byte) (Scenario, error) {
	data = bytes.TrimPrefix(data, []byte("\ufeff"))
	src := newSource(file, data)
	if len(data) > MaxBytes {
		return Scenario{}, Errors{src.fail(place{}, "", "%d bytes: a scenario is a YAML file of at most %d", len(data), MaxBytes)}
	}
	if tooDeep(string(data)) {
		return Scenario{}, Errors{src.fail(place{}, "", "not a scenario: more than %d levels of lists or blocks", maxDepth)}
	}
	root, err := document(src, data)
	if err != nil {
		return Scenario{}, Errors{err}
	}
	if key := recipeField(root); key != nil {
		return Scenario{}, Errors{src.fail(placeOfNode(key), "", "this looks like a traffic recipe, not a scenario;\n"+
			"replay it with 'twindrift run RECIPE.yaml', or make a capture of it with\n"+
			"'twindrift synth RECIPE.yaml -o CAPTURE.parquet'")}
	}
	d := newDecoder(src, root)
	var s Scenario
	s.decodeFrom(d, root)
	if len(d.errs) == 0 {
		s.resolve()
		for _, e := range s.problems() {
			d.add(d.placeOf(e.Path), e.Path, "%s", e.Message)
		}
	}
	if len(d.errs) > 0 {
		slices.SortStableFunc(d.errs, func(a, b *Error) int {
			return cmp.Or(cmp.Compare(a.Line, b.Line), cmp.Compare(a.Column, b.Column))
		})
		return Scenario{}, d.errs
	}
	return s, nil
}

// tooDeep says whether blocks stand in blocks, by brackets or by dashes in one
// line, deeper than maxDepth.
func tooDeep(text string) bool {
	depth, dashes := 0, 0
	for i := range len(text) {
		switch text[i] {
		case '[', '{':
			depth++
		case ']', '}':
			depth = max(depth-1, 0)
		case '-', '?':
			dashes++
			continue
		case ' ':
			continue
		}
		if depth > maxDepth || dashes > maxDepth {
			return true
		}
		dashes = 0
	}
	return dashes > maxDepth
}

// document is the one document of a file; nil for an empty one.
func document(src *source, data []byte) (ast.Node, *Error) {
	file, err := parse(data)
	if err != nil {
		if e, ok := errors.AsType[yaml.Error](err); ok && e.GetToken() != nil {
			message := strings.Replace(e.GetMessage(), "found character '\t' that cannot start any token", "a tab where blanks are wanted", 1)
			return nil, src.fail(placeOfToken(e.GetToken()), "", "not YAML: %s", message)
		}
		return nil, src.fail(place{}, "", "not YAML: %v", err)
	}
	var root ast.Node
	for _, doc := range file.Docs {
		switch {
		case doc.Body == nil || doc.Body.Type() == ast.DirectiveType:
		case root == nil:
			root = doc.Body
		default:
			return nil, src.fail(placeOfNode(doc.Body), "", "a second document (---): a scenario file holds one; put the other into a file of its own")
		}
	}
	return root, nil
}

// recipeField is the topics of a document that has a field more that only traffic
// recipes have; else nil.
func recipeField(root ast.Node) (topics ast.Node) {
	m, ok := root.(*ast.MappingNode)
	if !ok {
		return nil
	}
	others := false
	for _, pair := range m.Values {
		switch pair.Key.GetToken().Value {
		case "topics":
			topics = pair.Key
		case "start", "length":
			others = true
		}
	}
	if !others {
		return nil
	}
	return topics
}

// parse is the YAML parser; what it panics on is an error.
func parse(data []byte) (file *ast.File, err error) {
	defer func() {
		if p := recover(); p != nil {
			err = fmt.Errorf("the parser fails on it (%v)", p)
		}
	}()
	return parser.ParseBytes(data, 0, parser.AllowDuplicateMapKey())
}

// decodeFrom sets s from a document.
func (s *Scenario) decodeFrom(d *decoder, root ast.Node) {
	s.defaults()
	if root != nil {
		d.decode(root, "", s)
	}
	if _, given := d.at["sites"]; !given {
		s.Sites = defaultSites(2)
	}
}
