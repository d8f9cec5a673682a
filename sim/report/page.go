package report

import (
	"bytes"
	"strings"
	"unicode/utf8"
)

// page collects the lines of a text report, none longer than its width.
type page struct {
	bytes.Buffer
	width int
	color bool
}

// ANSI escapes.
const (
	bold   = "\x1b[1m"
	red    = "\x1b[31m"
	yellow = "\x1b[33m"
	green  = "\x1b[32m"
	plain  = "\x1b[0m"
)

// line writes one line. Blanks at its end go; what is too long is cut, visibly.
func (p *page) line(s string) {
	s = strings.TrimRight(s, " ")
	if columns(s) > p.width {
		runes := []rune(s)
		s = string(runes[:p.width-1]) + "…"
	}
	p.WriteString(s)
	p.WriteByte('\n')
}

// heading starts a part of the report.
func (p *page) heading(s string) {
	p.line("")
	p.styled(bold, s)
	p.line(strings.Repeat("=", min(columns(s), p.width)))
}

// styled writes one line in a colour, if there are colours.
func (p *page) styled(style, s string) {
	if p.color {
		p.WriteString(style)
	}
	p.line(s)
	if p.color {
		p.Truncate(p.Len() - 1)
		p.WriteString(plain + "\n")
	}
}

// wrap writes a text over as many lines as it takes: the first begins with
// first, the others with blanks of the same width. Words longer than a line are
// shortened in the middle.
func (p *page) wrap(first, text string) {
	for _, l := range wrapped(first, text, p.width) {
		p.line(l)
	}
}

func wrapped(first, text string, width int) []string {
	indent := strings.Repeat(" ", columns(first))
	var lines []string
	l, empty := first, true
	for _, word := range strings.Fields(text) {
		word = short(word, width-len(indent))
		if !empty && columns(l)+1+columns(word) > width {
			lines = append(lines, l)
			l, empty = indent, true
		}
		if !empty {
			l += " "
		}
		l += word
		empty = false
	}
	return append(lines, l)
}

// columns is how wide a text is on a terminal, of text without wide characters.
func columns(s string) int { return utf8.RuneCountInString(s) }

func right(s string, width int) string { return pad(s, width) + s }
func left(s string, width int) string  { return s + pad(s, width) }

func pad(s string, width int) string { return strings.Repeat(" ", max(0, width-columns(s))) }

// centred sets a name in the middle of a rule.
func centred(s string, width int) string {
	s = " " + short(s, width-4) + " "
	before := (width - columns(s)) / 2
	return strings.Repeat("-", before) + s + strings.Repeat("-", width-columns(s)-before)
}
