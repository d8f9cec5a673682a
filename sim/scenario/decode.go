package scenario

import (
	"encoding"
	"fmt"
	"reflect"
	"strconv"
	"strings"

	"github.com/goccy/go-yaml/ast"

	"twindrift/sim/delay"
	"twindrift/sim/duration"
	"twindrift/sim/spelling"
)

// decoder sets structs from YAML, by their json names and strictly, and
// remembers where each field stands.
type decoder struct {
	src     *source
	anchors map[string]ast.Node
	at      map[string]place // by path
	errs    Errors
	left    int // nodes that may still be decoded: aliases can multiply
}

// maxNodes bounds what the aliases of a file can blow up to.
const maxNodes = 1 << 16

func newDecoder(src *source, root ast.Node) *decoder {
	d := &decoder{src: src, anchors: map[string]ast.Node{}, at: map[string]place{}, left: maxNodes}
	if root != nil {
		ast.Walk(d, root)
	}
	return d
}

// Visit collects the anchors of a document.
func (d *decoder) Visit(n ast.Node) ast.Visitor {
	if a, ok := n.(*ast.AnchorNode); ok && a.Name != nil {
		d.anchors[a.Name.GetToken().Value] = a.Value
	}
	return d
}

// defaulter sets what a file need not say.
type defaulter interface{ defaults() }

func (d *decoder) fail(n ast.Node, path, format string, args ...any) {
	d.add(placeOfNode(n), path, format, args...)
}

func (d *decoder) add(at place, path, format string, args ...any) {
	if len(d.errs) < maxErrors {
		d.errs = append(d.errs, d.src.fail(at, path, format, args...))
	}
}

// decode sets what target, a pointer, points to from n.
func (d *decoder) decode(n ast.Node, path string, target any) {
	n, ok := d.plain(n, path)
	if !ok {
		return
	}
	if _, known := d.at[path]; !known || isScalar(n) {
		d.at[path] = placeOfNode(n)
	}
	if n.Type() == ast.NullType {
		d.fail(n, path, "there is no value: give one, or leave the field out")
		return
	}
	if dist, ok := target.(*delay.Dist); ok && n.Type() == ast.MappingType {
		d.decodeDelayBlock(n, path, dist)
		return
	}
	if t, ok := target.(encoding.TextUnmarshaler); ok {
		if text, ok := d.scalar(n, path, "one value"); ok {
			if err := t.UnmarshalText([]byte(text)); err != nil {
				d.fail(n, path, "%v", err)
			}
		}
		return
	}
	if t, ok := target.(defaulter); ok {
		t.defaults()
	}
	switch v := reflect.ValueOf(target).Elem(); v.Kind() {
	case reflect.Struct:
		d.decodeStruct(n, path, v)
	case reflect.Map:
		d.decodeMap(n, path, v)
	case reflect.Slice:
		d.decodeSlice(n, path, v)
	case reflect.Pointer:
		v.Set(reflect.New(v.Type().Elem()))
		d.decode(n, path, v.Interface())
	default:
		d.decodeScalar(n, path, v)
	}
}

// plain looks through anchors, aliases and tags.
func (d *decoder) plain(n ast.Node, path string) (ast.Node, bool) {
	for range 100 {
		if d.left--; d.left < 0 {
			if d.left == -1 {
				d.fail(n, path, "aliases make this file too large")
			}
			return nil, false
		}
		switch t := n.(type) {
		case *ast.AnchorNode:
			n = t.Value
		case *ast.AliasNode:
			name := t.Value.GetToken().Value
			target, ok := d.anchors[name]
			if !ok {
				d.fail(n, path, "there is no anchor &%s", name)
				return nil, false
			}
			n = target
		case *ast.TagNode:
			d.fail(n, path, "tags (%s) are not used here: write the value alone", t.Start.Value)
			return nil, false
		default:
			if n == nil || n.GetToken() == nil {
				return nil, false
			}
			return n, true
		}
	}
	d.fail(n, path, "the alias leads to itself")
	return nil, false
}

func (d *decoder) decodeStruct(n ast.Node, path string, v reflect.Value) {
	fields := map[string]reflect.Value{}
	var names []string
	for _, f := range reflect.VisibleFields(v.Type()) {
		name := fieldName(f)
		fields[name] = v.FieldByIndex(f.Index)
		names = append(names, name)
	}
	given := d.pairs(n, path, func(key, value ast.Node, name string) {
		field, ok := fields[name]
		if !ok {
			d.unknown(n, key, value, path, name, names)
			return
		}
		d.decode(value, join(path, name), field.Addr().Interface())
	})
	for _, f := range reflect.VisibleFields(v.Type()) {
		if name := fieldName(f); f.Tag.Get("required") == "true" && given != nil && !given[name] {
			d.fail(n, path, "%s is missing", name)
		}
	}
}

