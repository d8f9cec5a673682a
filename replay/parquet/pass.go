package parquet

import (
	"context"
	"fmt"
	"io"

	"twindrift/replay"
)

// streamRows is how many rows a pass decodes at a time: columns that stay in the cache.
const streamRows = 1 << 13

// pass is one pass over the messages. It decodes each row group once. Rows
// of a partition that are met before their turn are held back.
type pass struct {
	c      *Capture
	ctx    context.Context
	wanted []role
	rest   []*restOf // by plan index: what is still to come of each partition
	open   map[int]*reading
	held   map[*piece]*heldRows
	slab   slab
	counts []int32 // scratch
	err    error
}

// restOf is what is still to come of a partition.
type restOf struct {
	part     *part
	step     int   // the step at hand
	row      int64 // rows of its piece given, where it is one piece
	messages int64
	sorted   *replay.Batch // the messages of a tangle
	order    []int32       // those not yet given, by offset
	dropped  int64         // messages that were there before
}

// reading is a row group being read, and its pieces as far as met.
type reading struct {
	*rowGroup
	pieces   []*piece
	numbered []int64 // rows of each piece that have their numbers
}

// heldRows are rows of a piece that were met before their turn.
type heldRows struct {
	batch replay.Batch
	rows  int64 // with those that are left out
}

func (c *Capture) openPass(ctx context.Context) *pass {
	s := &pass{c: c, ctx: ctx, open: map[int]*reading{}, held: map[*piece]*heldRows{}}
	s.wanted = append(s.wanted, planRoles...)
	s.wanted = append(s.wanted, keyHashRole, keyLenRole, valueLenRole)
	for r, has := range c.optional {
		if has {
			s.wanted = append(s.wanted, role(r))
		}
	}
	for _, pt := range c.parts {
		s.rest = append(s.rest, &restOf{part: pt})
	}
	return s
}

// Next implements replay.Stream.
func (s *pass) Next(p int, b *replay.Batch) error {
	if s.err != nil {
		return s.err
	}
	r := s.rest[p]
	if want := s.c.plan.Partitions[p].Messages; r.messages == want {
		return io.EOF
	}
	before := r.messages
	for r.messages == before {
		if err := s.advance(r, b); err != nil {
			s.err = err
			return err
		}
	}
	return nil
}

// advance goes on until the next rows of a partition are found, and adds to b
// what it meets whose turn it is.
func (s *pass) advance(r *restOf, b *replay.Batch) error {
	if err := s.ctx.Err(); err != nil {
		return err
	}
	if r.step == len(r.part.steps) {
		return fmt.Errorf("topic %q partition %d: a file has changed since it was read first: %w", r.part.key.topic, r.part.key.number, io.ErrUnexpectedEOF)
	}
	at := r.part.steps[r.step]
	if !at.tangle {
		return s.readSlab(at.pieces[0].job, b)
	}
	if r.sorted == nil {
		for _, pc := range at.pieces {
			for s.missing(pc) > 0 {
				if err := s.readSlab(pc.job, b); err != nil {
					return err
				}
			}
		}
		s.untangle(r, at)
	}
	n := min(len(r.order), streamRows)
	for _, i := range r.order[:n] {
		b.Append(r.sorted, int(i))
	}
	r.messages += int64(n)
	if r.order = r.order[n:]; len(r.order) == 0 {
		r.sorted = nil
		s.nextStep(r, b)
	}
	return nil
}

// missing is how many rows of a piece of a tangle are not yet read.
func (s *pass) missing(pc *piece) int64 {
	if h := s.held[pc]; h != nil {
		return pc.rows - h.rows
	}
	return pc.rows
}

// readSlab reads the next rows of a row group and gives each to b or holds it
// back.
func (s *pass) readSlab(jobIndex int, b *replay.Batch) (err error) {
	j := s.c.jobs[jobIndex]
	defer func() { err = inFile(j.in.name, err) }()
	defer rescue(&err)
	g := s.open[jobIndex]
	if g == nil {
		rg, err := j.in.openGroup(j.in.layout, j.group, s.wanted, &s.c.opts)
		if err != nil {
			return err
		}
		g = &reading{rowGroup: rg}
		s.open[jobIndex] = g
	}
	if err := g.next(&s.slab, streamRows); err != nil {
		if err == io.EOF {
			err = fmt.Errorf("row group %d: the file has changed since it was read first: %w", j.group, io.ErrUnexpectedEOF)
		}
		return err
	}
	if err := s.meetPieces(g, jobIndex); err != nil {
		return err
	}
	s.distribute(g, b)
	if g.row == g.rows {
		g.close()
		delete(s.open, jobIndex)
	}
	return nil
}

// meetPieces finds the pieces of partitions that the row group's last rows
// brought up.
func (s *pass) meetPieces(g *reading, jobIndex int) error {
	for _, key := range g.rowGroup.pieces[len(g.pieces):] {
		var found *piece
		for _, pc := range s.c.jobs[jobIndex].pieces {
			if pc.part.key == key {
				found = pc
			}
		}
		if found == nil {
			return fmt.Errorf("row group %d: the file has changed since it was read first", g.index)
		}
		g.pieces = append(g.pieces, found)
		g.numbered = append(g.numbered, 0)
	}
	return nil
}

// turn reports whether a piece is the one that its partition is at.
func (s *pass) turn(pc *piece) bool {
	if pc.part.index < 0 {
		return false
	}
	r := s.rest[pc.part.index]
	if r.step == len(r.part.steps) {
		return false
	}
	at := r.part.steps[r.step]
	return !at.tangle && at.pieces[0] == pc
}

// Close ends the pass.
func (s *pass) Close() error {
	for i, g := range s.open {
		g.close()
		delete(s.open, i)
	}
	s.err = fmt.Errorf("parquet: Next after Close")
	return nil
}
