package sim

import (
	"errors"
	"fmt"
	"io"
	"math"
	"slices"
	"sync/atomic"

	"twindrift/replay"
	"twindrift/sim/scenario"
	"twindrift/sim/site"
)

// epochBlocks is how many blocks (replay.Plan.BlockRows messages) an epoch
// holds, more or less: enough to keep columns long, few enough to keep memory small.
const epochBlocks = 16

// epoch is a stretch of the capture: all messages appended before some moment
// and not before the last epoch's. Several stages read it, then it is used
// again. A message that the broker stamped earlier than one before it counts as
// appended with that one here.
type epoch struct {
	rows         []site.Rows // by partition
	nextAppendMs int64       // everything appended before is in this epoch or an earlier one
	readers      atomic.Int32
}

// boundaries cuts a capture into epochs of about the same number of messages,
// by append time. It depends on the messages alone.
func boundaries(plan *replay.Plan, clock site.Clock, blocks int) []int64 {
	var starts []int64
	for _, p := range plan.Partitions {
		for _, ms := range p.BlockAppendMs {
			starts = append(starts, plausible(ms, clock))
		}
	}
	slices.Sort(starts)
	var cuts []int64
	for i := blocks; i < len(starts); i += blocks {
		if n := len(cuts); n == 0 || starts[i] > cuts[n-1] {
			cuts = append(cuts, starts[i])
		}
	}
	return append(cuts, math.MaxInt64)
}

// feed turns a replay.Stream into epochs.
type feed struct {
	plan        *replay.Plan
	stream      replay.Stream
	clock       site.Clock
	noTimestamp string // scenario.Append.NoTimestamp
	observer    string // a site that takes observed times; "" for none
	keys, sizes bool   // the business filter looks at them
	cuts        []int64
	lowMs       int64 // the bounds of plausible
	highMs      int64 //
	batch       replay.Batch
	parts       []fed
	skipped     int64
	done        int64 // rows handed out
}

func newFeed(plan *replay.Plan, stream replay.Stream, clock site.Clock, sc *scenario.Scenario, blocks int) *feed {
	f := &feed{plan: plan, stream: stream, clock: clock, noTimestamp: sc.Append.NoTimestamp,
		lowMs: plausible(math.MinInt64, clock), highMs: plausible(math.MaxInt64, clock),
		cuts: boundaries(plan, clock, blocks), parts: make([]fed, len(plan.Partitions))}
	f.keys, f.sizes = sc.Filter.LooksAt()
	for i := range f.parts {
		f.parts[i].appendMs = firstAppendMs(plan, i, clock)
	}
	return f
}

// firstAppendMs is the append time of messages without a timestamp that come
// before any with one: the earliest of their partition, else of the capture.
func firstAppendMs(plan *replay.Plan, i int, clock site.Clock) int64 {
	if p := &plan.Partitions[i]; p.Messages > p.NoTimestamp {
		return plausible(p.MinMs, clock)
	}
	low, _ := earliestMs(plan)
	return plausible(low, clock)
}

// next fills the next epoch. It returns io.EOF after the last one.
func (f *feed) next(e *epoch) error {
	if len(f.cuts) == 0 {
		return io.EOF
	}
	e.nextAppendMs = f.cuts[0]
	f.cuts = f.cuts[1:]
	if len(e.rows) == 0 {
		e.rows = make([]site.Rows, len(f.parts))
	}
	for i := range f.parts {
		if err := f.fill(i, e.nextAppendMs); err != nil {
			return err
		}
		f.parts[i].moveTo(&e.rows[i], e.nextAppendMs)
		f.done += int64(e.rows[i].Len())
	}
	return nil
}

// fill reads until partition i has a row appended at or after beforeMs, or ends.
func (f *feed) fill(i int, beforeMs int64) error {
	p := &f.parts[i]
	for !p.ended && (p.head == p.rows.Len() || p.appendMs < beforeMs) {
		f.batch.Reset()
		err := f.stream.Next(i, &f.batch)
		if errors.Is(err, io.EOF) {
			p.ended = true
			if got := p.rows.First + int64(p.rows.Len()); got != f.plan.Partitions[i].Messages {
				return fmt.Errorf("%s/%d: the second pass found %d messages, the first %d: did the capture change meanwhile? run again",
					f.plan.Partitions[i].Topic, f.plan.Partitions[i].Number, got, f.plan.Partitions[i].Messages)
			}
			return nil
		}
		if err != nil {
			return err
		}
		if err := f.scatter(&f.batch); err != nil {
			return err
		}
	}
	return nil
}
