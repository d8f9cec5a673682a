package sim

import (
	"errors"
	"fmt"

	"twindrift/generator"
	"twindrift/sim/measure"
	"twindrift/sim/result"
)

func (r *run) between(p *pairRun, which int, a, b string) (*result.Between, error) {
	own, base := p.lanes[which], p.lanes[baseline]
	out := &result.Between{
		A: a, B: b, Both: own.pair.Both, OnlyA: own.pair.OnlyA, OnlyB: own.pair.OnlyB,
		PairLane: own.result, Baseline: base.result,
	}
	return out, errors.Join(own.pair.Err(), base.pair.Err())
}

func (r *run) pairLane(p *pairRun, which int) result.PairLane {
	m, c := p.lanes[which].pair, p.lanes[which].collisions
	atA := r.sites[p.a].lanes[which]
	out := result.PairLane{
		SameID: m.SameID, SameSecond: m.SameSecond, DifferentSecond: m.OtherSec,
		SameIDShare: share(m.SameID, m.Both), SameSecondShare: share(m.SameSecond, m.Both), DifferentShare: share(m.OtherSec, m.Both),
		Difference: summary(m.Difference.Counts()), Histogram: bins(m.Difference.Counts(), secondEdges),
		Grained: grained(m.Joint.Result()), Newest: newest(&m.Views),
		Duplicates: result.PairDuplicates{
			IDs: c.Extra, Groups: c.Groups, ByCause: causes(atA, c.ByCause), Unexplained: c.ByCause[measure.Unexplained],
			Witnesses: r.groups(c.First, atA.layout, []*siteRun{r.sites[p.a], r.sites[p.b]}),
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
			IDA: idText(atA.layout, j.IDA), IDB: idText(atA.layout, j.IDB),
			Detail: r.apart(p, atA.layout, j),
		})
	}
	return out
}

// apart says by how much the owner seconds of a message differ.
func (r *run) apart(p *pairRun, layout generator.Layout, j measure.Joined) string {
	a, b := generator.FloorDiv(layout.OwnerMs(j.IDA), 1000), generator.FloorDiv(layout.OwnerMs(j.IDB), 1000)
	later, by := r.sites[p.b].model.Name, b-a
	if by < 0 {
		later, by = r.sites[p.a].model.Name, -by
	}
	return fmt.Sprintf("%d s later at %s", by, later)
}
