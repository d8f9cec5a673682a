package replay

import (
	"context"
	"fmt"
)

// Walk makes one pass over a capture and hands every batch to visit. It keeps
// the partitions about level in time, as a consumer of all of them would see
// them: the next batch is always asked for from the partition whose largest
// timestamp so far is the smallest. plan is what the source's Plan gave. visit
// must not keep the batch.
//
// It is an error if the rows are not as many as the plan counted.
func Walk(ctx context.Context, src Source, plan *Plan, visit func(*Batch) error) error {
	stream, err := src.Open(ctx)
	if err != nil {
		return err
	}
	defer stream.Close()
	w := walk{left: make([]int64, len(plan.Partitions)), reach: make([]int64, len(plan.Partitions))}
	for i, p := range plan.Partitions {
		w.left[i], w.reach[i] = p.Messages, p.MinMs
	}
	var b Batch
	for p := w.behind(); p >= 0; p = w.behind() {
		b.Reset()
		if err := stream.Next(p, &b); err != nil {
			at := plan.Partitions[p]
			return fmt.Errorf("topic %q partition %d, with %d of %d messages to come: %w", at.Topic, at.Number, w.left[p], at.Messages, err)
		}
		w.count(&b)
		if err := visit(&b); err != nil {
			return err
		}
	}
	for i, p := range plan.Partitions {
		if w.left[i] < 0 {
			return fmt.Errorf("topic %q partition %d gave %d messages more than the plan counted", p.Topic, p.Number, -w.left[i])
		}
	}
	return nil
}

// walk is how far each partition has been read.
type walk struct {
	left  []int64 // messages to come
	reach []int64 // largest timestamp so far
}

// behind is the partition that has come least far and has messages left; -1
// when none has.
func (w *walk) behind() int {
	p := -1
	for i, left := range w.left {
		if left > 0 && (p < 0 || w.reach[i] < w.reach[p]) {
			p = i
		}
	}
	return p
}

func (w *walk) count(b *Batch) {
	for i, p := range b.Partition {
		w.left[p]--
		w.reach[p] = max(w.reach[p], b.TimestampMs[i])
	}
}
