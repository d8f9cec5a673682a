package external

import (
	"bufio"
	"compress/gzip"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"twindrift/generator"
)

// examples are the generators below example, all of them second-slot, published.
var examples = map[string]func(t testing.TB) Config{
	"java": func(t testing.TB) Config {
		need(t, "java")
		need(t, "javac")
		classes := t.TempDir()
		if out, err := exec.Command("javac", "-Xlint:all", "-Werror", "-d", classes, javaSource).CombinedOutput(); err != nil {
			t.Fatalf("javac: %v\n%s", err, out)
		}
		return Config{Command: []string{"java", "-Xmx256m", "-cp", classes, "SecondSlot"}}
	},
	"python":        func(t testing.TB) Config { return python(t, NDJSON) },
	"python-binary": func(t testing.TB) Config { return python(t, Binary, "--binary") },
}

var javaSource = filepath.Join("example", "java", "SecondSlot.java")

func python(t testing.TB, framing Framing, args ...string) Config {
	need(t, "python3")
	source := filepath.Join("example", "python", "second_slot.py")
	return Config{Command: append([]string{"python3", source}, args...), Framing: framing}
}

// example is one of them, with all the time that a busy machine may need.
func example(t testing.TB, cfg Config) *Generator {
	t.Helper()
	cfg.Timeout = 5 * time.Minute
	g := newGenerator(t, cfg)
	g.grace = time.Minute
	return g
}

// vectorRow is a row of a reference file; a reset row is a process restart.
type vectorRow struct {
	reset   bool
	node    int
	eventMs int64
	id      int64
}

// readVector reads a file of secondslot's testdata: columns node, timestamp_ms, id.
func readVector(t *testing.T, name string) (rows []vectorRow) {
	t.Helper()
	f, err := os.Open(filepath.Join("..", "secondslot", "testdata", name+".csv.gz"))
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	z, err := gzip.NewReader(f)
	if err != nil {
		t.Fatal(err)
	}
	lines := bufio.NewScanner(z)
	lines.Scan() // the header
	for lines.Scan() {
		cells := strings.Split(lines.Text(), ",")
		if cells[0] == "reset" {
			rows = append(rows, vectorRow{reset: true})
			continue
		}
		var row vectorRow
		var errs [3]error
		row.node, errs[0] = strconv.Atoi(cells[0])
		row.eventMs, errs[1] = strconv.ParseInt(cells[1], 10, 64)
		row.id, errs[2] = strconv.ParseInt(cells[2], 10, 64)
		if errs != [3]error{} {
			t.Fatalf("%s: %q: %v", name, lines.Text(), errs)
		}
		rows = append(rows, row)
	}
	if err := lines.Err(); err != nil || len(rows) == 0 {
		t.Fatalf("%s: %d rows, %v", name, len(rows), err)
	}
	return rows
}

// Every id of the reference.
func TestExamplesAgainstVectors(t *testing.T) {
	for name, config := range examples {
		t.Run(name, func(t *testing.T) {
			cfg := config(t)
			for _, vector := range []string{
				"hot-second", "sustained-overload", "burst-then-quiet", "day-end", "stale-day",
				"live-and-backlog", "restart-replay", "odd-timestamps", "random-walk",
			} {
				if vector == "sustained-overload" && (testing.Short() || name == "python") {
					continue // 900,000 rows, which python-binary has drawn too
				}
				g := example(t, cfg)
				rows := readVector(t, vector)
				for at := 0; at < len(rows); {
					if rows[at].reset {
						g.Reset()
						at++
						continue
					}
					at += holdAgainst(t, g, vector, rows[at:])
				}
				if err := g.Close(); err != nil {
					t.Fatal(err)
				}
			}
		})
	}
}

// holdAgainst draws for the first rows, those of one node in one process, and says how
// many they are.
func holdAgainst(t *testing.T, g *Generator, vector string, rows []vectorRow) (n int) {
	t.Helper()
	var c generator.Calls
	for n < len(rows) && !rows[n].reset && rows[n].node == rows[0].node {
		c.EventMs = append(c.EventMs, rows[n].eventMs)
		n++
	}
	c.NowMs, c.AtNs, c.Partition = make([]int64, n), make([]int64, n), make([]int32, n)
	g.cfg.Node = rows[0].node // the reference has one process for several nodes
	ids, kinds, _, err := drawn(g, c)
	if err != nil {
		t.Fatalf("%s: %v", vector, err)
	}
	for i, row := range rows[:n] {
		if ids[i] != row.id || kinds[i] != generator.Drawn {
			t.Fatalf("%s, node %d, timestamp %d: id %d (%v), the reference has %d", vector, row.node, row.eventMs, ids[i], kinds[i], row.id)
		}
	}
	return n
}

// As its comment says: from the source, with nothing built before.
func TestJavaExampleFromSource(t *testing.T) {
	need(t, "java")
	need(t, "javac") // the launcher is part of a JDK only
	g := example(t, Config{Command: []string{"java", javaSource}, Node: 1})
	for seq := range int64(3) {
		if id, _, err := g.Draw(1_757_901_600_000, 0); err != nil || id != 638935272001000000+200*seq {
			t.Errorf("draw %d: id %d, error %v", seq, id, err)
		}
	}
	_, _, err := g.Draw(-28_800_001, 0)
	wantError(t, err, "timestamp -28800001: the external generator gave no id (status 1)")
}
