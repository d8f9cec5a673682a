package report

import "strings"

// row is one row of a table whose columns show things of one kind: a label, and
// what to write in the column of each thing. A row without cell is a heading of
// those that follow.
type row[T any] struct {
	label string
	cell  func(T) string
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
// cells are all empty are left out, and headings over nothing.
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
	label := p.width
	things, most := 0, 0
	for _, sp := range spans {
		things += len(sp.things)
		most = max(most, len(sp.things))
	}
	label -= s.abreast * most * s.column
	heads(p, label, s.column, spans)
	held := "" // a heading that waits for a row
	for _, r := range rows {
		if r.cell == nil {
			held = r.label
			continue
		}
		l, empty := left("  "+short(r.label, label-3), label), true
		for _, sp := range spans {
			for _, thing := range sp.things {
				cell := r.cell(thing)
				empty = empty && cell == ""
				l += right(cut(cell, s.column-1), s.column)
			}
		}
		if empty {
			continue
		}
		if held != "" {
			p.line("  " + held)
			held = ""
		}
		p.line(l)
	}
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
