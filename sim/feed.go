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
	cuts        []int64
	batch       replay.Batch
	parts       []fed
	skipped     int64
	done        int64 // rows handed out
}

// fed is a partition's rows that have been read and not handed out.
type fed struct {
	rows     site.Rows
	reachMs  []int64 // running maximum of the append times; empty where those never fall
	head     int
	appendMs int64 // running maximum of the timestamps so far
	ended    bool
}

func newFeed(plan *replay.Plan, stream replay.Stream, clock site.Clock, noTimestamp string, blocks int) *feed {
	f := &feed{plan: plan, stream: stream, clock: clock, noTimestamp: noTimestamp,
		cuts: boundaries(plan, clock, blocks), parts: make([]fed, len(plan.Partitions))}
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

// scatter adds a batch's rows to their partitions, with the append rule
// (MODEL 1): what the broker stamped was in the log at its timestamp; else a
// message is in the log no earlier than those before it, so its append time is
// the running maximum of the timestamps.
func (f *feed) scatter(b *replay.Batch) error {
	for i, index := range b.Partition {
		p := &f.parts[index]
		ts := b.TimestampMs[i]
		absent, fallsBack := false, false
		if ts != replay.NoTimestamp {
			ms := plausible(ts, f.clock)
			fallsBack = ms < p.appendMs && b.TimestampType[i] == replay.TimestampLogAppend
			if fallsBack && len(p.reachMs) == 0 {
				p.reachMs = append(p.reachMs, p.rows.AppendMs...)
			}
			p.appendMs = max(p.appendMs, ms)
		} else {
			switch f.noTimestamp {
			case scenario.NoTimestampFail:
				part := &f.plan.Partitions[index]
				return fmt.Errorf("%s/%d@%d has no timestamp; let append.no_timestamp be append or skip in the scenario",
					part.Topic, part.Number, b.Offset[i])
			case scenario.NoTimestampSkip:
				absent = true
				f.skipped++
			}
		}
		r := &p.rows
		if f.observer != "" {
			seen := int64(replay.NoTimestamp)
			if !absent {
				var err error
				if seen, err = f.observedMs(b, i); err != nil {
					return err
				}
			}
			r.ObservedMs = append(r.ObservedMs, seen)
		}
		if absent && len(r.Absent) == 0 {
			r.Absent = slices.Grow(r.Absent[:0], r.Len()+1)[:r.Len()]
			clear(r.Absent)
		}
		r.Offset = append(r.Offset, b.Offset[i])
		r.EventMs = append(r.EventMs, ts)
		if fallsBack {
			r.AppendMs = append(r.AppendMs, plausible(ts, f.clock))
		} else {
			r.AppendMs = append(r.AppendMs, p.appendMs)
		}
		if fallsBack || len(p.reachMs) > 0 {
			p.reachMs = append(p.reachMs, p.appendMs)
		}
		r.KeyHash = append(r.KeyHash, b.KeyHash[i])
		r.ValueLen = append(r.ValueLen, b.ValueLen[i])
		if len(r.Absent) > 0 || absent {
			r.Absent = append(r.Absent, absent)
		}
	}
	return nil
}

// moveTo hands the rows appended before a moment to an epoch.
func (p *fed) moveTo(to *site.Rows, beforeMs int64) {
	rows := &p.rows
	reach := rows.AppendMs
	if len(p.reachMs) > 0 {
		reach = p.reachMs
	}
	n, _ := slices.BinarySearch(reach[p.head:], beforeMs)
	from, until := p.head, p.head+n
	to.Reset(rows.First + int64(from))
	to.Offset = append(to.Offset, rows.Offset[from:until]...)
	to.EventMs = append(to.EventMs, rows.EventMs[from:until]...)
	to.AppendMs = append(to.AppendMs, rows.AppendMs[from:until]...)
	to.KeyHash = append(to.KeyHash, rows.KeyHash[from:until]...)
	to.ValueLen = append(to.ValueLen, rows.ValueLen[from:until]...)
	if len(rows.Absent) > 0 {
		to.Absent = append(to.Absent, rows.Absent[from:until]...)
	}
	to.NextObservedMs = math.MaxInt64
	if len(rows.ObservedMs) > 0 {
		to.ObservedMs = append(to.ObservedMs, rows.ObservedMs[from:until]...)
		to.NextObservedMs = nextObserved(rows, until)
	}
	p.head = until
	if p.head*2 >= rows.Len() {
		p.compact()
	}
}

// compact drops what has been handed out.
func (p *fed) compact() {
	r := &p.rows
	r.First += int64(p.head)
	r.Offset = drop(r.Offset, p.head)
	r.EventMs = drop(r.EventMs, p.head)
	r.AppendMs = drop(r.AppendMs, p.head)
	r.KeyHash = drop(r.KeyHash, p.head)
	r.ValueLen = drop(r.ValueLen, p.head)
	if len(r.Absent) > 0 {
		r.Absent = drop(r.Absent, p.head)
	}
	if len(r.ObservedMs) > 0 {
		r.ObservedMs = drop(r.ObservedMs, p.head)
	}
	if len(p.reachMs) > 0 {
		p.reachMs = drop(p.reachMs, p.head)
	}
	p.head = 0
}

func drop[T any](s []T, n int) []T { return s[:copy(s, s[n:])] }
