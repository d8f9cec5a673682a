package replications

import (
	"errors"
	"math"
	"strings"
	"testing"

	"twindrift/sim/result"
)

// lateness is a result with one site and one figure of interest, by replication.
func lateness(values ...float64) *result.Result {
	r := &result.Result{
		Scenario:  map[string]any{"seed": 7},
		Input:     result.Input{Messages: 10, Partitions: []result.InputPartition{{Topic: "orders", Messages: 10}}},
		SiteNames: []string{"east"},
	}
	var c Collector
	for i, v := range values {
		site := &result.Site{Push: result.Push{Lateness: &result.Summary{Mean: v}}}
		if math.IsNaN(v) {
			site.Push.Lateness = nil
		}
		one := *r
		one.Sites = map[string]*result.Site{"east": site}
		c.Add(&one)
		if i == 0 {
			r.Sites = one.Sites
		}
	}
	if len(values) > 1 {
		r.Replications = c.Result()
	}
	return r
}

const path = "sites.east.push.lateness_ms.mean"

// The paired interval of Student's own example, from SciPy 1.17.1:
// scipy.stats.ttest_1samp(b - a, 0).confidence_interval(0.95).
func TestComparePairs(t *testing.T) {
	c, err := Compare(lateness(sleepA...), lateness(sleepB...))
	if err != nil {
		t.Fatal(err)
	}
	if len(c.Differences) != 1 || c.Differences[0].Path != path || c.Replications != 10 {
		t.Fatalf("want %s alone to differ: %+v", path, c)
	}
	d := c.Differences[0]
	for _, f := range []struct {
		name      string
		got, want float64
	}{
		{"a", *d.A, 0.75}, {"b", *d.B, 2.33}, {"difference", *d.Difference.Mean, 1.58}, {"sd", *d.Difference.SD, 1.2299954832798732},
		{"low", *d.Difference.Low, 0.7001142367230175}, {"high", *d.Difference.High, 2.459885763276983},
	} {
		if math.Abs(f.got-f.want) > 1e-12 {
			t.Errorf("%s is %.16g, want %.16g", f.name, f.got, f.want)
		}
	}
	if d.Verdict != result.BeyondNoise {
		t.Errorf("verdict %q", d.Verdict)
	}
	if c.Same == 0 || c.Same+1 != len(result.Figures(lateness(1))) {
		t.Errorf("%d figures are the same, of %d", c.Same, len(result.Figures(lateness(1))))
	}
}

func TestCompareVerdicts(t *testing.T) {
	undefined := math.NaN()
	for _, c := range []struct {
		a, b    []float64
		verdict string
		defined int
	}{
		{[]float64{1, 2, 3}, []float64{2, 1, 4}, result.WithinNoise, 3},
		{[]float64{1, 2, 3}, []float64{2, 3, 4}, result.BeyondNoise, 3}, // by one in each
		{[]float64{4, 5, 6}, []float64{2, 3, 4.1}, result.BeyondNoise, 3},
		{[]float64{1, 2, undefined}, []float64{2, 2.9, 4}, result.BeyondNoise, 2},
		{[]float64{1, 2, undefined}, []float64{2, undefined, 4}, result.NotEnough, 1},
		{[]float64{undefined, undefined}, []float64{2, 3}, result.NotEnough, 0},
		{[]float64{1}, []float64{2}, result.NotEnough, 1},
	} {
		got, err := Compare(lateness(c.a...), lateness(c.b...))
		if err != nil {
			t.Fatal(err)
		}
		found := false
		for _, d := range got.Differences {
			if d.Path == path {
				found = true
				if d.Verdict != c.verdict || d.Difference.Defined != c.defined {
					t.Errorf("%v against %v: %q of %d, want %q of %d", c.a, c.b, d.Verdict, d.Difference.Defined, c.verdict, c.defined)
				}
			}
		}
		if !found {
			t.Errorf("%v against %v: no difference", c.a, c.b)
		}
	}
}

// A count by cause that is not named is 0, in a replication as in a result; a
// figure of a site that the other does not have is of one alone.
func TestCompareNamesThatOneHas(t *testing.T) {
	a, b := lateness(1), lateness(1)
	b.Sites["east"].Duplicates.ByCause = map[string]int64{"day-end": 5}
	b.SiteNames = append(b.SiteNames, "west")
	b.Sites["west"] = &result.Site{}
	c, err := Compare(a, b)
	if err != nil {
		t.Fatal(err)
	}
	if len(c.Differences) != 1 || c.Differences[0].Path != "sites.east.duplicates.by_cause.day-end" || *c.Differences[0].A != 0 || *c.Differences[0].B != 5 {
		t.Errorf("differences: %+v", c.Differences)
	}
	if len(c.OnlyA) != 0 || len(c.OnlyB) == 0 {
		t.Errorf("only A: %v, only B: %v", c.OnlyA, c.OnlyB)
	}
	for _, path := range c.OnlyB {
		if !strings.HasPrefix(path, "sites.west.") {
			t.Errorf("only B has %s", path)
		}
	}

	var all Collector
	for _, n := range []int64{0, 3, 0} {
		r := lateness(1)
		if n > 0 {
			r.Sites["east"].Duplicates.ByCause = map[string]int64{"stale-day": n}
		}
		all.Add(r)
	}
	e := all.Result().Figures["sites.east.duplicates.by_cause.stale-day"]
	if e == nil || e.Defined != 3 || *e.Mean != 1 || len(e.Values) != 3 || *e.Values[1] != 3 {
		t.Errorf("0, 3 and 0 stale days: %+v", e)
	}
}

func TestCompareRefuses(t *testing.T) {
	for _, c := range []struct {
		name   string
		change func(*result.Result)
		want   string
	}{
		{"seed", func(r *result.Result) { r.Scenario = map[string]any{"seed": 8} }, "the first has seed 7 and the second 8"},
		{"replications", func(r *result.Result) { *r = *lateness(1, 2) }, "the first has 3 replications and the second 2"},
		{"messages", func(r *result.Result) { r.Input.Messages++ }, "10 against 11"},
		{"topic", func(r *result.Result) { r.Input.Partitions[0].Topic = "trades" }, "orders/0 against trades/0"},
		{"times", func(r *result.Result) { r.Input.Partitions[0].MaxMs = 5 }, "orders/0 differs"},
		{"partitions", func(r *result.Result) { r.Input.Partitions = nil }, "1 partitions against 0"},
	} {
		b := lateness(1, 2, 3)
		c.change(b)
		_, err := Compare(lateness(1, 2, 3), b)
		if !errors.Is(err, ErrNotComparable) || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: error %v, want one of %q", c.name, err, c.want)
		}
	}
	b := lateness(1, 2, 3)
	b.Replications.Figures[path].Values = nil
	if _, err := Compare(lateness(1, 2, 3), b); err == nil || !strings.Contains(err.Error(), "the second: ") {
		t.Errorf("a figure without its values: error %v", err)
	}
}
