package report

import (
	"fmt"

	"twindrift/sim/result"
)

func (t *text) late() []finding {
	deadline := duration(t.sites[0].Push.DeadlineMs)
	var latest int64
	for _, s := range t.sites {
		if l := s.Push.Lateness; l != nil {
			latest = max(latest, l.Max)
		}
	}
	return worst(watch, t.overSites(
		func(s *result.Site) int64 { return s.Push.Late },
		func(s *result.Site) string {
			return fmt.Sprintf("%s of %s stored messages (%s) too late to be pushed (over %s)",
				count(s.Push.Late), count(s.Push.Stored), share(s.Push.Late, s.Push.Stored), deadline)
		}), t.ofThose("stored")+fmt.Sprintf("no message is too late to be pushed (latest after %s; deadline %s)", duration(latest), deadline))
}

func (t *text) seconds() []finding {
	otherwise := ""
	var both int64
	for _, b := range t.pairs {
		both += b.Both
	}
	if both > 0 && !t.improper() {
		otherwise = "every message has the same second at every site"
		if t.refuses() {
			otherwise = "of those stored at both sites, every message has the same second at both"
		}
	}
	all := worst(watch, t.overPairs(
		func(b *result.Between) int64 { return b.DifferentSecond },
		func(b *result.Between) string {
			s := fmt.Sprintf("%s of messages in different seconds (%s)", share(b.DifferentSecond, b.Both), count(b.DifferentSecond))
			if d := b.Difference; d != nil {
				s += fmt.Sprintf(", up to %s apart", seconds(max(d.Max, -d.Min)))
			}
			p := &b.Baseline
			return s + "; baseline " + share(p.DifferentSecond, p.SameID+p.SameSecond+p.DifferentSecond)
		}), otherwise)
	if len(all) == 1 && all[0].mark == fine {
		all[0].text += t.elseDifferent()
	}
	return all
}

// elseDifferent says how the baseline fares where the generator is fine.
func (t *text) elseDifferent() string {
	most := "0 %"
	var share0 float64
	for _, b := range t.pairs {
		if b.Baseline.DifferentShare > share0 {
			share0, most = b.Baseline.DifferentShare, percent(b.Baseline.DifferentShare)
		}
	}
	if share0 == 0 {
		return ""
	}
	upTo := ""
	if len(t.pairs) > 1 {
		upTo = "up to "
	}
	return fmt.Sprintf(" (baseline: %s%s do not)", upTo, most)
}

func (t *text) offsets() []finding {
	before := worst(wrong, t.overSites(earlier, func(s *result.Site) string {
		return fmt.Sprintf("%s (%s) of an earlier second than the %s, by up to %s",
			counted(earlier(s), "id"), share(earlier(s), s.Overflow.IDs), t.own(), seconds(-s.Overflow.Offset.Min))
	}), "")
	otherwise := ""
	if len(before) == 0 {
		otherwise = "every id is of the second of its " + t.own()
		if t.refuses() {
			otherwise = "of those that got an id, every message has one of its own second"
			if t.byClock() {
				otherwise = "of those that got an id, every message has one of the second of its draw"
			}
		}
	}
	return append(before, worst(watch, t.overSites(
		func(s *result.Site) int64 { return s.Overflow.WithOffset },
		func(s *result.Site) string {
			text := fmt.Sprintf("%s (%s) of a later second than the %s", counted(s.Overflow.WithOffset, "id"),
				share(s.Overflow.WithOffset, s.Overflow.IDs), t.own())
			if o := s.Overflow.Offset; o != nil {
				text += ", by up to " + seconds(o.Max)
			}
			return text
		}), otherwise)...)
}

// wrongOrder says how many ids stand against the order of their messages, at 1 s.
// That none does is said only where there are any that could.
func (t *text) wrongOrder() []finding {
	var comparable int64
	for _, s := range t.sites {
		comparable += s.Order.Comparable["1s"]
	}
	if comparable == 0 {
		return []finding{{watch, "no two messages of different seconds have different ids, so there is no order to judge"}}
	}
	return worst(watch, t.overSites(
		func(s *result.Site) int64 { return s.Order.Discordant["1s"] },
		func(s *result.Site) string {
			text := counted(s.Order.Discordant["1s"], "pair") + " of ids against the order of their messages"
			if f := s.Order.DiscordantShare["1s"]; f != nil {
				text += " (" + percent(*f) + " at 1 s)"
			}
			return text
		}), t.ofThose("stored")+"ids stand in the order of the seconds of their messages")
}
