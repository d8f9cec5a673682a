package report

import (
	"fmt"
	"strconv"
	"strings"

	"twindrift/sim/result"
)

// setup says what the sites are and how well they kept up.
func (t *text) setup() {
	t.heading("THE SITES")
	t.line("  ids by " + t.generator() + ", drawn at each site for the same messages")
	sideBySide(&t.page, siteShape, t.bySite(), []row[*result.Site]{
		{"delay of the link", func(s *result.Site) string { return t.said("sites", t.index(s), "link", "delay") }},
		{"node numbers", nodeNumbers},
		{"messages consumed", func(s *result.Site) string { return brief(s.Push.Consumed) }},
		{"longest wait at a consumer", func(s *result.Site) string { return duration(longestWait(s)) }},
		{"furthest behind the source log", func(s *result.Site) string { return duration(worstLag(s).MaxLagMs) }},
	})
	t.lag()
}

func (t *text) index(s *result.Site) int {
	for i, other := range t.sites {
		if other == s {
			return i
		}
	}
	return -1
}

func nodeNumbers(s *result.Site) string {
	var names []string
	for _, c := range s.Consumers {
		names = append(names, strconv.Itoa(c.Node))
	}
	return cut(strings.Join(names, ", "), siteShape.column-1)
}

func longestWait(s *result.Site) int64 {
	var longest int64
	for _, c := range s.Consumers {
		longest = max(longest, c.MaxWaitMs)
	}
	return longest
}

// worstLag is the minute in which a site stood furthest behind.
func worstLag(s *result.Site) result.LagPoint {
	var worst result.LagPoint
	for _, p := range s.Lag {
		if p.MaxLagMs > worst.MaxLagMs {
			worst = p
		}
	}
	return worst
}

// lag draws how far each site stood behind, over time, if it was ever a second.
func (t *text) lag() {
	any := false
	for _, s := range t.sites {
		any = any || worstLag(s).MaxLagMs >= 1000
	}
	if !any {
		return
	}
	t.line("")
	t.line("  behind the source log over time (the most of each stretch)")
	for _, s := range t.sites {
		var points []point
		for _, p := range s.Lag {
			points = append(points, point{p.MinuteMs, p.MaxLagMs})
		}
		t.spark(s.Name, points)
		if worst := worstLag(s); worst.MaxLagMs > 0 {
			t.line(fmt.Sprintf("%16s%s at most, in the minute of %s UTC", "", duration(worst.MaxLagMs), minute(worst.MinuteMs)))
		}
	}
}
