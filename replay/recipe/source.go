package recipe

import (
	"context"
	"io"

	"twindrift/replay"
)

// batchRows is about how many rows a batch gets.
const batchRows = 4096

// Source is the traffic of a recipe as a capture. Offsets begin at 0 and have
// no gaps. Planning draws all messages once and keeps none.
type Source struct {
	seed   uint64
	topics []*traffic // by name
	places []place    // the partitions as the plan has them
}

// place is a partition of a topic.
type place struct {
	topic  *traffic
	number int
}

// expected is how many messages there are on average.
func (s *Source) expected() float64 {
	sum := 0.0
	for _, t := range s.topics {
		sum += t.expected()
	}
	return sum
}

// Plan draws all messages once. The progress total is an estimate until the
// last call.
func (s *Source) Plan(ctx context.Context, progress func(done, total int64)) (*replay.Plan, error) {
	s.places = s.places[:0]
	for _, t := range s.topics {
		for n := range t.partitions {
			s.places = append(s.places, place{t, n})
		}
	}
	var planner replay.Planner
	all := s.open(ctx)
	tallies := make([]*replay.Tally, len(s.places))
	for i, p := range s.places {
		tallies[i] = planner.Partition(p.topic.name, int32(p.number))
	}
	var b replay.Batch
	done, total := int64(0), int64(s.expected())
	for i, tally := range tallies {
		for {
			b.Reset()
			if err := all.Next(i, &b); err == io.EOF {
				break
			} else if err != nil {
				return nil, err
			}
			tally.Add(b.Offset, b.TimestampMs, b.TimestampType)
			if done += int64(b.Len()); progress != nil {
				progress(done, max(done, total))
			}
		}
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

// Open starts a pass.
func (s *Source) Open(ctx context.Context) (replay.Stream, error) { return s.open(ctx), nil }

func (s *Source) open(ctx context.Context) *stream {
	st := &stream{ctx: ctx}
	starts := new(places)
	for i, p := range s.places {
		st.partitions = append(st.partitions, newPartition(s.seed, p.topic, p.number, int32(i), starts))
	}
	return st
}

// stream is one pass: the partitions, each drawn as far as it was asked for.
type stream struct {
	ctx        context.Context
	partitions []*partition
}

// Next gives rows of partition p only.
func (s *stream) Next(p int, b *replay.Batch) error {
	if err := s.ctx.Err(); err != nil {
		return err
	}
	if !s.partitions[p].next(b) {
		return io.EOF
	}
	return nil
}

// Close frees what the pass holds.
func (s *stream) Close() error {
	s.partitions = nil
	return nil
}
