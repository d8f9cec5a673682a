package records

import (
	"bufio"
	"encoding/json"
	"errors"
	"strconv"
	"strings"
)

// prefixed reads lines of plain fields with a JSON value after them, as market
// data recorders write: "<arrival in ns> {...}". The fields are $1, $2, ...;
// other names are paths into the JSON.
type prefixed struct {
	lines  lines
	paths  *jsonPaths
	fields []lineTarget
}

// lineTarget is a target that is a field by number.
type lineTarget struct {
	target target
	number int // from 1
}

func newPrefixed(in *bufio.Reader, m *mapping) *prefixed {
	d := &prefixed{lines: lines{in: in}, paths: newJSONPaths(m)}
	for t := range targets {
		for _, name := range m.names[t] {
			if n, ok := lineField(name); ok {
				d.fields = append(d.fields, lineTarget{t, n})
			}
		}
	}
	return d
}

// lineField tells whether a name is $NUMBER.
func lineField(name string) (int, bool) {
	digits, ok := strings.CutPrefix(name, "$")
	n, err := strconv.Atoi(digits)
	return n, ok && err == nil && n > 0
}

func (d *prefixed) next(r *record) error {
	line, err := d.lines.readFilled()
	if err != nil {
		return err
	}
	*r = record{line: d.lines.line}
	prefix, value := splitPrefix(line)
	if value == nil || !json.Valid(value) {
		return &badRecord{line: r.line, err: errors.New("is not plain fields with a JSON value after them")}
	}
	r.json = string(value)
	d.paths.read(r)
	words := strings.Fields(string(prefix))
	for _, f := range d.fields {
		if f.number <= len(words) {
			r.set(f.target, words[f.number-1])
		}
	}
	return nil
}

// splitPrefix cuts a line at the first brace or bracket that follows a blank;
// without one there is no value.
func splitPrefix(line []byte) (prefix, value []byte) {
	for i := 1; i < len(line); i++ {
		if (line[i] == '{' || line[i] == '[') && (line[i-1] == ' ' || line[i-1] == '\t') {
			return line[:i], line[i:]
		}
	}
	return line, nil
}
