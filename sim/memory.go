package sim

import (
	"cmp"

	"twindrift/sim/spill"
)

// blocks is how many blocks an epoch holds.
func (r *run) blocks() int { return cmp.Or(r.cfg.epochBlocks, epochBlocks) }

// partRows is how many rows a part of an epoch may have at a site: somewhat more
// than an epoch has messages, so that few epochs are cut in parts.
func (r *run) partRows() int {
	rows := r.blocks() * int(r.plan.BlockRows)
	return rows + rows/4
}

// spillTo has whatever holds messages back keep to the budget of a store.
func (r *run) spillTo(store *spill.Store) {
	for _, s := range r.sites {
		s.model.Spill(store.Owner())
		for _, l := range s.lanes {
			l.list.Spill(store.Owner(), r.partRows()/2)
		}
	}
	for _, p := range r.pairs {
		for _, l := range p.lanes {
			l.pair.Spill(store.Owner(), store.Owner())
			l.collisions.Spill(store.Owner())
		}
	}
}
