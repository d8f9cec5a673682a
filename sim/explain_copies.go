package sim

import (
	"slices"

	"twindrift/sim/measure"
	"twindrift/sim/result"
	"twindrift/sim/site"
)

// toTell chooses the messages to tell in full, n of them or, for 0, as many as
// it takes to show the original and one copy of each cause at each site.
func (x *explainer) toTell(asked Subject, n int) (messages []messageAt) {
	tell := func(f *found) {
		if m := f.message(); !slices.Contains(messages, m) && (n == 0 || len(messages) < n) {
			messages = append(messages, m)
		}
	}
	for i, s := range x.run.sites {
		list := x.stored(i, asked.ID)
		if asked.Message || len(list) == 0 {
			continue
		}
		order, causes := measure.Explain(entriesOf(list), s.lanes[chosen].processes)
		shown := map[string]bool{}
		for k, at := range order {
			if !shown[causes[k]] {
				shown[causes[k]] = true
				tell(list[at])
			}
		}
	}
	for i := range x.found {
		if n > 0 || messages == nil {
			tell(&x.found[i])
		}
	}
	return messages
}

// stored is what a site's list has of an id, in its order.
func (x *explainer) stored(i int, id int64) (list []*found) {
	for k := range x.found {
		if f := &x.found[k]; f.site == i && f.entry.ID == id && f.state == site.Store {
			list = append(list, f)
		}
	}
	slices.SortStableFunc(list, byList)
	return list
}

// id tells who has an id, at every site and between them.
func (x *explainer) id(id int64) result.ExplainedID {
	out := result.ExplainedID{ID: x.written(id), Digits: x.digits(id)}
	rules := rules{}
	stored := make([][]*found, len(x.run.sites))
	for i := range x.run.sites {
		stored[i] = x.stored(i, id)
		out.Sites = append(out.Sites, x.idAt(i, id, stored[i], rules))
	}
	for _, p := range x.run.pairs {
		if b := x.idBetween(p, stored[p.a], stored[p.b], rules); b != nil {
			out.Between = append(out.Between, *b)
		}
	}
	for _, cause := range append(x.run.sites[0].lanes[chosen].processes.Causes(), measure.Unexplained) {
		for _, text := range rules[cause] {
			out.Causes = append(out.Causes, result.ExplainedRule{Cause: cause, Text: text})
		}
	}
	return out
}

// idAt tells who has an id at a site; list is what the site has stored of it.
func (x *explainer) idAt(i int, id int64, list []*found, rules rules) result.IDAtSite {
	s := x.run.sites[i]
	out := result.IDAtSite{Site: s.model.Name, Stored: int64(len(list)), ByCause: map[string]int64{}}
	for k := range x.found {
		if f := &x.found[k]; f.site == i && f.entry.ID == id && f.state == site.StoreOff {
			out.NotStored++
		}
	}
	if len(list) == 0 {
		return out
	}
	order, causes := measure.Explain(entriesOf(list), s.lanes[chosen].processes)
	original := list[order[0]]
	for k, at := range order {
		f := list[at]
		if k > 0 {
			out.ExtraCopies++
			out.ByCause[causes[k]]++
			x.rule(rules, causes[k], k, f, original)
		}
		if k < result.CopiesShown {
			out.Copies = append(out.Copies, result.IDCopy{Witness: x.witness(f), Cause: causes[k]})
		}
	}
	return out
}

// idBetween tells which messages have an id at one of two sites only; nil for
// none.
func (x *explainer) idBetween(p *pairRun, a, b []*found, rules rules) *result.IDBetween {
	if len(a) == 0 || len(b) == 0 {
		return nil
	}
	var c measure.Crossing
	c.Of(entriesOf(a), entriesOf(b), x.run.sites[p.a].lanes[chosen].processes, x.run.sites[p.b].lanes[chosen].processes)
	if len(c.Extra) == 0 {
		return nil
	}
	base, other := a, b
	if c.OfB {
		base, other = b, a
	}
	original := base[c.Original]
	out := &result.IDBetween{
		A: x.run.sites[p.a].model.Name, B: x.run.sites[p.b].model.Name,
		ExtraCopies: int64(len(c.Extra)), ByCause: map[string]int64{}, Original: x.witness(original),
	}
	for k, i := range c.Extra {
		out.ByCause[c.Causes[k]]++
		x.rule(rules, c.Causes[k], k, other[i], original)
		if k < result.CopiesShown {
			out.Copies = append(out.Copies, result.IDCopy{Witness: x.witness(other[i]), Cause: c.Causes[k]})
		}
	}
	return out
}

func entriesOf(list []*found) []measure.Entry {
	entries := make([]measure.Entry, len(list))
	for i, f := range list {
		entries[i] = f.entry
	}
	return entries
}

func byList(a, b *found) int {
	switch {
	case a.entry.Before(&b.entry):
		return -1
	case b.entry.Before(&a.entry):
		return 1
	}
	return 0
}
