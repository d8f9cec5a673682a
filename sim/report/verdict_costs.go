package report

import (
	"fmt"

	"twindrift/sim/result"
)

// From when on waits, and ids past their own time, are worth a look.
const (
	longWaitUs = 1_000_000
	farPinMs   = 1000
)

// ofThose begins a sentence that would praise what is missing, where messages
// got no id: it is about the rest.
func (t *text) ofThose(which string) string {
	if !t.refuses() {
		return ""
	}
	return "of those " + which + ", "
}

// refused says which sites have messages without an id.
func (t *text) refused() []finding {
	return worst(wrong, t.overSites(
		func(s *result.Site) int64 { return s.Push.Refused },
		func(s *result.Site) string {
			verb := "are"
			if s.Push.Refused == 1 {
				verb = "is"
			}
			return fmt.Sprintf("%s (%s) got no id and %s not in the list%s", counted(s.Push.Refused, "message"),
				share(s.Push.Refused, asked(s)), verb, because(s.Refusals.ByReason))
		}), "")
}

// oneSided says how many messages one of two sites has alone, where some got no
// id.
func (t *text) oneSided() []finding {
	if !t.refuses() {
		return nil
	}
	return worst(watch, t.overPairs(
		func(b *result.Between) int64 { return b.OnlyA + b.OnlyB },
		func(b *result.Between) string {
			return fmt.Sprintf("%s stored at one of the two alone, %s at both", counted(b.OnlyA+b.OnlyB, "message"), count(b.Both))
		}), "")
}

// pinned says where ids stand far past the time that they were asked for.
func (t *text) pinned() []finding {
	return worst(watch, t.overSites(
		func(s *result.Site) int64 {
			if c := costsOf(s); c.MaxPinMs >= farPinMs {
				return c.MaxPinMs
			}
			return 0
		},
		func(s *result.Site) string {
			c := costsOf(s)
			return fmt.Sprintf("%s (%s) pushed past their own time by a later id before them, by up to %s",
				counted(c.Pinned, "id"), share(c.Pinned, s.Overflow.IDs), duration(c.MaxPinMs))
		}), "")
}

// waits says where draws waited for long.
func (t *text) waits() []finding {
	long := func(s *result.Site) int64 {
		if w := costsOf(s).Wait; w != nil && w.Max >= longWaitUs {
			return w.Max
		}
		return 0
	}
	return worst(watch, t.overSites(long, func(s *result.Site) string {
		c := costsOf(s)
		return fmt.Sprintf("%s (%s) waited, for up to %s (p99 of all %s), which the lateness does not count",
			counted(c.Waited, "draw"), share(c.Waited, drawn(s)), micros(c.Wait.Max), micros(c.Wait.P99))
	}), "")
}

// retried says where Redis refused writes that were then written again.
func (t *text) retried() []finding {
	return worst(watch, t.overSites(saved, func(s *result.Site) string {
		return fmt.Sprintf("%s refused by Redis and written again, at %s round trips for one id",
			counted(saved(s), "write"), amount(costsOf(s).TripsPerID))
	}), "")
}
