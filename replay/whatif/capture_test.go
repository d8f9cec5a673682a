package whatif

import (
	"context"
	"errors"
	"io"
	"testing"

	"twindrift/replay"
	"twindrift/replay/philox"
)

const startMs = 1_772_449_200_000 // 2026-03-02 11:00:00 UTC

// capture is a capture in memory whose batches mix partitions and have so many
// rows, in the order of the rows' moments.
type capture struct {
	names    []replay.Partition
	rows     []replay.Batch // by partition
	cut      int            // rows of a batch
	open     int            // streams that are open now
	mostOpen int
}

func (c *capture) Plan(_ context.Context, progress func(done, total int64)) (*replay.Plan, error) {
	var pl replay.Planner
	var n int64
	for i, p := range c.names {
		pl.Partition(p.Topic, p.Number).Add(c.rows[i].Offset, c.rows[i].TimestampMs, c.rows[i].TimestampType)
		n += int64(c.rows[i].Len())
	}
	if progress != nil {
		progress(n, n)
	}
	return pl.Plan(), nil
}

func (c *capture) Open(context.Context) (replay.Stream, error) {
	c.open++
	c.mostOpen = max(c.mostOpen, c.open)
	return &captureStream{c: c, next: make([]int, len(c.rows))}, nil
}

type captureStream struct {
	c      *capture
	next   []int
	closed bool
}

func (s *captureStream) row(p int, b *replay.Batch) bool {
	i := s.next[p]
	if i == s.c.rows[p].Len() {
		return false
	}
	b.Append(&s.c.rows[p], i)
	b.Partition[b.Len()-1] = int32(p)
	s.next[p]++
	return true
}

func (s *captureStream) Next(p int, b *replay.Batch) error {
	if s.closed {
		return errors.New("the stream is closed")
	}
	if !s.row(p, b) {
		return io.EOF
	}
	for k := 1; k < s.c.cut; k++ {
		s.row((p+k)%len(s.next), b)
	}
	return nil
}

func (s *captureStream) Close() error {
	if !s.closed {
		s.c.open--
	}
	s.closed = true
	return nil
}

// add adds a row to the last partition.
func (c *capture) add(offset, ms int64, keyHash uint64) {
	b := &c.rows[len(c.rows)-1]
	kind := replay.TimestampCreate
	if ms == replay.NoTimestamp {
		kind = replay.TimestampNone
	}
	b.Partition = append(b.Partition, 0)
	b.Offset = append(b.Offset, offset)
	b.TimestampMs = append(b.TimestampMs, ms)
	b.TimestampType = append(b.TimestampType, kind)
	b.KeyHash = append(b.KeyHash, keyHash)
	keyLen := int32(8)
	if keyHash == 0 {
		keyLen = replay.NullLen
	}
	b.KeyLen = append(b.KeyLen, keyLen)
	b.ValueLen = append(b.ValueLen, int32(offset%1000))
	b.ProcessedAtMs = append(b.ProcessedAtMs, ms+40)
	b.MessageID = append(b.MessageID, offset+7)
}

func (c *capture) partition(topic string, number int32) {
	c.names = append(c.names, replay.Partition{Topic: topic, Number: number})
	c.rows = append(c.rows, replay.Batch{})
}

// steady has n messages, one each 10 ms, in turn on three partitions of orders
// and one of trades.
func steady(n, cut int) *capture {
	c := &capture{cut: cut}
	for p := range 4 {
		if p < 3 {
			c.partition("orders", int32(p))
		} else {
			c.partition("trades", 0)
		}
		for i := p; i < n; i += 4 {
			c.add(int64(100+i/4), startMs+int64(i)*10, philox.Block([4]uint64{uint64(i % 50)}, [2]uint64{})[0])
		}
	}
	return c
}

// changed reads a changed capture to its end, and checks its plan against its
// rows.
func changed(t testing.TB, src replay.Source, c Changes) (*replay.Plan, []replay.Batch) {
	t.Helper()
	s := New(src, c)
	plan, err := s.Plan(t.Context(), nil)
	if err != nil {
		t.Fatal(err)
	}
	rows := make([]replay.Batch, len(plan.Partitions))
	if err := replay.Walk(t.Context(), s, plan, func(b *replay.Batch) error {
		for i, p := range b.Partition {
			rows[p].Append(b, i)
		}
		return nil
	}); err != nil {
		t.Fatal(err)
	}
	var pl replay.Planner
	for i, p := range plan.Partitions {
		pl.Partition(p.Topic, p.Number).Add(rows[i].Offset, rows[i].TimestampMs, rows[i].TimestampType)
		for k := 1; k < rows[i].Len(); k++ {
			if rows[i].Offset[k] <= rows[i].Offset[k-1] {
				t.Fatalf("%s/%d: offset %d after %d", p.Topic, p.Number, rows[i].Offset[k], rows[i].Offset[k-1])
			}
		}
	}
	again := pl.Plan()
	again.Notes, again.Silent = plan.Notes, plan.Silent
	equal(t, "the plan and that of its rows", again, plan)
	return plan, rows
}

// failing is a capture whose streams fail after so many batches.
type failing struct {
	*capture
	after int
	err   error
}

func (f *failing) Open(ctx context.Context) (replay.Stream, error) {
	s, err := f.capture.Open(ctx)
	return &failingStream{s, f.after, f.err}, err
}

type failingStream struct {
	replay.Stream
	left int
	err  error
}

func (s *failingStream) Next(p int, b *replay.Batch) error {
	if s.left--; s.left < 0 {
		return s.err
	}
	return s.Stream.Next(p, b)
}
