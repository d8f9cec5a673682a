package report

import (
	"cmp"
	"math"
	"slices"
	"strings"

	"twindrift/sim/result"
)

// The key figures of a site and of a pair, by what stands behind its name in
// their paths: duplicates, what has no id, order, late, overflow, and messages in
// different seconds.
var (
	keyOfSite = []string{"duplicates.ids", "push.refused", "push.late", "overflow.with_offset", "order.discordant.1s"}
	keyOfPair = []string{"duplicates.ids", "different_second"}
)

// mostKey is how many of them are shown at most.
const mostKey = 6

// key lists, of the differences with a verdict, those of key figures, the largest
// first for their size. Where nothing has the verdict, it says nothing.
func (t *differences) key(verdict string) {
	var of []*result.Difference
	all := 0
	for i := range t.Differences {
		d := &t.Differences[i]
		if d.Verdict != verdict {
			continue
		}
		all++
		if _, is := keyName(d.Path); is {
			of = append(of, d)
		}
	}
	if all == 0 {
		return
	}
	t.heading("KEY FIGURES: what changed most, for its size")
	if len(of) == 0 {
		same := "the same"
		if verdict == result.BeyondNoise {
			same = "none beyond noise"
		}
		t.wrap("  ", same+": duplicates, refusals, late pushes, overflow, pairs in wrong order at 1 s, messages in different seconds")
		return
	}
	slices.SortStableFunc(of, func(a, b *result.Difference) int {
		return cmp.Or(cmp.Compare(relative(b), relative(a)), cmp.Compare(absolute(b), absolute(a)))
	})
	t.columnHeads()
	for _, d := range of[:min(len(of), mostKey)] {
		name, _ := keyName(d.Path)
		t.row("  "+short(name, t.width-2), d)
	}
}

// keyName is what to call the figure of a path where no site or pair stands above
// it, and whether it is a key figure.
func keyName(path string) (name string, is bool) {
	place, name := placeOf(path)
	if site, part, ok := strings.Cut(place, ": "); ok {
		return place + "." + name, !strings.HasSuffix(site, ", baseline") && slices.Contains(keyOfSite, part+"."+name)
	}
	is = strings.HasPrefix(path, "between.") && !strings.HasSuffix(place, ", baseline") && slices.Contains(keyOfPair, name)
	return place + ": " + name, is
}

// relative is the size of a difference by the larger of the two values: from 0 to
// 1 for values of one sign, and 1 where one of them is 0 or not defined.
func relative(d *result.Difference) float64 {
	if d.A == nil || d.B == nil {
		return 1
	}
	return absolute(d) / max(math.Abs(*d.A), math.Abs(*d.B))
}

func absolute(d *result.Difference) float64 {
	if d.A == nil || d.B == nil {
		return 0
	}
	return math.Abs(*d.B - *d.A)
}
