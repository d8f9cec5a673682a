package table

import (
	"bufio"
	"compress/gzip"
	"context"
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"
)

// Options say what to read of a table.
type Options struct {
	// X and Y name a column each: by its header, or by its number from 1. An empty
	// X stands for the order of the rows.
	X, Y string
	// Delimiter stands between the values of a row; 0 is a comma.
	Delimiter rune
}

// Read reads two columns of comma-separated text (RFC 4180), also when it is
// compressed with gzip; name is what errors call it. The first row is a header
// when a column is asked for by name, or when it holds no value where one is
// wanted. Without an X, x holds the positions of the rows.
func Read(ctx context.Context, in io.Reader, name string, o Options) (x, y *Column, err error) {
	rows, err := open(in, o.Delimiter)
	if err != nil {
		return nil, nil, fmt.Errorf("%s: %w", name, err)
	}
	r := reader{rows: rows, name: name}
	first, err := rows.Read()
	if errors.Is(err, io.EOF) {
		return nil, nil, fmt.Errorf("%s: holds no rows", name)
	}
	if err != nil {
		return nil, nil, r.wrap(err)
	}
	if err := r.choose(first, o); err != nil {
		return nil, nil, err
	}
	for n := 0; ; n++ {
		if n%4096 == 0 && ctx.Err() != nil {
			return nil, nil, ctx.Err()
		}
		row, err := rows.Read()
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			return nil, nil, r.wrap(err)
		}
		if err := r.add(row); err != nil {
			return nil, nil, err
		}
	}
	x, y = r.column("x"), r.column("y")
	if len(y.Keys) == 0 {
		return nil, nil, fmt.Errorf("%s: holds a header and no rows", name)
	}
	if o.X == "" {
		x = &Column{Name: "row", Kind: Positions, Keys: make([]int64, len(y.Keys))}
		for i := range x.Keys {
			x.Keys[i] = int64(i) + 1
		}
	}
	return x, y, nil
}

// open unpacks gzip, which its first two bytes tell, and splits the text into rows.
func open(in io.Reader, delimiter rune) (*csv.Reader, error) {
	text := bufio.NewReaderSize(in, 1<<16)
	if magic, _ := text.Peek(2); string(magic) == "\x1f\x8b" {
		unpacked, err := gzip.NewReader(text)
		if err != nil {
			return nil, err
		}
		text = bufio.NewReaderSize(unpacked, 1<<16)
	}
	if mark, _ := text.Peek(3); string(mark) == "\xef\xbb\xbf" { // byte order mark
		text.Discard(3) // cannot fail, it was peeked at
	}
	if magic, _ := text.Peek(4); string(magic) == "PAR1" {
		return nil, errors.New("is a Parquet file, and columns are read from CSV: write them out as that")
	}
	rows := csv.NewReader(text)
	rows.ReuseRecord = true
	rows.FieldsPerRecord = -1 // a short row is told with its column
	if delimiter != 0 {
		rows.Comma = delimiter
	}
	return rows, nil
}

// reader picks the columns out of the rows.
type reader struct {
	rows  *csv.Reader
	name  string
	picks []pick
}

// pick is a column that was asked for.
type pick struct {
	as     string // x or y
	at     int    // index in the row
	column Column
}

func (r *reader) column(as string) *Column {
	for i := range r.picks {
		if r.picks[i].as == as {
			return &r.picks[i].column
		}
	}
	return nil
}

// choose finds the columns in the first row, and reads that row if it is no header.
func (r *reader) choose(first []string, o Options) error {
	first = slices.Clone(first)
	named := false
	for _, want := range []struct{ as, column string }{{"x", o.X}, {"y", o.Y}} {
		if want.column == "" {
			continue
		}
		at, byName, err := r.find(first, want.as, want.column)
		if err != nil {
			return err
		}
		named = named || byName
		r.picks = append(r.picks, pick{as: want.as, at: at, column: Column{Name: want.column}})
	}
	header := named
	for _, p := range r.picks {
		var probe Column
		header = header || errors.Is(probe.add(first[p.at]), errNoValue)
	}
	if !header {
		return r.add(first)
	}
	for i := range r.picks {
		r.picks[i].column.Name = strings.TrimSpace(first[r.picks[i].at])
	}
	return nil
}

