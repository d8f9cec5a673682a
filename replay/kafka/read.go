package kafka

import (
	"cmp"
	"context"
	"fmt"
	"sync/atomic"
	"time"

	"github.com/twmb/franz-go/pkg/kgo"
)

// ReadOptions say how a snapshot is read.
type ReadOptions struct {
	Keys, Values, Headers bool // payloads wanted

	// Library has the client library decode all records, not only those of old
	// formats. It is slower by far, and there to hold the walk against.
	Library bool

	// Patience is how long a partition may make no way before it is an error that
	// says why. Default 2 minutes.
	Patience time.Duration
}

// Read goes over the offsets of a snapshot and hands chunks to sink, which must not
// keep them: those of a partition in order, ending at its Partition.End. starts, where
// not nil, holds by partition the offset to begin at instead of Partition.Start.
func (c *Client) Read(ctx context.Context, s *Snapshot, starts []int64, o ReadOptions, sink func(*Chunk) error) error {
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	r := &reader{client: c, snapshot: s, options: o, out: make(chan fetched, fetchesAhead), fail: cancel}
	r.options.Patience = cmp.Or(o.Patience, defaultPatience)
	r.bytes.Store(fetchBytes)
	position := make([]int64, len(s.Partitions))
	for i := range s.Partitions {
		position[i] = s.Partitions[i].Start
		if starts != nil {
			position[i] = starts[i]
		}
		p := &reading{Partition: &s.Partitions[i], index: i, next: position[i], leader: -1, most: partitionBytes, moved: time.Now()}
		if p.next < p.End {
			r.open = append(r.open, p)
		}
	}
	go func() {
		defer close(r.out)
		r.fetchAll(ctx)
	}()
	d := decoder{walker: walker{committed: s.Committed, keys: o.Keys, values: o.Values, headers: o.Headers, decompressor: kgo.DefaultDecompressor()}, library: o.Library}
	free, full := make(chan *Chunk, chunksAhead), make(chan *Chunk, chunksAhead)
	for range chunksAhead {
		free <- new(Chunk)
	}
	go func() {
		defer close(full)
		if err := r.decodeAll(ctx, &d, position, free, full); err != nil {
			cancel(err)
		}
		for range r.out { // until the fetchers have seen it
		}
	}()
	for c := range full {
		if ctx.Err() == nil {
			if err := sink(c); err != nil {
				cancel(err)
			}
		}
		free <- c
	}
	return context.Cause(ctx)
}

// chunksAhead is how many chunks are on their way.
const chunksAhead = 3

// decodeAll makes chunks of what is fetched, and sees that nothing was left out.
func (r *reader) decodeAll(ctx context.Context, d *decoder, position []int64, free <-chan *Chunk, full chan<- *Chunk) error {
	for f := range r.out {
		at, c := &position[f.part.index], <-free
		if err := d.decode(&f, c); err != nil {
			return fmt.Errorf("%s/%d: %w", f.part.Topic, f.part.Number, err)
		}
		if f.from != *at {
			return fmt.Errorf("%s/%d: offsets from %d to %d were not read: this is a fault of the tool, please report it", f.part.Topic, f.part.Number, *at, f.from)
		}
		*at = c.Next
		full <- c
	}
	for i := range r.snapshot.Partitions {
		if p := &r.snapshot.Partitions[i]; position[i] < p.End && ctx.Err() == nil {
			return fmt.Errorf("%s/%d: offsets from %d to %d were not read: this is a fault of the tool, please report it", p.Topic, p.Number, position[i], p.End)
		}
	}
	return nil
}

// reading is a partition being read. It belongs to the fetcher of its leader, and to
// the reader while that looks for leaders.
type reading struct {
	*Partition
	index  int
	next   int64 // offset to fetch from
	leader int32
	most   int32         // bytes to ask for
	epoch  int32         // of the leader
	empty  time.Time     // since when fetches bring nothing though nothing is in the way; zero when they do
	moved  time.Time     // when next moved last, or something else was read instead
	why    error         // what was in the way since
	gone   time.Time     // since when the topic is not known
	waited time.Duration // for whoever takes what was fetched, in the response at hand
}

// fetched is what a fetch brought for one partition, or a gap instead.
type fetched struct {
	part    *reading
	from    int64
	raw     []byte
	aborted []aborted
	old     bool // in a format before 2
	gap     Gap
}

// reader fetches the open partitions of a snapshot.
type reader struct {
	client   *Client
	snapshot *Snapshot
	options  ReadOptions
	out      chan fetched
	fail     context.CancelCauseFunc

	open  []*reading
	bytes atomic.Int32 // to ask a broker for at a time
}
