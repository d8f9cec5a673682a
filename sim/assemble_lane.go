package sim

import (
	"errors"
	"fmt"
	"strconv"

	"twindrift/generator"
	"twindrift/sim/measure"
	"twindrift/sim/result"
	"twindrift/sim/tally"
)

// lane is what one generator did with the draws of a site.
func (r *run) lane(s *siteRun, l *lane) (result.Lane, error) {
	re := l.list.Reordering.Result()
	out := result.Lane{
		Generator: l.name, PerSecond: l.capacity, UTCOffsetMs: r.cfg.Scenario.Generator.UTCOffset.Ms(), IDs: l.layout.Name(), ByClock: l.traits.ByClock, Stored: l.stored,
		Refusals: r.refusals(s, l), Costs: costs(l),
		Order: result.Order{
			Grained:    grained(l.list.Discordance.Result()),
			Reordering: reordering(re),
			OwnerDrift: result.OwnerDrift{
				Seconds:     summary(l.list.Drift.Counts()),
				ShareAtZero: share(l.list.Drift.Counts().Count(0), l.list.Drift.Counts().N()),
				Histogram:   bins(l.list.Drift.Counts(), secondEdges),
			},
		},
		Overflow:   r.overflow(s, l),
		Duplicates: r.duplicates(s, l),
		List:       result.List{Entries: l.list.Discordance.Result()[0].N, Overwritten: l.list.Again.Overwritten, Lost: l.list.Again.Lost, SeveralIDs: l.list.Again.SeveralIDs},
	}
	out.Order.Witnesses = r.witnesses(s, l, [][]measure.Entry{l.list.Reordered}, func(e *measure.Entry) string {
		return "stands after a later message"
	})
	errs := []error{l.list.Discordance.Err(), l.list.Reordering.Err()}
	if p := l.list.Places; p != nil {
		d := p.Displacement.Result()
		out.Order.Displacement, out.Order.Densities, out.Order.RangeRecall = displacement(d), densities(d), rangeRecall(&p.Recall)
		errs = append(errs, p.Displacement.Err())
	}
	return out, errors.Join(errs...)
}

func (r *run) overflow(s *siteRun, l *lane) result.Overflow {
	out := result.Overflow{Undrawn: undrawn(l, [generator.Kinds]int64{}), Nodes: []result.NodeOverflow{}}
	var offset, hops tally.Counts
	var first [][]measure.Entry
	for i, o := range l.overflow {
		second, count := o.Peak()
		biggest, _ := o.Offset.Counts().Max()
		full, runs, longest := o.Chains(l.capacity)
		node := result.NodeOverflow{
			Node: s.nodes[i], IDs: o.IDs, WithOffset: o.WithOffset, MaxOffset: biggest, Undrawn: undrawn(l, o.ByKind),
			WrongNode: o.WrongNode, FullSlots: full, Chains: runs, Peak: result.SecondCount{Second: second, Count: count},
			Headroom: []result.HeadroomPoint{},
		}
		if runs > 0 {
			node.Longest = &result.Chain{FirstSecond: longest.FirstSecond, SpanS: longest.Span,
				FirstNotFull: longest.FirstSecond + longest.Span, MaxHops: longest.MaxHops}
		}
		for _, h := range measure.HeadroomCurve(o.Asked.Counts(), measure.HeadroomOffsets) {
			node.Headroom = append(node.Headroom, result.HeadroomPoint{OffsetS: h.Offset, PerSecond: h.PerSecond(), FromSecond: h.From, ToSecond: h.To})
		}
		out.Nodes = append(out.Nodes, node)
		out.IDs += o.IDs
		out.WithOffset += o.WithOffset
		out.WrongNode += o.WrongNode
		out.FullSlots += full
		for cause, n := range node.Undrawn {
			out.Undrawn[cause] += n
		}
		offset.Merge(o.Offset.Counts())
		hops.Merge(o.Hops.Counts())
		first = append(first, o.First)
	}
	out.Share = share(out.WithOffset, out.IDs)
	out.Offset, out.Hops = summary(&offset), summary(&hops)
	out.Histogram = bins(&offset, secondEdges)
	out.Witnesses = r.witnesses(s, l, first, func(e *measure.Entry) string {
		asked := e.EventMs
		if l.traits.ByClock {
			asked = e.NowMs
		}
		return fmt.Sprintf("owner second %d s after its own", generator.FloorDiv(l.layout.OwnerMs(e.ID), 1000)-generator.FloorDiv(asked, 1000))
	})
	return out
}

func (r *run) duplicates(s *siteRun, l *lane) result.Duplicates {
	d := &l.list.Duplicates
	out := result.Duplicates{
		IDs: d.Extra, Groups: d.Groups, Distinct: d.Distinct, ByCause: causes(l, d.ByCause), Unexplained: d.ByCause[measure.Unexplained],
		WithinNode: map[string]int64{}, Scores: d.Scores, Witnesses: r.groups(d.First, l.layout, []*siteRun{s}),
	}
	for _, node := range s.nodes {
		out.WithinNode[strconv.Itoa(node)] = d.WithinNode[node]
	}
	return out
}

// causes lists every cause that the generator's duplicates can have, with 0 where there
// was none.
func causes(l *lane, found map[string]int64) map[string]int64 {
	out := map[string]int64{}
	for _, cause := range l.processes.Causes() {
		out[cause] = found[cause]
	}
	return out
}

// undrawn lists what ids can be beside drawn.
func undrawn(l *lane, byKind [generator.Kinds]int64) map[string]int64 {
	out := map[string]int64{}
	for _, kind := range l.traits.Kinds {
		out[kind.String()] = byKind[kind]
	}
	return out
}

// refusals are the messages that got no id.
func (r *run) refusals(s *siteRun, l *lane) result.Refusals {
	out := result.Refusals{ByReason: map[string]int64{}}
	var first [][]measure.Entry
	for _, o := range l.overflow {
		for kind, n := range o.ByKind {
			if k := generator.Kind(kind); k.Refused() && n > 0 {
				out.Messages += n
				out.ByReason[k.String()] += n
			}
		}
		first = append(first, o.Refused)
	}
	out.Witnesses = r.witnesses(s, l, first, func(e *measure.Entry) string { return "no id: " + e.Kind.String() })
	return out
}

// costs are those of a site's processes together; nil where the generator has none.
func costs(l *lane) *result.Costs {
	var out *result.Costs
	var all generator.Waits
	for _, g := range l.gens {
		c, ok := g.(generator.Coster)
		if !ok {
			return nil
		}
		if out == nil {
			out = &result.Costs{}
		}
		of := c.Costs()
		out.RoundTrips += of.RoundTrips
		out.ServiceTrips += of.ServiceTrips
		out.Wasted += of.Wasted
		out.Keys += of.Keys
		out.Rejected += of.Rejected
		out.Pinned += of.Pinned
		out.MaxPinMs = max(out.MaxPinMs, of.MaxPinMs)
		all.Merge(&of.Waits)
	}
	if out == nil {
		return nil
	}
	var ids int64
	for _, o := range l.overflow {
		ids += o.IDs
	}
	out.TripsPerID = share(out.RoundTrips, ids)
	if out.RoundTrips > 0 {
		perTrip := float64(ids) / float64(out.RoundTrips)
		out.IDsPerTrip = &perTrip
	}
	var waitedUs int64
	for us, n := range all.All() {
		waitedUs += us * n
		if us > 0 {
			out.Waited += n
		}
	}
	out.WaitedMs = waitedUs / 1000
	out.Wait = summary(tally.Ascending(all.All()))
	return out
}
