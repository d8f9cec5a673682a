package measure

import (
	"math"
	"slices"
	"sort"

	"twindrift/sim/spill"
)

// openPairs is an owner second at A that may still get messages.
type openPairs struct {
	second int64
	minY   int64        // owner time at B
	minB   int64        // id at B
	x, y   []int64      // ids at A and at B, of the last messages to come
	full   []*pairChunk // those before
}

// pairChunk is some messages of an open second, in memory, or on disk in order of the ids
// at A.
type pairChunk struct {
	x, y   []int64      // those in memory
	leaves []spill.Kept // those on disk, each with the x of some and then their y
	marks  []int64      // see chunk
}

// fill makes a chunk of the last messages.
func (p *Pair) fill(o *openPairs) *pairChunk {
	c := &pairChunk{x: o.x, y: o.y, marks: marksOf(o.x, p.chunk)}
	o.full, o.x, o.y = append(o.full, c), nil, nil
	return c
}

// turn makes a chunk of the last messages, and room for as many more.
func (p *Pair) turn(o *openPairs) {
	c := p.fill(o)
	room := len(c.x) + len(c.x)/8
	o.x, o.y = make([]int64, 0, room), make([]int64, 0, room)
}

// len is the number of messages, in memory and on disk.
func (o *openPairs) len() int {
	n := len(o.x)
	for _, c := range o.full {
		n += len(c.x)
		for i := range c.leaves {
			n += c.leaves[i].Len() / 2
		}
	}
	return n
}

// many is as with open.
func (o *openPairs) many() bool {
	return len(o.full) > wholeChunks || slices.ContainsFunc(o.full, (*pairChunk).onDisk)
}

func (c *pairChunk) onDisk() bool { return len(c.leaves) > 0 }

// measure goes over the messages of an open second, of very many piece by piece, as pieces.
func (p *Pair) measure(o *openPairs) {
	if len(o.full) == 0 {
		p.addPart(o.second, o.x, o.y, true)
		return
	}
	var bounds []int64
	if o.many() {
		if len(o.x) > 0 {
			p.fill(o)
		}
		var marks []int64
		for _, c := range o.full {
			marks = append(marks, c.marks...)
		}
		if bounds = boundsOf(marks, p.chunk); len(bounds) > 0 {
			for _, c := range o.full {
				p.byID.sort(c.x, c.y)
			}
		}
	}
	for last := false; !last; {
		through := int64(math.MaxInt64)
		if last = len(bounds) == 0; !last {
			through, bounds = bounds[0], bounds[1:]
		}
		p.pieceX, p.pieceY = p.pieceX[:0], p.pieceY[:0]
		if last && !o.many() {
			p.pieceX, p.pieceY = slices.Grow(p.pieceX, o.len()), slices.Grow(p.pieceY, o.len())
		}
		for _, c := range o.full {
			p.move(c, through)
		}
		p.pieceX, p.pieceY = append(p.pieceX, o.x...), append(p.pieceY, o.y...)
		p.addPart(o.second, p.pieceX, p.pieceY, last)
	}
}

// move takes the messages of a chunk up to an id at A out of it, into the piece.
func (p *Pair) move(c *pairChunk, through int64) {
	for {
		if len(c.x) == 0 {
			if len(c.leaves) == 0 {
				return
			}
			words := p.spill.Read(&c.leaves[0], nil)
			c.x, c.y, c.leaves = words[:len(words)/2], words[len(words)/2:], c.leaves[1:]
		}
		n := len(c.x)
		if through != math.MaxInt64 {
			n = sort.Search(n, func(i int) bool { return c.x[i] > through })
		}
		p.pieceX, p.pieceY = append(p.pieceX, c.x[:n]...), append(p.pieceY, c.y[:n]...)
		if c.x, c.y = c.x[n:], c.y[n:]; len(c.x) > 0 {
			return
		}
		c.x, c.y = nil, nil // which frees them
	}
}

// clear makes ready for another second.
func (o *openPairs) clear() {
	clear(o.full)
	*o = openPairs{minY: math.MaxInt64, minB: math.MaxInt64, x: o.x[:0], y: o.y[:0], full: o.full[:0]}
}

// pairsInMemory is what of an open second can go to disk in one go: a chunk, or the last
// messages where that is nil.
type pairsInMemory struct {
	*openPairs
	chunk *pairChunk
}

func (m pairsInMemory) bytes() int64 {
	if m.chunk != nil {
		return int64(cap(m.chunk.x)+cap(m.chunk.y)) * 8
	}
	return int64(cap(m.x)+cap(m.y)) * 8
}

// shed writes messages of open seconds to disk where they take too much memory.
func (p *Pair) shed() {
	if p.spill == nil {
		return
	}
	p.shedding = p.shedding[:0]
	for _, o := range p.opens {
		for _, c := range o.full {
			if len(c.x) > 0 {
				p.shedding = append(p.shedding, pairsInMemory{o, c})
			}
		}
		p.shedding = append(p.shedding, pairsInMemory{openPairs: o})
	}
	spill.Shed(p.spill, p.shedding, pairsInMemory.bytes, p.writeChunk)
	clear(p.shedding)
}

// writeChunk writes a chunk to disk.
func (p *Pair) writeChunk(m pairsInMemory) bool {
	c := m.chunk
	if c == nil {
		c = p.fill(m.openPairs)
		m.x, m.y = nil, nil // which frees them
	}
	p.byID.sort(c.x, c.y)
	rows := p.spill.PageWords()
	for from := 0; from < len(c.x); from += rows {
		to := min(from+rows, len(c.x))
		p.words = append(append(p.words[:0], c.x[from:to]...), c.y[from:to]...)
		leaf, ok := p.spill.Write(p.words)
		if !ok {
			c.leaves = nil
			return false
		}
		c.leaves = append(c.leaves, leaf)
	}
	c.x, c.y = nil, nil
	return true
}
