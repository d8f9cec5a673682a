package measure

import (
	"twindrift/generator"
	"twindrift/sim/site"
)

// Drawn is what a lane made of one consumer's site.Draws: columns as long as
// those, with zeros where no id was drawn.
type Drawn struct {
	ID      []int64
	OwnerMs []int64 // the time that the id's digits say
	Node    []int64 // the node that they say
	Kind    []generator.Kind
	Hops    []int32

	// State is the state of the draws, with those that the generator refused or the
	// store knows. It is their own column where there is none.
	State []site.State

	Known []int // rows of messages that the store has and takes no second time

	states []site.State // memory for State
}

// MarkRefused sets State: that of the draws, but for the refused and the known.
func (d *Drawn) MarkRefused(draws []site.State) {
	d.State = draws
	marked := false
	mark := func(i int, state site.State) {
		if !marked {
			d.states = append(d.states[:0], draws...)
			d.State, marked = d.states, true
		}
		d.State[i] = state
	}
	for i, kind := range d.Kind {
		if kind.Refused() {
			mark(i, site.Refused)
		}
	}
	for _, i := range d.Known {
		mark(i, site.Deduplicated)
	}
}

// Resize makes every column n long and keeps their memory.
func (d *Drawn) Resize(n int) {
	d.ID = resized(d.ID, n)
	d.OwnerMs = resized(d.OwnerMs, n)
	d.Node = resized(d.Node, n)
	d.Kind = resized(d.Kind, n)
	d.Hops = resized(d.Hops, n)
	d.Known = d.Known[:0]
}

// resizedMost is how much more room than is needed is made at most.
const resizedMost = 1 << 14

// resized is memory for n, that of s where there is enough.
func resized[T any](s []T, n int) []T {
	if cap(s) < n {
		return make([]T, n, n+min(n/4, resizedMost))
	}
	return s[:n]
}

// secondOf is the second that a time in ms lies in, as its index since 1970.
func secondOf(ms int64) int64 {
	if ms >= 0 {
		return int64(uint64(ms) / 1000)
	}
	return generator.FloorDiv(ms, 1000)
}
