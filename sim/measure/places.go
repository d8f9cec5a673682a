package measure

import "twindrift/sim/order"

// Places measures where the entries of a list stand: how far from their places
// by event time, and whether a query for a range of ids finds them.
type Places struct {
	Displacement order.Displacement
	Recall       order.Recall
}

func (p *Places) add(ownerMs, eventMs int64) {
	p.Displacement.Add(eventMs)
	p.Recall.Add(ownerMs, eventMs)
}
