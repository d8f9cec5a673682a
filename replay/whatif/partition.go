package whatif

import (
	"encoding/binary"
	"fmt"
	"math"
	"math/bits"

	"github.com/cespare/xxhash/v2"

	"twindrift/replay"
	"twindrift/replay/philox"
)

// partition changes the rows of one partition, in offset order.
type partition struct {
	changes *Changes
	bounds  *bounds
	name    string // for errors
	index   int32  // in the plan of the changed capture
	luck    uint64 // its name, hashed
	renumer bool   // offsets are given anew
	offset  int64  // the next one, where they are
	reachMs int64  // largest timestamp so far, before Shift; MinInt64 before the first
	waiting waiting
	rows    replay.Batch // read and to be changed
	ended   bool
	err     error
}

// What random words are for: the last word of the counter.
const (
	forNumber = iota // how many copies
	forMove
	forKey
)

func newPartition(c *Changes, b *bounds, p *replay.Partition, index int32) partition {
	name := binary.LittleEndian.AppendUint64([]byte("traffic"), uint64(len(p.Topic)))
	name = binary.LittleEndian.AppendUint32(append(name, p.Topic...), uint32(p.Number))
	return partition{
		changes: c, bounds: b, name: fmt.Sprintf("%s/%d", p.Topic, p.Number), index: index,
		luck: xxhash.Sum64(name), renumer: c.copies() || c.Repeat > 1, reachMs: math.MinInt64,
	}
}

// change hands the changed form of p.rows, all of one round, to out.
func (p *partition) change(round int, out *replay.Batch) error {
	from := out.Len()
	if p.changes.counts() {
		p.multiply(round, out)
	} else {
		out.AppendRows(&p.rows, 0, p.rows.Len())
		p.move(out, from, out.Len(), int64(round)*p.bounds.periodMs)
	}
	p.rows.Reset()
	return p.finish(out, from)
}

// end hands the copies that still wait to out.
func (p *partition) end(out *replay.Batch) error {
	from := out.Len()
	p.release(math.MaxInt64, out)
	p.ended = true
	return p.finish(out, from)
}

// multiply puts each message there as often as the scales say.
func (p *partition) multiply(round int, out *replay.Batch) {
	roundMs := int64(round) * p.bounds.periodMs
	rows := &p.rows
	p.move(rows, 0, rows.Len(), roundMs)
	for i := range rows.Offset {
		if ms := rows.TimestampMs[i]; ms > p.reachMs && ms != replay.NoTimestamp {
			p.reachMs = ms
		}
		p.release(p.reachMs, out)
		n := p.number(i, round)
		if n > 0 {
			out.Append(rows, i)
		}
		for c := 1; c < n; c++ {
			p.twin(i, round, c)
		}
	}
}

// number is how often row i is there.
func (p *partition) number(i, round int) int {
	scale := p.changes.Scale
	ms := p.rows.TimestampMs[i]
	if ms == replay.NoTimestamp {
		ms = p.reachMs
	}
	for k := range p.bounds.bursts {
		if p.bounds.bursts[k].holds(ms) {
			scale *= p.changes.Bursts[k].Scale
		}
	}
	whole := math.Floor(scale)
	n := int(whole)
	if rest := scale - whole; rest > 0 {
		word, _, _, _ := philox.Words(uint64(p.rows.Offset[i]), uint64(round), 0, forNumber, p.changes.Seed, p.luck)
		if philox.Float(word) < rest {
			n++
		}
	}
	return n
}

// twin makes copy number c of row i, which waits for its place in the log.
func (p *partition) twin(i, round, c int) {
	word, _, _, _ := philox.Words(uint64(p.rows.Offset[i]), uint64(round), uint64(c), forMove, p.changes.Seed, p.luck)
	high, _ := bits.Mul64(word, uint64(p.changes.SpreadMs)+1)
	by := int64(high)
	appendMs := p.reachMs
	if appendMs != math.MinInt64 {
		appendMs += by
	}
	slot := p.waiting.put(appendMs, &p.rows, i)
	held := &p.waiting.rows
	p.move(held, slot, slot+1, by)
	if held.KeyLen[slot] != replay.NullLen {
		key, _, _, _ := philox.Words(held.KeyHash[slot], uint64(c), 0, forKey, p.changes.Seed, 0)
		held.KeyHash[slot] = max(key, 1) // 0 is that of a null key
	}
	if len(held.MessageID) > 0 {
		held.MessageID[slot] = replay.NoMessageID
	}
}

// release hands over the copies that are appended by a moment.
func (p *partition) release(untilMs int64, out *replay.Batch) {
	for {
		slot, ok := p.waiting.take(untilMs)
		if !ok {
			return
		}
		out.Append(&p.waiting.rows, slot)
	}
}

// move makes rows later.
func (p *partition) move(b *replay.Batch, from, to int, ms int64) {
	if ms == 0 {
		return
	}
	for i, t := range b.TimestampMs[from:to] {
		if t == replay.NoTimestamp {
			continue
		}
		if t += ms; t == replay.NoTimestamp {
			p.err = fmt.Errorf("traffic: %s@%d: moved by %d ms its timestamp is -1 ms, which stands for none; move by another amount", p.name, b.Offset[from+i], ms)
		}
		b.TimestampMs[from+i] = t
	}
	if len(b.ProcessedAtMs) == 0 {
		return
	}
	for i, t := range b.ProcessedAtMs[from:to] {
		if t != replay.NoTimestamp {
			b.ProcessedAtMs[from+i] = t + ms
		}
	}
}

// finish shifts rows and gives them their partition and offset.
func (p *partition) finish(out *replay.Batch, from int) error {
	p.move(out, from, out.Len(), p.changes.ShiftMs)
	for i := from; i < out.Len(); i++ {
		out.Partition[i] = p.index
		if p.renumer {
			out.Offset[i] = p.offset
			p.offset++
		}
	}
	return p.err
}
