package table

// definitions states how the report's figures are defined and how ties count.
func definitions(x, y *Column) []Definition {
	list := []Definition{{"order of the rows", orderOfRows(x)}}
	if x.Kind == Decimals || y.Kind == Decimals {
		list = append(list, Definition{"decimals", "compared as float64: values that differ only past the 16th digit may be tied."})
	}
	list = append(list, []Definition{
		{"pairs", "All pairs of rows. Discordant: x and y order them differently. Concordant: alike. Tied: equal x, or equal y; tied pairs are neither."},
		{"discordant_share", "discordant / (discordant + concordant)."},
		{"tau_a", "Kendall's tau-a, (concordant - discordant) / pairs."},
		{"tau_b", "Kendall's tau-b, (concordant - discordant) / sqrt((pairs - tied_x) (pairs - tied_y)); not defined when all x or all y are tied. As scipy.stats.kendalltau(x, y) and R's cor(x, y, method = \"kendall\")."},
		{"reordered", "RFC 4737: rows whose y lies below the greatest y before them; an equal y is in order. ratio: of all rows."},
		{"extent", "RFC 4737, 4.2: positions since the first row with a greater y. extents: how many rows have each."},
	}...)
	if x.Kind != Positions {
		list = append(list, Definition{"late", "RFC 4737, 4.3, with x as time of arrival: x less the x of the first row with a greater y."})
	}
	return append(list, []Definition{
		{"behind", "The greatest y before a reordered row, less its y."},
		{"n_reordered", "RFC 4737, 5: the n rows just before it all have a greater y. By Definition 2, count / rows; Appendix A of the RFC divides by less. Listed: each n at which the count changes; an n between has the count of the next one listed."},
		{"free_runs", "RFC 4737, 4.6: rows in order between reordered ones; elements a, squares q. mean a / runs, weighted q / a, variation weighted / mean. trailing: rows behind the last reordered one, which are no run."},
		{"discontinuities", "RFC 4737, 4.5: different first rows with a greater y. gap: positions from one to the next."},
		{"presortedness", "Of y in order of the rows; equal y keep their order. inversions (Inv): pairs with the greater y first. dis: the farthest such pair. displacement: positions between a row and its place by y; max_displacement (Max), footrule: their sum, spearman: sum of squares. exc: n - cycles. ham: rows out of place. rem: n - longest non-decreasing subsequence. runs: descents."},
		{"rd", "Reorder density, RFC 5236 (informational), of the rows' places by y, so that none is lost and none comes twice; no threshold. Rows at each displacement, place in order of the rows less place by y: below 0 too early, above 0 too late. Counts; divided by the rows they are the density. too_early, too_late: of such rows, how far."},
		{"rbd", "Reorder buffer-occupancy density, RFC 5236, likewise: how often so many rows wait, after each row, for one that stands further on. waiting: over all rows."},
		{"quantiles", "By nearest rank: the smallest value with at least that share of all at or below it."},
	}...)
}

func orderOfRows(x *Column) string {
	if x.Kind == Positions {
		return "As in the file; x is the position, so no x are tied."
	}
	return "By " + x.Name + ", ascending; rows of equal x are tied in pairs, and stand as in the file for all other measures."
}
