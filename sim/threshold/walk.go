package threshold

import (
	"fmt"
	"maps"
	"reflect"
	"slices"
	"strings"

	"twindrift/sim/result"
	"twindrift/sim/spelling"
)

// figure is a number of a result.
type figure struct {
	path  string
	value float64
	known bool // false where it is not defined
}

// walk follows a path through a result by reflection.
type walk struct {
	expression string
	found      []figure
}

// follow goes on from v, which path leads to; last is where its last step stands. absent says that v is not there and only
// stands for its type: the rest of the path is checked, and leads to nothing.
func (w *walk) follow(v reflect.Value, path string, absent bool, rest []step, last int) error {
	for v.Kind() == reflect.Pointer {
		if v.IsNil() {
			v, absent = reflect.Zero(v.Type().Elem()), true
			continue
		}
		v = v.Elem()
	}
	if len(rest) == 0 {
		return w.leaf(v, path, absent, last)
	}
	s, rest := rest[0], rest[1:]
	switch v.Kind() {
	case reflect.Struct:
		field, err := w.field(v, path, s)
		if err != nil {
			return err
		}
		return w.follow(field, join(path, s), absent, rest, last)
	case reflect.Map:
		return w.intoMap(v, path, absent, s, rest, last)
	case reflect.Slice:
		return w.intoList(v, path, absent, s, rest, last)
	}
	return fail(w.expression, s.at, "%s is %s: nothing is below it", path, kindName(v))
}

func (w *walk) field(v reflect.Value, path string, s step) (reflect.Value, error) {
	names := fieldNames(v.Type())
	if s.kind == numbered || s.kind == every {
		return v, fail(w.expression, s.at, "%s is no list: name one of its fields: %s", or(path, "a result"), strings.Join(names, ", "))
	}
	for _, f := range reflect.VisibleFields(v.Type()) {
		if jsonName(f) == s.name && s.name != "" {
			return v.FieldByIndex(f.Index), nil
		}
	}
	return v, fail(w.expression, s.at, "%s has no field %q%s", or(path, "a result"), s.name, spelling.DidYouMean(s.name, names))
}

func (w *walk) intoMap(v reflect.Value, path string, absent bool, s step, rest []step, last int) error {
	var keys []string
	for key := range maps.Keys(mapOf(v)) {
		keys = append(keys, key)
	}
	slices.Sort(keys)
	nothing := reflect.Zero(v.Type().Elem())
	switch {
	case s.kind == numbered:
		return fail(w.expression, s.at, `%s is no list: write a name, as in ["%d"]`, path, s.index)
	case len(keys) == 0:
		return w.follow(nothing, join(path, s), true, rest, last)
	case s.kind == every:
		for _, key := range keys {
			if err := w.follow(v.MapIndex(reflect.ValueOf(key)), join(path, step{name: key, kind: quoted}), absent, rest, last); err != nil {
				return err
			}
		}
		return nil
	case !slices.Contains(keys, s.name):
		return fail(w.expression, s.at, "%s has no %q%s", path, s.name, spelling.DidYouMean(s.name, keys))
	}
	return w.follow(v.MapIndex(reflect.ValueOf(s.name)), join(path, s), absent, rest, last)
}

// mapOf is a map's keys as a map, for ranging.
func mapOf(v reflect.Value) map[string]bool {
	keys := map[string]bool{}
	for _, key := range v.MapKeys() {
		keys[key.String()] = true
	}
	return keys
}

func (w *walk) intoList(v reflect.Value, path string, absent bool, s step, rest []step, last int) error {
	switch s.kind {
	case named, quoted:
		return fail(w.expression, s.at, "%s is a list: write %s[0] for its first element, or %s[*] for all", path, path, path)
	case numbered:
		if s.index < v.Len() {
			return w.follow(v.Index(s.index), join(path, s), absent, rest, last)
		}
	case every:
		for i := range v.Len() {
			if err := w.follow(v.Index(i), join(path, step{index: i, kind: numbered}), absent, rest, last); err != nil {
				return err
			}
		}
		if v.Len() > 0 {
			return nil
		}
	}
	return w.follow(reflect.Zero(v.Type().Elem()), join(path, s), true, rest, last)
}

// leaf is where a path ends.
func (w *walk) leaf(v reflect.Value, path string, absent bool, last int) error {
	f := figure{path: path, known: !absent}
	switch {
	case v.CanInt():
		f.value = float64(v.Int())
	case v.CanFloat():
		f.value = v.Float()
	case v.Kind() == reflect.Struct:
		return fail(w.expression, last, "%s is no number: name one of its fields: %s", path, strings.Join(fieldNames(v.Type()), ", "))
	case v.Kind() == reflect.Map:
		return fail(w.expression, last, "%s is no number: name one of it, or %s.* for all", path, path)
	case v.Kind() == reflect.Slice:
		return fail(w.expression, last, "%s is a list: write %s[0] for its first element, or %s[*] for all", path, path, path)
	default:
		return fail(w.expression, last, "%s is %s: only numbers can be compared", path, kindName(v))
	}
	w.found = append(w.found, f)
	return nil
}

// jsonName is the name of a field in JSON; "" for one that has none of its own.
func jsonName(f reflect.StructField) string {
	name, _, _ := strings.Cut(f.Tag.Get("json"), ",")
	return name
}

func fieldNames(t reflect.Type) []string {
	var names []string
	for _, f := range reflect.VisibleFields(t) {
		if name := jsonName(f); name != "" {
			names = append(names, name)
		}
	}
	return names
}

// kindName says what a value is that holds no other and is no number.
func kindName(v reflect.Value) string {
	switch v.Kind() {
	case reflect.String:
		return "text"
	case reflect.Bool:
		return "true or false"
	case reflect.Interface:
		return "what was asked for, not what was found"
	}
	return "a number"
}

// join is a path with one step more, in the form in which Parse reads it.
func join(path string, s step) string {
	switch {
	case s.kind == numbered:
		return fmt.Sprintf("%s[%d]", path, s.index)
	case s.kind == every:
		return path + ".*"
	}
	return result.Under(path, s.name)
}

func or(text, otherwise string) string {
	if text == "" {
		return otherwise
	}
	return text
}
