package generator

import (
	"iter"
	"slices"
)

// Waits counts draws by how long they waited, exactly. The zero value is empty.
//
// Memory: 8 bytes for every microsecond up to the longest wait below shortWait, and 16
// to 96 for every different wait above.
type Waits struct {
	short []int64 // draws by wait
	long  []waits // ascending, each once
	late  []waits // others, as they came
}

// waits are n draws that waited so long.
type waits struct{ us, n int64 }

// shortWait is from where on waits are mostly different from each other, in microseconds.
const shortWait = 1 << 15

// few late waits are not worth putting in order.
const few = 1 << 14

// Add counts n draws that waited so many microseconds, 0 or more.
func (w *Waits) Add(us, n int64) {
	if us < shortWait {
		if us >= int64(len(w.short)) {
			w.short = append(w.short, make([]int64, us+1-int64(len(w.short)))...)
		}
		w.short[us] += n
		return
	}
	w.late = append(w.late, waits{us, n})
	if len(w.late) >= 3*len(w.long)+few {
		w.long, w.late = w.ordered(), w.late[:0]
	}
}

// ordered are all long waits, in memory of their own where some came late.
func (w *Waits) ordered() []waits {
	if len(w.late) == 0 {
		return w.long
	}
	return merged(w.long, ascending(slices.Clone(w.late)))
}

// ascending sorts waits, and uses their memory for it: by counting digits.
func ascending(list []waits) []waits {
	const bits = 11
	all := int64(0)
	for _, v := range list {
		all |= v.us
	}
	other := make([]waits, len(list))
	var counts [1 << bits]int
	for bit := 0; all>>bit > 0; bit += bits {
		clear(counts[:])
		for _, v := range list {
			counts[v.us>>bit%(1<<bits)]++
		}
		before := 0
		for d, n := range counts {
			counts[d] = before
			before += n
		}
		for _, v := range list {
			d := v.us >> bit % (1 << bits)
			other[counts[d]] = v
			counts[d]++
		}
		list, other = other, list
	}
	return list
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
