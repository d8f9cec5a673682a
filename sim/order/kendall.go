package order

import (
	"cmp"
	"slices"
)

// Kendall counts how the pairs of elements stand in the orders of xs and ys, which
// must be of one length. The order of the elements does not matter. It sorts by x
// and counts the exchanges of a merge sort by y: O(n log n) time, O(n) memory
// (W. R. Knight, A Computer Method for Calculating Kendall's Tau with Ungrouped
// Data, JASA 61, 1966). The inputs are left as they are.
func Kendall(xs, ys []int64) Pairs {
	type point struct{ x, y int64 }
	points := make([]point, len(xs))
	for i := range xs {
		points[i] = point{xs[i], ys[i]}
	}
	byXY := func(a, b point) int { return cmp.Or(cmp.Compare(a.x, b.x), cmp.Compare(a.y, b.y)) }
	if !slices.IsSortedFunc(points, byXY) {
		slices.SortFunc(points, byXY)
	}
	var tiedX, tiedBoth int64
	sameX, sameBoth := int64(0), int64(0)
	for i, p := range points {
		if i == 0 || p.x != points[i-1].x {
			sameX, sameBoth = 0, 0
		} else if p.y != points[i-1].y {
			sameBoth = 0
		}
		tiedX += sameX
		tiedBoth += sameBoth
		sameX++
		sameBoth++
	}
	sorted := make([]int64, len(points))
	for i, p := range points {
		sorted[i] = p.y
	}
	// Within one x the y ascend, so elements tied in x are never exchanged.
	discordant := sortCounting(sorted)
	return newPairs(int64(len(points)), tiedX, tiedInSorted(sorted, 1), tiedBoth, discordant)
}

// Inversions counts the pairs i < j with ys[i] > ys[j], in O(n log n).
func Inversions(ys []int64) int64 { return sortCounting(slices.Clone(ys)) }

// sortCounting sorts by merging, bottom up, and returns the number of inversions.
func sortCounting(a []int64) (inversions int64) {
	const block = 16
	for start := 0; start < len(a); start += block {
		inversions += insertionCounting(a[start:min(start+block, len(a))])
	}
	from, to := a, make([]int64, len(a))
	for width := block; width < len(a); width *= 2 {
		for start := 0; start < len(a); start += 2 * width {
			mid, end := min(start+width, len(a)), min(start+2*width, len(a))
			inversions += mergeCounting(to[start:end], from[start:mid], from[mid:end])
		}
		from, to = to, from
	}
	copy(a, from)
	return inversions
}

// insertionCounting sorts a short slice and counts its inversions.
func insertionCounting(a []int64) (inversions int64) {
	for i := 1; i < len(a); i++ {
		v, k := a[i], i
		for ; k > 0 && a[k-1] > v; k-- {
			a[k] = a[k-1]
		}
		a[k] = v
		inversions += int64(i - k)
	}
	return inversions
}

// mergeCounting merges two sorted slices into to and counts the pairs of which the
// greater stands on the left.
func mergeCounting(to, left, right []int64) (inversions int64) {
	if len(left) == 0 || len(right) == 0 || left[len(left)-1] <= right[0] {
		copy(to[copy(to, left):], right)
		return 0
	}
	i, j := 0, 0
	for k := range to {
		if j == len(right) || i < len(left) && left[i] <= right[j] {
			to[k] = left[i]
			i++
			continue
		}
		to[k] = right[j]
		j++
		inversions += int64(len(left) - i)
	}
	return inversions
}
