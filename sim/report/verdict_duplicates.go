package report

import (
	"fmt"
	"strings"

	"twindrift/sim/result"
)

// byDesign says whether duplicates are only such as streams tell apart.
func byDesign(layout string, copies int64, byCause map[string]int64) bool {
	return layout == streamIDs && copies > 0 && byCause["separate"] == copies
}

func (t *text) betweenDuplicates() []finding {
	told := func(b *result.Between) bool { return byDesign(t.layout(), b.Duplicates.IDs, b.Duplicates.ByCause) }
	apart := worst(watch, t.overPairs(
		func(b *result.Between) int64 { return onlyIf(told(b), b.Duplicates.Groups) },
		func(b *result.Between) string {
			return counted(b.Duplicates.Groups, "id") + " for different messages in the streams of the two sites, as each stream has ids of its own (by design)"
		}), "")
	return append(apart, worst(wrong, t.overPairs(
		func(b *result.Between) int64 { return onlyIf(!told(b), b.Duplicates.Groups) },
		func(b *result.Between) string {
			return fmt.Sprintf("%s for different messages at the two sites, %s%s",
				counted(b.Duplicates.Groups, "id"), copies(b.Duplicates.IDs), because(b.Duplicates.ByCause))
		}), "")...)
}

func (t *text) siteDuplicates() []finding {
	otherwise := ""
	if len(t.betweenDuplicates()) == 0 {
		otherwise = "no id stands for two messages, at a site or between sites"
	}
	told := func(s *result.Site) bool { return byDesign(s.IDs, s.Duplicates.IDs, s.Duplicates.ByCause) }
	apart := worst(watch, t.overSites(
		func(s *result.Site) int64 { return onlyIf(told(s), s.Duplicates.IDs) },
		func(s *result.Site) string {
			return counted(s.Duplicates.Groups, "id") + " for more than one message, in streams of their own (by design), " + copies(s.Duplicates.IDs)
		}), "")
	if len(apart) > 0 {
		otherwise = ""
	}
	return append(apart, worst(wrong, t.overSites(
		func(s *result.Site) int64 { return onlyIf(!told(s), s.Duplicates.IDs) },
		func(s *result.Site) string {
			return fmt.Sprintf("%s for more than one message, %s%s",
				counted(s.Duplicates.Groups, "id"), copies(s.Duplicates.IDs), because(s.Duplicates.ByCause))
		}), otherwise)...)
}

// onlyIf is n, or 0.
func onlyIf(is bool, n int64) int64 {
	if is {
		return n
	}
	return 0
}

func copies(n int64) string {
	if n == 1 {
		return "1 extra copy"
	}
	return count(n) + " extra copies"
}

// because lists counts by cause in brackets, the most frequent first.
func because(counts map[string]int64) string {
	var words []string
	for _, cause := range byCount(counts) {
		words = append(words, cause+" "+count(counts[cause]))
	}
	if len(words) == 0 {
		return ""
	}
	return " (" + strings.Join(words, ", ") + ")"
}

func (t *text) unexplained() []finding {
	all := t.overSites(
		func(s *result.Site) int64 { return s.Duplicates.Unexplained },
		func(s *result.Site) string {
			return copies(s.Duplicates.Unexplained) + " without a known cause; please report this"
		})
	return worst(wrong, append(all, t.overPairs(
		func(b *result.Between) int64 { return b.Duplicates.Unexplained },
		func(b *result.Between) string {
			return copies(b.Duplicates.Unexplained) + " without a known cause; please report this"
		})...), "")
}

func (t *text) undrawn() []finding {
	return worst(wrong, t.overSites(
		func(s *result.Site) int64 { return sum(s.Overflow.Undrawn) + s.Overflow.WrongNode },
		func(s *result.Site) string {
			what := " handed out without being drawn"
			if !t.slotted() {
				what = " not what the generator promises"
			}
			undrawn := counted(sum(s.Overflow.Undrawn), "id") + what + because(s.Overflow.Undrawn)
			switch {
			case s.Overflow.WrongNode == 0:
				return undrawn
			case sum(s.Overflow.Undrawn) == 0:
				return counted(s.Overflow.WrongNode, "id") + " with another node's number"
			}
			return undrawn + ", " + count(s.Overflow.WrongNode) + " with another node's number"
		}), "")
}

func (t *text) scores() []finding {
	return worst(wrong, t.overSites(
		func(s *result.Site) int64 { return scores(&s.Lane) },
		func(s *result.Site) string {
			n := scores(&s.Lane)
			own := "their own"
			if n == 1 {
				own = "its own"
			}
			return counted(n, "id") + " without a sorted-set score (float64) of " + own
		}), "")
}
