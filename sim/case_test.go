package sim

import (
	"bytes"
	"context"
	"encoding/csv"
	"errors"
	"flag"
	"fmt"
	"hash/fnv"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"testing"

	gocmp "github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"twindrift/replay"
	"twindrift/sim/result"
	"twindrift/sim/scenario"
)

// modelCase is a capture and a scenario on which the engine is held against the
// plain model.
type modelCase struct {
	scenario    scenario.Scenario
	partitions  []replay.Partition
	batches     []*replay.Batch
	blockRows   int // of the run in small epochs
	epochBlocks int
}

func randomCase(t *rapid.T) *modelCase {
	pace := &calm
	if rapid.IntRange(0, 3).Draw(t, "hectic") == 3 {
		pace = &hectic
	}
	parts, batches := pace.randomCapture(t)
	return &modelCase{
		scenario: pace.randomScenario(t), partitions: parts, batches: batches,
		blockRows: rapid.IntRange(1, 8).Draw(t, "block rows"), epochBlocks: rapid.IntRange(1, 8).Draw(t, "epoch blocks"),
	}
}

// run fails where the engine does not give what the plain re-statement gives,
// whatever the epochs.
func (c *modelCase) run(t failer) *result.Result {
	cfg := Config{Source: memory(c.partitions, c.batches, c.blockRows), Scenario: c.scenario, epochBlocks: c.epochBlocks, inOrder: c.blockRows%3 == 0}
	if c.blockRows%2 == 1 {
		cfg.Memory = 1 // all that waits goes to disk
	}
	sink := &deliverySink{}
	cfg.Deliveries = sink.open
	parts, batches, refused := c.changed()
	got, err := Run(context.Background(), cfg)
	if refused != nil && err != nil && err.Error() == refused.Error() {
		return nil
	}
	if err := errors.Join(err, refused); err != nil {
		t.Fatal(err)
	}
	checkAgainstPlain(t, &c.scenario, parts, batches, got)
	checkDeliveries(t, &c.scenario, parts, batches, sink.got)
	cfg.Source, cfg.epochBlocks, cfg.Memory, cfg.Deliveries = memory(c.partitions, c.batches, 0), 0, 0, nil
	whole, err := Run(context.Background(), cfg)
	if err != nil {
		t.Fatal(err)
	}
	if d := gocmp.Diff(asTree(t, whole), asTree(t, got)); d != "" {
		t.Fatalf("small epochs differ from one (-one +small):\n%s", d)
	}
	return got
}

// changed is the capture after the scenario's changes to its traffic, which have
// tests of their own.
func (c *modelCase) changed() ([]replay.Partition, []*replay.Batch, error) {
	source, err := withTraffic(memory(c.partitions, c.batches, 0), &c.scenario)
	if err != nil {
		return nil, nil, err
	}
	plan, err := source.Plan(context.Background(), nil)
	if err != nil {
		return nil, nil, err
	}
	batches := make([]*replay.Batch, len(plan.Partitions))
	for p := range batches {
		batches[p] = &replay.Batch{}
	}
	return plan.Partitions, batches, replay.Walk(context.Background(), source, plan, func(b *replay.Batch) error {
		for i, p := range b.Partition {
			batches[p].Append(b, i)
		}
		return nil
	})
}

// casesDir holds the cases on which the engine once differed, as files that a
// change to the random generators does not outdate.
const casesDir = "testdata/cases"

// TestEngineAgainstPlainModel runs the saved cases, then random ones, as many as
// -rapid.checks says (make test-random CASES=10000). A random case that fails is
// made small, saved, and run first from then on.
func TestEngineAgainstPlainModel(t *testing.T) {
	dirs, err := filepath.Glob(casesDir + "/case-*")
	if err != nil {
		t.Fatal(err)
	}
	for _, dir := range dirs {
		t.Run(filepath.Base(dir), func(t *testing.T) { readCase(t, dir).run(t) })
	}
	if t.Failed() {
		return
	}
	setFlag(t, "rapid.nofailfile", "true") // the case is saved instead
	if checks := flag.Lookup("rapid.checks"); checks.Value.String() == checks.DefValue {
		setFlag(t, "rapid.checks", "150")
	}
	t.Run("random", func(t *testing.T) {
		var failed *modelCase // the last, which is the smallest
		defer func() { failed.save(t) }()
		rapid.Check(t, func(t *rapid.T) {
			c, passed := randomCase(t), false
			defer func() {
				if !passed || t.Failed() {
					failed = c
				}
			}()
			c.run(t)
			passed = true
		})
	})
}

// setFlag sets a flag until the test ends.
func setFlag(t *testing.T, name, value string) {
	before := flag.Lookup(name).Value.String()
	if err := flag.Set(name, value); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = flag.Set(name, before) })
}

// A saved case is a folder with the scenario, resolved, and the capture.
const (
	caseScenario = "scenario.yaml"
	caseCapture  = "capture.csv"
	caseEpochs   = "# in epochs of %d blocks of %d rows\n" // the scenario's first line
)

