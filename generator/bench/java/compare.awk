# Reads lines of `twindrift bench -o go` and of SecondSlotBench, and puts the medians of
# their rounds side by side: ns an id, and how many times as long Java takes.

/^BenchmarkDraw\// {
	split($1, part, "/")
	for (i in part) { split(part[i], pair, "="); at[pair[1]] = pair[2] }
	sub(/-[0-9]+$/, "", at["threads"])
	point = at["seconds"] SUBSEP at["threads"]
	if (!(point in seen)) { seen[point] = 1; order[++points] = point }
	key = point SUBSEP at["variant"]
	ns[key, ++rounds[key]] = $3
	if ($6 == "duplicates") twice[point] += $5
}

# The middle one, or the mean of the middle two.
function median(key,   n, i, j, x, v) {
	n = rounds[key]
	for (i = 1; i <= n; i++) {
		x = ns[key, i]
		for (j = i - 1; j >= 1 && v[j] > x; j--) v[j + 1] = v[j]
		v[j + 1] = x
	}
	return (v[int((n + 1) / 2)] + v[int(n / 2) + 1]) / 2
}

END {
	print "ns an id by the wall clock, median of the rounds; in brackets, Java's time to Go's"
	printf "  %-7s %7s %9s %19s %19s %11s\n", "seconds", "threads", "Java", "Go, published", "Go, corrected", "Java: twice"
	for (p = 1; p <= points; p++) {
		split(order[p], at, SUBSEP)
		java = median(order[p] SUBSEP "java")
		published = median(order[p] SUBSEP "published")
		corrected = median(order[p] SUBSEP "corrected")
		printf "  %-7s %7d %9.1f %10.1f (%5.2fx) %10.1f (%5.2fx) %11d\n", at[1], at[2], java, published, java / published, corrected, java / corrected, twice[order[p]]
	}
}
