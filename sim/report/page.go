package report

import (
	"bytes"
	"strings"
	"unicode/utf8"

	"twindrift/replay/figure"
)

// page collects the lines of a text report, none longer than its width.
type page struct {
	bytes.Buffer
	width int
	color bool
	blank bool // an empty line is due before the next
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
// Of several empty lines one stays, and none at either end.
func (p *page) line(s string) {
	s = strings.TrimRight(printable(s), " ")
	if s == "" {
		p.blank = p.Len() > 0
		return
	}
	if p.blank {
		p.WriteByte('\n')
		p.blank = false
	}
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
	from := p.Len()
	if p.line(s); !p.color {
		return
	}
	written := strings.Trim(string(p.Bytes()[from:]), "\n")
	if written == "" {
		return
	}
	before := p.Len() - from - len(written) - 1 // 1 if an empty line was due
	p.Truncate(from + before)
	p.WriteString(style + written + plain + "\n")
}

// wrap writes a text over as many lines as it takes: the first begins with
// first, the others with blanks of the same width. Words longer than a line are
// shortened in the middle.
func (p *page) wrap(first, text string) {
	for _, l := range wrapped(first, text, p.width) {
		p.line(l)
	}
}

func wrapped(first, text string, width int) []string { return figure.Wrap(first, text, width) }

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
