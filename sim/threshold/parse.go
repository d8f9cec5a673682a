package threshold

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"twindrift/sim/duration"
)

// Threshold is an expression that has been read.
type Threshold struct {
	Expression  string
	comparisons []comparison
}

// comparison is a figure, an operator and a number.
type comparison struct {
	path     []step
	operator string
	number   float64           // in the figure's unit, unless isTime
	time     duration.Duration // where isTime
	isTime   bool
	at       int // where the number stands
}

// step is one part of a path.
type step struct {
	name  string // of a field, or a key
	index int    // in a list, where isIndex
	kind  stepKind
	at    int // where it stands, in bytes
}

type stepKind uint8

const (
	named    stepKind = iota // .name
	quoted                   // ["name"]
	numbered                 // [3]
	every                    // * or [*]
)

// Error is what is wrong with an expression.
type Error struct {
	Expression string
	Column     int // 1-based, in characters
	Message    string
}

func (e *Error) Error() string {
	return fmt.Sprintf("threshold %q, column %d: %s", e.Expression, e.Column, e.Message)
}

// fail is an error at a byte of an expression.
func fail(expression string, at int, format string, args ...any) error {
	return &Error{expression, utf8.RuneCountInString(expression[:at]) + 1, fmt.Sprintf(format, args...)}
}

// operators in the order in which they are tried: the longer before those
// they begin with.
var operators = []string{"<=", ">=", "==", "!=", "<", ">"}

// maxLength is the longest expression, in bytes: far above any in earnest.
const maxLength = 4096

// Parse reads an expression. What is wrong with it is an *Error.
func Parse(expression string) (*Threshold, error) {
	if len(expression) > maxLength {
		return nil, fail(expression, 0, "%d bytes: at most %d", len(expression), maxLength)
	}
	p := &parser{text: expression}
	t := &Threshold{Expression: expression}
	for {
		c, err := p.comparison()
		if err != nil {
			return nil, err
		}
		t.comparisons = append(t.comparisons, c)
		if p.blanks(); p.at == len(p.text) {
			return t, nil
		}
		from := p.at
		if word := p.while(isName); word != "and" {
			return nil, fail(p.text, from, "%q where the expression could end: put and between comparisons", p.rest(from))
		}
	}
}

type parser struct {
	text string
	at   int
}

func (p *parser) fail(format string, args ...any) error { return fail(p.text, p.at, format, args...) }

func (p *parser) blanks() {
	p.while(func(c byte) bool { return c == ' ' || c == '\t' || c == '\n' || c == '\r' })
}

// while goes over bytes for which a test holds.
func (p *parser) while(holds func(byte) bool) string {
	from := p.at
	for p.at < len(p.text) && holds(p.text[p.at]) {
		p.at++
	}
	return p.text[from:p.at]
}

// take goes over a text if it comes next.
func (p *parser) take(s string) bool {
	if !strings.HasPrefix(p.text[p.at:], s) {
		return false
	}
	p.at += len(s)
	return true
}

// rest is what comes from a place on, up to the next blank, in short.
func (p *parser) rest(from int) string {
	word, _, _ := strings.Cut(p.text[from:], " ")
	if letters := []rune(word); len(letters) > 20 {
		word = string(letters[:20]) + "..."
	}
	return word
}

func isName(c byte) bool {
	return c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= '0' && c <= '9' || c == '_' || c == '-'
}

func (p *parser) comparison() (c comparison, err error) {
	if c.path, err = p.path(); err != nil {
		return c, err
	}
	p.blanks()
	i := slices.IndexFunc(operators, p.take)
	switch {
	case i >= 0:
		c.operator = operators[i]
	case p.take("="):
		p.at--
		return c, p.fail("= compares nothing: write ==")
	case p.at == len(p.text):
		return c, p.fail("a comparison is missing: write <, <=, ==, !=, >= or > and a number")
	default:
		return c, p.fail("%q where a comparison is wanted: <, <=, ==, !=, >= or >", p.rest(p.at))
	}
	p.blanks()
	return c, p.number(&c)
}

// path reads a figure's name.
func (p *parser) path() ([]step, error) {
	p.blanks()
	var steps []step
	for {
		from := p.at
		switch name := p.while(isName); {
		case name != "":
			steps = append(steps, step{name: name, kind: named, at: from})
		case len(steps) > 0 && p.take("*"):
			steps = append(steps, step{kind: every, at: from})
		case len(steps) == 0 && p.at == len(p.text):
			return nil, p.fail("a figure is missing: write as in sites.east.duplicates.ids == 0")
		default:
			return nil, p.fail("%q where a name is wanted, as in sites.east.duplicates.ids; put names with other characters than letters, digits, _ and - into brackets and quotes", p.rest(p.at))
		}
		for p.take("[") {
			s, err := p.bracket()
			if err != nil {
				return nil, err
			}
			steps = append(steps, s)
		}
		if !p.take(".") {
			return steps, nil
		}
	}
}

// bracket reads what follows an opening bracket.
func (p *parser) bracket() (step, error) {
	s := step{at: p.at}
	switch digits := p.while(func(c byte) bool { return c >= '0' && c <= '9' }); {
	case digits != "":
		index, err := strconv.ParseInt(digits, 10, 32)
		if err != nil {
			return s, fail(p.text, s.at, "%s is no element of a list", digits)
		}
		s.kind, s.index = numbered, int(index)
	case p.take("*"):
		s.kind = every
	case strings.HasPrefix(p.text[p.at:], `"`):
		quote, err := strconv.QuotedPrefix(p.text[p.at:])
		if err != nil {
			return s, p.fail("the quotes are not closed")
		}
		p.at += len(quote)
		s.kind = quoted
		if s.name, err = strconv.Unquote(quote); err != nil {
			return s, fail(p.text, s.at, "%s is no name", quote)
		}
	default:
		return s, p.fail(`in brackets stands a name in quotes (["1s"]), the number of an element ([0]) or a star ([*])`)
	}
	if !p.take("]") {
		return s, p.fail("a ] is missing")
	}
	return s, nil
}

// number reads what a figure is compared with.
func (p *parser) number(c *comparison) error {
	c.at = p.at
	word := p.while(func(b byte) bool { return isName(b) || b == '.' || b == '+' || b == '%' })
	plain := strings.TrimSuffix(word, "%")
	if word == "" || strings.Trim(plain, "0123456789.+-eE") != "" {
		d, err := duration.Parse(word)
		if err != nil || word == "" {
			if word == "" {
				word = p.rest(c.at)
			}
			return fail(p.text, c.at, "%q is not a number: write 12, 0.5, 5%% or, for a length of time, 15m", word)
		}
		c.time, c.isTime = d, true
		return nil
	}
	text := plain
	if plain != word {
		text += "e-2" // exactly what the digits say, which a division is not
	}
	x, err := strconv.ParseFloat(text, 64)
	if err != nil {
		return fail(p.text, c.at, "%q is not a number, or too large", word)
	}
	c.number = x
	return nil
}
