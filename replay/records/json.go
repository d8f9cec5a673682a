package records

import (
	"bufio"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strings"
)

// ndjson reads one JSON value a line.
type ndjson struct {
	lines lines
	paths *jsonPaths
}

func newNDJSON(in *bufio.Reader, m *mapping) *ndjson {
	return &ndjson{lines: lines{in: in}, paths: newJSONPaths(m)}
}

func (d *ndjson) next(r *record) error {
	line, err := d.lines.readFilled()
	if err != nil {
		return err
	}
	*r = record{line: d.lines.line}
	if !json.Valid(line) {
		return &badRecord{line: r.line, err: whyNotJSON(line)}
	}
	r.json = string(line)
	d.paths.read(r)
	return nil
}

// whyNotJSON says what is wrong with a text that is not valid JSON.
func whyNotJSON(text []byte) error {
	var v json.RawMessage
	err := json.Unmarshal(text, &v)
	var syntax *json.SyntaxError
	if errors.As(err, &syntax) {
		return fmt.Errorf("is not JSON: %w (at byte %d of the line)", err, syntax.Offset)
	}
	return fmt.Errorf("is not JSON: %w", err)
}

// jsonValues reads JSON values one after the other, however they are laid out;
// the elements of an array at the top, or below a path, are one record each.
type jsonValues struct {
	in     *json.Decoder
	guard  *guard
	paths  *jsonPaths
	below  []string // keys from the top to the array of records
	inside bool     // in that array
	any    bool     // that array was seen
}

// newJSON reads the records of arrays below a path (keys with dots between);
// an empty path is the top.
func newJSON(in *bufio.Reader, below string, m *mapping) *jsonValues {
	d := &jsonValues{guard: &guard{in: in, lines: true}, paths: newJSONPaths(m)}
	d.in = json.NewDecoder(d.guard)
	d.in.UseNumber()
	if below != "" {
		d.below = strings.Split(below, ".")
	}
	return d
}

func (d *jsonValues) next(r *record) error {
	for {
		if !d.inside {
			whole, err := d.enter()
			if err != nil {
				return d.explain(err)
			}
			if whole {
				return d.value(r)
			}
			continue
		}
		if d.in.More() {
			return d.value(r)
		}
		if _, err := d.in.Token(); err != nil {
			return d.explain(err)
		}
		d.inside = false
		if err := d.leave(len(d.below)); err != nil {
			return d.explain(err)
		}
		d.guard.lineAt(d.in.InputOffset())
	}
}

// value reads the value that comes next as a record.
func (d *jsonValues) value(r *record) error {
	var raw json.RawMessage
	if err := d.in.Decode(&raw); err != nil {
		return d.explain(err)
	}
	end := d.in.InputOffset()
	*r = record{line: d.guard.lineAt(end - int64(len(raw)))}
	d.guard.done = end
	r.json = string(raw)
	d.paths.read(r)
	return nil
}

// enter goes into the next array of records. Where the next value is a record
// by itself, it says so and stays before it.
func (d *jsonValues) enter() (whole bool, err error) {
	if len(d.below) > 0 {
		return false, d.descend()
	}
	c, err := d.peek()
	if err != nil {
		return false, err
	}
	if c != '[' {
		return true, nil
	}
	_, err = d.in.Token()
	d.inside = true
	return false, err
}

// peek gives the first byte of the next value.
func (d *jsonValues) peek() (byte, error) {
	if !d.in.More() {
		// Also where only white space is left: Token tells the two apart.
		if _, err := d.in.Token(); err != nil {
			return 0, err
		}
		return 0, errors.New("a bracket closes that was never opened")
	}
	b := make([]byte, 1)
	buffered := d.in.Buffered()
	for {
		if _, err := buffered.Read(b); err != nil {
			return 0, err
		}
		if b[0] > ' ' {
			return b[0], nil
		}
	}
}

// descend goes down the path to the array of records.
func (d *jsonValues) descend() error {
	for depth, want := range d.below {
		t, err := d.in.Token()
		if err != nil {
			if err == io.EOF && depth == 0 && !d.any {
				return fmt.Errorf("there is no array at %q", strings.Join(d.below, "."))
			}
			return err
		}
		if t != json.Delim('{') {
			return fmt.Errorf("--records %s: %q is not in an object", strings.Join(d.below, "."), want)
		}
		found, err := d.seek(want)
		if err != nil {
			return err
		}
		if !found {
			// Not in this value; perhaps in the next.
			return d.leave(depth)
		}
	}
	t, err := d.in.Token()
	if err != nil {
		return err
	}
	if t != json.Delim('[') {
		return fmt.Errorf("--records %s: there is no array but %v", strings.Join(d.below, "."), t)
	}
	d.inside, d.any = true, true
	return nil
}

// seek goes to the value of a key in the object it is in; if there is none, to
// after the object.
func (d *jsonValues) seek(want string) (bool, error) {
	for d.in.More() {
		name, err := d.in.Token()
		if err != nil {
			return false, err
		}
		if name == want {
			return true, nil
		}
		if err := d.pass(); err != nil {
			return false, err
		}
	}
	_, err := d.in.Token()
	return false, err
}

// pass goes over a value without keeping it.
func (d *jsonValues) pass() error {
	depth := 0
	for {
		t, err := d.in.Token()
		if err != nil {
			return err
		}
		d.guard.lineAt(d.in.InputOffset())
		switch t {
		case json.Delim('{'), json.Delim('['):
			depth++
		case json.Delim('}'), json.Delim(']'):
			depth--
		}
		if depth == 0 {
			return nil
		}
	}
}

// leave goes to the end of so many objects.
func (d *jsonValues) leave(depth int) error {
	for range depth {
		for d.in.More() {
			if _, err := d.in.Token(); err != nil {
				return err
			}
			if err := d.pass(); err != nil {
				return err
			}
		}
		if _, err := d.in.Token(); err != nil {
			return err
		}
	}
	return nil
}

// explain says where a JSON text breaks off or goes wrong.
func (d *jsonValues) explain(err error) error {
	if err == io.EOF {
		if d.inside {
			err = io.ErrUnexpectedEOF
		} else {
			return err
		}
	}
	line := d.guard.lineAt(d.in.InputOffset())
	return fmt.Errorf("line %d: the JSON goes wrong after here: %w", line, err)
}
