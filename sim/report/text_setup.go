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
	t.wrap("  ", "ids by "+t.generator()+", drawn at each site for the same messages")
	sideBySide(&t.page, siteShape, t.bySite(), []row[*result.Site]{
		{label: "delay of the link", cell: t.linkDelay},
		{label: "  other for some topics", cell: t.otherDelays},
		{label: "node numbers", cell: nodeNumbers},
		{label: "messages consumed", cell: func(s *result.Site) string { return brief(s.Push.Consumed) }},
		{label: "longest wait at a consumer", cell: func(s *result.Site) string { return duration(longestWait(s)) }},
		{label: "furthest behind the source log", cell: func(s *result.Site) string { return duration(worstLag(s).MaxLagMs) }},
	})
	for _, s := range t.sites {
		if text := t.linkDelay(s); len(text) > cellBytes {
			t.wrap("  ", fmt.Sprintf("%s's delay of the link is %s", short(s.Name, 40), breakable.Replace(text)))
		}
	}
	t.trouble()
	t.lag()
}

// cellBytes is what a column of the table takes, more or less.
const cellBytes = 20

// breakable has blanks between the parts of a delay, where lines can break.
var breakable = strings.NewReplacer("|", " | ", ";", "; ")

// linkDelay says how long messages take to a site.
func (t *text) linkDelay(s *result.Site) string {
	if observed, _ := t.at("sites", t.index(s), "observed").(bool); observed {
		return "as observed"
	}
	return t.said("sites", t.index(s), "link", "delay")
}

// otherDelays says for how many topics a site's link has a delay of its own.
func (t *text) otherDelays(s *result.Site) string {
	topics, _ := t.at("sites", t.index(s), "link", "topics").(map[string]any)
	if len(topics) == 0 {
		return ""
	}
	return counted(int64(len(topics)), "topic")
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

// lag draws how far a site stood behind, over time, if it ever was a second.
func (t *text) lag() {
	t.line("")
	for _, s := range t.sites {
		worst := worstLag(s)
		if worst.MaxLagMs < 1000 {
			continue
		}
		points := make([]point, 0, len(s.Lag))
		for _, p := range s.Lag {
			points = append(points, point{p.MinuteMs, p.MaxLagMs})
		}
		t.wrap("  ", fmt.Sprintf("%s behind the source log over time, most in the minute of %s UTC: %s",
			short(s.Name, 40), minute(worst.MinuteMs), duration(worst.MaxLagMs)))
		t.spark(points)
	}
}
