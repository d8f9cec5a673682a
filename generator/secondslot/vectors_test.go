package secondslot

import (
	"bufio"
	"compress/gzip"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"twindrift/generator"
)

// drawer is what both forms of the generator can do.
type drawer interface {
	DrawNode(node int32, eventMs int64) (int64, generator.Outcome, error)
	Reset()
}

// vectorRow is a row of a reference file; a reset row is a process restart.
type vectorRow struct {
	reset   bool
	node    int32
	eventMs int64
	id      int64
}

// readVector reads testdata/NAME.csv.gz: columns node, timestamp_ms, id.
func readVector(t testing.TB, name string) []vectorRow {
	t.Helper()
	f, err := os.Open(filepath.Join("testdata", name+".csv.gz"))
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	z, err := gzip.NewReader(f)
	if err != nil {
		t.Fatal(err)
	}
	var rows []vectorRow
	lines := bufio.NewScanner(z)
	for lines.Scan() {
		cells := strings.Split(lines.Text(), ",")
		switch {
		case len(cells) != 3:
			t.Fatalf("%s: %q has %d cells", name, lines.Text(), len(cells))
		case cells[0] == "node":
		case cells[0] == "reset":
			rows = append(rows, vectorRow{reset: true})
		default:
			var n [3]int64
			for i, cell := range cells {
				if n[i], err = strconv.ParseInt(cell, 10, 64); err != nil {
					t.Fatalf("%s: %v", name, err)
				}
			}
			rows = append(rows, vectorRow{node: int32(n[0]), eventMs: n[1], id: n[2]})
		}
	}
	if err := lines.Err(); err != nil {
		t.Fatalf("%s: %v", name, err)
	}
	return rows
}

var vectorNames = []string{
	"hot-second", "sustained-overload", "burst-then-quiet", "day-end", "stale-day",
	"live-and-backlog", "restart-replay", "odd-timestamps", "random-walk",
}

// published makes both forms; the vectors hold timestamps whose ids wrap.
func published(t testing.TB) map[string]drawer {
	t.Helper()
	cfg := DefaultConfig()
	cfg.WrapIDs = true
	single, err := New(cfg)
	if err != nil {
		t.Fatal(err)
	}
	many, err := NewConcurrent(cfg)
	if err != nil {
		t.Fatal(err)
	}
	return map[string]drawer{"single": single, "concurrent": many}
}

// Every id of the reference, from both forms.
func TestVectors(t *testing.T) {
	for _, name := range vectorNames {
		rows := readVector(t, name)
		for form, g := range published(t) {
			for i, row := range rows {
				if row.reset {
					g.Reset()
					continue
				}
				id, how, err := g.DrawNode(row.node, row.eventMs)
				if err != nil || id != row.id {
					t.Fatalf("%s, %s, row %d (node %d, timestamp %d): id %d (%v, error %v), the reference has %d",
						name, form, i+1, row.node, row.eventMs, id, how.Kind, err, row.id)
				}
			}
		}
	}
}

// The counts of SUMMARY.tsv, found from the ids alone. The node field is
// judged where timestamps are ordinary: odd-timestamps is counted as well.
func TestVectorSummary(t *testing.T) {
	want, err := os.ReadFile("testdata/SUMMARY.tsv")
	if err != nil {
		t.Fatal(err)
	}
	var got strings.Builder
	got.WriteString("vector\tids\textra_duplicates\tnode_field_wrong\toverflowed\tmax_offset_s\n")
	layout := DefaultLayout()
	for _, name := range vectorNames {
		var ids, duplicates, nodeWrong, overflowed, maxOffset int64
		seen := map[int64]bool{}
		for _, row := range readVector(t, name) {
			if row.reset {
				continue
			}
			ids++
			if seen[row.id] {
				duplicates++
			}
			seen[row.id] = true
			f := layout.Decode(row.id)
			if f.Node != int64(row.node) {
				nodeWrong++
			}
			offset := (f.SecondMs - generator.FloorDiv(row.eventMs, 1000)*1000) / 1000
			if offset > 0 {
				overflowed++
			}
			maxOffset = max(maxOffset, offset)
		}
		fmt.Fprintf(&got, "%s\t%d\t%d\t%d\t%d\t%d\n", name, ids, duplicates, nodeWrong, overflowed, maxOffset)
	}
	if got.String() != string(want) {
		t.Errorf("counted from the ids:\n%s\nSUMMARY.tsv says:\n%s", got.String(), want)
	}
}
