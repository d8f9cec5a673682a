package report

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"reflect"
	"slices"
	"strings"

	"twindrift/sim/result"
)

// ErrNotResult is the cause of the errors of ReadJSON that say that something
// is no result file at all.
var ErrNotResult = errors.New("not a twindrift result")

// ErrVersion is the cause of the errors of ReadJSON that say that a result was
// written by a version of twindrift with another structure.
var ErrVersion = errors.New("unknown result version")

// JSON writes a result as indented JSON with a newline at the end. The same
// result gives the same bytes. Lists and maps that are empty are written as []
// and {}, so null always means "not defined".
func JSON(w io.Writer, r *result.Result) error {
	e := json.NewEncoder(w)
	e.SetEscapeHTML(false)
	e.SetIndent("", "  ")
	return e.Encode(withoutNil(reflect.ValueOf(r)).Interface())
}

// withoutNil copies v, putting empty slices and maps for nil ones. Pointers
// that are nil stay so. Unexported fields are not looked into.
func withoutNil(v reflect.Value) reflect.Value {
	to := reflect.New(v.Type()).Elem()
	to.Set(v)
	switch v.Kind() {
	case reflect.Pointer:
		if !v.IsNil() {
			to = reflect.New(v.Type().Elem())
			to.Elem().Set(withoutNil(v.Elem()))
		}
	case reflect.Struct:
		for i := range v.NumField() {
			if to.Field(i).CanSet() {
				to.Field(i).Set(withoutNil(v.Field(i)))
			}
		}
	case reflect.Slice:
		to = reflect.MakeSlice(v.Type(), v.Len(), v.Len())
		for i := range v.Len() {
			to.Index(i).Set(withoutNil(v.Index(i)))
		}
	case reflect.Map:
		to = reflect.MakeMapWithSize(v.Type(), v.Len())
		for _, key := range v.MapKeys() {
			to.SetMapIndex(key, withoutNil(v.MapIndex(key)))
		}
	}
	return to
}

// ReadJSON reads a result that JSON wrote. Another version, fields that it does
// not know, and sites or pairs that are named and missing are errors. The
// scenario comes back as maps, lists, strings and json.Number.
func ReadJSON(r io.Reader) (*result.Result, error) {
	text, err := io.ReadAll(r)
	if err != nil {
		return nil, err
	}
	if len(text) == 0 {
		return nil, fmt.Errorf("%w: it is empty", ErrNotResult)
	}
	var head struct {
		Format  string `json:"format"`
		Version int    `json:"version"`
	}
	if err := json.Unmarshal(text, &head); err != nil {
		return nil, fmt.Errorf("%w: %s%s", ErrNotResult, said(err), place(text, err))
	}
	if head.Format != result.Format {
		return nil, fmt.Errorf("%w: it says format %q where a result says %q", ErrNotResult, head.Format, result.Format)
	}
	if head.Version != result.Version {
		return nil, fmt.Errorf("%w: %d, and this twindrift reads %d; run again, or render it with the twindrift that wrote it",
			ErrVersion, head.Version, result.Version)
	}
	d := json.NewDecoder(bytes.NewReader(text))
	d.DisallowUnknownFields()
	d.UseNumber()
	res := new(result.Result)
	if err := d.Decode(res); err != nil {
		return nil, fmt.Errorf("result: %s%s", said(err), place(text, err))
	}
	return res, complete(res)
}

// said is what an error of encoding/json says, without names of Go.
func said(err error) string {
	if kind, ok := errors.AsType[*json.UnmarshalTypeError](err); ok {
		at := ""
		if kind.Field != "" {
			at = kind.Field + ": "
		}
		return at + "no " + kind.Value + " can be here"
	}
	return strings.TrimPrefix(err.Error(), "json: ")
}

// place says where in the text an error of encoding/json arose, if it says so.
func place(text []byte, err error) string {
	var at int64
	if syntax, ok := errors.AsType[*json.SyntaxError](err); ok {
		at = syntax.Offset
	} else if kind, ok := errors.AsType[*json.UnmarshalTypeError](err); ok {
		at = kind.Offset
	} else {
		return ""
	}
	before := text[:min(at, int64(len(text)))]
	line := 1 + bytes.Count(before, []byte("\n"))
	return fmt.Sprintf(" (line %d, column %d)", line, len(before)-bytes.LastIndexByte(before, '\n')-1)
}

// complete checks that the names of sites and pairs and what stands under them
// belong together.
func complete(r *result.Result) error {
	for _, name := range r.SiteNames {
		if r.Sites[name] == nil {
			return fmt.Errorf("result: site_names has %q, and sites has not", name)
		}
	}
	if len(r.Sites) != len(r.SiteNames) {
		return fmt.Errorf("result: %d site_names for %d sites", len(r.SiteNames), len(r.Sites))
	}
	for _, name := range r.PairNames {
		pair := r.Between[name]
		if pair == nil {
			return fmt.Errorf("result: pair_names has %q, and between has not", name)
		}
		for _, site := range []string{pair.A, pair.B} {
			if !slices.Contains(r.SiteNames, site) {
				return fmt.Errorf("result: pair %q is of site %q, which site_names has not", name, site)
			}
		}
	}
	if len(r.Between) != len(r.PairNames) {
		return fmt.Errorf("result: %d pair_names for %d pairs in between", len(r.PairNames), len(r.Between))
	}
	return nil
}
