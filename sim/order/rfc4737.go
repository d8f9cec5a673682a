package order

// Reordered is one reordered element of a sequence, in the terms of RFC 4737.
// Positions count from 0.
type Reordered struct {
	At     int // its position i
	Extent int // i - j, where j is the earliest position with a greater value
	Degree int // the largest n for which it is n-reordered: the n elements before it are all greater; may be 0
}

// Discontinuity is the position j from which the extent is measured, the RFC's
// reordering discontinuity (section 4.5).
func (r Reordered) Discontinuity() int { return r.At - r.Extent }

// ReorderedElements finds the elements below the running maximum, in order of
// position (RFC 4737, sections 3, 4.2 and 5, with ys as the sequence numbers in
// order of arrival). Equal values are in order, where the RFC would drop them as
// duplicates. O(n log n) time.
func ReorderedElements(ys []int64) []Reordered {
	var found []Reordered
	var records Reordering // x is the position
	var lows lows
	for i, y := range ys {
		notGreater := lows.add(int64(i), y)
		if extent, reordered := records.Add(int64(i), y); reordered {
			found = append(found, Reordered{At: i, Extent: int(extent), Degree: i - 1 - int(notGreater)})
		}
	}
	return found
}

// FreeRuns are the runs of elements in order between reordered ones (RFC 4737,
// section 4.6). A reordered element closes a run, which may be empty; the elements
// behind the last reordered one form no run, as in the RFC's pseudo-code.
type FreeRuns struct {
	Runs     int64 `json:"runs"`     // x: runs closed
	Elements int64 `json:"elements"` // a: elements in these runs
	Squares  int64 `json:"squares"`  // q: sum of the squared lengths
	Trailing int64 `json:"trailing"` // elements behind the last reordered one
}

// RunsBetween gives the free runs of n elements of which some are reordered, as
// ReorderedElements finds them.
func RunsBetween(n int, reordered []Reordered) FreeRuns {
	var f FreeRuns
	next := 0 // the first position of the run
	for _, r := range reordered {
		f.close(int64(r.At - next))
		next = r.At + 1
	}
	f.Trailing = int64(n - next)
	return f
}

// close counts a run that a reordered element closes.
func (f *FreeRuns) close(length int64) {
	f.Runs++
	f.end(length)
}

// end counts a run that was closed among others, and gives the length of the next one.
func (f *FreeRuns) end(length int64) (next int64) {
	f.Elements += length
	f.Squares += length * length
	return 0
}

// Merge adds the runs of another sequence, measured by itself.
func (f *FreeRuns) Merge(other FreeRuns) {
	f.Runs += other.Runs
	f.Elements += other.Elements
	f.Squares += other.Squares
	f.Trailing += other.Trailing
}

// Mean is the mean length of a run, a / x; false when there is none.
func (f FreeRuns) Mean() (float64, bool) {
	if f.Runs == 0 {
		return 0, false
	}
	return float64(f.Elements) / float64(f.Runs), true
}

// Weighted is q / a, the length of the run in which an element in order stands on
// average; false when all runs are empty.
func (f FreeRuns) Weighted() (float64, bool) {
	if f.Elements == 0 {
		return 0, false
	}
	return float64(f.Squares) / float64(f.Elements), true
}

// Variation is (q / a) / (a / x): 1 when all runs are of one length, more when they
// vary; false when all runs are empty.
func (f FreeRuns) Variation() (float64, bool) {
	weighted, ok := f.Weighted()
	if !ok {
		return 0, false
	}
	mean, _ := f.Mean()
	return weighted / mean, true
}
