package reading

import (
	"fmt"
	"strings"
)

// Reader reads and writes the ids of one layout.
type Reader interface {
	// Parse reads an id as people write it. The error of what is none says what
	// it looks like, or what an id looks like.
	Parse(text string) (int64, error)
	// Of is what the digits of an id say, to be written as JSON.
	Of(id int64) any
	// Text says the same for people, in a few lines.
	Text(id int64) string
	// Explain is the formula with its numbers filled in, and what the digits can
	// and cannot tell.
	Explain(id int64) string
	// Encode makes the id of a time (ms since the Unix epoch), a node and a
	// sequence number, as its users write it; a layout whose ids say no node passes
	// the node over. The note, if there is one, says how the id reads otherwise than
	// it was asked for.
	Encode(ms, node, seq int64) (id, note string, err error)
}

// Lines are the lines of a reading: names, and what they are.
type Lines struct{ strings.Builder }

// Line adds one.
func (l *Lines) Line(name, format string, args ...any) {
	fmt.Fprintf(l, "  %-11s %s\n", name, fmt.Sprintf(format, args...))
}

// Wrapped adds one that may take several lines.
func (l *Lines) Wrapped(name, text string) {
	l.WriteString(Wrap(fmt.Sprintf("  %-11s ", name), text))
}

// Term adds a number that a formula adds up, after the sign, and what it is.
func (l *Lines) Term(sign string, number int64, what string) {
	l.WriteString(strings.TrimRight(fmt.Sprintf("  %1s %20d  %s", sign, number, what), " ") + "\n")
}

// Notes adds what the digits can and cannot tell.
func (l *Lines) Notes(notes []string) {
	l.WriteString("\nWhat the digits can and cannot tell\n")
	for _, note := range notes {
		l.WriteString(Wrap("- ", note))
	}
}

// Wrap breaks text into lines of at most 80 columns behind a bullet.
func Wrap(bullet, text string) string {
	const width = 80
	var b strings.Builder
	line := bullet
	indent := strings.Repeat(" ", len(bullet))
	for i, word := range strings.Fields(text) {
		switch {
		case i == 0:
		case len(line)+1+len(word) > width:
			b.WriteString(line + "\n")
			line = indent
		default:
			line += " "
		}
		line += word
	}
	return b.String() + line + "\n"
}
