package sim

import (
	"fmt"

	"twindrift/sim/measure"
	"twindrift/sim/order"
	"twindrift/sim/result"
)

// How some measures are reported.
var (
	// nReorderedAt are the n of n-reordering.
	nReorderedAt = []int64{1, 2, 3, 5, 10, 20, 50, 100}
	placeEdges   = []int64{-10_000, -1000, -100, -50, -20, -10, -5, -2, -1, 0, 1, 2, 3, 6, 11, 21, 51, 101, 1001, 10_001}
)

// densityThreshold is DT and BT of RFC 5236.
const densityThreshold = 1000

func reordering(re *order.ReorderingResult) result.Reordering {
	ratio, _ := re.Ratio()
	out := result.Reordering{
		Reordered: re.Reordered, Ratio: ratio, MaxBehindMs: re.MaxBehind,
		Extent: summary(&re.Extents), LateTime: summary(&re.LateMs),
		FreeRuns: result.FreeRuns{Runs: re.Runs.Runs, Entries: re.Runs.Elements, Squares: re.Runs.Squares, Trailing: re.Runs.Trailing,
			Mean: defined(re.Runs.Mean()), Weighted: defined(re.Runs.Weighted()), Variation: defined(re.Runs.Variation())},
	}
	for _, n := range nReorderedAt {
		count := re.NReordered(n)
		out.NReordered = append(out.NReordered, result.NReordered{N: n, Count: count, Ratio: share(count, re.N)})
	}
	return out
}

func displacement(d *order.DisplacementResult) *result.Displacement {
	distances, footrule := summed(d.Absolute())
	return &result.Displacement{
		Distance: distances, Histogram: bins(&d.Signed, placeEdges),
		Footrule: footrule.Int64(), // elements are fewer than 2^32, so this is less than 2^63
	}
}

func densities(d *order.DisplacementResult) *result.Densities {
	return &result.Densities{Displacement: density(d.Density(densityThreshold)), Occupancy: density(d.BufferDensity(densityThreshold))}
}

func density(d *order.Density) result.Density {
	return result.Density{
		Threshold: densityThreshold, Counted: d.Counts.N(), Discarded: d.Discarded,
		ShareAtZero: defined(d.Share(0)), Histogram: bins(&d.Counts, placeEdges),
	}
}

func rangeRecall(r *order.Recall) map[string]*result.RangeRecall {
	out := map[string]*result.RangeRecall{}
	for i, at := range r.Result(measure.RecallLeast) {
		out[order.GrainNames[i]] = &result.RangeRecall{
			Messages: at.N, Found: at.Found, Share: defined(at.Share()),
			WorstRecall: recallCell(at.WorstRecall), WorstPrecision: recallCell(at.WorstPrecision),
		}
	}
	return out
}

func recallCell(c order.RecallCell) *result.RecallCell {
	found, ok := c.Share()
	if !ok {
		return nil
	}
	return &result.RecallCell{StartMs: c.StartMs, Messages: c.N, Found: c.Found, Share: found}
}

// newest is what users see, by the length of the lists.
func newest(v *measure.Views) map[string]*result.Newest {
	out := map[string]*result.Newest{}
	for i, length := range measure.NewestLengths {
		out[fmt.Sprint(length)] = newestOf(&v.ByLength[i])
	}
	return out
}

func newestOf(v *measure.View) *result.Newest {
	out := &result.Newest{Minutes: v.N, Unknown: v.Unknown, Series: []result.NewestView{}}
	for i := range v.Minutes {
		out.Series = append(out.Series, newestView(&v.Minutes[i]))
	}
	if v.N == 0 {
		return out
	}
	n := float64(v.N)
	out.Mean = &result.NewestMean{Overlap: v.Overlap / n, Jaccard: v.Jaccard / n, Kendall: v.Kendall / n,
		RBO: defined(v.RBO/float64(v.HasRBO), v.HasRBO > 0)}
	out.Worst = new(newestView(&v.Worst))
	return out
}

func newestView(m *measure.ViewMinute) result.NewestView {
	return result.NewestView{EndMs: (m.Minute + 1) * 60_000, A: int64(m.LenA), B: int64(m.LenB), Overlap: int64(m.Overlap),
		Jaccard: m.Jaccard, RBO: defined(m.RBO, m.HasRBO), Kendall: m.Kendall}
}
