package site

import (
	"math"
	"slices"
)

// Handover moves partitions from their processes to another one of the site
// (a rebalance, MODEL 7b). What the old process had started and not drawn is
// not drawn there; that and what it had not committed comes again at the new
// one, first and in order.
type Handover struct {
	AtNs       int64
	Partitions []int // plan indexes
	To         int   // consumer
}

// nextHandover is when partitions move next.
func (s *Site) nextHandover() int64 {
	if len(s.handovers) == 0 {
		return math.MaxInt64
	}
	return s.handovers[0].AtNs
}

// handOver moves the partitions of the next handover. No consumer has a start
// before it still to come.
func (s *Site) handOver() {
	h := s.handovers[0]
	s.handovers = s.handovers[1:]
	for _, c := range s.Consumers {
		for c.moments.next() <= h.AtNs {
			c.pass()
		}
		c.emit(h.AtNs)
		c.keep()
	}
	to := s.Consumers[h.To]
	for _, from := range s.Consumers {
		if from == to {
			continue
		}
		from.parts = slices.DeleteFunc(from.parts, func(p *partition) bool {
			if !slices.Contains(h.Partitions, int(p.index)) {
				return false
			}
			p.service, p.handling = to.service, to.handling
			p.look()
			from.bringBack(p, h.AtNs)
			p.workAnew(&p.queue)
			p.workAnew(&p.disk.tail)
			p.freeNs = h.AtNs
			to.parts = append(to.parts, p)
			from.repeats, to.repeats = from.repeats.split(p, to.repeats)
			return true
		})
	}
	slices.SortFunc(to.parts, func(a, b *partition) int { return int(a.index) - int(b.index) })
	to.nextNs, to.sinceNs = min(to.nextNs, h.AtNs), h.AtNs
}

// split moves the repeats of a partition to another process.
func (q repeats) split(p *partition, to repeats) (rest, moved repeats) {
	moved = repeats{list: to.waiting()}
	for _, r := range q.waiting() {
		if r.partition == p {
			p.work(&r.message)
			moved.list = append(moved.list, r)
		} else {
			rest.list = append(rest.list, r)
		}
	}
	slices.SortFunc(moved.list, func(a, b repeat) int { return a.order(&b) })
	return rest, moved
}
