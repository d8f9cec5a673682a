package report

import "twindrift/sim/result"

// The layouts of ids, by Lane.IDs, that read otherwise than second-slot ids. A
// result of before there were others says none.
const (
	counterIDs   = "redis-counter"
	snowflakeIDs = "snowflake"
	streamIDs    = "redis-streams"
)

// layout is what the digits of the chosen generator's ids mean.
func (t *text) layout() string {
	if len(t.sites) == 0 {
		return ""
	}
	return t.sites[0].IDs
}

// slotted says whether ids are drawn from the slots of seconds.
func (t *text) slotted() bool { return t.perSecond() > 0 }

// sayNode says whether ids of a layout say which node drew them.
func sayNode(layout string) bool { return layout != counterIDs && layout != streamIDs }

// sayLocalTime says whether ids of a layout say local time, not UTC.
func sayLocalTime(layout string) bool { return layout != snowflakeIDs && layout != streamIDs }

// scores is how many ids of a site have no score of their own. The entries of a
// stream have none: they do not stand in a sorted set.
func scores(l *result.Lane) int64 {
	if l.IDs == streamIDs {
		return 0
	}
	return l.Duplicates.Scores
}

// byClock says whether ids are of the clock at their draw, not of the event.
func (t *text) byClock() bool {
	if len(t.sites) == 0 {
		return false
	}
	l := &t.sites[0].Lane
	return l.ByClock || l.Generator == "consumption-time" // which did not say so once
}

// own names what an id's second is compared with: "message" or "draw".
func (t *text) own() string {
	if t.byClock() {
		return "draw"
	}
	return "message"
}

// refuses says whether any message got no id.
func (t *text) refuses() bool {
	for _, s := range t.sites {
		if s.Push.Refused > 0 {
			return true
		}
	}
	return false
}

// improper says whether any ids are not what their generator promises: of those it is no
// praise to be equal.
func (t *text) improper() bool {
	for _, s := range t.sites {
		if sum(s.Overflow.Undrawn) > 0 && !t.slotted() {
			return true
		}
	}
	return false
}

// deduplicates says whether any delivery was of a message stored already.
func (t *text) deduplicates() bool {
	for _, s := range t.sites {
		if s.Push.Deduplicated > 0 {
			return true
		}
	}
	return false
}

// asked is how many deliveries of a site asked for an id.
func asked(s *result.Site) int64 { return s.Push.Consumed - s.Push.Filtered }
