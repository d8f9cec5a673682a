package replay

import (
	"context"
	"io"
)

// Memory is a capture held in memory: a Source for tests and small inputs.
type Memory struct {
	BlockRows int // of the plan; see Planner

	batches []*Batch // by partition
	names   []Partition
}

// Partition adds a partition; the rows of b, at least one, are its messages in
// offset order (the Partition column is not looked at). Partitions must be
// added by topic, then number.
func (m *Memory) Partition(topic string, number int32, b *Batch) {
	m.names = append(m.names, Partition{Topic: topic, Number: number})
	own := *b
	own.Partition = make([]int32, b.Len())
	for i := range own.Partition {
		own.Partition[i] = int32(len(m.batches))
	}
	m.batches = append(m.batches, &own)
}

// Plan says what is in the capture.
func (m *Memory) Plan(context.Context, func(done, total int64)) (*Plan, error) {
	planner := Planner{BlockRows: m.BlockRows}
	for i, p := range m.names {
		b := m.batches[i]
		planner.Partition(p.Topic, p.Number).Add(b.Offset, b.TimestampMs, b.TimestampType)
	}
	return planner.Plan(), nil
}

// Open starts a pass.
func (m *Memory) Open(context.Context) (Stream, error) {
	return &memoryStream{batches: m.batches, next: make([]int, len(m.batches))}, nil
}

type memoryStream struct {
	batches []*Batch
	next    []int
}

// memoryRows is how many rows a batch of a memoryStream has at most.
const memoryRows = 4096

func (s *memoryStream) Next(p int, b *Batch) error {
	rows, from := s.batches[p], s.next[p]
	until := min(from+memoryRows, rows.Len())
	if from == until {
		return io.EOF
	}
	s.next[p] = until
	b.AppendRows(rows, from, until)
	return nil
}

func (s *memoryStream) Close() error { return nil }
