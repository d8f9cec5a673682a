package whatif

import (
	"context"
	"errors"
	"io"
	"math"

	"twindrift/replay"
)

// rounds reads the capture as often as it is to be repeated, each partition at
// its own pace: a partition that has come to its end begins the next round
// while others are still in this one.
type rounds struct {
	ctx    context.Context
	of     replay.Source
	bounds *bounds
	repeat int
	at     []int    // the round that each partition is in
	rounds []*round // by number; nil before and after
	batch  replay.Batch
	read   int64 // rows read so far
}

// round is one pass over the capture.
type round struct {
	stream replay.Stream
	rows   []replay.Batch // by partition: read early, for another's sake
	reach  []int64        // by partition: largest timestamp so far, MinInt64 before the first
	left   int            // partitions that have not come to its end
}

func newRounds(ctx context.Context, of replay.Source, b *bounds, repeat int) *rounds {
	return &rounds{ctx: ctx, of: of, bounds: b, repeat: repeat, at: make([]int, len(b.parts)), rounds: make([]*round, repeat)}
}

// next exchanges rows, which is empty, for the next rows of a partition, at
// least one, all of the round it returns. It returns io.EOF after the last.
func (r *rounds) next(part int, rows *replay.Batch) (number int, err error) {
	for {
		number = r.at[part]
		if number == r.repeat {
			return 0, io.EOF
		}
		now, err := r.open(number)
		if err != nil {
			return 0, err
		}
		if now.rows[part].Len() > 0 {
			now.rows[part], *rows = *rows, now.rows[part]
			return number, nil
		}
		r.batch.Reset()
		err = now.stream.Next(r.bounds.parts[part], &r.batch)
		switch {
		case errors.Is(err, io.EOF):
			r.at[part]++
			if now.left--; now.left == 0 {
				r.rounds[number] = nil
				if err := now.stream.Close(); err != nil {
					return 0, err
				}
			}
		case err != nil:
			return 0, err
		default:
			r.scatter(now)
		}
	}
}

// open is a round, begun if need be.
func (r *rounds) open(number int) (*round, error) {
	if now := r.rounds[number]; now != nil {
		return now, nil
	}
	stream, err := r.of.Open(r.ctx)
	if err != nil {
		return nil, err
	}
	n := len(r.bounds.parts)
	now := &round{stream: stream, rows: make([]replay.Batch, n), reach: make([]int64, n), left: n}
	for i := range now.reach {
		now.reach[i] = math.MinInt64
	}
	r.rounds[number] = now
	return now, nil
}

// scatter adds the rows of the batch that are left by Only and Window to those
// of their partitions, run by run.
func (r *rounds) scatter(now *round) {
	b := &r.batch
	r.read += int64(b.Len())
	for from := 0; from < b.Len(); {
		index := b.Partition[from]
		to := from + 1
		for to < b.Len() && b.Partition[to] == index {
			to++
		}
		if part := r.bounds.selected[index]; part >= 0 {
			now.add(part, b, from, to, r.bounds.window)
		}
		from = to
	}
}

// add adds those of rows from to to, of one partition, that lie in a window.
func (r *round) add(part int, b *replay.Batch, from, to int, window span) {
	if window == (span{math.MinInt64, math.MaxInt64}) {
		r.rows[part].AppendRows(b, from, to)
		return
	}
	start := from // of a run of rows that lie in the window
	for i := from; i < to; i++ {
		ms := b.TimestampMs[i]
		if ms == replay.NoTimestamp {
			ms = r.reach[part]
		}
		r.reach[part] = max(r.reach[part], ms)
		if !window.holds(ms) {
			r.rows[part].AppendRows(b, start, i)
			start = i + 1
		}
	}
	r.rows[part].AppendRows(b, start, to)
}

// close ends what is open.
func (r *rounds) close() error {
	var errs []error
	for i, now := range r.rounds {
		if now != nil {
			errs = append(errs, now.stream.Close())
			r.rounds[i] = nil
		}
	}
	return errors.Join(errs...)
}
