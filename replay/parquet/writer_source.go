package parquet

import (
	"context"

	"twindrift/replay"
)

// WriteSource adds all messages of a capture, partitions about level in time.
// plan is what the source's Plan gave. progress, which may be nil, is called
// with the messages written so far and those in all.
func (w *Writer) WriteSource(ctx context.Context, src replay.Source, plan *replay.Plan, progress func(done, total int64)) error {
	numbers := make([]int32, len(plan.Partitions))
	for i, p := range plan.Partitions {
		numbers[i] = w.Partition(p.Topic, p.Number)
	}
	done := int64(0)
	return replay.Walk(ctx, src, plan, func(b *replay.Batch) error {
		for i, p := range b.Partition {
			b.Partition[i] = numbers[p]
		}
		if done += int64(b.Len()); progress != nil {
			progress(done, plan.Messages)
		}
		return w.Write(b)
	})
}
