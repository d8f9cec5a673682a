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
	short  []int64 // draws by wait
	long   []waits // the first of them ascending, others as they came
	sorted int     // how many ascend
}

// waits are n draws that waited so long.
type waits struct{ us, n int64 }

// shortWait is from where on waits are mostly different from each other, in microseconds.
const shortWait = 1 << 15

// few waits are not worth putting in order.
const few = 1 << 12

// Add counts n draws that waited so many microseconds, 0 or more.
func (w *Waits) Add(us, n int64) {
	if us < shortWait {
		if us >= int64(len(w.short)) {
			w.short = append(w.short, make([]int64, us+1-int64(len(w.short)))...)
		}
		w.short[us] += n
		return
	}
	if len(w.long) >= 2*w.sorted+few {
		w.sort()
	}
	w.long = append(w.long, waits{us, n})
}

// Merge adds what another has counted, which stays as it is.
func (w *Waits) Merge(other *Waits) {
	for us, n := range other.short {
		if n > 0 {
			w.Add(int64(us), n)
		}
	}
	w.sort()
	w.long = append(w.long, other.long...)
	w.sort()
}

// sort puts the long waits in order, each once.
func (w *Waits) sort() {
	if w.sorted == len(w.long) {
		return
	}
	late := w.long[w.sorted:]
	slices.SortFunc(late, func(a, b waits) int { return cmp.Compare(a.us, b.us) })
	if w.sorted > 0 && w.long[w.sorted-1].us > late[0].us {
		w.mergeLate()
	}
	kept := w.long[:0]
	for _, v := range w.long {
		if last := len(kept) - 1; last >= 0 && kept[last].us == v.us {
			kept[last].n += v.n
		} else {
			kept = append(kept, v)
		}
	}
	w.long, w.sorted = kept, len(kept)
}

// mergeLate merges what ascends before w.sorted with what does from there on, from the
// largest down.
func (w *Waits) mergeLate() {
	late := slices.Clone(w.long[w.sorted:])
	i := w.sorted
	for to := len(w.long) - 1; len(late) > 0; to-- {
		if last := late[len(late)-1]; i == 0 || w.long[i-1].us <= last.us {
			w.long[to], late = last, late[:len(late)-1]
		} else {
			i--
			w.long[to] = w.long[i]
		}
	}
}

// All gives every wait, ascending, with the draws that had it.
func (w *Waits) All() iter.Seq2[int64, int64] {
	return func(yield func(us, n int64) bool) {
		for us, n := range w.short {
			if n > 0 && !yield(int64(us), n) {
				return
			}
		}
		ordered := w
		if w.sorted < len(w.long) { // which copies of w may share
			ordered = &Waits{long: slices.Clone(w.long), sorted: w.sorted}
			ordered.sort()
		}
		for _, v := range ordered.long {
			if !yield(v.us, v.n) {
				return
			}
		}
	}
}
