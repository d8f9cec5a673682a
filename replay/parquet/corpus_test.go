package parquet

import (
	"bufio"
	"errors"
	"fmt"
	"maps"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	pq "github.com/parquet-go/parquet-go"
	"github.com/parquet-go/parquet-go/encoding"

	"twindrift/replay"
)

// corpus finds a folder of real files that stay outside the project.
func corpus(t *testing.T, path string) string {
	t.Helper()
	root, set := os.LookupEnv("TWINDRIFT_SHARED")
	if !set {
		root = "../../../shared" // beside the repository
	}
	dir := filepath.Join(root, path)
	if _, err := os.Stat(dir); err != nil {
		if set {
			t.Fatalf("TWINDRIFT_SHARED is set and %v", err)
		}
		t.Skipf("SKIPPED: no real files at %s; set TWINDRIFT_SHARED to the folder that holds data/", dir)
	}
	return dir
}

// readTable reads tab-separated lines with a header, as maps.
func readTable(t *testing.T, path string) []map[string]string {
	t.Helper()
	f, err := os.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	lines := bufio.NewScanner(f)
	lines.Buffer(nil, 1<<20)
	lines.Scan()
	head := strings.Split(lines.Text(), "\t")
	var table []map[string]string
	for lines.Scan() {
		row := map[string]string{}
		for i, v := range strings.Split(lines.Text(), "\t") {
			row[head[i]] = v
		}
		table = append(table, row)
	}
	if err := lines.Err(); err != nil {
		t.Fatal(err)
	}
	return table
}

// anything is a meaning that takes every value.
type anything struct{}

func (anything) convert(dst []int64, v *encoding.Values, from int) (int, error) {
	if n := valueCount(v); from+len(dst) > n {
		return 0, fmt.Errorf("%d values where %d are wanted", n, from+len(dst))
	}
	clear(dst)
	return len(dst), nil
}

// times is what a column of timestamps holds.
type times struct{ rows, nulls, min, max int64 }

// readColumn reads a column in full, by the way that captures are read.
func readColumn(f *file, c pq.LeafColumn, m meaning) (got times, err error) {
	if err := f.content.acquire(); err != nil {
		return got, err
	}
	defer f.content.release()
	got.min, got.max = math.MaxInt64, math.MinInt64
	buf := make([]int64, planRows)
	for g := range f.groups() {
		if f.rows(g) == 0 {
			continue
		}
		l, err := f.openLeaf(g, c, m)
		if err != nil {
			return got, err
		}
		l.null = nullTime
		for left := f.rows(g); left > 0 && err == nil; {
			n := min(left, int64(len(buf)))
			err = l.fill(buf[:n])
			for _, v := range buf[:n] {
				if v != nullTime {
					got.min, got.max = min(got.min, v), max(got.max, v)
				}
			}
			left -= n
			got.rows += n
		}
		got.nulls += l.nulls
		if err != nil {
			return got, err
		}
	}
	return got, nil
}

// flatColumns are the columns outside lists and maps.
func flatColumns(f *file) []pq.LeafColumn {
	var list []pq.LeafColumn
	for _, leaf := range f.leaves {
		if leaf.MaxRepetitionLevel == 0 {
			list = append(list, leaf)
		}
	}
	return list
}

// readWhole reads all flat columns of a file and gives its rows.
func readWhole(path string) (rows int64, flat int, err error) {
	f, err := openFile(path)
	if err != nil {
		return 0, 0, err
	}
	for _, c := range flatColumns(f) {
		got, err := readColumn(f, c, anything{})
		if err != nil {
			return 0, flat, err
		}
		if flat++; got.rows != f.pq.Metadata().NumRows {
			return 0, flat, fmt.Errorf("column %s: %d rows for %d", joinPath(c.Path), got.rows, f.pq.Metadata().NumRows)
		}
	}
	return f.pq.Metadata().NumRows, flat, nil
}

