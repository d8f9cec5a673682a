# Reads `go test -v` of many packages. A package that passed becomes one line, one
# that failed is shown with all that its failed tests said; skipped tests are
# named with their reason. The results of all packages come last.

function flush_package(failed,   i, n) {
	for (i = 1; i <= lines; i++) {
		if (failed && line[i] !~ /^ *(=== |--- PASS)/) print line[i]
	}
	lines = 0
}

/^ *--- PASS/ { passed++ }
/^ *--- FAIL/ { failing++; failed_test[failing] = $3 }
/^ *--- SKIP/ { skipped++; skip_test[skipped] = $3; skip_reason[skipped] = said }

/^NOT RUN\t/   { note[++notes] = $0; next }
/^(ok  |\?   )\t/ {
	flush_package(0); print; fflush()
	# The same package under the race detector is a result of its own.
	result[++results] = $0
	if ($0 ~ /^ok/) ok++
	next
}
/^FAIL\t/ { flush_package(1); print; fflush(); result[++results] = $0; broken++; next }
/^FAIL$/  { next }

{
	line[++lines] = $0
	if ($0 ~ /_test\.go:[0-9]+: /) { said = $0; sub(/^.*_test\.go:[0-9]+: /, "", said) }
}

END {
	flush_package(1)
	print ""
	for (i = 1; i <= skipped; i++) print "skipped: " skip_test[i] ": " skip_reason[i]
	for (i = 1; i <= notes; i++) print note[i]
	for (i = 1; i <= failing; i++) print "failed:  " failed_test[i]
	if (skipped + notes + failing > 0) print ""
	for (i = 1; i <= results; i++) print result[i]
	printf "%s: %d packages ok, %d failed; %d tests passed, %d failed, %d skipped\n",
		broken || failing ? "FAIL" : "PASS", ok, broken, passed, failing, skipped
	exit broken || failing || ok == 0
}
