package generator

// FloorDiv is a / b rounded down, for b > 0: a second or a day before 1970 lies below the
// time, as any other does.
func FloorDiv(a, b int64) int64 {
	q := a / b
	if a%b < 0 {
		q--
	}
	return q
}
