package recipe

import (
	"container/heap"
	"math/bits"

	"twindrift/replay/philox"
)

// What a draw is for: the third word of its counter. The first is the time of
// the cell, the second the message's place in it.
const (
	forCount   = iota // how many messages the cell has
	forMessage        // when in the cell, key, value, jitter
	forLate           // whether late, how late
	forStall          // whether held; the fourth word is the number of the stall
)

// feeder draws, in the order of their stamps, the messages that reach the log
// in one way: at once, after a stall, or once more.
//
// Messages are drawn cell by cell. A cell is what a piece of steady rate and a
// second have in common. Every feeder that comes by a cell draws the same
// messages and takes those that are its own.
type feeder struct {
	window          // of the stamps
	stall   int     // the stall whose messages it brings, or none
	afterMs int64   // what a resend adds to the stamp
	order   int     // among the feeders of the topic
	pieces  []piece // from the one that cellMs lies in
	cellMs  int64   // where the next cell begins
	boundMs int64   // nothing that it still has to bring reaches the log before
}

const none = -1

// feeders gives the feeders of a topic, in the order of their first bounds.
func (c *traffic) feeders() feederHeap {
	end := c.pieces[len(c.pieces)-1].to
	list := feederHeap{c.feeder(window{c.pieces[0].from, end})}
	for i, s := range c.stalls {
		f := c.feeder(s.window)
		f.stall = i
		list = append(list, f)
	}
	for _, r := range c.resends {
		f := c.feeder(r.window)
		f.afterMs = r.afterMs
		list = append(list, f)
	}
	for i := range list {
		list[i].order = i
		list[i].boundMs = c.bound(&list[i])
	}
	heap.Init(&list)
	return list
}

// feeder is a feeder of a window's messages, at the cell in which it begins.
func (c *traffic) feeder(w window) feeder {
	f := feeder{window: w, stall: none, pieces: c.pieces[c.pieceAt(w.from):]}
	f.cellMs = max(f.pieces[0].from, w.from-w.from%1000)
	return f
}

// bound is the earliest time at which a message still to be drawn can reach
// the log.
func (c *traffic) bound(f *feeder) int64 {
	from := min(max(f.cellMs, f.from), f.to)
	if f.stall != none {
		return c.stalls[f.stall].sent(from)
	}
	return from + f.afterMs
}

// sent is when a message stamped during a stall, or at its end, reaches the log.
func (h *holding) sent(createdMs int64) int64 {
	hi, lo := bits.Mul64(uint64(createdMs-h.from), uint64(h.drainMs))
	q, _ := bits.Div64(hi, lo, uint64(h.to-h.from))
	return h.to + int64(q)
}

// feed draws the next cell; false when the window is over.
func (p *partition) feed(f *feeder) bool {
	for len(f.pieces) > 0 && f.pieces[0].to <= f.cellMs {
		f.pieces = f.pieces[1:]
	}
	if len(f.pieces) == 0 || f.cellMs >= f.to {
		return false
	}
	piece, cell := &f.pieces[0], f.cellMs
	rate := float64(piece.rate) * p.topic.partitions[p.number]
	if rate == 0 {
		f.cellMs = piece.to
		return true
	}
	f.cellMs = min(piece.to, cell-cell%1000+1000)
	length := f.cellMs - cell
	n := p.count(cell, rate*float64(length))
	t := p.topic
	p.findStalls(window{cell, f.cellMs})
	for i := range uint64(n) {
		w := philox.Block([4]uint64{uint64(cell), i, forMessage}, p.key)
		place, _ := bits.Mul64(w[0], uint64(length))
		r := row{createdMs: cell + int64(place), bytes: t.valueBytes[w[2]%quantiles]}
		if !p.take(f, &r, cell, i, w[3]) {
			continue
		}
		if p.keys != nil {
			r.key = p.keys.draw(w[1])
		}
		p.put(r)
	}
	return true
}

// count draws how many messages a cell has.
func (p *partition) count(cell int64, mean float64) int {
	d := p.counts[mean]
	if d == nil {
		d = newPoisson(mean)
		p.counts[mean] = d
	}
	return d.draw(philox.Block([4]uint64{uint64(cell), 0, forCount}, p.key)[0])
}

// take says whether a message is the feeder's own, and settles when it reaches
// the log.
func (p *partition) take(f *feeder, r *row, cell int64, i, jitter uint64) bool {
	t := p.topic
	if f.afterMs != 0 {
		r.appendMs = r.createdMs + f.afterMs
		return f.holds(r.createdMs)
	}
	if len(p.near) > 0 {
		s := p.stalled(r.createdMs, cell, i)
		if s != f.stall {
			return false
		}
		if s != none {
			r.appendMs = t.stalls[s].sent(r.createdMs)
			return true
		}
	}
	r.appendMs = r.createdMs
	if t.jitterMs > 0 {
		ms, _ := bits.Mul64(jitter, uint64(t.jitterMs)+1)
		r.appendMs += int64(ms)
	}
	if t.late != nil {
		w := philox.Block([4]uint64{uint64(cell), i, forLate}, p.key)
		r.appendMs += t.late.draw(w[0], w[1])
	}
	return true
}

// findStalls notes the stalls that touch a cell.
func (p *partition) findStalls(cell window) {
	p.near = p.near[:0]
	for s := range p.topic.stalls {
		if h := &p.topic.stalls[s]; h.from < cell.to && cell.from < h.to {
			p.near = append(p.near, s)
		}
	}
}

// stalled is the first stall that holds a message, or none.
func (p *partition) stalled(createdMs, cell int64, i uint64) int {
	for _, s := range p.near {
		h := &p.topic.stalls[s]
		if !h.holds(createdMs) {
			continue
		}
		w := philox.Block([4]uint64{uint64(cell), i, forStall, uint64(s)}, p.key)
		if philox.Float(w[0]) < float64(h.share) {
			return s
		}
	}
	return none
}

// feederHeap has the feeder whose next message may come first at its head.
type feederHeap []feeder

func (h feederHeap) Len() int { return len(h) }
func (h feederHeap) Less(i, j int) bool {
	return h[i].boundMs < h[j].boundMs || h[i].boundMs == h[j].boundMs && h[i].order < h[j].order
}
func (h feederHeap) Swap(i, j int) { h[i], h[j] = h[j], h[i] }
func (h *feederHeap) Push(f any)   { *h = append(*h, f.(feeder)) }
func (h *feederHeap) Pop() any {
	last := len(*h) - 1
	f := (*h)[last]
	*h = (*h)[:last]
	return f
}
