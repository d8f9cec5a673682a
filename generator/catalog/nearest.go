package catalog

// nearest is the known word that the fewest edits turn got into, "" when more
// than half of its letters would change.
func nearest(got string, known []string) string {
	best, fewest := "", 0
	for _, word := range known {
		d := edits(got, word)
		if 2*d <= len(word) && (best == "" || d < fewest) {
			best, fewest = word, d
		}
	}
	return best
}

// edits is the Levenshtein distance of two words, in bytes.
func edits(a, b string) int {
	row := make([]int, len(b)+1) // distances of a[:i] from every b[:j]
	for j := range row {
		row[j] = j
	}
	for i := range len(a) {
		diagonal := row[0]
		row[0] = i + 1
		for j := range len(b) {
			change := diagonal
			if a[i] != b[j] {
				change++
			}
			diagonal = row[j+1]
			row[j+1] = min(change, row[j]+1, diagonal+1)
		}
	}
	return row[len(b)]
}
