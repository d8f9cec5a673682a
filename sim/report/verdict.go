package report

import (
	"cmp"
	"fmt"
	"slices"

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
		return append(t.refused(), finding{watch, "no message is stored at any site, so there are no ids to compare"})
	}
	var all []finding
	for _, find := range []func() []finding{
		t.units, t.unexplained, t.betweenDuplicates, t.siteDuplicates, t.refused, t.undrawn, t.scores,
		t.oneSided, t.again, t.clocks, t.behind, t.late, t.seconds, t.offsets, t.pinned, t.waits, t.retried, t.wrongOrder,
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
