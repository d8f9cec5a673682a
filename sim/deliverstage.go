package sim

import (
	"errors"
	"sync"

	"twindrift/sim/measure"
	"twindrift/sim/result"
	"twindrift/sim/site"
)

// errEnd says that a queue has ended.
var errEnd = errors.New("end of the run")

// deliver hands the deliveries on, site by site in each epoch, or in each part of it
// where sites go together.
func (p *pipeline) deliver() error {
	for last := false; !last; {
		for i := range p.run.sites {
			for more := true; more; {
				var err error
				if more, last, err = p.deliverPart(i); errors.Is(err, errEnd) {
					return nil
				} else if err != nil {
					return err
				}
				more = more && !p.run.together()
			}
		}
	}
	p.drain()
	return nil
}

// drain passes over what is closed after the last draws, of all lanes at once: what
// compares them waits now for one and now for another.
func (p *pipeline) drain() {
	var all sync.WaitGroup
	for q, in := range p.sink {
		all.Go(func() {
			for le, ok := in.take(p.ctx); ok; le, ok = in.take(p.ctx) {
				p.release(q/len(p.run.contestants), q%len(p.run.contestants), le)
			}
		})
	}
	all.Wait()
}

// deliverPart hands on a part of an epoch at a site, and says whether others follow, and
// whether it is the last of all.
func (p *pipeline) deliverPart(i int) (more, last bool, err error) {
	s := p.run.sites[i]
	lanes := len(p.run.contestants)
	les := make([]*laneEpoch, lanes)
	for l := range lanes {
		le, ok := p.sink[i*lanes+l].take(p.ctx)
		if !ok {
			return false, false, errEnd
		}
		les[l] = le
	}
	for c, node := range s.nodes {
		d := deliveries(s, c, node, les, p.run.cfg.Scenario.Deadline.Ms())
		if err := p.run.sink.Deliver(d); err != nil {
			return false, false, err
		}
	}
	last = les[chosen].last
	more = les[chosen].site.more
	for l, le := range les {
		for rest := le.more && !last; ; rest = le.more { // the rest has no draws
			p.release(i, l, le)
			if !rest {
				break
			}
			var ok bool
			if le, ok = p.sink[i*lanes+l].take(p.ctx); !ok {
				return false, false, errEnd
			}
		}
	}
	return more, last, nil
}

// deliveries are one consumer's of an epoch.
func deliveries(s *siteRun, consumer, node int, les []*laneEpoch, deadlineMs int64) *result.Deliveries {
	d := &les[chosen].site.draws[consumer]
	out := &result.Deliveries{
		Site: s.model.Name, Node: node, Consumer: consumer,
		Partition: d.Partition, Offset: d.Offset, EventMs: d.EventMs, AppendMs: d.AppendMs,
		ArrivalNs: s.model.Clock.UnixNs(d.ArrivalNs), DrawNs: s.model.Clock.UnixNs(d.DrawNs), State: make([]uint8, d.Len()),
		ID: les[chosen].drawn[consumer].ID, BaselineID: les[baseline].drawn[consumer].ID,
	}
	for i, state := range les[chosen].drawn[consumer].State {
		switch {
		case state == site.Filtered:
			out.State[i] = result.Filtered
		case state == site.Refused:
			out.State[i] = result.Refused
		case state == site.Deduplicated:
			out.State[i] = result.Deduplicated
		case state == site.StoreOff:
			out.State[i] = result.StoreOff
		case measure.Late(d.NowMs[i], d.EventMs[i], deadlineMs):
			out.State[i] = result.Late
		default:
			out.State[i] = result.Pushed
		}
	}
	return out
}
