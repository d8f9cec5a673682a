package parquet

import (
	"slices"

	"twindrift/replay"
)

// distribute gives the rows of the slab to b, or holds them back.
func (s *pass) distribute(g *reading, b *replay.Batch) {
	l := &s.slab
	g.number(l)
	l.complete(g.layout)
	s.counts = slices.Grow(s.counts[:0], len(g.pieces))[:len(g.pieces)]
	clear(s.counts)
	for _, at := range l.piece {
		s.counts[at]++
	}
	plain := !s.skipping(g)
	for at, n := range s.counts {
		plain = plain && (n == 0 || s.turn(g.pieces[at]))
	}
	if !plain {
		s.distributeRuns(g, b)
		return
	}
	from := len(b.Partition)
	b.Partition = slices.Grow(b.Partition, l.n)[:from+l.n]
	for i, at := range l.piece {
		b.Partition[from+i] = g.pieces[at].part.index
	}
	s.c.appendRows(b, l, 0, l.n)
	for at, n := range s.counts {
		if n > 0 {
			s.given(g.pieces[at], int64(n), int64(n), b)
		}
	}
}

// number gives rows their numbers as offsets, where those are the offsets.
func (g *reading) number(l *slab) {
	if g.layout.offsets() != offsetRow {
		return
	}
	for i, at := range l.piece {
		l.offset[i] = g.pieces[at].base + g.numbered[at]
		g.numbered[at]++
	}
}

// skipping reports whether rows of the slab may have to be left out.
func (s *pass) skipping(g *reading) bool {
	return g.nulls > 0 && s.c.opts.NullTimestamps == nullsSkip
}

// distributeRuns is distribute where not all rows are to be given now.
func (s *pass) distributeRuns(g *reading, b *replay.Batch) {
	l := &s.slab
	for i := 0; i < l.n; {
		at := l.piece[i]
		j := i + 1
		for j < l.n && l.piece[j] == at {
			j++
		}
		pc := g.pieces[at]
		now := s.turn(pc)
		to := b
		if !now {
			to = s.hold(pc)
		}
		n := s.keep(to, pc.part, i, j)
		if now {
			s.given(pc, int64(j-i), n, b)
		} else {
			s.held[pc].rows += int64(j - i)
		}
		i = j
	}
}

// keep appends those of the rows i to j of the slab that are messages.
func (s *pass) keep(to *replay.Batch, pt *part, i, j int) (n int64) {
	for i < j {
		for i < j && s.slab.timestamp[i] == nullTime {
			i++
		}
		k := i
		for k < j && s.slab.timestamp[k] != nullTime {
			k++
		}
		for range k - i {
			to.Partition = append(to.Partition, pt.index)
		}
		s.c.appendRows(to, &s.slab, i, k)
		n += int64(k - i)
		i = k
	}
	return n
}

func (s *pass) hold(pc *piece) *replay.Batch {
	h := s.held[pc]
	if h == nil {
		h = &heldRows{}
		s.held[pc] = h
	}
	return &h.batch
}

// given notes that rows of a piece have been given, n of them messages, and
// when the piece ends turns to the partition's next.
func (s *pass) given(pc *piece, rows, n int64, b *replay.Batch) {
	r := s.rest[pc.part.index]
	r.messages += n
	if r.row += rows; r.row == pc.rows {
		s.nextStep(r, b)
	}
}

// nextStep turns to the next step of a partition, and gives what was held back
// of it.
func (s *pass) nextStep(r *restOf, b *replay.Batch) {
	for {
		r.step++
		r.row = 0
		if r.step == len(r.part.steps) || r.part.steps[r.step].tangle {
			return
		}
		pc := r.part.steps[r.step].pieces[0]
		h := s.held[pc]
		if h == nil {
			return
		}
		delete(s.held, pc)
		b.AppendRows(&h.batch, 0, h.batch.Len())
		r.messages += int64(h.batch.Len())
		if r.row = h.rows; r.row < pc.rows {
			return
		}
	}
}
