package parquet

import (
	"context"
	"fmt"
	"io"
	"runtime"
)

// planRows is how many rows are decoded at a time for the plan: few enough
// that a slab stays in a core's cache.
const planRows = 8192

// slabsAhead is how many slabs of a row group wait at most.
const slabsAhead = 8

// decoded is a slab on its way from a decoder.
type decoded struct {
	slab   *slab
	pieces []partitionKey // the row group's so far
	nulls  int64          // NULL timestamps in the row group so far
	err    error
}

// scan decodes the columns of the plan, several row groups at a time, and
// visits the rows in the order of files, row groups and rows.
func (c *Capture) scan(ctx context.Context, p *planning, progress func(done, total int64)) error {
	ctx, stop := context.WithCancel(ctx)
	defer stop()
	workers := runtime.GOMAXPROCS(0) + 1
	free := make(chan *slab, workers*(slabsAhead+2))
	flight := make(chan chan decoded, workers-1)
	go func() {
		defer close(flight)
		for _, j := range c.jobs {
			out := make(chan decoded, slabsAhead)
			select {
			case flight <- out:
				go c.decode(ctx, j, out, free)
			case <-ctx.Done():
				return
			}
		}
	}()

	done := int64(0)
	at := 0
	for out := range flight {
		p.start(at)
		for d := range out {
			if d.err != nil {
				return d.err
			}
			if err := p.visit(d); err != nil {
				return err
			}
			done += int64(d.slab.n)
			select {
			case free <- d.slab:
			default:
			}
			progress(done, c.rows)
		}
		if err := ctx.Err(); err != nil {
			return err
		}
		at++
	}
	return ctx.Err()
}

// decode reads a row group and closes out.
func (c *Capture) decode(ctx context.Context, j job, out chan<- decoded, free <-chan *slab) {
	defer close(out)
	send := func(d decoded) bool {
		select {
		case out <- d:
			return true
		case <-ctx.Done():
			return false
		}
	}
	defer func() {
		if r := recover(); r != nil {
			send(decoded{err: inFile(j.in.name, fmt.Errorf("%w: the decoder gave up: %v", ErrCorrupt, r))})
		}
	}()
	g, err := j.in.openGroup(j.in.layout, j.group, planRoles, &c.opts)
	if err != nil {
		send(decoded{err: inFile(j.in.name, err)})
		return
	}
	defer g.close()
	for {
		var s *slab
		select {
		case s = <-free:
		default:
			s = new(slab)
		}
		err := g.next(s, planRows)
		if err == io.EOF {
			err = g.check()
			if err == nil {
				return
			}
		}
		if err != nil {
			send(decoded{err: inFile(j.in.name, err)})
			return
		}
		if !send(decoded{slab: s, pieces: g.pieces, nulls: g.nulls}) {
			return
		}
	}
}
