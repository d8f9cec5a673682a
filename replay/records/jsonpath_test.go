package records

import (
	"encoding/json"
	"fmt"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"
)

// at walks a decoded JSON value down a path, as an oracle.
func at(v any, path string) field {
	for step := range strings.SplitSeq(path, ".") {
		switch x := v.(type) {
		case map[string]any:
			next, ok := x[step]
			if !ok {
				return field{}
			}
			v = next
		case []any:
			i, err := strconv.Atoi(step)
			if err != nil || i < 0 || i >= len(x) || step != strconv.Itoa(i) {
				return field{}
			}
			v = x[i]
		default:
			return field{}
		}
	}
	switch x := v.(type) {
	case nil:
		return field{has: null}
	case string:
		return field{x, present}
	case json.Number:
		return field{string(x), present}
	case bool:
		return field{fmt.Sprint(x), present}
	}
	return field{"container", present}
}

// anyJSON draws a JSON value over few names, so that paths often exist.
func anyJSON(depth int) *rapid.Generator[any] {
	leaf := rapid.OneOf(
		rapid.Just[any](nil),
		rapid.Map(rapid.String(), func(s string) any { return s }),
		rapid.Map(rapid.Int64(), func(n int64) any { return n }),
		rapid.Map(rapid.Bool(), func(b bool) any { return b }),
	)
	if depth == 0 {
		return leaf
	}
	inner := rapid.Deferred(func() *rapid.Generator[any] { return anyJSON(depth - 1) })
	names := rapid.SampledFrom([]string{"a", "b", "0", "1", "é\"\\", ""})
	return rapid.OneOf(
		leaf,
		rapid.Map(rapid.MapOfN(names, inner, 0, 4), func(m map[string]any) any { return m }),
		rapid.Map(rapid.SliceOfN(inner, 0, 3), func(s []any) any { return s }),
	)
}

// What the walk finds at a path is what encoding/json has there, however the
// text is laid out.
func TestJSONPathsAgreeWithTheLibrary(t *testing.T) {
	step := rapid.SampledFrom([]string{"a", "b", "0", "1", "2", "é\"\\", ""})
	rapid.Check(t, func(rt *rapid.T) {
		text, err := json.Marshal(anyJSON(4).Draw(rt, "value"))
		if err != nil {
			rt.Fatal(err)
		}
		if rapid.Bool().Draw(rt, "indent") {
			var v json.RawMessage = text
			if text, err = json.MarshalIndent(v, "", " \t"); err != nil {
				rt.Fatal(err)
			}
		}
		var m mapping
		paths := map[target]string{}
		for tg := range targets {
			paths[tg] = strings.Join(rapid.SliceOfN(step, 1, 4).Draw(rt, "path"), ".")
			m.names[tg] = []string{paths[tg]}
		}
		r := record{json: string(text)}
		newJSONPaths(&m).read(&r)

		d := json.NewDecoder(strings.NewReader(string(text)))
		d.UseNumber()
		var v any
		if err := d.Decode(&v); err != nil {
			rt.Fatal(err)
		}
		for tg, path := range paths {
			got, want := r.fields[tg], at(v, path)
			if want.text == "container" && len(got.text) > 0 && (got.text[0] == '{' || got.text[0] == '[') && json.Valid([]byte(got.text)) {
				continue
			}
			if got != want {
				rt.Fatalf("%s at %q is %+v, want %+v", text, path, got, want)
			}
		}
	})
}

// Of several names for a target, the first that a record has is taken, wherever
// it stands.
func TestJSONNamesByRank(t *testing.T) {
	var m mapping
	m.names[timestamp] = []string{"timestamp", "ts"}
	p := newJSONPaths(&m)
	for _, c := range []struct{ text, want string }{
		{`{"ts":1,"timestamp":2}`, "2"}, {`{"timestamp":2,"ts":1}`, "2"}, {`{"ts":1}`, "1"}, {`{"timestamp":3,"timestamp":4}`, "4"},
	} {
		r := record{json: c.text}
		p.read(&r)
		if got := r.fields[timestamp].text; got != c.want {
			t.Errorf("%s: %s, want %s", c.text, got, c.want)
		}
	}
}

// Strings keep bytes that are not UTF-8, and surrogates come in pairs.
func TestUnquote(t *testing.T) {
	for in, want := range map[string]string{
		`plain`: "plain", `\"\\\/\b\f\n\r\t`: "\"\\/\b\f\n\r\t", `\u0041\u00e9`: "Aé", `\ud83d\ude00!`: "😀!",
		`\ud83d!`: "\ufffd!", `\ude00\u0041`: "\ufffdA", "\xff\\n\xfe": "\xff\n\xfe",
	} {
		if got := unquote(in); got != want {
			t.Errorf("%q is %q, want %q", in, got, want)
		}
	}
}

func TestFieldPaths(t *testing.T) {
	got := fieldPaths(`{"b":{"c":1,"d":{"e":{"f":2}}},"a":[{"x":1}]}`)
	if d := cmp.Diff([]string{"a", "b.c", "b.d.e"}, got); d != "" {
		t.Error(d)
	}
	if got := fieldPaths(`5`); !cmp.Equal(got, []string{""}) {
		t.Errorf("paths of a number: %q", got)
	}
}
