package sim

import (
	"bytes"
	"math"
	"runtime"
	"testing"

	gocmp "github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	"pgregory.net/rapid"

	"twindrift/replay"
	"twindrift/sim/delay"
	"twindrift/sim/replications"
	"twindrift/sim/report"
	"twindrift/sim/result"
	"twindrift/sim/scenario"
)

// fourPartitions are 4000 messages of four partitions within two minutes.
func fourPartitions() *replay.Memory {
	m := &replay.Memory{BlockRows: 64}
	for p := range int32(4) {
		b := &replay.Batch{}
		for i := range int64(1000) {
			b.Offset = append(b.Offset, i)
			b.TimestampMs = append(b.TimestampMs, 1_772_449_200_000+i*120+int64(p)*31)
			b.TimestampType = append(b.TimestampType, replay.TimestampCreate)
			b.KeyHash = append(b.KeyHash, uint64(i%10))
			b.KeyLen = append(b.KeyLen, 1)
			b.ValueLen = append(b.ValueLen, 100)
		}
		m.Partition("orders", p, b)
	}
	return m
}

// behind is the default scenario with another delay of west and so many
// replications.
func behind(t *testing.T, west string, n int64) scenario.Scenario {
	sc := scenario.Default()
	d, err := delay.Parse(west)
	if err != nil {
		t.Fatal(err)
	}
	sc.Sites[1].Link.Delay = d
	sc.Replications = n
	return sc
}

// Another replication is what the plain model gives with the luck of that one.
// A run that has two is the first of them, with the figures of both.
func TestReplicationsAgainstPlainModel(t *testing.T) {
	cases := rapid.Custom(randomCase)
	for i := range 25 {
		c := cases.Example(i)
		parts, batches, err := c.changed()
		if err != nil {
			continue // the changes to the traffic do not go with the capture
		}
		run := func(n int64, replication uint32) *result.Result {
			t.Helper()
			sc := c.scenario
			sc.Replications = n
			r, err := Run(t.Context(), Config{Source: memory(c.partitions, c.batches, 3), Scenario: sc, epochBlocks: 2, replication: replication})
			if err != nil {
				t.Fatal(err)
			}
			return r
		}
		first, second, both := run(1, 0), run(1, 1), run(2, 0)
		checkReplication(t, &c.scenario, 1, parts, batches, second)
		if d := gocmp.Diff(plainFigures(first, second), both.Replications.Figures, cmpopts.EquateApprox(1e-9, 1e-12)); d != "" {
			t.Fatalf("case %d: figures over two replications (-plain +engine):\n%s", i, d)
		}
		both.Replications, both.Scenario = nil, first.Scenario
		if d := gocmp.Diff(first, both); d != "" {
			t.Fatalf("case %d: a second replication changes the run (-alone +first of two):\n%s", i, d)
		}
	}
}

// plainFigures are the figures over two replications, for which mean, standard
// deviation and interval have simple forms.
func plainFigures(first, second *result.Result) map[string]*result.Estimate {
	values := map[string]*[2]*float64{}
	for i, r := range []*result.Result{first, second} {
		for _, f := range result.Figures(r) {
			if values[f.Path] == nil {
				values[f.Path] = &[2]*float64{new(float64), new(float64)} // counts that do not occur
			}
			values[f.Path][i] = f.Value
		}
	}
	out := map[string]*result.Estimate{}
	for path, v := range values {
		e := &result.Estimate{Values: v[:]}
		switch x, y := v[0], v[1]; {
		case x != nil && y != nil:
			mean, apart := (*x+*y)/2, math.Abs(*x-*y)
			sd, half := apart/math.Sqrt2, 12.706204736174694*apart/2
			e.Defined, e.Mean, e.SD, e.Low, e.High = 2, &mean, &sd, new(float64), new(float64)
			*e.Low, *e.High = mean-half, mean+half
			least, most := min(*x, *y), max(*x, *y)
			e.Min, e.Max = &least, &most
		case x != nil || y != nil:
			one := x
			if one == nil {
				one = y
			}
			e.Defined, e.Mean, e.Min, e.Max = 1, one, one, one
		}
		out[path] = e
	}
	return out
}

func TestReplicationsHaveOtherLuck(t *testing.T) {
	r := mustRun(t, fourPartitions(), behind(t, "lognormal:35ms,400ms", 6))
	if r.Replications.N != 6 {
		t.Fatalf("%d replications", r.Replications.N)
	}
	late := r.Replications.Figures["sites.west.push.lateness_ms.mean"]
	seen := map[float64]bool{}
	for _, v := range late.Values {
		seen[*v] = true
	}
	if len(seen) != 6 {
		t.Errorf("mean lateness has %d different values in 6 replications: %+v", len(seen), late)
	}
	if calm := r.Replications.Figures["sites.east.push.lateness_ms.mean"]; *calm.SD != 0 || *calm.Max != 0 {
		t.Errorf("a site without delay is late by luck: %+v", calm)
	}
	if _, ok := r.Replications.Figures["sites.west.push.deadline_ms"]; ok {
		t.Error("the deadline is a figure")
	}
}

