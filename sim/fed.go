package sim

import (
	"fmt"
	"math"
	"slices"

	"twindrift/replay"
	"twindrift/sim/scenario"
	"twindrift/sim/site"
)

// fed is a partition's rows that have been read and not handed out.
type fed struct {
	rows     site.Rows
	reachMs  []int64 // running maximum of the append times; empty where those never fall
	head     int
	appendMs int64 // running maximum of the timestamps so far
	ended    bool
}

// scatter adds a batch's rows to their partitions, with the append rule
// (MODEL 1): what the broker stamped was in the log at its timestamp; else a
// message is in the log no earlier than those before it, so its append time is
// the running maximum of the timestamps.
func (f *feed) scatter(b *replay.Batch) error {
	for from := 0; from < b.Len(); {
		index, to := b.Partition[from], from+1
		for to < b.Len() && b.Partition[to] == index {
			to++
		}
		for from < to {
			if from += f.addPlain(b, from, to); from < to {
				if err := f.add(b, from); err != nil {
					return err
				}
				from++
			}
		}
	}
	return nil
}

// addPlain is add for the rows from..to of a batch, all of one partition, up to the
// first that is out of the ordinary, and says how many those were.
func (f *feed) addPlain(b *replay.Batch, from, to int) int {
	p := &f.parts[b.Partition[from]]
	r := &p.rows
	if f.observer != "" || len(p.reachMs) > 0 || len(r.Absent) > 0 {
		return 0
	}
	n := len(r.AppendMs)
	r.AppendMs = slices.Grow(r.AppendMs, to-from)[:n+to-from]
	k := f.reach(b.TimestampMs[from:to], b.TimestampType[from:to], p.appendMs, r.AppendMs[n:])
	to = from + k
	if r.AppendMs = r.AppendMs[:n+k]; k > 0 {
		p.appendMs = r.AppendMs[n+k-1]
	}
	r.Offset, r.EventMs = append(r.Offset, b.Offset[from:to]...), append(r.EventMs, b.TimestampMs[from:to]...)
	f.addForFilter(r, b, from, to)
	return k
}

// addForFilter adds what the business filter looks at.
func (f *feed) addForFilter(r *site.Rows, b *replay.Batch, from, to int) {
	if f.keys {
		r.KeyHash = append(r.KeyHash, b.KeyHash[from:to]...)
	}
	if f.sizes {
		r.ValueLen = append(r.ValueLen, b.ValueLen[from:to]...)
	}
}

// reach fills the running maximum of timestamps, from that of those before them, up to
// the first message that has none or that the broker stamped earlier than one before
// it. It says how many messages come before that.
func (f *feed) reach(timestampMs []int64, types []int8, sinceMs int64, out []int64) int {
	types, out = types[:len(timestampMs)], out[:len(timestampMs)]
	low, high := f.lowMs, f.highMs
	for i, ts := range timestampMs {
		ms := min(max(ts, low), high)
		if ts == replay.NoTimestamp || types[i] == replay.TimestampLogAppend && ms < sinceMs {
			return i
		}
		sinceMs = max(sinceMs, ms)
		out[i] = sinceMs
	}
	return len(timestampMs)
}

// add adds row i of a batch to its partition.
func (f *feed) add(b *replay.Batch, i int) error {
	p := &f.parts[b.Partition[i]]
	r, ts := &p.rows, b.TimestampMs[i]
	appendMs, absent, fallsBack := p.appendMs, false, false
	if ts != replay.NoTimestamp {
		ms := plausible(ts, f.clock)
		fallsBack = ms < p.appendMs && b.TimestampType[i] == replay.TimestampLogAppend
		p.appendMs = max(p.appendMs, ms)
		if appendMs = p.appendMs; fallsBack {
			appendMs = ms
		}
	} else {
		var err error
		if absent, err = f.without(b, i); err != nil {
			return err
		}
	}
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
	if fallsBack && len(p.reachMs) == 0 {
		p.reachMs = append(p.reachMs, r.AppendMs...)
	}
	if fallsBack || len(p.reachMs) > 0 {
		p.reachMs = append(p.reachMs, p.appendMs)
	}
	if absent && len(r.Absent) == 0 {
		r.Absent = slices.Grow(r.Absent[:0], r.Len()+1)[:r.Len()]
		clear(r.Absent)
	}
	if absent || len(r.Absent) > 0 {
		r.Absent = append(r.Absent, absent)
	}
	r.Offset, r.EventMs, r.AppendMs = append(r.Offset, b.Offset[i]), append(r.EventMs, ts), append(r.AppendMs, appendMs)
	f.addForFilter(r, b, i, i+1)
	return nil
}

// without says what becomes of message i of a batch, which has no timestamp: whether it
// is left out.
func (f *feed) without(b *replay.Batch, i int) (absent bool, err error) {
	switch f.noTimestamp {
	case scenario.NoTimestampFail:
		part := &f.plan.Partitions[b.Partition[i]]
		return false, fmt.Errorf("%s/%d@%d has no timestamp; let append.no_timestamp be append or skip in the scenario",
			part.Topic, part.Number, b.Offset[i])
	case scenario.NoTimestampSkip:
		f.skipped++
		return true, nil
	}
	return false, nil
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
	to.AppendRows(rows, from, until)
	to.NextObservedMs = math.MaxInt64
	if len(rows.ObservedMs) > 0 {
		to.NextObservedMs = nextObserved(rows, until)
	}
	p.head = until
	if p.head*2 >= rows.Len() {
		p.compact()
	}
}

// compact drops what has been handed out.
func (p *fed) compact() {
	p.rows.Drop(p.head)
	if len(p.reachMs) > 0 {
		p.reachMs = slices.Delete(p.reachMs, 0, p.head)
	}
	p.head = 0
}
