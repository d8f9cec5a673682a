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

// pace is how many messages a list or a pair measures in one epoch: twice as many as
// it brings, so that it catches up.
func (r *run) pace() int { return 2 * r.blocks() * int(r.plan.BlockRows) }

// spillTo has whatever holds messages back keep to the budget of a store.
func (r *run) spillTo(store *spill.Store) {
	for _, s := range r.sites {
		s.model.Spill(store.Owner())
		for _, l := range s.lanes {
			l.list.Spill(store.Owner())
		}
	}
	for _, p := range r.pairs {
		for _, l := range p.lanes {
			l.pair.Spill(store.Owner(), store.Owner())
			l.collisions.Spill(store.Owner())
		}
	}
}
