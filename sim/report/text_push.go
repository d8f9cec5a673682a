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
		return row[*result.Site]{label, func(s *result.Site) string { return brief(figure(&s.Push)) }}
	}
	rows := []row[*result.Site]{
		flow("consumed", func(p *result.Push) int64 { return p.Consumed }),
		flow("- filtered by the business filter", func(p *result.Push) int64 { return p.Filtered }),
		flow("- storing is off for the topic", func(p *result.Push) int64 { return p.StoreOff }),
		flow("= stored", func(p *result.Push) int64 { return p.Stored }),
		{"- late, not pushed", func(s *result.Site) string { return part(s.Push.Late, s.Push.Stored) }},
		flow("= pushed", func(p *result.Push) int64 { return p.Pushed }),
		{"lateness: draw time less event time", nil},
		{"  smallest", summed(lateness, lowest, duration)},
		{"  median", summed(lateness, median, duration)},
		{"  p90", summed(lateness, p90, duration)},
		{"  p99", summed(lateness, p99, duration)},
		{"  p99.9", summed(lateness, p999, duration)},
		{"  largest", summed(lateness, highest, duration)},
		{"  drawn before their event time", func(s *result.Site) string { return part(s.Push.Early, s.Push.Stored) }},
		{"late with another deadline", nil},
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
		rows = append(rows, row[*result.Site]{"  " + duration(ms), func(s *result.Site) string {
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
	for i, s := range t.sites {
		if s.Push.Late == 0 {
			continue
		}
		if i == 0 || t.sites[0].Push.Late == 0 {
			t.line("")
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
		t.spark("", points)
		slices.SortStableFunc(worst, func(a, b result.MinuteRow) int { return cmp.Compare(b.Late, a.Late) })
		for _, m := range worst[:min(len(worst), worstMinutes)] {
			t.line(fmt.Sprintf("%16s%s UTC: %s of %s stored", "", minute(m.MinuteMs), count(m.Late), count(m.Stored)))
		}
	}
}
