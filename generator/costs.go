package generator

import (
	"iter"
	"maps"
	"slices"
)

// Costs is what drawing has cost a process, beside the time of its own computing.
type Costs struct {
	RoundTrips   int64 // to Redis
	ServiceTrips int64 // to an allocation service
	Wasted       int64 // numbers reserved and never given
	Keys         int64 // keys that stay in Redis, since nothing lets them expire
	Rejected     int64 // writes that the server refused, the entry's id being equal or smaller
	Pinned       int64 // ids that a later time drawn before has pushed past their own
	MaxPinMs     int64 // furthest of these
	Waits        Waits // how long draws waited: for a lock, the next ms, a refill; not the round trips that every id takes
}

// Coster is a Generator whose draws cost more than computing.
type Coster interface{ Costs() Costs }

// Waits counts draws by how long they waited, exactly. The zero value is empty.
type Waits struct {
	none int64
	byUs map[int64]int64
}

// Add counts n draws that waited so many microseconds, 0 or more.
func (w *Waits) Add(us, n int64) {
	if us == 0 {
		w.none += n
		return
	}
	if w.byUs == nil {
		w.byUs = map[int64]int64{}
	}
	w.byUs[us] += n
}

// All gives every wait, ascending, with the draws that had it.
func (w *Waits) All() iter.Seq2[int64, int64] {
	return func(yield func(us, n int64) bool) {
		if w.none > 0 && !yield(0, w.none) {
			return
		}
		for _, us := range slices.Sorted(maps.Keys(w.byUs)) {
			if !yield(us, w.byUs[us]) {
				return
			}
		}
	}
}
