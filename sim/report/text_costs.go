package report

import (
	"encoding/json"
	"fmt"

	"twindrift/sim/result"
	"twindrift/sim/scenario"
)

// costs is part 5: messages that the generator gave no id, and what the ids have
// cost beside computing. Generators that refuse nothing and cost nothing have no
// such part.
func (t *text) costs() {
	if !t.refuses() && !t.costly() {
		return
	}
	t.heading("5 REFUSALS AND COSTS: messages without an id, and what the ids have cost")
	t.redis()
	sideBySide(&t.page, siteShape, t.bySite(), append(t.refusalRows(), t.costRows()...))
	t.line("")
	reason := map[string]int64{}
	for _, s := range t.sites {
		for name, n := range s.Refusals.ByReason {
			reason[name] += n
		}
	}
	for _, name := range byCount(reason) {
		if words, ok := reasons[name]; ok {
			t.wrap("  "+name+": ", words)
		}
	}
	for _, s := range t.sites {
		t.witnesses("the first messages without an id at "+s.Name, s.Refusals.Witnesses)
	}
}

// costly says whether the ids of any site have cost anything.
func (t *text) costly() bool {
	for _, s := range t.sites {
		if c := costsOf(s); c.RoundTrips+c.ServiceTrips+c.Wasted+c.Keys+c.Rejected+c.Pinned+c.Waited > 0 {
			return true
		}
	}
	return false
}

// costsOf is what the ids of a site have cost; zeros where nothing is known.
func costsOf(s *result.Site) *result.Costs {
	if s.Costs == nil {
		return &result.Costs{}
	}
	return s.Costs
}

// saved is how many refused writes a site's processes wrote again.
func saved(s *result.Site) int64 {
	return max(0, costsOf(s).Rejected-s.Refusals.ByReason["equal-or-smaller"])
}

// whereAny is a row of a count, left out where no site counts anything.
func (t *text) whereAny(label string, n func(*result.Site) int64, write func(*result.Site) string) row[*result.Site] {
	for _, s := range t.sites {
		if n(s) > 0 {
			return row[*result.Site]{label: label, cell: func(s *result.Site) string {
				if n(s) == 0 {
					return "none"
				}
				return write(s)
			}}
		}
	}
	return row[*result.Site]{label: label, cell: func(*result.Site) string { return "" }}
}

func (t *text) refusalRows() []row[*result.Site] {
	refused := func(s *result.Site) int64 { return s.Push.Refused }
	rows := []row[*result.Site]{t.whereAny("messages without an id", refused, func(s *result.Site) string { return part(refused(s), asked(s)) })}
	return append(rows, causeRows(t.sites, func(s *result.Site) map[string]int64 { return s.Refusals.ByReason })...)
}

func (t *text) costRows() []row[*result.Site] {
	figure := func(label string, of func(*result.Costs) int64) row[*result.Site] {
		n := func(s *result.Site) int64 { return of(costsOf(s)) }
		return t.whereAny(label, n, func(s *result.Site) string { return brief(n(s)) })
	}
	ofIDs := func(label string, of func(*result.Costs) int64) row[*result.Site] {
		n := func(s *result.Site) int64 { return of(costsOf(s)) }
		return t.whereAny(label, n, func(s *result.Site) string { return part(n(s), s.Overflow.IDs) })
	}
	waited := func(s *result.Site) int64 { return costsOf(s).Waited }
	waits := func(s *result.Site) *result.Summary {
		if waited(s) == 0 {
			return nil
		}
		return costsOf(s).Wait
	}
	return []row[*result.Site]{
		figure("round trips to Redis", func(c *result.Costs) int64 { return c.RoundTrips }),
		{label: "  for one id", cell: func(s *result.Site) string {
			if c := costsOf(s); c.RoundTrips > 0 {
				return amount(c.TripsPerID)
			}
			return ""
		}},
		{label: "  ids for one of them", cell: func(s *result.Site) string {
			if c := costsOf(s); c.RoundTrips > 0 && c.IDsPerTrip != nil {
				return amount(*c.IDsPerTrip)
			}
			return ""
		}},
		figure("trips to the allocation service", func(c *result.Costs) int64 { return c.ServiceTrips }),
		figure("numbers reserved and never given", func(c *result.Costs) int64 { return c.Wasted }),
		figure("keys left in Redis for good", func(c *result.Costs) int64 { return c.Keys }),
		figure("writes that Redis refused", func(c *result.Costs) int64 { return c.Rejected }),
		t.whereAny("  of them written again", saved, func(s *result.Site) string { return brief(saved(s)) }),
		ofIDs("pushed past their own time", func(c *result.Costs) int64 { return c.Pinned }),
		{label: "  by at most", cell: func(s *result.Site) string {
			if c := costsOf(s); c.Pinned > 0 {
				return duration(c.MaxPinMs)
			}
			return ""
		}},
		t.whereAny("draws that waited", waited, func(s *result.Site) string { return part(waited(s), drawn(s)) }),
		{label: "  all their waits together", cell: func(s *result.Site) string {
			if waited(s) == 0 {
				return ""
			}
			return duration(costsOf(s).WaitedMs)
		}},
		{label: "wait of all draws"},
		{label: "  median", cell: summed(waits, median, micros), folds: true},
		{label: "  p99", cell: summed(waits, p99, micros), folds: true},
		{label: "  largest", cell: summed(waits, highest, micros), folds: true},
	}
}

// drawn is how many draws of a site have a wait, of 0 or more.
func drawn(s *result.Site) int64 {
	if w := costsOf(s).Wait; w != nil {
		return w.N
	}
	return 0
}

// redis says which server the ids come from, and what the scenario had go wrong
// with it.
func (t *text) redis() {
	var r scenario.Redis
	b, err := json.Marshal(t.at("generator", "redis"))
	if err == nil {
		err = json.Unmarshal(b, &r)
	}
	if err != nil || t.at("generator", "redis") == nil {
		return
	}
	words := "a Redis at each site"
	if r.Shared {
		words = "one Redis for all sites"
	}
	t.wrap("  ", fmt.Sprintf("%s; a command and its answer take %s", words, micros(int64(r.RoundTrip)/1000)))
	t.several("  Redis: ", len(r.Outages), "outage", func(i int) string {
		return "does not answer " + t.stretch(r.Outages[i])
	})
	t.several("  Redis: ", len(r.Failovers), "failover", func(i int) string {
		f := r.Failovers[i]
		return fmt.Sprintf("a replica takes over at %s UTC, without the last %s", t.moment(f.At), counted(f.Lose, "write"))
	})
}