// unknown says that there is no such field, and what may have been meant.
func (d *decoder) unknown(n, key, value ast.Node, path, name string, names []string) {
	if m, ok := n.(*ast.MappingNode); ok && m.IsFlowStyle && value.Type() == ast.NullType {
		if _, err := duration.Parse(name); err == nil || strings.Contains(name, "=") {
			d.fail(key, path, "%s stands alone: between braces a comma ends a value, so put one that has commas in quotes", name)
			return
		}
	}
	d.fail(key, path, "no field is named %q%s", name, spelling.DidYouMean(name, names))
}

func (d *decoder) decodeMap(n ast.Node, path string, v reflect.Value) {
	v.SetZero()
	d.pairs(n, path, func(_, value ast.Node, name string) {
		if v.IsNil() {
			v.Set(reflect.MakeMap(v.Type()))
		}
		element := reflect.New(v.Type().Elem())
		d.decode(value, join(path, name), element.Interface())
		v.SetMapIndex(reflect.ValueOf(name), element.Elem())
	})
}

// pairs calls each with the keys and values of a mapping, and gives the names
// that there were; nil where n is no mapping.
func (d *decoder) pairs(n ast.Node, path string, each func(key, value ast.Node, name string)) map[string]bool {
	m, ok := n.(*ast.MappingNode)
	if !ok {
		d.fail(n, path, "%s where fields (name: value) are wanted", describe(n))
		return nil
	}
	given := map[string]bool{}
	for _, pair := range m.Values {
		key, ok := d.plain(pair.Key, path)
		if !ok {
			continue
		}
		if key.Type() == ast.MergeKeyType {
			d.fail(key, path, "merge keys (<<) are not used here: write the fields out")
			continue
		}
		name, ok := d.scalar(key, path, "a name")
		if !ok {
			continue
		}
		if given[name] {
			d.fail(key, path, "%s is given twice, first in line %d", name, d.at[join(path, name)].line)
			continue
		}
		given[name] = true
		d.at[join(path, name)] = placeOfNode(key)
		each(key, pair.Value, name)
	}
	return given
}

func (d *decoder) decodeSlice(n ast.Node, path string, v reflect.Value) {
	list, ok := n.(*ast.SequenceNode)
	if !ok {
		d.fail(n, path, "%s where a list is wanted: write [a, b], or lines that begin with a dash", describe(n))
		return
	}
	v.SetZero() // an empty list says the same as none
	if len(list.Values) > 0 {
		v.Set(reflect.MakeSlice(v.Type(), len(list.Values), len(list.Values)))
	}
	for i, item := range list.Values {
		d.decode(item, fmt.Sprintf("%s[%d]", path, i), v.Index(i).Addr().Interface())
	}
}

// scalar is the text of a single value; want says what is wanted there.
func (d *decoder) scalar(n ast.Node, path, want string) (string, bool) {
	switch t := n.(type) {
	case *ast.MappingKeyNode:
		return d.scalar(t.Value, path, want)
	case *ast.LiteralNode:
		return t.Value.Value, true
	case *ast.StringNode:
		return t.Value, true
	case ast.ScalarNode:
		return n.GetToken().Value, true
	}
	d.fail(n, path, "%s where %s is wanted", describe(n), want)
	return "", false
}

func (d *decoder) decodeScalar(n ast.Node, path string, v reflect.Value) {
	text, ok := d.scalar(n, path, "one value")
	if !ok {
		return
	}
	digits := strings.ReplaceAll(text, "_", "")
	switch v.Kind() {
	case reflect.String:
		v.SetString(text)
	case reflect.Int, reflect.Int32, reflect.Int64:
		i, err := strconv.ParseInt(digits, 10, v.Type().Bits())
		if err != nil {
			d.fail(n, path, "%q is not a whole number, or too large", text)
			return
		}
		v.SetInt(i)
	case reflect.Bool:
		if text != "true" && text != "false" {
			d.fail(n, path, "%q is neither true nor false", text)
			return
		}
		v.SetBool(text == "true")
	case reflect.Float64:
		f, err := strconv.ParseFloat(digits, 64)
		if err != nil {
			d.fail(n, path, "%q is not a number", text)
			return
		}
		v.SetFloat(f)
	default:
		d.fail(n, path, "fields of type %s cannot be read", v.Type())
	}
}

func isScalar(n ast.Node) bool {
	_, ok := n.(ast.ScalarNode)
	return ok
}

// fieldName is the name of a struct field in files.
func fieldName(f reflect.StructField) string {
	name, _, _ := strings.Cut(f.Tag.Get("json"), ",")
	return name
}

func join(path, name string) string {
	if path == "" {
		return name
	}
	return path + "." + name
}