func TestCorpusRows(t *testing.T) {
	dir := corpus(t, "data/parquet")
	count := map[string]int{}
	for _, row := range readTable(t, filepath.Join(dir, "MANIFEST.tsv")) {
		name := row["file"]
		rows, flat, err := readWhole(filepath.Join(dir, name))
		want, _ := strconv.ParseInt(row["footer_rows"], 10, 64)
		base := filepath.Base(name)
		outcome := "read right"
		switch {
		case err != nil:
			outcome = "refused: " + kindOf(err)
			if !strings.Contains(err.Error(), filepath.Base(name)) {
				t.Errorf("%s: the error does not name the file: %v", name, err)
			}
			says, known := refused[base]
			if row["class"] == "good" && !(known && strings.Contains(err.Error(), says)) {
				t.Errorf("%s (good): %v", name, err)
			}
		case rows != want:
			t.Errorf("%s: %d rows, want %d", name, rows, want)
		case row["class"] == "encrypted":
			t.Errorf("%s: read, though encrypted", name)
		case row["class"] == "bad":
			why, known := readable[base]
			if !known {
				t.Errorf("%s (bad: %s): read without an error", name, row["note"])
			}
			outcome = "read right: " + why
		case refused[base] != "":
			t.Errorf("%s: read, where an error was expected", name)
		case flat == 0:
			outcome = "read right, no column outside lists and maps"
		}
		if row["class"] == "encrypted" && err != nil && !errors.Is(err, ErrUnsupported) {
			t.Errorf("%s: %v", name, err)
		}
		count[row["class"]+": "+outcome]++
		if testing.Verbose() && err != nil {
			t.Log(err)
		}
	}
	for _, k := range slices.Sorted(maps.Keys(count)) {
		t.Logf("%4d %s", count[k], k)
	}
}

func kindOf(err error) string {
	for _, kind := range []error{ErrNoCapture, ErrTooLarge, ErrUnsupported, ErrNotParquet, ErrCorrupt} {
		if errors.Is(err, kind) {
			return kind.Error()
		}
	}
	return "other"
}

// refused are good files that give an error all the same, and what it says.
var refused = map[string]string{
	// What this reader does not know, and says so.
	"parquet-testing__hadoop_lz4_compressed.parquet":        "compression LZ4 (Hadoop's framing)",
	"parquet-testing__hadoop_lz4_compressed_larger.parquet": "compression LZ4 (Hadoop's framing)",
	"parquet-testing__non_hadoop_lz4_compressed.parquet":    "compression LZ4 (Hadoop's framing)",
	"velox__lzo.parquet": "compression LZO",
	// Footers with a key without a value, which parquet-go v0.32 does not take.
	"parquet-testing__column_chunk_key_value_metadata.parquet": "footer: reading parquet file metadata",
	"fastparquet__non-std-kvm.fp-0.8.2.parquet":                "footer: reading parquet file metadata",
	// parquet-mr 1.2.5 left the header of the dictionary out of the column's
	// size, so that its last page reaches past it.
	"impala__repeated_values.parquet": "header of page 1: cut short",
}

// readable are bad files whose rows are right all the same, and why.
var readable = map[string]string{
	"duckdb__bloom_filter_bad_length_range.parquet":       "the fault is in what is not read (filters, statistics, indexes)",
	"duckdb__bloom_filter_bad_numbytes.parquet":           "the fault is in what is not read (filters, statistics, indexes)",
	"duckdb__corrupt_stats.parquet":                       "the fault is in what is not read (filters, statistics, indexes)",
	"duckdb__incorrect_index_page_offsets.parquet":        "the fault is in what is not read (filters, statistics, indexes)",
	"duckdb__invalid_utf8_stats.parquet":                  "the fault is in what is not read (filters, statistics, indexes)",
	"impala__out_of_range_timestamp.parquet":              "INT96 of any year has its ms",
	"impala__out_of_range_timestamp2_hive_211.parquet":    "INT96 of any year has its ms",
	"impala__out_of_range_timestamp_hive_211.parquet":     "INT96 of any year has its ms",
	"impala__out_of_range_time_of_day.parquet":            "INT96 of any year has its ms",
	"impala__out_of_range_date.parquet":                   "DATE of any year has its ms",
	"impala__repeated_root_schema.parquet":                "the root of the schema counts for nothing",
	"impala__decimal_padded_fixed_len_byte_array.parquet": "decimals are never times, offsets or topics",
	"impala__malformed_decimal_tiny.parquet":              "decimals are never times, offsets or topics",
	"duckdb__byte_array_decimal_empty_value.parquet":      "decimals are never times, offsets or topics",
	"parquet-testing__case-125-INVALID.parquet":           "the fault is in how a struct's columns go together",
	"duckdb__invalid_utf8_dba.parquet":                    "text is bytes, except that a topic must be UTF-8",
	"duckdb__invalid_utf8_dictionary.parquet":             "text is bytes, except that a topic must be UTF-8",
	"impala__too_many_def_levels.parquet":                 "levels past the page's rows count for nothing (all four readers of the manifest read it)",
	"impala__bad_parquet_data.parquet":                    "three strings, which all four readers of the manifest read",
	"cudf__delta_encoding.parquet":                        "no column outside lists: not a capture (see TestCorpusAsCapture)",
}

