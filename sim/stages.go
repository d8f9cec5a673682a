package sim

import (
	"context"
	"errors"
	"io"
	"math"
	"sync"
	"sync/atomic"

	"twindrift/sim/measure"
	"twindrift/sim/site"
)

// The stages of a run, each a goroutine that works on the epochs in order:
//
//	feed ──> site ──> lane ──> pair
//	   (one a site) (two a site) (two a pair of sites) and the deliveries
//
// Where a generator's processes share something, one stage moves all sites on and
// draws that generator's ids, see together.
//
// What stages hand on is taken from a fixed number of pieces and given back
// when the last reader is done, so a fast stage waits for a slow one and memory
// stays bounded. No stage depends on when another runs, so neither do results.

// inFlight is how many epochs may be under way.
const inFlight = 8

// ahead is what is known of the draws still to come at a site.
type ahead struct {
	eventMs int64 // lower bound of their event times; math.MaxInt64 for none
	nowMs   int64 // lower bound of the clock at them
}

// siteEpoch is what an epoch brought at one site, or a part of it.
type siteEpoch struct {
	epoch   *epoch
	more    bool              // further parts follow
	draws   []site.Draws      // by consumer
	drawn   [][]measure.Drawn // by lane, of those drawn in the order of virtual time, and consumer; empty for others
	ahead   ahead
	settled []int64 // by partition: the first message that may still be drawn
	nextNs  int64   // lower bound of the virtual time of the draws still to come
	readers atomic.Int32
}

// last says whether no draws follow at any site.
func (se *siteEpoch) last() bool { return se.epoch.nextAppendMs == math.MaxInt64 && !se.more }

// laneEpoch is what a lane made of it, or a part of that: one with all that was
// drawn, and others with what else was closed.
type laneEpoch struct {
	site     *siteEpoch
	rest     bool            // the draws came with an earlier part
	more     bool            // further parts follow
	last     bool            // these are the last draws, and nothing is closed yet
	drawn    []measure.Drawn // by consumer
	closed   []measure.Second
	futureID int64
	floor    int64 // every owner second before it is closed
	tops     []measure.Top
	minute   int64 // every minute of virtual time before it is over
	readers  atomic.Int32
}

// piece queues: pieces free for use, and pieces under way.
type queue[T any] chan *T

func newQueue[T any](n int, make func() *T) queue[T] {
	q := queue[T](makeQueue[T](n))
	for range n {
		q <- make()
	}
	return q
}

func makeQueue[T any](n int) chan *T { return make(chan *T, n) }

// put never waits: a queue is as long as there are pieces.
func (q queue[T]) put(p *T) { q <- p }

// take waits for a piece; ok is false when the run has ended early or the
// queue is closed and empty.
func (q queue[T]) take(ctx context.Context) (p *T, ok bool) {
	select {
	case p, ok = <-q:
		return p, ok
	case <-ctx.Done():
		return nil, false
	}
}

// pipeline is the queues of a run.
type pipeline struct {
	run        *run
	ctx        context.Context
	freeEpochs queue[epoch]
	epochs     []queue[epoch] // by site
	sites      []*sitePipe
	pairs      [][]pairPipe       // by pair and lane
	sink       []queue[laneEpoch] // site-major: lane by lane; nil without a sink
}

type sitePipe struct {
	free  queue[siteEpoch]
	lanes []lanePipe
}

type lanePipe struct {
	in   queue[siteEpoch]
	free queue[laneEpoch]
	outs []queue[laneEpoch] // pairs, and the sink

	newest        *measure.Newest
	floor, minute int64 // as of the last laneEpoch
}

// closeEpochs, closeSites and close say that nothing more is handed on.
func (p *pipeline) closeEpochs() {
	for _, q := range p.epochs {
		close(q)
	}
}

func (p *pipeline) closeSites() {
	for _, sp := range p.sites {
		sp.close()
	}
}

func (sp *sitePipe) close() {
	for l := range sp.lanes {
		close(sp.lanes[l].in)
	}
}

func (l *lanePipe) close() {
	for _, q := range l.outs {
		close(q)
	}
}

// pairPipe is what a pair's lane reads.
type pairPipe struct{ a, b queue[laneEpoch] }

