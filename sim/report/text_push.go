package report

import (
	"cmp"
	"fmt"
	"maps"
	"slices"

	"twindrift/sim/result"
)

// worstMinutes is how many minutes with late messages are listed for a site.
const worstMinutes = 3

// push is part 3: late-push filtering.
func (t *text) push() {
	deadline := duration(t.sites[0].Push.DeadlineMs)
	t.heading("3 LATE-PUSH FILTERING: stored, but too old to push (over " + deadline + ")")
	flow := func(label string, figure func(*result.Push) int64) row[*result.Site] {
		return row[*result.Site]{label: label, cell: func(s *result.Site) string { return orNone(figure(&s.Push), brief) }}
	}
	again := func(label string, figure func(*result.Push) int64) row[*result.Site] {
		return row[*result.Site]{label: label, cell: func(s *result.Site) string { return unlessNone(figure(&s.Push)) }}
	}
	refused := row[*result.Site]{label: "- refused by the generator", cell: func(*result.Site) string { return "" }}
	if t.refuses() {
		refused.cell = func(s *result.Site) string { return orNone(s.Push.Refused, brief) }
	}
	rows := []row[*result.Site]{
		flow("consumed", func(p *result.Push) int64 { return p.Consumed }),
		again("  of them drawn before", func(p *result.Push) int64 { return p.Again }),
		flow("- filtered by the business filter", func(p *result.Push) int64 { return p.Filtered }),
		refused,
		flow("- storing is off for the topic", func(p *result.Push) int64 { return p.StoreOff }),
		again("- stored already, taken once", func(p *result.Push) int64 { return p.Deduplicated }),
		flow("= stored", func(p *result.Push) int64 { return p.Stored }),
		again("  of them drawn before", func(p *result.Push) int64 { return p.StoredAgain }),
		{label: "- late, not pushed", cell: func(s *result.Site) string { return part(s.Push.Late, s.Push.Stored) }},
		flow("= pushed", func(p *result.Push) int64 { return p.Pushed }),
		{label: "lateness: draw time less event time"},
		{label: "  smallest", cell: summed(lateness, lowest, duration), folds: true},
		{label: "  median", cell: summed(lateness, median, duration), folds: true},
		{label: "  p90", cell: summed(lateness, p90, duration), folds: true},
		{label: "  p99", cell: summed(lateness, p99, duration), folds: true},
		{label: "  p99.9", cell: summed(lateness, p999, duration), folds: true},
		{label: "  largest", cell: summed(lateness, highest, duration), folds: true},
		{label: "  drawn before their event time", cell: func(s *result.Site) string { return part(s.Push.Early, s.Push.Stored) }},
		{label: "late with another deadline"},
	}
	sideBySide(&t.page, siteShape, t.bySite(), append(rows, t.deadlines()...))
	t.lateMinutes()
	for _, s := range t.sites {
		t.witnesses("the first late messages at "+s.Name, s.Push.Witnesses)
	}
}

func lateness(s *result.Site) *result.Summary { return s.Push.Lateness }

// deadlines are the rows of what other deadlines would have held back.
func (t *text) deadlines() []row[*result.Site] {
	have := map[int64]bool{}
	for _, s := range t.sites {
		for _, d := range s.Push.Deadlines {
			have[d.DeadlineMs] = true
		}
	}
	var rows []row[*result.Site]
	for _, ms := range slices.Sorted(maps.Keys(have)) {
		rows = append(rows, row[*result.Site]{label: "  " + duration(ms), folds: true, cell: func(s *result.Site) string {
			for _, d := range s.Push.Deadlines {
				if d.DeadlineMs == ms {
					return part(d.Late, s.Push.Stored)
				}
			}
			return ""
		}})
	}
	return rows
}

// lateMinutes shows when messages were late, if any were.
func (t *text) lateMinutes() {
	t.line("")
	for _, s := range t.sites {
		if s.Push.Late == 0 {
			continue
		}
		t.wrap("  ", "late messages over time at "+short(s.Name, 40))
		points := make([]point, 0, len(s.Push.Minutes))
		var worst []result.MinuteRow
		for _, m := range s.Push.Minutes {
			points = append(points, point{m.MinuteMs, m.Late})
			if m.Late > 0 {
				worst = append(worst, m)
			}
		}
		t.spark(points)
		slices.SortStableFunc(worst, func(a, b result.MinuteRow) int { return cmp.Compare(b.Late, a.Late) })
		for _, m := range worst[:min(len(worst), worstMinutes)] {
			t.line(fmt.Sprintf("    %s UTC: %s of %s stored", minute(m.MinuteMs), count(m.Late), count(m.Stored)))
		}
	}
}
