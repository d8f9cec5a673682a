package contest

import "twindrift/sim/result"

// figures are those of result.ContestFigures of one result, by name; nil where one is
// not defined.
func figures(r *result.Result) map[string]*float64 {
	var s sums
	for _, name := range r.SiteNames {
		s.site(r.Sites[name])
	}
	for _, name := range r.PairNames {
		s.pair(r.Between[name])
	}
	return map[string]*float64{
		"discordant_share_1s":    ratio(s.discordant, s.comparable),
		"recall_1s":              ratio(s.found, s.searched),
		"different_second_share": ratio(s.different, s.both),
		"later_share":            ratio(s.later, s.ids),
		"max_offset_s":           number(s.offset),
		"refused":                number(s.refused),
		"undrawn":                number(s.undrawn),
		"wrong_node":             number(s.wrongNode),
		"extra_copies":           number(s.copies),
		"extra_copies_between":   number(s.between),
		"shared_scores":          number(s.scores),
		"late":                   number(s.late),
		"round_trips_per_id":     ratio(s.trips, s.ids),
		"wasted":                 number(s.wasted),
		"keys_left":              number(s.keys),
		"service_trips_per_id":   ratio(s.services, s.ids),
		"rejected_writes":        number(s.rejected),
		"longest_wait_ms":        number(s.waitMs),
	}
}

// sums are counts over all sites and pairs.
type sums struct {
	layout string // of the ids

	discordant, comparable, found, searched      int64
	ids, later, offset, refused, undrawn, copies int64
	scores, late, trips, wasted, keys, rejected  int64
	waitMs, both, different, between             int64
	wrongNode, services                          int64
}

// byDesign is how many copies are of ids that streams of their own have each: those are
// told apart by the stream.
func byDesign(layout string, byCause map[string]int64) int64 {
	if layout == "redis-streams" {
		return byCause["separate"]
	}
	return 0
}

func (s *sums) site(site *result.Site) {
	s.discordant += site.Order.Discordant["1s"]
	s.comparable += site.Order.Comparable["1s"]
	if recall := site.Order.RangeRecall["1s"]; recall != nil {
		s.found += recall.Found
		s.searched += recall.Messages
	}
	s.ids += site.Overflow.IDs
	s.later += site.Overflow.WithOffset
	if o := site.Overflow.Offset; o != nil {
		s.offset = max(s.offset, o.Max, -o.Min)
	}
	s.refused += site.Refusals.Messages
	s.undrawn += total(site.Overflow.Undrawn)
	s.wrongNode += site.Overflow.WrongNode
	s.copies += site.Duplicates.IDs - byDesign(site.IDs, site.Duplicates.ByCause)
	s.layout = site.IDs
	s.scores += site.Duplicates.Scores
	s.late += site.Push.Late
	if c := site.Costs; c != nil {
		s.trips += c.RoundTrips
		s.services += c.ServiceTrips
		s.wasted += c.Wasted
		s.keys += c.Keys
		s.rejected += c.Rejected
		if c.Wait != nil {
			s.waitMs = max(s.waitMs, (c.Wait.Max+999)/1000)
		}
	}
}

func (s *sums) pair(b *result.Between) {
	s.both += b.Both
	s.different += b.DifferentSecond
	s.between += b.Duplicates.IDs - byDesign(s.layout, b.Duplicates.ByCause)
}

func total(counts map[string]int64) (n int64) {
	for _, c := range counts {
		n += c
	}
	return n
}

func number(n int64) *float64 {
	f := float64(n)
	return &f
}

func ratio(part, of int64) *float64 {
	if of == 0 {
		return nil
	}
	f := float64(part) / float64(of)
	return &f
}
