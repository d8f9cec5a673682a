package report

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"twindrift/sim/result"
)

// mark is how grave a finding is.
type mark int

const (
	wrong mark = iota // ids are not what they have to be
	watch             // worth a look
	fine
)

var marks = [...]struct{ sign, style string }{{"  !!  ", red}, {"  !   ", yellow}, {"  ok  ", green}}

// mostFindings is how many lines the verdict has at most.
const mostFindings = 10

// finding is a sentence of the verdict.
type finding struct {
	mark mark
	text string
}

// verdict says in a few sentences what was found, the gravest first.
func (t *text) verdict() {
	t.heading("WHAT WAS FOUND")
	findings := t.findings()
	more := 0
	for _, f := range findings[min(len(findings), mostFindings):] {
		if f.mark != fine {
			more++
		}
	}
	for _, f := range findings[:min(len(findings), mostFindings)] {
		for i, l := range wrapped(marks[f.mark].sign, f.text, t.width) {
			if i == 0 {
				t.styled(marks[f.mark].style, l)
			} else {
				t.line(l)
			}
		}
	}
	if more > 0 {
		t.line(fmt.Sprintf("      and %d more, in the parts below", more))
	}
}

func (t *text) findings() []finding {
	if t.Input.Messages == 0 {
		return []finding{{watch, "there is no message to replay, so there is nothing to say"}}
	}
	var stored int64
	for _, s := range t.sites {
		stored += s.Push.Stored
	}
	if stored == 0 {
		return []finding{{watch, "no message is stored at any site, so there are no ids to compare"}}
	}
	var all []finding
	for _, find := range []func() []finding{
		t.units, t.unexplained, t.betweenDuplicates, t.siteDuplicates, t.undrawn, t.scores, t.again, t.clocks, t.behind, t.late, t.seconds, t.offsets, t.wrongOrder,
	} {
		all = append(all, find()...)
	}
	slices.SortStableFunc(all, func(a, b finding) int { return cmp.Compare(a.mark, b.mark) })
	return all
}

// measured is a sentence about a site or pair, and how much it says.
type measured struct {
	size int64
	who  []string // more than one if the sentence is the same for each
	text string
}

// worst makes findings of at most two sentences of a kind, those that say the
// most; of no sentence, it says that all is fine.
func worst(m mark, of []measured, otherwise string) []finding {
	slices.SortStableFunc(of, func(a, b measured) int { return cmp.Compare(b.size, a.size) })
	var all []finding
	for i, one := range of[:min(len(of), 2)] {
		text := one.who[0]
		if n := len(one.who); n > 1 {
			text = and(one.who[:min(n, 3)])
			if n > 3 {
				text = fmt.Sprintf("each of %d", n)
			} else {
				text += ", each"
			}
		}
		text += ": " + one.text
		if more := len(of) - 2; i == 1 && more > 0 {
			text += fmt.Sprintf("; %d more, lower", more)
		}
		all = append(all, finding{m, text})
	}
	if len(all) == 0 && otherwise != "" {
		all = append(all, finding{fine, otherwise})
	}
	return all
}

// overSites makes a sentence about each site for which size is not 0.
func (t *text) overSites(size func(*result.Site) int64, sentence func(*result.Site) string) []measured {
	var all []measured
	for _, s := range t.sites {
		if n := size(s); n != 0 {
			all = together(all, measured{n, []string{short(s.Name, 24)}, sentence(s)})
		}
	}
	return all
}

// overPairs makes a sentence about each pair of sites for which size is not 0.
func (t *text) overPairs(size func(*result.Between) int64, sentence func(*result.Between) string) []measured {
	var all []measured
	for _, b := range t.pairs {
		if n := size(b); n != 0 {
			all = together(all, measured{n, []string{short(b.A, 24) + " and " + short(b.B, 24)}, sentence(b)})
		}
	}
	return all
}

// together adds a sentence, or its name to one that says the same already.
func together(all []measured, one measured) []measured {
	for i := range all {
		if all[i].text == one.text {
			all[i].who = append(all[i].who, one.who...)
			return all
		}
	}
	return append(all, one)
}

func (t *text) betweenDuplicates() []finding {
	return worst(wrong, t.overPairs(
		func(b *result.Between) int64 { return b.Duplicates.Groups },
		func(b *result.Between) string {
			return fmt.Sprintf("%s for different messages at the two sites, %s%s",
				counted(b.Duplicates.Groups, "id"), copies(b.Duplicates.IDs), because(b.Duplicates.ByCause))
		}), "")
}

func (t *text) siteDuplicates() []finding {
	otherwise := ""
	if len(t.betweenDuplicates()) == 0 {
		otherwise = "no id stands for two messages, at a site or between sites"
	}
	return worst(wrong, t.overSites(
		func(s *result.Site) int64 { return s.Duplicates.IDs },
		func(s *result.Site) string {
			return fmt.Sprintf("%s for more than one message, %s%s",
				counted(s.Duplicates.Groups, "id"), copies(s.Duplicates.IDs), because(s.Duplicates.ByCause))
		}), otherwise)
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
			undrawn := counted(sum(s.Overflow.Undrawn), "id") + " handed out without being drawn" + because(s.Overflow.Undrawn)
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
		func(s *result.Site) int64 { return s.Duplicates.Scores },
		func(s *result.Site) string {
			return counted(s.Duplicates.Scores, "id") + " without a sorted-set score (float64) of its own"
		}), "")
}

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
		}), fmt.Sprintf("no message is too late to be pushed (latest after %s; deadline %s)", duration(latest), deadline))
}

func (t *text) seconds() []finding {
	otherwise := ""
	var both int64
	for _, b := range t.pairs {
		both += b.Both
	}
	if both > 0 {
		otherwise = "every message has the same second at every site"
	}
	all := worst(watch, t.overPairs(
		func(b *result.Between) int64 { return b.DifferentSecond },
		func(b *result.Between) string {
			s := fmt.Sprintf("%s of messages in different seconds (%s)", share(b.DifferentSecond, b.Both), count(b.DifferentSecond))
			if d := b.Difference; d != nil {
				s += fmt.Sprintf(", up to %s apart", seconds(max(d.Max, -d.Min)))
			}
			return s + "; baseline " + share(b.Baseline.DifferentSecond, b.Both)
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
		return fmt.Sprintf("%s (%s) of an earlier second than the message, by up to %s",
			counted(earlier(s), "id"), share(earlier(s), s.Overflow.IDs), seconds(-s.Overflow.Offset.Min))
	}), "")
	otherwise := ""
	if len(before) == 0 {
		otherwise = "every id is of the second of its message"
	}
	return append(before, worst(watch, t.overSites(
		func(s *result.Site) int64 { return s.Overflow.WithOffset },
		func(s *result.Site) string {
			text := fmt.Sprintf("%s (%s) of a later second than the message", counted(s.Overflow.WithOffset, "id"),
				share(s.Overflow.WithOffset, s.Overflow.IDs))
			if o := s.Overflow.Offset; o != nil {
				text += ", by up to " + seconds(o.Max)
			}
			return text
		}), otherwise)...)
}

func (t *text) wrongOrder() []finding {
	return worst(watch, t.overSites(
		func(s *result.Site) int64 { return s.Order.Discordant["1s"] },
		func(s *result.Site) string {
			text := counted(s.Order.Discordant["1s"], "pair") + " of ids against the order of their messages"
			if f := s.Order.DiscordantShare["1s"]; f != nil {
				text += " (" + percent(*f) + " at 1 s)"
			}
			return text
		}), "ids stand in the order of the seconds of their messages")
}
