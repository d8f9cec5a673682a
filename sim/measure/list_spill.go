package measure

import (
	"slices"

	"twindrift/generator"
	"twindrift/sim/spill"
)

// Spill has the list write open seconds to disk when they take too much memory.
func (l *List) Spill(to *spill.Owner) { l.spill = to }

// shed writes chunks of open seconds to disk where they take too much memory.
func (l *List) shed() {
	if l.spill == nil {
		return
	}
	l.shedding = l.shedding[:0]
	for _, o := range l.opens {
		for _, c := range o.chunks {
			if c.entries != nil && o.pieces == nil {
				l.shedding = append(l.shedding, c)
			}
		}
	}
	spill.Shed(l.spill, l.shedding, (*chunk).bytes, l.writeChunk)
	clear(l.shedding)
}

func (c *chunk) bytes() int64 { return c.entries.bytes() }

// writeChunk writes a chunk to disk: sorted, unless entries of it may still be taken out.
func (l *List) writeChunk(c *chunk) (ok bool) {
	c.mark(l.chunk) // also where it was on disk before: more may have come
	if !c.sorted && !l.processes.Redelivers {
		l.sortChunk(c)
	}
	if c.leaves, ok = l.disk.writeAll(l.spill, c.entries); ok {
		c.putBack()
		c.entries = nil
	}
	return ok
}

// recall brings a chunk back from disk.
func (l *List) recall(c *chunk) {
	if c.entries == nil {
		c.entries = newEntries(0)
		l.moveAll(c, c.entries)
	}
}

// moveAll appends the entries of a chunk that has not been cut, and is not used after
// that, to others.
func (l *List) moveAll(c *chunk, to *entries) {
	l.disk.readAll(l.spill, c.leaves, to)
	c.leaves = c.leaves[:0]
	if c.entries != nil && c.entries != to {
		to.appendFrom(c.entries, 0, c.len())
		c.putBack()
		c.entries = nil
	}
}

// entriesOnDisk writes entries as words and reads them back.
type entriesOnDisk struct{ words []int64 }

// entryWords is how many words an entry takes on disk. They stand as columns.
const entryWords = 5

// writeAll writes entries in the order in which they stand, in leaves of a few pages.
func (d *entriesOnDisk) writeAll(disk *spill.Owner, e *entries) (leaves []spill.Kept, ok bool) {
	w, rows := walk{entries: e}, disk.PageWords()
	for from := 0; from < e.len(); from += rows {
		leaf, ok := d.write(disk, &w, from, min(from+rows, e.len()))
		if !ok {
			return nil, false
		}
		leaves = append(leaves, leaf)
	}
	return leaves, true
}

// write writes the entries at the places from..to, which must not fall.
func (d *entriesOnDisk) write(disk *spill.Owner, w *walk, from, to int) (spill.Kept, bool) {
	n := to - from
	d.words = slices.Grow(d.words[:0], entryWords*n)[:entryWords*n]
	copy(d.words, w.ids[from:to])
	copy(d.words[n:], w.eventMs[from:to])
	now, offset, small := d.words[2*n:3*n], d.words[3*n:4*n], d.words[4*n:]
	for k := range small {
		i, consumer, life := w.seek(from + k)
		if i < len(w.gone) && w.gone[i] {
			life |= gone
		}
		now[k], offset[k] = w.nowMs[i], w.offset[i]
		small[k] = int64(w.partition[i])<<32 | int64(uint16(consumer))<<16 | int64(w.kind[i])<<8 | int64(life)
	}
	return disk.Write(d.words)
}

// readAll appends the entries of leaves to others.
func (d *entriesOnDisk) readAll(disk *spill.Owner, leaves []spill.Kept, e *entries) {
	for i := range leaves {
		d.read(disk, &leaves[i], e)
	}
}

// read appends the entries of a leaf to others.
func (d *entriesOnDisk) read(disk *spill.Owner, k *spill.Kept, e *entries) {
	d.words = disk.Read(k, d.words[:0])
	n, at := len(d.words)/entryWords, e.len()
	e.grow(n)
	e.ids, e.eventMs = append(e.ids, d.words[:n]...), append(e.eventMs, d.words[n:2*n]...)
	e.nowMs, e.offset = append(e.nowMs, d.words[2*n:3*n]...), append(e.offset, d.words[3*n:4*n]...)
	for i, small := range d.words[4*n:] {
		e.partition, e.kind = append(e.partition, int32(small>>32)), append(e.kind, generator.Kind(small>>8))
		e.extend(at+i, int16(small>>16), uint8(small)&^gone, 1)
		if uint8(small)&gone != 0 {
			e.takeOut(at + i)
		}
	}
}
