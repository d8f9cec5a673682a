package records

import (
	"bufio"
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"
)

// csvDecoder reads rows of separated values (RFC 4180, with any separator). An
// empty field has no value.
type csvDecoder struct {
	in     *csv.Reader
	guard  *guard
	column [targets]int // -1 where there is none
}

// newCSV reads the header, if there is one, finds the columns, and puts the
// names of those found into m. separator 0 finds it out from the first line.
func newCSV(in *bufio.Reader, separator rune, header bool, m *mapping) (*csvDecoder, error) {
	if separator == 0 {
		separator = likelySeparator(in)
	}
	d := &csvDecoder{guard: &guard{in: in}}
	d.in = csv.NewReader(d.guard)
	d.in.Comma = separator
	d.in.ReuseRecord = true
	var names []string
	if header {
		row, err := d.in.Read()
		if err == io.EOF {
			return nil, errors.New("is empty: there is not even a header line")
		}
		if err != nil {
			return nil, plainCSVError(err)
		}
		names = slices.Clone(row)
	}
	for t := range targets {
		d.column[t] = -1
		for _, want := range m.names[t] {
			if d.column[t] = columnNamed(names, want); d.column[t] >= 0 {
				break
			}
		}
		if d.column[t] < 0 && (m.given[t] || t == timestamp) {
			return nil, missingColumn(t, m, names)
		}
		if c := d.column[t]; c >= 0 && c < len(names) {
			m.names[t] = []string{names[c]}
		}
	}
	return d, nil
}

// columnNamed gives the index of a column: by name, as it stands or else
// without regard to case, or by number ($1 is the first).
func columnNamed(names []string, want string) int {
	if i := slices.Index(names, want); i >= 0 {
		return i
	}
	if i := slices.IndexFunc(names, func(n string) bool { return strings.EqualFold(n, want) }); i >= 0 {
		return i
	}
	if number, ok := strings.CutPrefix(want, "$"); ok {
		if i, err := strconv.Atoi(number); err == nil && i > 0 && (names == nil || i <= len(names)) {
			return i - 1
		}
	}
	return -1
}

func missingColumn(t target, m *mapping, names []string) error {
	wanted := strings.Join(m.names[t], ", ")
	if names == nil {
		return fmt.Errorf("columns without a header go by number: say --map %v=$1 for the first (not %s)", t, wanted)
	}
	if len(names) == 1 {
		return fmt.Errorf("no column for the %v (looked for %s); there is only %q; if these are lines of a log, say --pattern, else --map %v=COLUMN or --no-header",
			t, wanted, names[0], t)
	}
	return fmt.Errorf("no column for the %v (looked for %s); the columns are %s; say --map %v=COLUMN, or --no-header if the first line is data",
		t, wanted, strings.Join(names, ", "), t)
}

// likelySeparator takes the character among comma, semicolon, tab and bar that
// the first line has most of outside quotes.
func likelySeparator(in *bufio.Reader) rune {
	head, _ := in.Peek(64 << 10)
	count, quoted := map[byte]int{}, false
	for _, c := range head {
		if c == '"' {
			quoted = !quoted
		}
		if !quoted {
			count[c]++
			if c == '\n' {
				break
			}
		}
	}
	best := byte(',')
	for _, c := range []byte(";\t|") {
		if count[c] > count[best] {
			best = c
		}
	}
	return rune(best)
}

func (d *csvDecoder) next(r *record) error {
	row, err := d.in.Read()
	if err != nil {
		return d.failed(err)
	}
	d.guard.done = d.in.InputOffset()
	r.line, _ = d.in.FieldPos(0)
	for t, c := range d.column {
		switch {
		case c < 0:
			r.fields[t] = field{}
		case c >= len(row):
			return &badRecord{line: r.line, err: fmt.Errorf("has %d columns; column %d was asked for", len(row), c+1)}
		case row[c] == "":
			r.fields[t] = field{has: null}
		default:
			r.fields[t] = field{row[c], present}
		}
	}
	return nil
}

// failed tells a row that can be passed over from an error that ends the file.
func (d *csvDecoder) failed(err error) error {
	var p *csv.ParseError
	if !errors.As(err, &p) {
		return err
	}
	d.guard.done = d.in.InputOffset()
	return &badRecord{line: p.StartLine, err: plainCSVError(err)}
}

func plainCSVError(err error) error {
	var p *csv.ParseError
	switch {
	case errors.Is(err, csv.ErrFieldCount):
		return errors.New("has another number of columns than the first line")
	case errors.As(err, &p):
		return fmt.Errorf("%w (byte %d of line %d)", p.Err, p.Column, p.Line)
	}
	return err
}
