package tally

// Ascending is a tally of values that come in order: a list of them, for values that are
// mostly different and far apart. The zero value is empty. It takes 16 to 32 bytes for
// every different value.
type Ascending struct {
	n       int64
	counted []counted
}

type counted struct{ value, count int64 }

// AddN counts v n times; n below 1 adds nothing. Values must not fall.
func (a *Ascending) AddN(v, n int64) {
	if n < 1 {
		return
	}
	a.n += n
	if last := len(a.counted) - 1; last >= 0 && a.counted[last].value == v {
		a.counted[last].count += n
		return
	}
	a.counted = append(a.counted, counted{v, n})
}

// Figures are those of Counts.
func (a *Ascending) Figures(p ...float64) (Figures, bool) { return figures(a.n, a.spans, p) }

// spans are those of Counts, of one value each.
func (a *Ascending) spans(yield func(value int64, counts []int64) bool) {
	counts := make([]int64, 1)
	for _, c := range a.counted {
		if counts[0] = c.count; !yield(c.value, counts) {
			return
		}
	}
}

// All goes over the values, ascending, each with its count.
func (a *Ascending) All() func(yield func(value, count int64) bool) {
	return func(yield func(value, count int64) bool) {
		for _, c := range a.counted {
			if !yield(c.value, c.count) {
				return
			}
		}
	}
}
