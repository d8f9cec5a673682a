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

	// State is the state of the draws, with those that the generator refused. It is
	// their own column where none is.
	State []site.State

	states []site.State // memory for it
}

// MarkRefused sets State: that of the draws, but for the refused.
func (d *Drawn) MarkRefused(draws []site.State) {
	d.State = draws
	marked := false
	for i, kind := range d.Kind {
		if !kind.Refused() {
			continue
		}
		if !marked {
			d.states = append(d.states[:0], draws...)
			d.State, marked = d.states, true
		}
		d.State[i] = site.Refused
	}
}

// Resize makes every column n long and keeps their memory.
func (d *Drawn) Resize(n int) {
	d.ID = resized(d.ID, n)
	d.OwnerMs = resized(d.OwnerMs, n)
	d.Node = resized(d.Node, n)
	d.Kind = resized(d.Kind, n)
	d.Hops = resized(d.Hops, n)
}

func resized[T any](s []T, n int) []T {
	if cap(s) < n {
		return make([]T, n, n+n/4)
	}
	return s[:n]
}

func floorDiv(a, b int64) int64 {
	q := a / b
	if a%b < 0 {
		q--
	}
	return q
}

// secondOf is the second that a time in ms lies in, as its index since 1970.
func secondOf(ms int64) int64 {
	if ms >= 0 {
		return int64(uint64(ms) / 1000)
	}
	return floorDiv(ms, 1000)
}