// replay goes over the capture.
func (r *run) replay(parent context.Context) error {
	ctx, fail := context.WithCancelCause(parent)
	defer fail(nil)
	stream, err := r.cfg.Source.Open(ctx)
	if err != nil {
		return err
	}
	defer stream.Close()
	r.feed = newFeed(r.plan, stream, r.clock, &r.cfg.Scenario, r.blocks())
	r.feed.observer = r.observer()
	p := newPipeline(r, ctx)
	var stages sync.WaitGroup
	// What comes after a stage is told that it is over once its error is known: so a queue
	// that is closed has had all, unless the run has failed.
	start := func(stage func() error, over func()) {
		stages.Go(func() {
			if err := stage(); err != nil {
				fail(err)
			}
			over()
		})
	}
	last := func() {}
	start(p.feed, p.closeEpochs)
	if r.together() {
		start(p.together, p.closeSites)
	}
	for i, sp := range p.sites {
		if !r.together() {
			start(func() error { return p.site(i) }, sp.close)
		}
		for l := range r.contestants {
			start(func() error { return p.lane(i, l) }, sp.lanes[l].close)
		}
	}
	for i := range r.pairs {
		for l := range r.contestants {
			start(func() error { return p.pair(i, l) }, last)
		}
	}
	if p.sink != nil {
		start(p.deliver, last)
	}
	stages.Wait()
	return context.Cause(ctx)
}

func newPipeline(r *run, ctx context.Context) *pipeline {
	p := &pipeline{run: r, ctx: ctx}
	p.freeEpochs = newQueue(inFlight, func() *epoch { return &epoch{} })
	lanes := len(r.contestants)
	p.pairs = make([][]pairPipe, len(r.pairs))
	for _, s := range r.sites {
		n := len(s.nodes)
		sp := &sitePipe{lanes: make([]lanePipe, lanes), free: newQueue(inFlight, func() *siteEpoch {
			se := &siteEpoch{draws: make([]site.Draws, n), settled: make([]int64, len(r.plan.Partitions)), drawn: make([][]measure.Drawn, lanes)}
			for l, c := range r.contestants {
				if c.joint {
					se.drawn[l] = make([]measure.Drawn, n)
				}
			}
			return se
		})}
		for l := range sp.lanes {
			sp.lanes[l].floor, sp.lanes[l].minute = math.MinInt64, math.MinInt64
			sp.lanes[l].newest = measure.NewNewest(s.model.Clock, s.lanes[l].processes.Redelivers)
			sp.lanes[l].in = makeQueue[siteEpoch](inFlight)
			sp.lanes[l].free = newQueue(inFlight, func() *laneEpoch {
				return &laneEpoch{drawn: make([]measure.Drawn, n)}
			})
		}
		p.epochs = append(p.epochs, makeQueue[epoch](inFlight))
		p.sites = append(p.sites, sp)
	}
	for i, pair := range r.pairs {
		for l := range lanes {
			a, b := &p.sites[pair.a].lanes[l], &p.sites[pair.b].lanes[l]
			p.pairs[i] = append(p.pairs[i], pairPipe{makeQueue[laneEpoch](inFlight), makeQueue[laneEpoch](inFlight)})
			a.outs = append(a.outs, p.pairs[i][l].a)
			b.outs = append(b.outs, p.pairs[i][l].b)
		}
	}
	if r.sink != nil {
		for _, s := range p.sites {
			for l := range lanes {
				q := queue[laneEpoch](makeQueue[laneEpoch](inFlight))
				s.lanes[l].outs = append(s.lanes[l].outs, q)
				p.sink = append(p.sink, q)
			}
		}
	}
	return p
}

// feed reads the capture.
func (p *pipeline) feed() error {
	r := p.run
	for {
		e, ok := p.freeEpochs.take(p.ctx)
		if !ok {
			return nil
		}
		if err := r.feed.next(e); errors.Is(err, io.EOF) {
			return nil
		} else if err != nil {
			return err
		}
		e.readers.Store(int32(len(p.epochs)))
		for _, q := range p.epochs {
			q.put(e)
		}
		if r.cfg.Replaying != nil {
			r.cfg.Replaying(r.feed.done, r.plan.Messages)
		}
	}
}

// site moves a site on.
func (p *pipeline) site(i int) error {
	s, sp := p.run.sites[i], p.sites[i]
	for {
		e, ok := p.epochs[i].take(p.ctx)
		if !ok {
			return nil
		}
		if ok, err := p.siteParts(s.model, sp, e); !ok {
			return err
		}
	}
}

