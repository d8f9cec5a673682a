// Package spelling finds what a misspelt name was meant to be.
package spelling

import "strings"

// Nearest gives the known name that is nearest to the one written, by the
// number of letters to insert, remove, replace or swap with their neighbour
// (Damerau's distance, restricted form). It gives "" where none is near: more
// than a third of the letters wrong. Of equally near names it gives the first.
func Nearest(written string, known []string) string {
	best, name := len([]rune(written))/3+1, ""
	for _, k := range known {
		if d := distance(fold(written), fold(k)); d < best || d == best && name == "" {
			best, name = d, k
		}
	}
	return name
}

// DidYouMean is "; did you mean NAME?", or where no known name is near,
// "; there are" and all of them.
func DidYouMean(written string, known []string) string {
	if name := Nearest(written, known); name != "" {
		return "; did you mean " + name + "?"
	}
	if len(known) == 1 {
		return "; there is only " + known[0]
	}
	return "; there are " + strings.Join(known, ", ")
}

// fold makes names equal that differ in case or in how words are joined.
func fold(s string) []rune {
	return []rune(strings.NewReplacer("-", "", "_", "", " ", "").Replace(strings.ToLower(s)))
}

func distance(a, b []rune) int {
	var before []int // the row two back
	row := make([]int, len(b)+1)
	for j := range row {
		row[j] = j
	}
	for i := range a {
		next := make([]int, len(b)+1)
		next[0] = i + 1
		for j := range b {
			cost := 1
			if a[i] == b[j] {
				cost = 0
			}
			next[j+1] = min(row[j]+cost, row[j+1]+1, next[j]+1)
			if i > 0 && j > 0 && a[i] == b[j-1] && a[i-1] == b[j] {
				next[j+1] = min(next[j+1], before[j-1]+1)
			}
		}
		before, row = row, next
	}
	return row[len(b)]
}