// Neither cores nor how the capture is cut into epochs changes a byte.
func TestReplicationsDoNotDependOnCores(t *testing.T) {
	var first []byte
	for i, blocks := range []int{2, 7, 1000} {
		was := runtime.GOMAXPROCS(1 + i)
		r, err := Run(t.Context(), Config{Source: fourPartitions(), Scenario: behind(t, "lognormal:35ms,400ms", 3), epochBlocks: blocks})
		runtime.GOMAXPROCS(was)
		if err != nil {
			t.Fatal(err)
		}
		var text bytes.Buffer
		if err := report.JSON(&text, r); err != nil {
			t.Fatal(err)
		}
		if i == 0 {
			first = text.Bytes()
		} else if d := gocmp.Diff(string(first), text.String()); d != "" {
			t.Fatalf("%d epochs' blocks and %d cores (-2 and 1 +this):\n%s", blocks, 1+i, d)
		}
	}
}

// Equal scenarios see the same luck: they differ by exactly nothing in every
// replication, however much the replications do from each other.
func TestEqualScenariosDoNotDiffer(t *testing.T) {
	sc := behind(t, "lognormal:35ms,400ms", 5)
	sc.Filter.Keep = 0.7
	sc.Sites[1].Redelivery.Probability = 0.1
	a, b := mustRun(t, fourPartitions(), sc), mustRun(t, fourPartitions(), sc)
	c, err := replications.Compare(a, b)
	if err != nil {
		t.Fatal(err)
	}
	if len(c.Differences) != 0 || len(c.OnlyA) != 0 || len(c.OnlyB) != 0 || c.Same < len(result.Figures(a)) {
		t.Errorf("equal scenarios differ: %+v", c)
	}
	if e := a.Replications.Figures["sites.west.push.stored"]; *e.SD == 0 {
		t.Errorf("luck changes nothing here: %+v", e)
	}
}

// Two scenarios that saw the same luck are told apart where their own intervals
// overlap: the difference spreads much less than with luck of their own.
func TestCommonLuckNarrowsTheDifference(t *testing.T) {
	const n, path = 20, "sites.west.push.lateness_ms.mean"
	a := mustRun(t, fourPartitions(), behind(t, "lognormal:35ms,400ms", n))
	longer := behind(t, "lognormal:35500us,405ms", n)
	b := mustRun(t, fourPartitions(), longer)
	longer.Seed = 2
	other := mustRun(t, fourPartitions(), longer)

	c, err := replications.Compare(a, b)
	if err != nil {
		t.Fatal(err)
	}
	x, y := a.Replications.Figures[path], b.Replications.Figures[path]
	if *x.High < *y.Low {
		t.Fatalf("the intervals [%g, %g] and [%g, %g] do not overlap: the example shows nothing", *x.Low, *x.High, *y.Low, *y.High)
	}
	found := false
	for _, d := range c.Differences {
		if d.Path != path {
			continue
		}
		found = true
		if d.Verdict != result.BeyondNoise || *d.Difference.Mean <= 0 {
			t.Errorf("half a millisecond more of delay is not seen: %+v", d)
		}
		apart := 0.0 // sum of squares of differences of different luck, about their mean
		mean := *other.Replications.Figures[path].Mean - *x.Mean
		for i, v := range other.Replications.Figures[path].Values {
			by := *v - *x.Values[i] - mean
			apart += by * by / (n - 1)
		}
		if common := *d.Difference.SD * *d.Difference.SD; common*10 > apart {
			t.Errorf("the difference has variance %g with the same luck, and %g with luck of their own: want a tenth at most", common, apart)
		}
	}
	if !found {
		t.Errorf("%s does not differ", path)
	}
	if _, err := replications.Compare(a, other); err == nil {
		t.Error("results with different seeds are compared")
	}
}

// Every figure goes by a name that thresholds can be written with, and stands
// there in the result.
func TestFiguresAreNamedAsInThresholds(t *testing.T) {
	r := mustRun(t, fourPartitions(), behind(t, "lognormal:35ms,400ms", 1))
	figures := result.Figures(r)
	if len(figures) < 200 {
		t.Fatalf("%d figures", len(figures))
	}
	seen := map[string]bool{}
	for _, f := range figures {
		if seen[f.Path] {
			t.Errorf("%s is there twice", f.Path)
		}
		seen[f.Path] = true
		verdicts, err := JudgeThresholds(r, []string{f.Path + " == 0"})
		if err != nil {
			t.Error(err)
			continue
		}
		if d := gocmp.Diff(f.Value, verdicts[0].Values[0].Value); d != "" {
			t.Errorf("%s (-figure +threshold):\n%s", f.Path, d)
		}
	}
	for _, path := range []string{"sites.east.push.deadline_ms", "sites.east.consumers[0].node", "input.messages", "sites.east.lag[0].draws", "sites.east.push.deadlines[0].late"} {
		if seen[path] {
			t.Errorf("%s is a figure", path)
		}
	}
}
