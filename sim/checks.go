package sim

import (
	"twindrift/sim/result"
)

// checks are the sums that must add up.
func checks(r *result.Result) []result.Check {
	out := []result.Check{}
	add := func(name string, left, right int64) {
		out = append(out, result.Check{Name: name, Left: left, Right: right, Passed: left == right})
	}
	for _, name := range r.SiteNames {
		s := r.Sites[name]
		p := s.Push
		add(name+": consumed - again = input - skipped", p.Consumed-p.Again, r.Input.Messages-r.Input.Skipped)
		add(name+": consumed = filtered + refused + stored + store-off + deduplicated", p.Consumed, p.Filtered+p.Refused+p.Stored+p.StoreOff+p.Deduplicated)
		add(name+": refused = sum by reason", p.Refused, sum(s.Refusals.ByReason))
		add(name+": stored", s.Stored, p.Stored)
		add(name+": stored = pushed + late", p.Stored, p.Pushed+p.Late)
		for _, l := range []struct {
			suffix string
			lane   *result.Lane
		}{{"", &s.Lane}, {" (baseline)", &s.Baseline}} {
			o, d := &l.lane.Overflow, &l.lane.Duplicates
			add(name+": ids + refused = consumed - filtered"+l.suffix, o.IDs+l.lane.Refusals.Messages, p.Consumed-p.Filtered)
			add(name+": list = stored - overwritten - lost"+l.suffix, l.lane.Order.N, l.lane.Stored-l.lane.List.Overwritten-l.lane.List.Lost)
			add(name+": stored = distinct + extra copies"+l.suffix, l.lane.Stored, d.Distinct+d.IDs)
			add(name+": extra copies = sum by cause"+l.suffix, d.IDs, sum(d.ByCause)+d.Unexplained)
		}
	}
	for _, name := range r.PairNames {
		b := r.Between[name]
		a, c := r.Sites[b.A].Push, r.Sites[b.B].Push
		add(name+": both + only "+b.A+" = messages stored at "+b.A, b.Both+b.OnlyA, a.Stored-a.StoredAgain)
		add(name+": both + only "+b.B+" = messages stored at "+b.B, b.Both+b.OnlyB, c.Stored-c.StoredAgain)
		add(name+": pairs measured = both", b.N, b.Both)
		for _, l := range []struct {
			suffix string
			lane   *result.PairLane
		}{{"", &b.PairLane}, {" (baseline)", &b.Baseline}} {
			add(name+": same id + same second + different = pairs measured"+l.suffix, l.lane.SameID+l.lane.SameSecond+l.lane.DifferentSecond, l.lane.N)
			add(name+": extra copies = sum by cause"+l.suffix, l.lane.Duplicates.IDs, sum(l.lane.Duplicates.ByCause)+l.lane.Duplicates.Unexplained)
		}
	}
	return out
}

func sum(counts map[string]int64) int64 {
	total := int64(0)
	for _, n := range counts {
		total += n
	}
	return total
}
