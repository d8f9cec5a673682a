package delay

import (
	"errors"
	"strings"
)

// splitOutside splits text at the separators that stand in no parentheses.
func splitOutside(text string, separator byte) []string {
	var items []string
	depth, from := 0, 0
	for i := range len(text) {
		switch c := text[i]; {
		case c == '(':
			depth++
		case c == ')':
			depth = max(depth-1, 0)
		case c == separator && depth == 0:
			items = append(items, text[from:i])
			from = i + 1
		}
	}
	return append(items, text[from:])
}

var errNoParentheses = errors.New("its parts stand in one pair of parentheses")

// inParentheses is what stands in the parentheses that text begins and ends
// with.
func inParentheses(text string) (string, error) {
	text = strings.TrimSpace(text)
	depth := 0
	for i := range len(text) {
		switch text[i] {
		case '(':
			depth++
		case ')':
			depth--
		}
		if depth <= 0 && i < len(text)-1 {
			return "", errNoParentheses
		}
	}
	if depth != 0 || text == "" || text[0] != '(' {
		return "", errNoParentheses
	}
	return text[1 : len(text)-1], nil
}
