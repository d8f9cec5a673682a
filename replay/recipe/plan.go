package recipe

import (
	"context"
	"runtime"

	"twindrift/replay"
)

// batchesAhead is how many batches of a partition wait at most for the plan.
const batchesAhead = 8

// Plan draws all messages once, several partitions at a time. The progress total is an
// estimate until the last call.
func (s *Source) Plan(ctx context.Context, progress func(done, total int64)) (*replay.Plan, error) {
	s.places = s.places[:0]
	for _, t := range s.topics {
		for n := range t.partitions {
			s.places = append(s.places, place{t, n})
		}
	}
	var planner replay.Planner
	tallies := make([]*replay.Tally, 0, len(s.places))
	free := make(chan *replay.Batch, (runtime.GOMAXPROCS(0)+1)*(batchesAhead+2))
	done, total := int64(0), int64(s.expected())
	for batches := range s.drawAll(ctx, free) {
		p := s.places[len(tallies)]
		tally := planner.Partition(p.topic.name, int32(p.number))
		tallies = append(tallies, tally)
		for b := range batches {
			tally.Add(b.Offset, b.TimestampMs, b.TimestampType)
			if done += int64(b.Len()); progress != nil {
				progress(done, max(done, total))
			}
			select {
			case free <- b:
			default:
			}
		}
	}
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	if progress != nil {
		progress(done, done)
	}
	// A plan has only partitions with messages; the others would put the
	// indexes out of step.
	used := s.places[:0]
	for i, p := range s.places {
		if tallies[i].Messages() > 0 {
			used = append(used, p)
		}
	}
	s.places = used
	return planner.Plan(), nil
}

// drawAll draws the messages of every partition, in order, into batches that are free, or
// new ones. It ends early when the context does.
func (s *Source) drawAll(ctx context.Context, free <-chan *replay.Batch) <-chan chan *replay.Batch {
	flight := make(chan chan *replay.Batch, runtime.GOMAXPROCS(0))
	go func() {
		defer close(flight)
		for i, at := range s.places {
			batches := make(chan *replay.Batch, batchesAhead)
			select {
			case flight <- batches:
				go newPartition(s.seed, at.topic, at.number, int32(i), new(places)).drawAll(ctx, batches, free)
			case <-ctx.Done():
				return
			}
		}
	}()
	return flight
}

// drawAll draws the messages of the partition and closes batches.
func (p *partition) drawAll(ctx context.Context, batches chan<- *replay.Batch, free <-chan *replay.Batch) {
	defer close(batches)
	for {
		var b *replay.Batch
		select {
		case b = <-free:
			b.Reset()
		default:
			b = new(replay.Batch)
		}
		if !p.next(b) {
			return
		}
		select {
		case batches <- b:
		case <-ctx.Done():
			return
		}
	}
}