// otherwise are columns of which DuckDB says something else than what the file
// holds.
var otherwise = map[string]times{
	// 1 ns before the epoch; DuckDB cuts INT96 to microseconds, towards zero.
	"impala__out_of_range_time_of_day.parquet d": {rows: 4, min: -1, max: 86400000},
	// The file holds Julian day -105862232, where Spark's microseconds ran over
	// (docs/int96_from_spark.md); DuckDB's run over once more.
	"parquet-testing__int96_from_spark.parquet a": {rows: 6, nulls: 1, min: -9357363680509552, max: 253402225200000},
}

// floored is DuckDB's epoch in ms rounded down, where DuckDB cuts towards zero:
// times before the epoch whose text has microseconds.
func floored(ms int64, text string) int64 {
	_, fraction, _ := strings.Cut(strings.TrimSuffix(text, "+00"), ".")
	if (ms < 0 || strings.HasPrefix(text, "1969")) && len(fraction) > 3 && strings.Trim(fraction[3:], "0") != "" {
		return ms - 1
	}
	return ms
}

func TestCorpusTimestamps(t *testing.T) {
	dir := corpus(t, "data/parquet")
	right := 0
	for _, row := range readTable(t, filepath.Join(dir, "EXPECTED_TIMESTAMPS.tsv")) {
		name, column := row["file"], row["column"]
		f, err := openFile(filepath.Join(dir, name))
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		c, ok := f.column(column)
		if !ok {
			t.Errorf("%s: no column %s", name, column)
			continue
		}
		tc, err := f.timeColumnOf(c, "")
		if err != nil {
			t.Errorf("%s: %s: %v", name, column, err)
			continue
		}
		got, err := readColumn(f, c, tc)
		if err != nil {
			t.Error(err)
			continue
		}
		want := func(column string) int64 {
			v, err := strconv.ParseInt(row[column], 10, 64)
			if err != nil {
				t.Fatalf("%s: %v", name, err)
			}
			return v
		}
		bad := got.rows != want("rows") || got.nulls != want("nulls")
		// DuckDB says infinity of the largest int64, and gives no ms for it.
		if v := row["min_epoch_ms"]; v != "None" && v != "" {
			bad = bad || got.min != floored(want("min_epoch_ms"), row["min"])
		}
		if v := row["max_epoch_ms"]; v != "None" && v != "" {
			bad = bad || got.max != floored(want("max_epoch_ms"), row["max"])
		}
		if right, known := otherwise[filepath.Base(name)+" "+column]; known {
			bad = got != right
		}
		if bad {
			t.Errorf("%s: %s (%s): got %+v, want rows %s nulls %s min %s max %s (%s .. %s)", name, column, typeName(tc.element), got, row["rows"], row["nulls"], row["min_epoch_ms"], row["max_epoch_ms"], row["min"], row["max"])
		} else {
			right++
		}
	}
	t.Logf("%d timestamp columns right", right)
}

// TestCorpusAsCapture opens every file as a capture, as a user would who named
// it: it either reads with as many messages as the footer has rows, or says
// why not.
func TestCorpusAsCapture(t *testing.T) {
	dir := corpus(t, "data/parquet")
	count := map[string]int{}
	for _, row := range readTable(t, filepath.Join(dir, "MANIFEST.tsv")) {
		name := filepath.Join(dir, row["file"])
		column := ""
		if first, _, _ := strings.Cut(row["timestamp_columns"], ":"); first != "" {
			column = first
		}
		opts := Options{NullTimestamps: "none"}
		if column != "" {
			opts.Map = map[string]string{"timestamp": column}
		}
		c, err := Open([]string{name}, opts)
		if err == nil {
			var got map[partitionKey][]message
			var plan *replay.Plan
			plan, got, err = readAll(c)
			if err == nil {
				rows := int64(0)
				for _, list := range got {
					rows += int64(len(list))
				}
				if rows != plan.Messages || fmt.Sprint(rows+noteRows(plan, "duplicates-dropped")) != row["footer_rows"] {
					t.Errorf("%s: %d messages, the plan has %d, the footer %s", name, rows, plan.Messages, row["footer_rows"])
				}
				count["read as a capture"]++
				continue
			}
		}
		if text := err.Error(); !strings.Contains(text, row["file"]) {
			t.Errorf("%s: the error does not name the file: %v", name, err)
		}
		if testing.Verbose() {
			t.Log(err)
		}
		count["refused: "+kindOf(err)]++
	}
	for _, k := range slices.Sorted(maps.Keys(count)) {
		t.Logf("%4d %s", count[k], k)
	}
}
