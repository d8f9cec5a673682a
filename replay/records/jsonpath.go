package records

import (
	"encoding/json"
	"maps"
	"math"
	"slices"
	"strconv"
	"strings"
	"unicode/utf16"
	"unicode/utf8"
)

// jsonPaths picks the values at some paths out of a JSON value. It reads only
// what is known to be valid JSON.
type jsonPaths struct{ root jsonStep }

// jsonStep is one step of the paths: the fields wanted of an object (or the
// elements of an array, by their number), and what the value itself is wanted
// for.
type jsonStep struct {
	name string
	next []*jsonStep
	for_ []wanted
}

// wanted is a target, and how far down its list of names a field stands.
type wanted struct {
	target target
	rank   int
}

// newJSONPaths takes the names of a mapping as paths. A leading $NUMBER is not
// a path and is passed over.
func newJSONPaths(m *mapping) *jsonPaths {
	p := &jsonPaths{}
	for t := range targets {
		for rank, name := range m.names[t] {
			if _, ok := lineField(name); !ok {
				p.root.add(strings.Split(name, "."), wanted{t, rank})
			}
		}
	}
	return p
}

func (s *jsonStep) add(path []string, w wanted) {
	if len(path) == 0 {
		s.for_ = append(s.for_, w)
		return
	}
	next := s.find(path[0])
	if next == nil {
		next = &jsonStep{name: path[0]}
		s.next = append(s.next, next)
	}
	next.add(path[1:], w)
}

func (s *jsonStep) find(name string) *jsonStep {
	for _, n := range s.next {
		if n.name == name {
			return n
		}
	}
	return nil
}

// read fills the fields of r from its JSON value. Those that the value does not
// have are left as they are.
func (p *jsonPaths) read(r *record) {
	var ranks [targets]int
	for i := range ranks {
		ranks[i] = math.MaxInt
	}
	w := jsonWalk{text: r.json, record: r, ranks: &ranks}
	w.space()
	w.value(&p.root)
}

// jsonWalk goes over one JSON value.
type jsonWalk struct {
	text   string
	i      int
	record *record
	ranks  *[targets]int // rank of the field that was taken for a target
}

func (w *jsonWalk) space() {
	for w.i < len(w.text) && w.text[w.i] <= ' ' {
		w.i++
	}
}

// value goes over the value that begins here.
func (w *jsonWalk) value(s *jsonStep) {
	start := w.i
	switch {
	case len(s.next) > 0 && w.text[w.i] == '{':
		w.object(s)
	case len(s.next) > 0 && w.text[w.i] == '[':
		w.array(s)
	default:
		w.skip()
	}
	for _, f := range s.for_ {
		if f.rank > w.ranks[f.target] {
			continue
		}
		w.ranks[f.target] = f.rank
		w.record.fields[f.target] = jsonField(w.text[start:w.i])
	}
}

// jsonField makes a field of a JSON value: the text of a string, the digits of
// a number, the JSON itself of an object or array.
func jsonField(raw string) field {
	switch {
	case raw == "null":
		return field{has: null}
	case raw[0] == '"':
		return field{unquote(raw[1 : len(raw)-1]), present}
	}
	return field{raw, present}
}

func (w *jsonWalk) object(s *jsonStep) {
	for w.i++; ; {
		w.space()
		switch w.text[w.i] {
		case '}':
			w.i++
			return
		case ',':
			w.i++
			continue
		}
		start := w.i
		w.skip()
		name := unquote(w.text[start+1 : w.i-1])
		w.space()
		w.i++ // the colon
		w.space()
		if next := s.find(name); next != nil {
			w.value(next)
		} else {
			w.skip()
		}
	}
}

func (w *jsonWalk) array(s *jsonStep) {
	index := 0
	for w.i++; ; {
		w.space()
		switch w.text[w.i] {
		case ']':
			w.i++
			return
		case ',':
			w.i++
			index++
			continue
		}
		if next := s.find(strconv.Itoa(index)); next != nil {
			w.value(next)
		} else {
			w.skip()
		}
	}
}

// skip goes to the end of the value that begins here.
func (w *jsonWalk) skip() {
	depth := 0
	for {
		switch c := w.text[w.i]; c {
		case '{', '[':
			depth++
			w.i++
		case '}', ']':
			depth--
			w.i++
		case '"':
			w.str()
		case ',', ':', ' ', '\t', '\n', '\r':
			w.i++
			continue
		default:
			for w.i < len(w.text) && strings.IndexByte(",:]} \t\n\r", w.text[w.i]) < 0 {
				w.i++
			}
		}
		if depth == 0 {
			return
		}
	}
}

// str goes over a string.
func (w *jsonWalk) str() {
	for w.i++; w.text[w.i] != '"'; w.i++ {
		if w.text[w.i] == '\\' {
			w.i++
		}
	}
	w.i++
}

// unquote resolves the escapes of a JSON string. Bytes that are not UTF-8 stay
// as they are: kcat prints binary payloads so.
func unquote(s string) string {
	if strings.IndexByte(s, '\\') < 0 {
		return s
	}
	b := make([]byte, 0, len(s))
	for i := 0; i < len(s); i++ {
		if s[i] != '\\' {
			b = append(b, s[i])
			continue
		}
		i++
		switch s[i] {
		case 'b':
			b = append(b, '\b')
		case 'f':
			b = append(b, '\f')
		case 'n':
			b = append(b, '\n')
		case 'r':
			b = append(b, '\r')
		case 't':
			b = append(b, '\t')
		case 'u':
			r := hexRune(s[i+1:])
			i += 4
			if utf16.IsSurrogate(r) {
				second := rune(-1)
				if strings.HasPrefix(s[i+1:], `\u`) {
					second = hexRune(s[i+3:])
				}
				if r = utf16.DecodeRune(r, second); r != utf8.RuneError {
					i += 6
				}
			}
			b = utf8.AppendRune(b, r)
		default:
			b = append(b, s[i])
		}
	}
	return string(b)
}

func hexRune(s string) rune {
	v, _ := strconv.ParseUint(s[:4], 16, 32)
	return rune(v)
}

// fieldPaths lists paths that a JSON value has, down to three steps and at most
// twenty of them: what could be mapped.
func fieldPaths(text string) []string {
	var paths []string
	var collect func(v any, path string, depth int)
	collect = func(v any, path string, depth int) {
		object, ok := v.(map[string]any)
		if !ok || depth == 0 {
			paths = append(paths, strings.TrimPrefix(path, "."))
			return
		}
		for _, name := range slices.Sorted(maps.Keys(object)) {
			collect(object[name], path+"."+name, depth-1)
		}
	}
	var v any
	if json.Unmarshal([]byte(text), &v) == nil {
		collect(v, "", 3)
	}
	return paths[:min(len(paths), 20)]
}