var caseColumns = []string{"topic", "partition", "offset", "timestamp_ms", "timestamp_type", "key_hash", "value_len", "processed_at_ms"}

// save writes a case that failed, and says how to repeat it.
func (c *modelCase) save(t *testing.T) {
	if c == nil {
		return
	}
	sc, capture := c.formatScenario(t), c.formatCapture(t)
	sum := fnv.New32a()
	sum.Write(sc)
	sum.Write(capture)
	name := fmt.Sprintf("case-%08x", sum.Sum32())
	dir := filepath.Join(casesDir, name)
	if err := errors.Join(
		os.MkdirAll(dir, 0o777),
		os.WriteFile(filepath.Join(dir, caseScenario), sc, 0o666),
		os.WriteFile(filepath.Join(dir, caseCapture), capture, 0o666),
	); err != nil {
		t.Error(err)
	}
	t.Logf("the smallest case that fails, saved in sim/%s:\n\n%s\n%s\nRepeat it with\n\n\tgo test ./sim -run '^TestEngineAgainstPlainModel$/^%s$'\n", dir, sc, capture, name)
}

func (c *modelCase) formatScenario(t failer) []byte {
	text, err := c.scenario.Marshal()
	if err != nil {
		t.Fatal(err)
	}
	return append(fmt.Appendf(nil, caseEpochs, c.epochBlocks, c.blockRows), text...)
}

func (c *modelCase) formatCapture(t failer) []byte {
	rows := [][]string{caseColumns}
	for p, b := range c.batches {
		for i := range b.Offset {
			row := []string{c.partitions[p].Topic}
			for _, n := range []int64{int64(c.partitions[p].Number), b.Offset[i], b.TimestampMs[i], int64(b.TimestampType[i]), int64(b.KeyHash[i]), int64(b.ValueLen[i])} {
				row = append(row, strconv.FormatInt(n, 10))
			}
			seen := ""
			if len(b.ProcessedAtMs) > 0 {
				seen = strconv.FormatInt(b.ProcessedAtMs[i], 10)
			}
			rows = append(rows, append(row, seen))
		}
	}
	var text bytes.Buffer
	if err := csv.NewWriter(&text).WriteAll(rows); err != nil {
		t.Fatal(err)
	}
	return text.Bytes()
}

func readCase(t failer, dir string) *modelCase {
	sc, err := os.ReadFile(filepath.Join(dir, caseScenario))
	if err != nil {
		t.Fatal(err)
	}
	capture, err := os.ReadFile(filepath.Join(dir, caseCapture))
	if err != nil {
		t.Fatal(err)
	}
	return parseCase(t, sc, capture)
}

func parseCase(t failer, sc, capture []byte) *modelCase {
	c := &modelCase{}
	if _, err := fmt.Sscanf(string(sc), caseEpochs, &c.epochBlocks, &c.blockRows); err != nil {
		t.Fatalf("the first line of %s: %v", caseScenario, err)
	}
	var err error
	if c.scenario, err = scenario.Parse(caseScenario, sc); err != nil {
		t.Fatal(err)
	}
	if err := c.readCapture(capture); err != nil {
		t.Fatalf("%s: %v", caseCapture, err)
	}
	return c
}

func (c *modelCase) readCapture(text []byte) error {
	rows, err := csv.NewReader(bytes.NewReader(text)).ReadAll()
	if err != nil {
		return err
	}
	for _, row := range rows[1:] {
		var n [8]int64
		for i, field := range row[1:] {
			if field == "" {
				continue
			}
			if n[i], err = strconv.ParseInt(field, 10, 64); err != nil {
				return err
			}
		}
		p := slices.IndexFunc(c.partitions, func(p replay.Partition) bool { return p.Topic == row[0] && int64(p.Number) == n[0] })
		if p < 0 {
			p = len(c.partitions)
			c.partitions = append(c.partitions, replay.Partition{Topic: row[0], Number: int32(n[0])})
			c.batches = append(c.batches, &replay.Batch{})
		}
		b := c.batches[p]
		b.Offset, b.TimestampMs, b.TimestampType = append(b.Offset, n[1]), append(b.TimestampMs, n[2]), append(b.TimestampType, int8(n[3]))
		b.KeyHash, b.KeyLen, b.ValueLen = append(b.KeyHash, uint64(n[4])), append(b.KeyLen, 1), append(b.ValueLen, int32(n[5]))
		if row[7] != "" {
			b.ProcessedAtMs = append(b.ProcessedAtMs, n[6])
		}
	}
	return nil
}

// What is saved of a case is all of it.
func TestCasesAreReadBackAsSaved(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		c := randomCase(t)
		sc := c.formatScenario(t)
		got := parseCase(t, sc, c.formatCapture(t))
		if d := gocmp.Diff(string(sc), string(got.formatScenario(t))); d != "" {
			t.Fatalf("the scenario differs (-saved +read):\n%s", d)
		}
		if d := gocmp.Diff(c.batches, got.batches); d != "" {
			t.Fatalf("the capture differs (-saved +read):\n%s", d)
		}
	})
}