// siteParts takes a site through an epoch, part by part.
func (p *pipeline) siteParts(s *site.Site, sp *sitePipe, e *epoch) (ok bool, err error) {
	for resumed := false; ; resumed = true {
		se, ok := sp.free.take(p.ctx)
		if !ok {
			return false, nil
		}
		if resumed {
			err = s.Resume(se.draws)
		} else {
			err = s.Advance(e.rows, e.nextAppendMs, se.draws)
		}
		if err != nil {
			return false, err
		}
		more := s.More()
		sp.handOn(s, se, e, more)
		if !more {
			return true, nil
		}
	}
}

// handOn gives the lanes a part of an epoch.
func (sp *sitePipe) handOn(s *site.Site, se *siteEpoch, e *epoch, more bool) {
	se.more = more
	se.ahead.eventMs, se.ahead.nowMs = s.Ahead()
	s.Settled(se.settled)
	se.nextNs = s.NextDrawNs()
	se.epoch = e
	se.readers.Store(int32(len(sp.lanes)))
	for l := range sp.lanes {
		sp.lanes[l].in.put(se)
	}
}

// lane draws the ids of a site and measures its list. In the end it puts together what it
// has counted, while pairs of sites may still be at work.
func (p *pipeline) lane(i, which int) error {
	s, pipe := p.run.sites[i], &p.sites[i].lanes[which]
	for {
		se, ok := pipe.in.take(p.ctx)
		if !ok {
			if p.ctx.Err() == nil {
				l := s.lanes[which]
				l.result, l.err = p.run.lane(s, l)
			}
			return nil
		}
		for rest, more := false, true; more; rest = true {
			le, ok := pipe.free.take(p.ctx)
			if !ok {
				return nil
			}
			le.site, le.rest = se, rest
			if !rest {
				if err := p.draw(i, which, le); err != nil {
					return err
				}
			}
			if le.last = se.last() && !rest; le.last {
				p.closeNone(i, which, le)
			} else {
				p.closeSeconds(i, which, le)
			}
			if err := p.run.store.Err(); err != nil {
				return err
			}
			more = le.more
			le.readers.Store(int32(len(pipe.outs)) + 1)
			for _, q := range pipe.outs {
				q.put(le)
			}
			p.release(i, which, le)
		}
	}
}

// draw draws the ids of a part of an epoch.
func (p *pipeline) draw(i, which int, le *laneEpoch) error {
	s, pipe := p.run.sites[i], &p.sites[i].lanes[which]
	l, se := s.lanes[which], le.site
	for c := range se.draws {
		d, g := &se.draws[c], &le.drawn[c]
		if drawn := se.drawn[which]; drawn != nil {
			*g, drawn[c] = drawn[c], *g
			l.read(d, g)
		} else if err := l.draw(c, d, g); err != nil {
			return err
		}
		l.add(c, d, g)
		pipe.newest.Add(d, g)
	}
	return nil
}

// closeSeconds goes over the owner seconds in which nothing will be drawn any
// more, or as many of them as it may take in one go.
func (p *pipeline) closeSeconds(i, which int, le *laneEpoch) {
	l, pipe, se := p.run.sites[i].lanes[which], &p.sites[i].lanes[which], le.site
	le.futureID = l.futureID(se.ahead)
	le.floor = l.ownerSecond(le.futureID)
	le.closed, le.floor = l.list.Close(le.floor, se.ahead.eventMs, se.settled, le.closed[:0])
	le.tops, le.minute = pipe.newest.Close(se.nextNs, nil)
	le.more = l.list.More()
	pipe.floor, pipe.minute = le.floor, le.minute
}

// closeNone leaves all that there is to close to the parts that follow: after the last
// draws that may be nearly everything, and pairs can join those meanwhile.
func (p *pipeline) closeNone(i, which int, le *laneEpoch) {
	pipe := &p.sites[i].lanes[which]
	le.futureID = p.run.sites[i].lanes[which].futureID(le.site.ahead)
	le.closed, le.floor = le.closed[:0], pipe.floor
	le.tops, le.minute = nil, pipe.minute
	le.more = true
}

// release gives back what a reader of a laneEpoch is done with.
func (p *pipeline) release(i, which int, le *laneEpoch) {
	if le.readers.Add(-1) > 0 {
		return
	}
	se, more := le.site, le.more
	measure.Recycle(le.closed)
	p.sites[i].lanes[which].free.put(le)
	if more { // what follows is released later, by every reader
		return
	}
	if se.readers.Add(-1) > 0 {
		return
	}
	e, more := se.epoch, se.more
	p.sites[i].free.put(se)
	if more {
		return
	}
	if e.readers.Add(-1) == 0 {
		p.freeEpochs.put(e)
	}
}
