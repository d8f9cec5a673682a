package report

import "strings"

// row is one row of a table whose columns show things of one kind: a label, and
// what to write in the column of each thing. A row without cell is a heading of
// those that follow. Neighbours that fold and say the same become one row.
type row[T any] struct {
	label string
	cell  func(T) string
	folds bool
}

// span is a name over as many columns as it has things.
type span[T any] struct {
	name   string
	heads  []string // one a thing; nil for none
	things []T
}

// shape of a table: the width of the columns, and how many spans stand side by
// side before the rest goes into a block of its own below.
type shape struct{ column, abreast int }

// sideBySide writes a table, label to the left and a column a thing. Rows whose
// cells are all empty are left out, and headings over nothing. The rows below a
// heading have labels that begin with blanks.
func sideBySide[T any](p *page, s shape, spans []span[T], rows []row[T]) {
	for len(spans) > 0 {
		n := min(s.abreast, len(spans))
		block(p, s, spans[:n], rows)
		if spans = spans[n:]; len(spans) > 0 {
			p.line("")
		}
	}
}

func block[T any](p *page, s shape, spans []span[T], rows []row[T]) {
	most := 0
	for _, sp := range spans {
		most = max(most, len(sp.things))
	}
	label := p.width - s.abreast*most*s.column
	heads(p, label, s.column, spans)
	held := "" // a heading that waits for a row
	for i := 0; i < len(rows); i++ {
		r := rows[i]
		if r.cell == nil {
			held = r.label
			continue
		}
		if !strings.HasPrefix(r.label, " ") {
			held = "" // of rows that were all left out
		}
		line := cells(s.column, spans, r)
		if strings.TrimSpace(line) == "" {
			continue
		}
		from := i
		for r.folds && i+1 < len(rows) && rows[i+1].folds && cells(s.column, spans, rows[i+1]) == line {
			i++
		}
		if i > from {
			r.label += " to " + strings.TrimPrefix(strings.TrimSpace(rows[i].label), "at ")
		}
		if held != "" {
			p.line("  " + held)
			held = ""
		}
		p.line(left("  "+short(r.label, label-3), label) + line)
	}
}

// cells is a row without its label.
func cells[T any](column int, spans []span[T], r row[T]) string {
	line := ""
	for _, sp := range spans {
		for _, thing := range sp.things {
			line += right(cut(r.cell(thing), column-1), column)
		}
	}
	return line
}

func heads[T any](p *page, label, column int, spans []span[T]) {
	names, below := strings.Repeat(" ", label), strings.Repeat(" ", label)
	for _, sp := range spans {
		width := len(sp.things) * column
		if len(sp.things) > 1 {
			names += "  " + centred(sp.name, width-2)
		} else {
			names += right(short(sp.name, width-1), width)
		}
		for i := range sp.things {
			if sp.heads != nil {
				below += right(short(sp.heads[i], column-1), column)
			}
		}
	}
	p.line(names)
	if strings.TrimSpace(below) != "" {
		p.line(below)
	}
}

// cut shortens a cell that is too wide at its end, visibly.
func cut(s string, width int) string {
	if columns(s) <= width {
		return s
	}
	return string([]rune(s)[:width-1]) + "…"
}
