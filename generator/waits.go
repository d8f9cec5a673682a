package generator

import "iter"

// Waits counts draws by how long they waited, exactly. The zero value is empty.
//
// Memory: 8 bytes for every microsecond up to the longest wait below shortWait, and 16
// to 64 for every different wait above.
type Waits struct {
	short []int64 // draws by wait
	long  []waits // ascending, each once
	late  []int64 // others, as they came
}

// waits are n draws that waited so long.
type waits struct{ us, n int64 }

const (
	shortWait = 1 << 15 // from where on waits are mostly different from each other, in microseconds
	fewWaits  = 1 << 14 // are not worth putting in order
)

// Add counts a draw that waited so many microseconds, 0 or more.
func (w *Waits) Add(us int64) {
	if us < shortWait {
		w.addShort(us, 1)
		return
	}
	w.late = append(w.late, us)
	if len(w.late) >= 3*len(w.long)+fewWaits {
		w.long, w.late = w.ordered(), w.late[:0]
	}
}

func (w *Waits) addShort(us, n int64) {
	if us >= int64(len(w.short)) {
		w.short = append(w.short, make([]int64, us+1-int64(len(w.short)))...)
	}
	w.short[us] += n
}

// Merge adds what another has counted, which stays as it is.
func (w *Waits) Merge(other *Waits) {
	for us, n := range other.short {
		if n > 0 {
			w.addShort(int64(us), n)
		}
	}
	w.long, w.late = merged(w.ordered(), other.ordered()), nil
}

// ordered are all long waits, in memory of their own where some came late.
func (w *Waits) ordered() []waits {
	if len(w.late) == 0 {
		return w.long
	}
	w.late = ascending(w.late)
	return merged(w.long, counted(w.late))
}

// counted are ascending waits, each once.
func counted(list []int64) []waits {
	different := 0
	for i, us := range list {
		if i == 0 || us != list[i-1] {
			different++
		}
	}
	out := make([]waits, 0, different)
	for i, us := range list {
		if i == 0 || us != list[i-1] {
			out = append(out, waits{us: us})
		}
		out[len(out)-1].n++
	}
	return out
}

// merged puts two ascending lists together, each wait once; it may be one of them.
func merged(a, b []waits) []waits {
	if len(a) == 0 {
		return b
	}
	if len(b) == 0 {
		return a
	}
	out := make([]waits, 0, len(a)+len(b))
	for len(a) > 0 && len(b) > 0 {
		switch v, u := a[0], b[0]; {
		case v.us < u.us:
			out, a = append(out, v), a[1:]
		case v.us > u.us:
			out, b = append(out, u), b[1:]
		default:
			out, a, b = append(out, waits{v.us, v.n + u.n}), a[1:], b[1:]
		}
	}
	return append(append(out, a...), b...)
}

// ascending sorts numbers from 0 up, and uses their memory for it: by counting digits.
func ascending(list []int64) []int64 {
	const bits = 11
	all := int64(0)
	for _, v := range list {
		all |= v
	}
	other := make([]int64, len(list))
	var counts [1 << bits]int
	for bit := 0; all>>bit > 0; bit += bits {
		clear(counts[:])
		for _, v := range list {
			counts[v>>bit%(1<<bits)]++
		}
		before := 0
		for d, n := range counts {
			counts[d] = before
			before += n
		}
		for _, v := range list {
			d := v >> bit % (1 << bits)
			other[counts[d]] = v
			counts[d]++
		}
		list, other = other, list
	}
	return list
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
