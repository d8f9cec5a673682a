package table

import (
	"cmp"
	"encoding/json"
	"slices"
	"strconv"

	"twindrift/sim/order"
	"twindrift/sim/tally"
)

// Measure measures two columns of one length, as Read gives them; file is for the
// report. Neither column is changed.
func Measure(file string, x, y *Column) *Report {
	report := &Report{
		Version: Version, File: file, Rows: len(y.Keys),
		X: ColumnNote{x.Name, x.Kind}, Y: ColumnNote{y.Name, y.Kind},
		Pairs: pairsReport(order.Kendall(x.Keys, y.Keys)),
	}
	rows := rowsByX(x)
	ys := make([]int64, len(rows))
	for i, row := range rows {
		ys[i] = y.Keys[row]
	}
	report.Reordering = reordering(x, y, rows, ys)
	presorted := order.Presortedness(ys)
	report.Presortedness = Presortedness{
		Presorted: presorted, Spearman: presorted.Spearman(),
		Displacement: tallied(&presorted.Displacements, "positions"),
	}
	report.Densities = densities(order.Displacements(ys))
	report.Definitions = definitions(x, y)
	return report
}

func pairsReport(p order.Pairs) PairsReport {
	return PairsReport{p, defined(p.DiscordantShare()), defined(p.TauA()), defined(p.TauB())}
}

// defined is nil when a figure is not defined.
func defined(figure float64, ok bool) *float64 {
	if !ok {
		return nil
	}
	return &figure
}

// rowsByX lists the rows in order of x, those of one x as they stand in the file.
func rowsByX(x *Column) []int {
	rows := make([]int, len(x.Keys))
	for i := range rows {
		rows[i] = i
	}
	if !slices.IsSorted(x.Keys) {
		slices.SortFunc(rows, func(a, b int) int { return cmp.Or(cmp.Compare(x.Keys[a], x.Keys[b]), cmp.Compare(a, b)) })
	}
	return rows
}

// reordering applies RFC 4737 to ys, the y in order of x; rows says which rows they are.
func reordering(x, y *Column, rows []int, ys []int64) Reordering {
	found := order.ReorderedElements(ys)
	var extents, degrees, starts tally.Counts
	var late, behind []difference
	highest, next := 0, 0
	for _, f := range found {
		extents.Add(int64(f.Extent))
		degrees.Add(int64(f.Degree))
		starts.Add(int64(f.Discontinuity()))
		for ; next < f.At; next++ {
			if ys[next] > ys[highest] {
				highest = next
			}
		}
		late = append(late, x.difference(rows[f.At], rows[f.Discontinuity()]))
		behind = append(behind, y.difference(rows[highest], rows[f.At]))
	}
	r := Reordering{
		Reordered: len(found), Ratio: float64(len(found)) / float64(len(ys)),
		Extent: tallied(&extents, "positions"), Extents: counts(&extents),
		Behind:     quantiles(behind, y, "y"),
		NReordered: nReordered(&degrees, len(ys)),
		FreeRuns:   freeRuns(order.RunsBetween(len(ys), found)),
	}
	if x.Kind != Positions {
		r.Late = quantiles(late, x, "x")
	}
	r.Discontinuities, r.Gap = gaps(&starts)
	return r
}

func freeRuns(f order.FreeRuns) FreeRuns {
	return FreeRuns{f, defined(f.Mean()), defined(f.Weighted()), defined(f.Variation())}
}

// nReordered counts for each n that is some row's largest how many rows are
// n-reordered: those whose largest n is that or more. n ascends.
func nReordered(degrees *tally.Counts, rows int) []NReordered {
	list := []NReordered{}
	below := int64(0)
	for n, count := range degrees.All() {
		if n > 0 {
			m := degrees.N() - below
			list = append(list, NReordered{n, m, float64(m) / float64(rows)})
		}
		below += count
	}
	return list
}

// gaps counts the different discontinuities and measures the positions between
// successive ones.
func gaps(starts *tally.Counts) (discontinuities int, gap *Quantiles) {
	var between tally.Counts
	last := int64(-1)
	for at := range starts.All() {
		if discontinuities++; last >= 0 {
			between.Add(at - last)
		}
		last = at
	}
	return discontinuities, tallied(&between, "positions")
}

// densities lists the densities, and sums up each direction by itself.
func densities(r *order.DisplacementResult) Densities {
	var early, late tally.Counts
	for d, n := range r.Signed.All() {
		if d < 0 {
			early.AddN(-d, n)
		} else if d > 0 {
			late.AddN(d, n)
		}
	}
	return Densities{
		Displacements: counts(&r.Signed),
		TooEarly:      tallied(&early, "positions"),
		TooLate:       tallied(&late, "positions"),
		Occupancies:   counts(&r.Occupancy),
		Waiting:       tallied(&r.Occupancy, "rows"),
	}
}

// counts lists a tally.
func counts(t *tally.Counts) []Count {
	list := []Count{}
	for v, n := range t.All() {
		list = append(list, Count{v, n})
	}
	return list
}

// tallied gives the quantiles of a tally, nil for an empty one.
func tallied(t *tally.Counts, unit string) *Quantiles {
	if t.N() == 0 {
		return nil
	}
	at := func(p float64) json.Number {
		v, _ := t.Quantile(p)
		return json.Number(strconv.FormatInt(v, 10))
	}
	return &Quantiles{unit, at(0.5), at(0.9), at(0.99), at(0.999), at(1)}
}

// quantiles gives the quantiles of differences of a column, the one called x or y;
// nil for none.
func quantiles(d []difference, c *Column, as string) *Quantiles {
	if len(d) == 0 {
		return nil
	}
	slices.SortFunc(d, func(a, b difference) int { return cmp.Or(cmp.Compare(a.whole, b.whole), cmp.Compare(a.float, b.float)) })
	at := func(thousandths int) json.Number {
		rank := (thousandths*len(d) + 999) / 1000 // rounded up
		return json.Number(c.format(d[rank-1]))
	}
	return &Quantiles{c.unit(as), at(500), at(900), at(990), at(999), at(1000)}
}
