package measure

import (
	"math"

	"twindrift/sim/order"
)

// Places measures where the entries of a list stand: how far from their places
// by event time, and whether a query for a range of ids finds them.
type Places struct {
	Displacement order.Displacement
	Recall       order.Recall
}

// RecallLeast is how many messages, or ids, a cell must hold to count for the
// worst recall or precision.
const RecallLeast = 100

// floor says below what no later entry lies.
func (p *Places) floor(ownerSecond, eventMs int64) {
	p.Displacement.Floor(eventMs)
	if ownerSecond < secondOf(eventMs) {
		eventMs = ownerSecond * 1000
	}
	p.Recall.Release(eventMs, RecallLeast)
}

// end says that no entry follows.
func (p *Places) end() { p.Displacement.Floor(math.MaxInt64) }

func (p *Places) add(ownersMs, eventsMs []int64) {
	p.Displacement.AddEach(eventsMs)
	p.Recall.AddEach(ownersMs, eventsMs)
}
