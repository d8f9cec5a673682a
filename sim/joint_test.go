package sim

import (
	"fmt"
	"path/filepath"
	"runtime"
	"slices"
	"testing"

	gocmp "github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"twindrift/generator/catalog"
	"twindrift/replay"
	"twindrift/replay/parquet"
	"twindrift/sim/duration"
	"twindrift/sim/scenario"
)

// jointScenario is three sites around one Redis that is down for a while and
// then fails over, with a generator.
func jointScenario(e *catalog.Entry) scenario.Scenario {
	sc := twoSites(2)
	sc.Sites = append(sc.Sites, scenario.NewSite("third", 1, 1))
	sc.Generator.Name, sc.Generator.Variant = e.Name, e.Variant
	at := func(ms int64) scenario.Moment { return scenario.Moment{After: duration.Duration(ms * 1e6)} }
	sc.Generator.Redis = &scenario.Redis{
		Shared: true, RoundTrip: duration.Duration(500_000),
		Outages:   []scenario.Stretch{{At: at(600), For: duration.Duration(200e6)}},
		Failovers: []scenario.Failover{{At: at(1500), Lose: 50}},
	}
	for _, takes := range e.Takes {
		switch takes {
		case "counter":
			sc.Generator.Counter = &scenario.Counter{Time: "now", Block: 10}
		case "snowflake":
			sc.Generator.Snowflake = &scenario.Snowflake{Range: 512, Call: 1000}
		case "streams":
			sc.Generator.Streams = &scenario.Streams{MaxSeq: 999}
		}
	}
	return sc
}

// eachJoint goes over the generators whose processes share something.
func eachJoint(t *testing.T, test func(t *testing.T, sc scenario.Scenario)) {
	for _, e := range catalog.Entries() {
		if e.Redis {
			t.Run(e.Name+" "+e.Variant, func(t *testing.T) { test(t, jointScenario(&e)) })
		}
	}
}

// One core gives what many give, and one epoch what many give, also where all
// sites share something.
func TestOneCoreIsManyCoresAroundOneRedis(t *testing.T) {
	eachJoint(t, func(t *testing.T, sc scenario.Scenario) {
		var trees []any
		for _, cores := range []int{1, 2, 7} {
			before := runtime.GOMAXPROCS(cores)
			source := traffic(4000, 5, 2000, 30)
			source.BlockRows = 50
			r, err := Run(t.Context(), Config{Source: source, Scenario: sc, epochBlocks: cores * cores})
			runtime.GOMAXPROCS(before)
			if err != nil {
				t.Fatal(err)
			}
			trees = append(trees, asTree(t, r))
			checkExplained(t, r)
		}
		for _, tree := range trees[1:] {
			if d := gocmp.Diff(trees[0], tree); d != "" {
				t.Error(d)
			}
		}
	})
}

// A capture split in two files, anywhere in each partition, changes nothing.
func TestTwoFilesAreOne(t *testing.T) {
	dir, n := t.TempDir(), 0
	rapid.Check(t, func(t *rapid.T) {
		c := randomCase(t)
		n++
		var whole, first, second []int
		for p := range c.batches {
			rows := c.batches[p].Len()
			cut := rapid.IntRange(0, rows).Draw(t, "cut")
			whole, first, second = append(whole, 0, rows), append(first, 0, cut), append(second, cut, rows)
		}
		one := []string{c.write(t, filepath.Join(dir, fmt.Sprint(n, "-one.parquet")), whole)}
		two := []string{
			c.write(t, filepath.Join(dir, fmt.Sprint(n, "-first.parquet")), first),
			c.write(t, filepath.Join(dir, fmt.Sprint(n, "-second.parquet")), second),
		}
		var trees []any
		for _, files := range [][]string{one, two} {
			source, err := parquet.Open(files, parquet.Options{})
			if err != nil {
				t.Fatal(err)
			}
			r, err := Run(t.Context(), Config{Source: source, Scenario: c.scenario})
			if err != nil {
				t.Skip(err)
			}
			r.Input.Notes = nil // they name files
			trees = append(trees, asTree(t, r))
		}
		if d := gocmp.Diff(trees[0], trees[1]); d != "" {
			t.Fatalf("two files differ from one (-one +two):\n%s", d)
		}
	})
}

// write writes the rows from..to of each partition to a file.
func (c *modelCase) write(t *rapid.T, path string, rows []int) string {
	w, err := parquet.Create(path, parquet.WriterOptions{ProcessedAt: true})
	if err != nil {
		t.Fatal(err)
	}
	for p, b := range c.batches {
		var part replay.Batch
		all := *b
		all.Partition = slices.Repeat([]int32{w.Partition(c.partitions[p].Topic, c.partitions[p].Number)}, b.Len())
		for i := rows[2*p]; i < rows[2*p+1]; i++ {
			part.Append(&all, i)
		}
		if part.Len() == 0 {
			continue
		}
		if err := w.Write(&part); err != nil {
			t.Fatal(err)
		}
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return path
}
