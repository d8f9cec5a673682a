package measure

import (
	"math"
	"slices"
	"sort"

	"twindrift/sim/spill"
)

// open is an owner second that may still get entries. They come into chunks, of which the
// last grows, so that none of those that came before have to be moved.
type open struct {
	second   int64
	minEvent int64
	n        int // entries that came
	chunks   []*chunk
	pieces   *pieces // once it is being closed piece by piece
}

// chunk is some entries of an open second, in memory or on disk: as they came, or in order
// of the list once it is sorted.
type chunk struct {
	*entries     // nil where they are on disk
	start    int // entries of the second that came before
	sorted   bool
	at       int          // how many of a sorted chunk in memory are taken out of it
	leaves   []spill.Kept // on disk
	marks    []int64      // of a chunk that is full or was on disk: some of the ids, evenly
}

// last is the chunk that the next entries go into.
func (o *open) last(most int) *chunk {
	k := len(o.chunks)
	if k > 0 {
		if c := o.chunks[k-1]; c.entries != nil && c.len() < most {
			return c
		}
	}
	room := 0
	if k > 0 && o.chunks[k-1].entries != nil { // as many more may be expected as came
		room = min(o.n, most)
	}
	if k == cap(o.chunks) {
		o.chunks = slices.Grow(o.chunks, max(k, 1))
	}
	o.chunks = o.chunks[:k+1]
	if o.chunks[k] == nil {
		o.chunks[k] = new(chunk)
	}
	*o.chunks[k] = chunk{entries: newEntries(room), start: o.n}
	return o.chunks[k]
}

// chunkAt is the chunk with the entry at a place among those of the second, as they came.
func (o *open) chunkAt(place int) *chunk {
	k := sort.Search(len(o.chunks), func(k int) bool { return o.chunks[k].start > place })
	return o.chunks[k-1]
}

// wholeChunks is how many chunks are put in order as a whole, which takes less time than
// putting each in order and then each piece, as long as it does not take too much memory.
const wholeChunks = 16

// many says whether the second is to be closed piece by piece.
func (o *open) many() bool {
	return len(o.chunks) > wholeChunks || len(o.chunks) > 1 && slices.ContainsFunc(o.chunks, (*chunk).onDisk)
}

func (c *chunk) onDisk() bool { return c.entries == nil }

// clear makes ready for another second, with the memory of the chunks.
func (o *open) clear() {
	for _, c := range o.chunks {
		*c = chunk{}
	}
	*o = open{minEvent: math.MaxInt64, chunks: o.chunks[:0]}
}

// together are all entries, as they came. The chunks are not to be used after that.
func (l *List) together(o *open) *entries {
	if len(o.chunks) == 1 {
		l.recall(o.chunks[0])
		return o.chunks[0].entries
	}
	all := newEntries(o.n)
	for _, c := range o.chunks {
		l.moveAll(c, all)
	}
	return all
}

// pieces are the entries of an owner second that has very many, cut by id so that only few
// of them are needed at a time: those up to the next bound, out of every chunk.
type pieces struct {
	chunks []*chunk
	bounds []int64 // ids, ascending; the last piece has what is left
	left   int     // entries that are in no piece yet
}

// marksPerChunk is how many marks a chunk has at most.
const marksPerChunk = 64

// cut makes ready for closing a second piece by piece.
func (l *List) cut(o *open) *pieces {
	var marks []int64
	for _, c := range o.chunks {
		if c.entries != nil {
			c.mark(l.chunk)
		}
		marks = append(marks, c.marks...)
	}
	p := &pieces{chunks: o.chunks, bounds: boundsOf(marks, l.chunk), left: o.n}
	if len(p.bounds) == 0 {
		return p
	}
	for _, c := range o.chunks {
		if c.sorted {
			continue
		}
		wasOnDisk := c.entries == nil
		l.recall(c)
		l.sortChunk(c)
		if wasOnDisk {
			l.writeChunk(c)
		}
	}
	return p
}

// boundsOf cuts behind marks: as many of them lie between two bounds as a chunk of most
// entries has, or more where they are equal. It sorts marks.
func boundsOf(marks []int64, most int) (bounds []int64) {
	slices.Sort(marks)
	last, few := marks[0], min(most, marksPerChunk)
	for k := few; k < len(marks); k += few {
		if mark := marks[k]; mark > last {
			bounds, last = append(bounds, mark-1), mark
		}
	}
	return bounds
}

// marksOf are the marks of a chunk with these ids, of most at most.
func marksOf(ids []int64, most int) (marks []int64) {
	for i := 0; i < len(ids); i += max(most/marksPerChunk, 1) {
		marks = append(marks, ids[i])
	}
	return marks
}

func (c *chunk) mark(most int) { c.marks = marksOf(c.ids, most) }

// sortChunk puts a chunk in order of the list. No entry of it may be taken out after that.
func (l *List) sortChunk(c *chunk) {
	l.sorter.sort(c.entries)
	c.sorted = true
}

// next is the next piece, not in order; more says that others follow.
func (l *List) next(p *pieces) (piece *entries, more bool) {
	through := int64(math.MaxInt64)
	if more = len(p.bounds) > 0; more {
		through, p.bounds = p.bounds[0], p.bounds[1:]
	}
	piece = newEntries(min(p.left, l.chunk))
	for _, c := range p.chunks {
		if more || c.sorted {
			l.move(c, through, piece)
		} else {
			l.moveAll(c, piece)
		}
	}
	p.left -= piece.len()
	return piece, more
}

// move takes the entries of a sorted chunk up to an id out of it, and appends them to a
// piece.
func (l *List) move(c *chunk, through int64, to *entries) {
	for {
		if c.entries == nil {
			if len(c.leaves) == 0 {
				return
			}
			c.entries, c.at = newEntries(0), 0
			l.disk.read(l.spill, &c.leaves[0], c.entries)
			c.leaves = c.leaves[1:]
		}
		rest := c.ids[c.at:]
		n := sort.Search(len(rest), func(i int) bool { return rest[i] > through })
		to.appendFrom(c.entries, c.at, c.at+n)
		if c.at += n; c.at < c.len() {
			return
		}
		c.putBack()
		c.entries = nil
	}
}
