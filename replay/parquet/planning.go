package parquet

import (
	"cmp"
	"context"
	"fmt"
	"slices"

	"twindrift/replay"
)

// planning is the first pass over a capture: it finds the pieces that
// partitions are made of and, as long as every partition comes in offset
// order, fills the plan on the way.
type planning struct {
	c       *Capture
	byKey   map[partitionKey]*part
	planner replay.Planner
	ordered bool

	in     *input
	job    int
	pieces []*piece // of the row group at hand
	nulls  int64    // NULL timestamps of the row group at hand, so far
	sorted pieceRows
	skip   skipper
}

// start turns to a row group.
func (p *planning) start(job int) {
	p.job, p.in, p.pieces, p.nulls = job, p.c.jobs[job].in, p.pieces[:0], 0
}

// visit goes over the next rows of the row group.
func (p *planning) visit(d decoded) error {
	for _, key := range d.pieces[len(p.pieces):] {
		if err := p.addPiece(key); err != nil {
			return err
		}
	}
	p.in.nulls += d.nulls - p.nulls
	p.nulls = d.nulls
	rows := p.sorted.byPiece(d.slab, len(p.pieces))
	numbered := p.in.layout.offsets() == offsetRow
	skip := d.nulls > 0 && p.c.opts.NullTimestamps == nullsSkip
	for at, pc := range p.pieces {
		i, j := rows.bounds[at], rows.bounds[at+1]
		if i == j {
			continue
		}
		offset := rows.offset[i:j]
		if numbered {
			pc.part.number(offset)
		}
		if !pc.extend(offset) {
			if err := p.disorder(pc); err != nil {
				return err
			}
		}
		if p.ordered {
			var types []int8
			if rows.types != nil {
				types = rows.types[i:j]
			}
			p.tally(pc.part, offset, rows.timestamp[i:j], types, skip)
		}
	}
	return nil
}

// tally counts rows of a partition that come in order.
func (p *planning) tally(pt *part, offset, timestamp []int64, types []int8, skip bool) {
	if skip {
		offset, timestamp, types = p.skip.drop(&pt.skipped, offset, timestamp, types)
	}
	pt.tally.Add(offset, timestamp, types)
}

// number gives the next rows of a partition their numbers as offsets.
func (pt *part) number(offset []int64) {
	for i := range offset {
		offset[i] = pt.next
		pt.next++
	}
}

// extend adds rows to a piece and reports whether they continue the partition
// in offset order.
func (pc *piece) extend(offset []int64) bool {
	if pc.rows == 0 {
		pc.lo, pc.hi, pc.base = offset[0], offset[0], offset[0]
		pc.last = -1
		pc.sorted = true
		pt := pc.part
		inOrder := !pt.started || offset[0] > pt.last
		pt.started = true
		return pc.extendBy(offset) && inOrder
	}
	return pc.extendBy(offset)
}

func (pc *piece) extendBy(offset []int64) bool {
	last := pc.last
	rising := true
	for _, o := range offset {
		if o <= last {
			rising = false
			pc.lo, pc.hi = min(pc.lo, o), max(pc.hi, o)
		}
		last = o
	}
	pc.last = last
	pc.hi = max(pc.hi, last)
	if !rising {
		pc.sorted = false
		for _, o := range offset {
			pc.lo, pc.hi = min(pc.lo, o), max(pc.hi, o)
		}
	}
	pc.rows += int64(len(offset))
	pc.part.last = max(pc.part.last, pc.hi)
	return rising
}

// disorder notes that a partition does not come in offset order. Our own files
// do not have that within a file.
func (p *planning) disorder(pc *piece) error {
	p.ordered = false
	if p.in.meta == nil {
		return nil
	}
	behind := !pc.sorted
	for _, other := range p.in.pieces {
		behind = behind || other != pc && other.part == pc.part && other.hi >= pc.lo
	}
	if behind {
		return inFile(p.in.name, fmt.Errorf("%w: row group %d: offsets of topic %q partition %d do not rise", ErrCorrupt, p.c.jobs[p.job].group, pc.part.key.topic, pc.part.key.number))
	}
	return nil
}

// addPiece starts a piece of the row group at hand.
func (p *planning) addPiece(key partitionKey) error {
	pt := p.byKey[key]
	source := p.in.layout.offsets()
	if pt == nil {
		pt = &part{key: key, source: source, tally: p.planner.Partition(key.topic, key.number), last: -1}
		p.byKey[key] = pt
	} else if (pt.source == offsetRow) != (source == offsetRow) {
		return inFile(p.in.name, fmt.Errorf("topic %q partition %d has offsets in some files and none in others; map the offset column with --map offset=COLUMN", key.topic, key.number))
	}
	pc := &piece{part: pt, job: p.job}
	pt.pieces = append(pt.pieces, pc)
	p.in.pieces = append(p.in.pieces, pc)
	p.c.jobs[p.job].pieces = append(p.c.jobs[p.job].pieces, pc)
	p.pieces = append(p.pieces, pc)
	return nil
}

// finish checks files against what they say of themselves, puts the pieces in
// order and ends the plan.
func (p *planning) finish(ctx context.Context, progress func(done, total int64)) (*replay.Plan, error) {
	for _, in := range p.c.inputs {
		if err := in.checkMetadata(); err != nil {
			return nil, inFile(in.name, err)
		}
	}
	c := p.c
	for _, pt := range p.byKey {
		c.parts = append(c.parts, pt)
	}
	slices.SortFunc(c.parts, func(a, b *part) int {
		return cmp.Or(cmp.Compare(a.key.topic, b.key.topic), cmp.Compare(a.key.number, b.key.number))
	})
	for i, pt := range c.parts {
		pt.index = int32(i)
		pt.order()
	}
	dropped := int64(0)
	if !p.ordered {
		var err error
		if dropped, err = c.replan(ctx, p, progress); err != nil {
			return nil, err
		}
	}
	plan := p.planner.Plan()
	index := int32(0)
	for _, pt := range c.parts {
		pt.index = -1
		if pt.tally.Messages() > 0 {
			pt.index = index
			index++
		}
	}
	c.parts = slices.DeleteFunc(c.parts, func(pt *part) bool { return pt.index < 0 })
	plan.Notes = c.notes(plan, dropped)
	return plan, nil
}

// checkMetadata compares what our own writer noted with what was read.
func (in *input) checkMetadata() error {
	if in.meta == nil {
		return nil
	}
	read := map[partitionKey]int64{}
	for _, pc := range in.pieces {
		read[pc.part.key] += pc.rows
	}
	for _, m := range in.meta.Partitions {
		key := partitionKey{m.Topic, m.Number}
		if read[key] != m.Messages {
			return fmt.Errorf("%w: it should have %d messages of topic %q partition %d and has %d", ErrCorrupt, m.Messages, m.Topic, m.Number, read[key])
		}
		delete(read, key)
	}
	for key := range read {
		return fmt.Errorf("%w: it has messages of topic %q partition %d, which its metadata does not know", ErrCorrupt, key.topic, key.number)
	}
	return nil
}