// find gives the index of a column asked for by number, or else by header.
func (r *reader) find(first []string, as, column string) (at int, byName bool, err error) {
	number, err := strconv.Atoi(column)
	if err == nil && number >= 1 && number <= len(first) {
		return number - 1, false, nil
	}
	at = -1
	for i, title := range first {
		if strings.TrimSpace(title) != column {
			continue
		}
		if at >= 0 {
			return 0, false, fmt.Errorf("%s: columns %d and %d are both called %q; say --%s %d or --%s %d",
				r.name, at+1, i+1, column, as, at+1, as, i+1)
		}
		at = i
	}
	switch {
	case at >= 0:
		return at, true, nil
	case err == nil:
		return 0, false, fmt.Errorf("%s: no column %d for --%s; the first row has %d", r.name, number, as, len(first))
	}
	way := "the first row has " + quoted(first)
	if other := delimiterIn(first); other != "" {
		way = fmt.Sprintf("the first row is %s in one piece; say --delimiter %s", shortened(first[0]), other)
	}
	return 0, false, fmt.Errorf("%s: no column is called %q; %s", r.name, column, way)
}

// delimiterIn is the delimiter, as --delimiter takes it, that a row which came in
// one piece seems to have.
func delimiterIn(row []string) string {
	if len(row) > 1 {
		return ""
	}
	for _, d := range []struct{ character, said string }{{";", "';'"}, {"\t", "tab"}, {"|", "'|'"}, {",", "','"}} {
		if strings.Contains(row[0], d.character) {
			return d.said
		}
	}
	return ""
}

// quoted lists the titles of a header, or as many as are of use.
func quoted(titles []string) string {
	const most = 12
	var list []string
	for _, title := range titles[:min(most, len(titles))] {
		list = append(list, shortened(strings.TrimSpace(title)))
	}
	if len(titles) > most {
		list = append(list, fmt.Sprintf("and %d more", len(titles)-most))
	}
	return strings.Join(list, ", ")
}

// shortened quotes a text, cut when it is long.
func shortened(text string) string {
	if runes := []rune(text); len(runes) > 40 {
		text = string(runes[:40]) + "..."
	}
	return strconv.Quote(text)
}

// add takes the values of one row.
func (r *reader) add(row []string) error {
	for i := range r.picks {
		p := &r.picks[i]
		var err error
		line, _ := r.rows.FieldPos(0)
		if p.at >= len(row) {
			err = fmt.Errorf("the row ends after %d columns", len(row))
		} else {
			line, _ = r.rows.FieldPos(p.at)
			err = p.column.add(row[p.at])
		}
		if err != nil {
			return fmt.Errorf("%s:%d: column %s: %w", r.name, line, shortened(p.column.Name), err)
		}
	}
	return nil
}

// wrap says where reading failed.
func (r *reader) wrap(err error) error {
	var parse *csv.ParseError
	if errors.As(err, &parse) {
		way := ""
		if errors.Is(err, csv.ErrQuote) && parse.Line == 1 {
			way = fmt.Sprintf("; if something else than %q stands between values, say --delimiter", r.rows.Comma)
		}
		return fmt.Errorf("%s:%d: character %d: %w%s", r.name, parse.Line, parse.Column, parse.Err, way)
	}
	if r.rows.InputOffset() == 0 {
		return fmt.Errorf("%s: %w", r.name, err)
	}
	return fmt.Errorf("%s: after %d bytes: %w", r.name, r.rows.InputOffset(), err)
}
