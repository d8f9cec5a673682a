package parquet

import (
	"cmp"
	"context"
	"slices"

	"twindrift/replay"
)

// untangle puts the messages of pieces that overlap in order, all of them in
// memory. A message that is there more than once counts once: the first one,
// in the order of files and rows.
func (s *pass) untangle(r *restOf, at step) {
	all := &replay.Batch{}
	for _, pc := range slices.SortedFunc(slices.Values(at.pieces), func(a, b *piece) int { return cmp.Compare(a.job, b.job) }) {
		if h := s.held[pc]; h != nil {
			all.AppendRows(&h.batch, 0, h.batch.Len())
			delete(s.held, pc)
		}
	}
	order := make([]int32, all.Len())
	for i := range order {
		order[i] = int32(i)
	}
	slices.SortFunc(order, func(a, b int32) int {
		return cmp.Or(cmp.Compare(all.Offset[a], all.Offset[b]), cmp.Compare(a, b))
	})
	once := slices.CompactFunc(order, func(a, b int32) bool { return all.Offset[a] == all.Offset[b] })
	r.dropped += int64(all.Len() - len(once))
	r.sorted, r.order = all, once
}

// replan is the second pass over a capture that is not in order: it fills the
// plan from the messages put in order, and gives the number of those that were
// there before.
func (c *Capture) replan(ctx context.Context, p *planning, progress func(done, total int64)) (dropped int64, err error) {
	p.planner = replay.Planner{}
	for _, pt := range c.parts {
		pt.tally = p.planner.Partition(pt.key.topic, pt.key.number)
	}
	s := c.openPass(ctx)
	defer s.Close()
	var b replay.Batch
	done := int64(0)
	for _, r := range s.rest {
		for r.step < len(r.part.steps) {
			b.Reset()
			if err := s.advance(r, &b); err != nil {
				return 0, err
			}
			tallyBatch(c.parts, &b)
			done += int64(b.Len())
			progress(min(done, c.rows), c.rows)
		}
		dropped += r.dropped
		// The rows that are left over are those left out for want of a
		// timestamp.
		r.part.skipped.inside = -r.part.tally.Messages() - r.dropped
		for _, pc := range r.part.pieces {
			r.part.skipped.inside += pc.rows
		}
	}
	return dropped, nil
}

// tallyBatch counts the messages of a batch whose partitions are indexes into
// parts.
func tallyBatch(parts []*part, b *replay.Batch) {
	for i := 0; i < b.Len(); {
		p := b.Partition[i]
		j := i + 1
		for j < b.Len() && b.Partition[j] == p {
			j++
		}
		parts[p].tally.Add(b.Offset[i:j], b.TimestampMs[i:j], b.TimestampType[i:j])
		i = j
	}
}
