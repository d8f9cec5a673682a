package figure

import (
	"strings"
	"unicode/utf8"
)

// Wrap sets text in lines of at most width columns, the first of which begins with
// first and the others with as many blanks.
func Wrap(first, text string, width int) []string {
	indent := strings.Repeat(" ", utf8.RuneCountInString(first))
	var lines []string
	l, empty := first, true
	for _, word := range words(text) {
		word = Short(word, width-len(indent))
		if !empty && utf8.RuneCountInString(l)+1+utf8.RuneCountInString(word) > width {
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

// words cuts a text where lines may break: at blanks, but not between a number
// and its unit.
func words(text string) []string {
	var all []string
	for _, word := range strings.Fields(text) {
		switch last := len(all) - 1; strings.Trim(word, ".,;:()") {
		case "%", "µs", "ms", "s", "min", "h", "d":
			if last >= 0 && '0' <= all[last][len(all[last])-1] && all[last][len(all[last])-1] <= '9' {
				all[last] += " " + word
				continue
			}
		}
		all = append(all, word)
	}
	return all
}
