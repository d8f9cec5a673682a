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
