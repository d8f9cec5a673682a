package recipe

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"reflect"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/goccy/go-yaml"
	"github.com/goccy/go-yaml/ast"
	"github.com/goccy/go-yaml/parser"
	"github.com/goccy/go-yaml/token"
)

// maxFileBytes is the largest recipe file: one with a weight for each of a million keys.
const maxFileBytes = 1 << 24

// Load reads a recipe from a file; see the package documentation for what is
// in it. Errors name the file, the line and the column.
func Load(path string) (*Source, error) {
	if info, err := os.Stat(path); err == nil && info.Size() > maxFileBytes {
		return nil, fmt.Errorf("%s: %d bytes: a recipe is a YAML file of at most %d; is this a capture?", path, info.Size(), maxFileBytes)
	}
	data, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	return Parse(path, data)
}

// Parse reads a recipe from memory. The name stands in errors where Load has
// the path.
func Parse(name string, data []byte) (*Source, error) {
	if !utf8.Valid(data) || bytes.IndexByte(data, 0) >= 0 {
		return nil, fmt.Errorf("%s: this is no text, and a recipe is a YAML file; is this a capture?", name)
	}
	d := document{name: name, text: string(data)}
	var r recipe
	if err := d.decode(&r); err != nil {
		return nil, d.explain(err)
	}
	s, err := compile(&r)
	if err != nil {
		return nil, d.explain(err)
	}
	return s, nil
}

// fault is something wrong with a recipe that could be read. path says where,
// as in $.topics[0].rate; where the recipe has nothing there, the error points
// to what contains it.
type fault struct {
	path string
	text string
}

func (f *fault) Error() string { return f.text }

func faultf(path, format string, args ...any) error {
	return &fault{path, fmt.Sprintf(format, args...)}
}

// document is the text that errors point into.
type document struct {
	name, text string
	file       *ast.File
}

// decode reads the text. The YAML library panics on some malformed documents,
// such as a tag before a sequence that is none; they come out as errors.
func (d *document) decode(r *recipe) (err error) {
	defer func() {
		if p := recover(); p != nil {
			err = fmt.Errorf("this YAML cannot be read (%v): tags, anchors and aliases have no place in a recipe", p)
		}
	}()
	if d.file, err = parser.ParseBytes([]byte(d.text), 0); err != nil {
		return err
	}
	if len(d.file.Docs) != 1 || d.file.Docs[0].Body == nil {
		return errors.New("one YAML document is wanted: a mapping with start, length and topics")
	}
	if key := scenarioField(d.file.Docs[0].Body); key != nil {
		return wrong(key, "this looks like a scenario, not a traffic recipe;\nreplay a capture by it with 'twindrift run -f SCENARIO.yaml CAPTURE'")
	}
	return decodeNode(d.file.Docs[0].Body, r)
}

// scenarioField is the first field of a document that only scenarios have, where
// it has none that only recipes have; else nil.
func scenarioField(root ast.Node) (key ast.Node) {
	m, ok := root.(*ast.MappingNode)
	if !ok {
		return nil
	}
	for _, pair := range m.Values {
		switch name := pair.Key.GetToken().Value; {
		case name == "start" || name == "length" || name == "topics":
			return nil
		case key == nil && slices.Contains(scenarioFields, name):
			key = pair.Key
		}
	}
	return key
}

// scenarioFields are those at the top of a scenario, but for seed, which recipes
// have too.
var scenarioFields = []string{"replications", "traffic", "generator", "against", "append", "deadline", "filter", "store", "sites", "thresholds"}

// explain puts the place into an error, and shows the line.
func (d *document) explain(err error) error {
	var y yaml.Error
	var f *fault
	switch {
	case errors.As(err, &f):
		return d.point(d.find(f.path), f.text)
	case errors.As(err, &y):
		text := y.GetMessage()
		var unknown *yaml.UnknownFieldError
		if errors.As(err, &unknown) && unknown.Token != nil {
			text = unknownField(unknown.Token.Value)
		}
		return d.point(y.GetToken(), text)
	}
	return fmt.Errorf("%s: %w", d.name, err)
}

// longestShown is how long a line may be, in bytes, to be shown with an error.
const longestShown = 200

func (d *document) point(t *token.Token, text string) error {
	if t == nil || t.Position == nil {
		return fmt.Errorf("%s: %s", d.name, text)
	}
	line, column := t.Position.Line, t.Position.Column
	out := fmt.Sprintf("%s:%d:%d: %s", d.name, line, column, text)
	lines := strings.Split(d.text, "\n")
	if line < 1 || line > len(lines) || len(lines[line-1]) > longestShown {
		return errors.New(out)
	}
	number := fmt.Sprintf("%5d | ", line)
	return fmt.Errorf("%s\n%s%s\n%s^", out, number, strings.TrimRight(lines[line-1], "\r"),
		strings.Repeat(" ", len(number)+max(0, column-1)))
}

// find is the token at a path, or at the nearest part of the path that is
// there.
func (d *document) find(path string) *token.Token {
	for ; path != "" && path != "$"; path = path[:max(0, strings.LastIndexAny(path, ".["))] {
		p, err := yaml.PathString(path)
		if err != nil {
			continue
		}
		if n, err := p.FilterFile(d.file); err == nil && n != nil {
			return first(n)
		}
	}
	return first(d.file.Docs[0].Body)
}

// first is the token that a node begins with: a block mapping's own token is
// the colon after its first key.
func first(n ast.Node) *token.Token {
	if m, ok := n.(*ast.MappingNode); ok && !m.IsFlowStyle && len(m.Values) > 0 {
		return m.Values[0].Key.GetToken()
	}
	if m, ok := n.(*ast.MappingValueNode); ok {
		return m.Key.GetToken()
	}
	return n.GetToken()
}

func unknownField(name string) string {
	best, distance := "", 3
	for _, f := range fieldNames(reflect.TypeFor[recipe](), nil) {
		if d := editDistance(name, f); d < distance {
			best, distance = f, d
		}
	}
	if best == "" {
		return fmt.Sprintf("unknown field %q", name)
	}
	return fmt.Sprintf("unknown field %q: did you mean %q?", name, best)
}

// fieldNames lists the names of all fields of a type and the types below it.
func fieldNames(t reflect.Type, names []string) []string {
	for t.Kind() == reflect.Pointer || t.Kind() == reflect.Slice {
		t = t.Elem()
	}
	if t.Kind() != reflect.Struct {
		return names
	}
	for i := range t.NumField() {
		if tag := t.Field(i).Tag.Get("yaml"); tag != "" {
			names = fieldNames(t.Field(i).Type, append(names, tag))
		}
	}
	return names
}

// editDistance is the Levenshtein distance of two names.
func editDistance(a, b string) int {
	row := make([]int, len(b)+1)
	for j := range row {
		row[j] = j
	}
	for i := range len(a) {
		diagonal := row[0]
		row[0] = i + 1
		for j := range len(b) {
			substitute := diagonal
			if a[i] != b[j] {
				substitute++
			}
			diagonal = row[j+1]
			row[j+1] = min(substitute, row[j]+1, row[j+1]+1)
		}
	}
	return row[len(b)]
}
