package sim

import (
	"twindrift/sim/measure"
	"twindrift/sim/site"
)

// A store that deduplicates knows a message by a key of its own, not by the id, which is
// another at every delivery: what it has, it takes no second time. Deliveries are looked
// at in the order of virtual time.

// messageKey is a message by partition and ordinal.
type messageKey struct {
	partition int32
	ordinal   int64
}

// deduplicate finds, of the rows from..to, those whose message is stored already: it was
// drawn for before, and not always refused.
func (l *lane) deduplicate(d *site.Draws, out *measure.Drawn, from, to int) {
	if l.refused == nil {
		return
	}
	for i := from; i < to; i++ {
		key := messageKey{d.Partition[i], d.Ordinal[i]}
		switch {
		case d.State[i] != site.Store:
		case out.Kind[i].Refused():
			if d.Again[i] == 0 {
				l.refused[key] = true
			}
		case d.Again[i] > 0 && !l.refused[key]:
			out.Known = append(out.Known, i)
		default:
			delete(l.refused, key)
		}
	}
}

// settle forgets the messages before some ordinals, by partition: they do not come again.
func (l *lane) settle(settled []int64) {
	for key := range l.refused {
		if key.ordinal < settled[key.partition] {
			delete(l.refused, key)
		}
	}
}

// settle is that of all lanes, where nothing else knows what is settled.
func (r *run) settle() {
	if !r.cfg.Scenario.Store.Deduplicate {
		return
	}
	limits := make([]int64, len(r.plan.Partitions))
	for _, s := range r.sites {
		s.model.Settled(limits)
		for _, l := range s.lanes {
			l.settle(limits)
		}
	}
}
