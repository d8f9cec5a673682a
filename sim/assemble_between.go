package sim

import (
	"errors"
	"fmt"
	"strconv"

	"twindrift/sim/measure"
	"twindrift/sim/result"
)

func (r *run) between(p *pairRun, a, b string) (*result.Between, error) {
	pair := p.lanes[chosen].pair
	out := &result.Between{A: a, B: b, Both: pair.Both, OnlyA: pair.OnlyA, OnlyB: pair.OnlyB}
	var errs []error
	for i, to := range [lanes]*result.PairLane{chosen: &out.PairLane, baseline: &out.Baseline} {
		*to = r.pairLane(p, p.lanes[i])
		errs = append(errs, p.lanes[i].pair.Err())
	}
	return out, errors.Join(errs...)
}

func (r *run) pairLane(p *pairRun, l *pairLane) result.PairLane {
	m, c := l.pair, l.collisions
	out := result.PairLane{
		SameID: m.SameID, SameSecond: m.SameSecond, DifferentSecond: m.OtherSec,
		SameIDShare: share(m.SameID, m.Both), SameSecondShare: share(m.SameSecond, m.Both), DifferentShare: share(m.OtherSec, m.Both),
		Difference: summary(m.Difference.Counts()), Histogram: bins(m.Difference.Counts(), secondEdges),
		Grained: grained(m.Joint.Result()), Newest: newest(&m.Views),
		Duplicates: result.PairDuplicates{
			IDs: c.Extra, Groups: c.Groups, ByCause: causes(c.ByCause), Unexplained: c.ByCause[measure.Unexplained],
			Witnesses: r.groups(c.First, []*siteRun{r.sites[p.a], r.sites[p.b]}),
		},
		Witnesses: []result.PairWitness{},
	}
	if m.Ranks != nil {
		out.Ranks = displacement(m.Ranks.Result())
	}
	for _, j := range m.First {
		part := &r.plan.Partitions[j.Partition]
		out.Witnesses = append(out.Witnesses, result.PairWitness{
			Topic: part.Topic, Partition: part.Number, Offset: j.Offset, EventMs: j.EventMs,
			IDA: strconv.FormatInt(j.IDA, 10), IDB: strconv.FormatInt(j.IDB, 10),
			Detail: r.apart(p, j),
		})
	}
	return out
}

// apart says by how much the owner seconds of a message differ.
func (r *run) apart(p *pairRun, j measure.Joined) string {
	layout := r.sites[p.a].lanes[chosen].layout
	a, b := floorDiv(layout.OwnerMs(j.IDA), 1000), floorDiv(layout.OwnerMs(j.IDB), 1000)
	later, by := r.sites[p.b].model.Name, b-a
	if by < 0 {
		later, by = r.sites[p.a].model.Name, -by
	}
	return fmt.Sprintf("%d s later at %s", by, later)
}
