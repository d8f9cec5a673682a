package scenario

import (
	"fmt"
	"strings"
)

// Error is one thing that is wrong with a scenario.
type Error struct {
	File    string // as given to Parse; "" for a scenario that came from no file
	Line    int    // 1-based; 0 where no line is known
	Column  int    // 1-based, in characters
	Path    string // of the field, as in sites[1].consumers[0].node; "" for the whole
	Message string // what is wrong, and the way out
	excerpt string // the line and the one before it, with a mark below
}

// Error is "FILE:LINE:COLUMN: PATH: MESSAGE" and, below, the place in the file.
func (e *Error) Error() string {
	var b strings.Builder
	if e.File != "" {
		fmt.Fprintf(&b, "%s:", e.File)
		if e.Line > 0 {
			fmt.Fprintf(&b, "%d:%d:", e.Line, e.Column)
		}
		b.WriteByte(' ')
	}
	if e.Path != "" {
		fmt.Fprintf(&b, "%s: ", e.Path)
	}
	b.WriteString(e.Message)
	if e.excerpt != "" {
		b.WriteByte('\n')
		b.WriteString(e.excerpt)
	}
	return b.String()
}

// Errors is everything that is wrong with a scenario, in the order of the
// file. It is never empty.
type Errors []*Error

// Error is the errors one below the other.
func (es Errors) Error() string {
	texts := make([]string, len(es))
	for i, e := range es {
		texts[i] = e.Error()
	}
	return strings.Join(texts, "\n")
}

// Unwrap gives the single errors.
func (es Errors) Unwrap() []error {
	out := make([]error, len(es))
	for i, e := range es {
		out[i] = e
	}
	return out
}

// source is the text of a scenario file, for showing places in it.
type source struct {
	file  string
	lines []string
}

func newSource(file string, data []byte) *source {
	return &source{file: file, lines: strings.Split(strings.ReplaceAll(string(data), "\r\n", "\n"), "\n")}
}

// fail is an error at a place.
func (s *source) fail(at place, path, format string, args ...any) *Error {
	return &Error{
		File: s.file, Line: at.line, Column: at.column, Path: path,
		Message: fmt.Sprintf(format, args...), excerpt: s.excerpt(at),
	}
}

// excerpt shows a line, the one before it and a mark below the column.
func (s *source) excerpt(at place) string {
	if at.line < 1 || at.line > len(s.lines) {
		return ""
	}
	var b strings.Builder
	if before := at.line - 1; before >= 1 && strings.TrimSpace(s.lines[before-1]) != "" {
		text, _ := window(s.lines[before-1], at.column)
		fmt.Fprintf(&b, "  %4d | %s\n", before, text)
	}
	text, mark := window(s.lines[at.line-1], at.column)
	fmt.Fprintf(&b, "> %4d | %s\n", at.line, text)
	fmt.Fprintf(&b, "       | %s^", mark)
	return b.String()
}

// window is the part of a line around a column that fits on a terminal, and
// the blanks before the column in it.
func window(line string, column int) (text, blanks string) {
	const width = 68
	letters := []rune(strings.ToValidUTF8(line, "?"))
	for i, r := range letters {
		if r < ' ' || r == 0x7f {
			letters[i] = ' '
		}
	}
	from := 0
	if column > width {
		from = min(column-width/2, len(letters))
	}
	to := min(from+width, len(letters))
	return strings.TrimRight(string(letters[from:to]), " "), strings.Repeat(" ", min(max(column-1-from, 0), width))
}
