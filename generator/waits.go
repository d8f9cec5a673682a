package generator

import (
	"cmp"
	"iter"
	"slices"
)

// Waits counts draws by how long they waited, exactly. The zero value is empty.
//
// Memory: 8 bytes for every microsecond up to the longest wait below shortWait, and 16
// to 48 for every different wait above.
type Waits struct {
	short []int64 // draws by wait
	long  []waits // ascending, each once
	late  []waits // those that came too late for that, in any order
}

// waits are n draws that waited so long.
type waits struct{ us, n int64 }

// shortWait is from where on waits are mostly different from each other, in microseconds.
const shortWait = 1 << 15

// few late waits are not worth putting in order, and a few places are worth going back.
const (
	few       = 1 << 12
	fewPlaces = 16
)

// Add counts n draws that waited so many microseconds, 0 or more. Long waits are mostly
// in a queue that grows or shrinks, a little longer or shorter than the one before.
func (w *Waits) Add(us, n int64) {
	if us < shortWait {
		if us >= int64(len(w.short)) {
			w.short = append(w.short, make([]int64, us+1-int64(len(w.short)))...)
		}
		w.short[us] += n
		return
	}
	at := len(w.long)
	for at > 0 && w.long[at-1].us > us {
		if at--; len(w.long)-at > fewPlaces {
			w.addLate(us, n)
			return
		}
	}
	if at > 0 && w.long[at-1].us == us {
		w.long[at-1].n += n
		return
	}
	w.long = slices.Insert(w.long, at, waits{us, n})
}

func (w *Waits) addLate(us, n int64) {
	w.late = append(w.late, waits{us, n})
	if len(w.late) >= len(w.long)+few {
		w.long, w.late = w.ordered(), w.late[:0]
	}
}

// ordered are all long waits, in memory of their own where some came late.
func (w *Waits) ordered() []waits {
	if len(w.late) == 0 {
		return w.long
	}
	late := slices.Clone(w.late)
	slices.SortFunc(late, func(a, b waits) int { return cmp.Compare(a.us, b.us) })
	return merged(w.long, late)
}

// merged puts two ascending lists together, each wait once.
func merged(a, b []waits) []waits {
	out := make([]waits, 0, len(a)+len(b))
	for len(a)+len(b) > 0 {
		from := &a
		if len(a) == 0 || len(b) > 0 && b[0].us < a[0].us {
			from = &b
		}
		v := (*from)[0]
		*from = (*from)[1:]
		if last := len(out) - 1; last >= 0 && out[last].us == v.us {
			out[last].n += v.n
		} else {
			out = append(out, v)
		}
	}
	return out
}

// Merge adds what another has counted, which stays as it is.
func (w *Waits) Merge(other *Waits) {
	for us, n := range other.short {
		if n > 0 {
			w.Add(int64(us), n)
		}
	}
	w.long, w.late = merged(w.ordered(), other.ordered()), nil
}

// All gives every wait, ascending, with the draws that had it.
func (w *Waits) All() iter.Seq2[int64, int64] {
	return func(yield func(us, n int64) bool) {
		for us, n := range w.short {
			if n > 0 && !yield(int64(us), n) {
				return
			}
		}
		for _, v := range w.ordered() {
			if !yield(v.us, v.n) {
				return
			}
		}
	}
}
