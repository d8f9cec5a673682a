package report

import (
	"fmt"
	"maps"
	"slices"
	"strconv"

	"twindrift/sim/result"
)

// lengths are how many of the newest entries users are taken to see, ascending.
func lengths(l *result.PairLane) []int {
	var all []int
	for name := range maps.Keys(l.Newest) {
		if n, err := strconv.Atoi(name); err == nil && l.Newest[name] != nil {
			all = append(all, n)
		}
	}
	slices.Sort(all)
	return all
}

// alike says whether two users always see the same, in the same order.
func alike(n *result.Newest) bool {
	return n.Worst != nil && n.Worst.Jaccard == 1 && n.Mean != nil && n.Mean.Kendall == 0
}

// newestRows compare what users of two sites see, by the length of the lists.
func newestRows(lanes []pairLane) []row[pairLane] {
	have := map[int]bool{}
	for _, l := range lanes {
		for _, n := range lengths(l.PairLane) {
			have[n] = true
		}
	}
	var rows []row[pairLane]
	for _, length := range slices.Sorted(maps.Keys(have)) {
		cell := func(write func(*result.Newest) string) func(pairLane) string {
			return func(l pairLane) string {
				n := l.Newest[strconv.Itoa(length)]
				if n == nil || n.Mean == nil {
					return ""
				}
				return write(n)
			}
		}
		differs := func(write func(*result.NewestMean) string) func(pairLane) string {
			return cell(func(n *result.Newest) string {
				if alike(n) {
					return ""
				}
				return write(n.Mean)
			})
		}
		rows = append(rows,
			row[pairLane]{label: fmt.Sprintf("newest %d, mean by minute", length)},
			row[pairLane]{label: "  seen at both", cell: cell(func(n *result.Newest) string {
				if alike(n) {
					return "the same"
				}
				return number(n.Mean.Overlap)
			})},
			row[pairLane]{label: "  Jaccard index", cell: differs(func(m *result.NewestMean) string { return fraction(&m.Jaccard) })},
			row[pairLane]{label: "  rank-biased overlap", cell: differs(func(m *result.NewestMean) string { return fraction(m.RBO) })},
			row[pairLane]{label: "  Kendall K(1/2)", cell: differs(func(m *result.NewestMean) string { return number(m.Kendall) })},
			row[pairLane]{label: "  minutes left out", cell: func(l pairLane) string {
				if n := l.Newest[strconv.Itoa(length)]; n != nil {
					return unlessNone(n.Unknown)
				}
				return ""
			}})
	}
	return rows
}

// fraction writes a figure between 0 and 1.
func fraction(f *float64) string {
	if f == nil {
		return "-"
	}
	if s := fmt.Sprintf("%.4f", *f); len(s) <= 12 {
		return s
	}
	return fmt.Sprintf("%.3e", *f)
}

// newestOverTime shows when users saw least of the same, if they ever saw
// different lists.
func (t *text) newestOverTime(b *result.Between) {
	all := lengths(&b.PairLane)
	if len(all) == 0 {
		return
	}
	length := all[0]
	n := b.Newest[strconv.Itoa(length)]
	if n == nil || n.Worst == nil || alike(n) {
		return
	}
	t.line("")
	t.wrap("  ", fmt.Sprintf("of the newest %d, how many are not seen at both %s and %s, over time", length, b.A, b.B))
	points := make([]point, 0, len(n.Series))
	for _, v := range n.Series {
		points = append(points, point{v.EndMs - 60_000, max(v.A, v.B) - v.Overlap})
	}
	t.spark(points)
	w := n.Worst
	words := fmt.Sprintf("worst at the end of the minute of %s UTC: %d of %d and %d seen at both", minute(w.EndMs-60_000), w.Overlap, w.A, w.B)
	if w.RBO != nil {
		words += ", rank-biased overlap " + fraction(w.RBO)
	}
	t.wrap("    ", words+fmt.Sprintf(", Kendall K(1/2) %s (apart altogether: %s)", number(w.Kendall), number(float64(length*length)+float64(length*(length-1))/2)))
}
