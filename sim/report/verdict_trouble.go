package report

import (
	"fmt"
	"slices"

	"twindrift/sim/result"
	"twindrift/sim/scenario"
)

// behindMs is how far behind the source log a site must be for the verdict to
// say so.
const behindMs = 10_000

// again says which sites drew messages more than once, and what came of it.
func (t *text) again() []finding {
	return worst(watch, t.overSites(
		func(s *result.Site) int64 { return s.Push.Again },
		func(s *result.Site) string {
			words := fmt.Sprintf("%s of messages that had been drawn before", counted2(s.Push.Again, "delivery", "deliveries"))
			if why := t.whyAgain(s); len(why) > 0 {
				words += " (" + and(why) + ")"
			}
			return words + "; " + t.idsOfAgain(s)
		}), "")
}

// counted2 is counted for what has a plural of its own.
func counted2(n int64, one, many string) string {
	if n == 1 {
		return "1 " + one
	}
	return count(n) + " " + many
}

// idsOfAgain says what ids the messages have that came again.
func (t *text) idsOfAgain(s *result.Site) string {
	if n := s.Push.Deduplicated; n > 0 {
		return count(n) + " of them not stored, since the list has the message already"
	}
	if s.List.SeveralIDs == 0 {
		return "each got the id that it had"
	}
	words := counted(s.List.SeveralIDs, "message") + " with several ids"
	switch {
	case s.List.Overwritten > 0:
		return words + ", of which the list keeps the last"
	case t.said("store", "member") == scenario.MemberID:
		return words + ", all of them in the list"
	}
	return words
}

// whyAgain says what in the scenario makes messages come again at a site.
func (t *text) whyAgain(s *result.Site) (why []string) {
	setup := t.setupOf(s)
	var restarts int64
	for i := range setup.Consumers {
		restarts += int64(len(setup.Consumers[i].Restarts))
	}
	if restarts > 0 {
		why = append(why, counted(restarts, "restart"))
	}
	if n := int64(len(setup.Rebalances)); n > 0 {
		why = append(why, counted(n, "rebalance"))
	}
	if setup.Redelivery.Probability > 0 {
		why = append(why, "redelivery by chance")
	}
	return why
}

// behind says which sites fell far behind the source log, and what in the
// scenario made them.
func (t *text) behind() []finding {
	return worst(watch, t.overSites(
		func(s *result.Site) int64 {
			if worst := worstLag(s).MaxLagMs; worst >= behindMs {
				return worst
			}
			return 0
		},
		func(s *result.Site) string {
			worst := worstLag(s)
			words := fmt.Sprintf("drawn up to %s behind the source log, most in the minute of %s UTC", duration(worst.MaxLagMs), minute(worst.MinuteMs))
			if why := t.whyBehind(s); len(why) > 0 {
				words += " (" + and(why) + ")"
			}
			return words + "; longest wait at a consumer " + duration(longestWait(s))
		}), "")
}

// whyBehind says what in the scenario may hold the messages of a site.
func (t *text) whyBehind(s *result.Site) (why []string) {
	setup := t.setupOf(s)
	if setup.Observed {
		return []string{"as observed"}
	}
	if d := setup.Link.Delay; d != "" && d != "0s" {
		why = append(why, "link "+breakable.Replace(d))
	}
	if n := int64(len(setup.Link.Outages)); n > 0 {
		why = append(why, counted(n, "outage")+" of the link")
	}
	var stalls, down int64
	slow := false
	for i := range setup.Consumers {
		c := &setup.Consumers[i]
		stalls += int64(len(c.Stalls))
		slow = slow || work(c) != ""
		for _, r := range c.Restarts {
			if r.Down > 0 {
				down++
			}
		}
	}
	if stalls > 0 {
		why = append(why, counted(stalls, "stall"))
	}
	if down > 0 {
		why = append(why, counted(down, "restart")+" with time down")
	}
	if slow {
		why = append(why, "consumers that take time")
	}
	return append(why, t.oneAtATime(s, &setup)...)
}

// oneAtATime names the partition with most messages, where a process with
// several workers works on each partition one message at a time.
func (t *text) oneAtATime(s *result.Site, setup *siteSetup) []string {
	var most *result.InputPartition
	for i := range setup.Consumers[:min(len(setup.Consumers), len(s.Consumers))] {
		c := &setup.Consumers[i]
		if c.Parallel != scenario.ParallelPartitions || c.Workers < 2 {
			continue
		}
		for k := range t.Input.Partitions {
			p := &t.Input.Partitions[k]
			if slices.Contains(s.Consumers[i].Partitions, fmt.Sprintf("%s/%d", p.Topic, p.Partition)) && (most == nil || p.Messages > most.Messages) {
				most = p
			}
		}
	}
	if most == nil {
		return nil
	}
	return []string{fmt.Sprintf("%s/%d with %s of all messages worked on one at a time", short(most.Topic, 30), most.Partition, share(most.Messages, t.Input.Messages))}
}

// clocks says which sites have a wrong clock, and what goes by it.
func (t *text) clocks() []finding {
	return worst(watch, t.overSites(
		func(s *result.Site) int64 {
			setup := t.setupOf(s)
			if t.wrongClock(&setup.Clock, 1) == "" {
				return 0
			}
			return 1 + s.Push.Early
		},
		func(s *result.Site) string {
			setup := t.setupOf(s)
			words := "its clock " + t.wrongClock(&setup.Clock, 1)
			if s.Push.Early > 0 {
				words += fmt.Sprintf("; by it %s stored messages (%s) are drawn before their event time", count(s.Push.Early), share(s.Push.Early, s.Push.Stored))
			}
			return words + "; lateness, lag and the baseline's ids go by it"
		}), "")
}
