package report

import (
	"bytes"
	"math/rand/v2"
	"reflect"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"pgregory.net/rapid"

	"twindrift/sim/result"
)

// estimated is a figure that is defined in all replications: its mean, and an
// interval that reaches so far to both sides.
func estimated(mean, half float64) *result.Estimate {
	low, high, sd := mean-half, mean+half, half
	return &result.Estimate{Defined: 20, Mean: &mean, SD: &sd, Low: &low, High: &high, Min: &low, Max: &high}
}

// replicatedEvening is a quiet run, and its key figures over 20 replications, of
// which one is defined in some and one in none.
func replicatedEvening() *result.Result {
	r := evening("east", "west")
	r.Replications = &result.Replications{N: 20, Confidence: 0.95, Figures: map[string]*result.Estimate{}}
	for _, f := range result.Figures(r) {
		e := new(result.Estimate)
		if f.Value != nil {
			e = estimated(*f.Value, 0)
		}
		r.Replications.Figures[f.Path] = e
	}
	for path, e := range map[string]*result.Estimate{
		"sites.west.push.late":               estimated(1.35, 0.52),
		"sites.west.push.lateness_ms.p99":    estimated(402.31, 1.94),
		"sites.west.overflow.offset_s.max":   {},
		"between.east-west.tau_b.1s":         estimated(0.999_981_2, 0.000_004_4),
		"between.east-west.different_second": {Defined: 19, Mean: new(float64)},
	} {
		r.Replications.Figures[path] = e
	}
	return r
}

// slower is what changed with a slower link: something of everything.
func slower(n int) *result.Comparison {
	f := func(x float64) *float64 { return &x }
	c := &result.Comparison{
		Format: result.ComparisonFormat, Version: result.ComparisonVersion, Replications: n, Confidence: 0.95, Same: 1234,
		OnlyA: []string{"sites.north.push.late", "sites.north.push.stored", "sites.north.overflow.ids"}, OnlyB: []string{"between.east-south.same_id"},
		Differences: []result.Difference{
			{Path: "sites.west.push.late", A: f(12.4), B: f(1520.2), Difference: estimated(1507.8, 15.6), Verdict: result.BeyondNoise},
			{Path: "sites.west.push.lateness_ms.p99", A: f(402.3), B: f(402.4), Difference: estimated(0.1, 0.2), Verdict: result.WithinNoise},
			{Path: "sites.west.order.tau_b.1s", A: f(0.999_912_3), B: f(0.999_907_1), Difference: estimated(-0.000_005_2, 0.000_000_3), Verdict: result.BeyondNoise},
			{Path: "sites.west.order.reordering.late_time_ms.mean", B: f(3), Difference: &result.Estimate{}, Verdict: result.NotEnough},
			{Path: "sites.west.baseline.order.reordering.late_time_ms.mean", A: f(1), B: f(3), Difference: estimated(2, 0), Verdict: result.BeyondNoise},
			{Path: "between.east-west.different_second", A: f(5_796_575_144), B: f(5_796_575_376), Difference: estimated(232, 184), Verdict: result.BeyondNoise},
		},
	}
	if n == 1 {
		for i := range c.Differences {
			d := &c.Differences[i]
			d.Verdict, d.Difference.SD, d.Difference.Low, d.Difference.High = result.NotEnough, nil, nil, nil
		}
	}
	return c
}

func TestComparisonText(t *testing.T) {
	for name, c := range map[string]*result.Comparison{
		"diff": slower(20), "diff-single": slower(1), "diff-nothing": {Replications: 20, Confidence: 0.95, Same: 7},
	} {
		var got bytes.Buffer
		if err := ComparisonText(&got, c, "now.json", "a-file-with-a-rather-long-name.json", TextOptions{}); err != nil {
			t.Fatal(err)
		}
		golden(t, name+".txt", got.Bytes())
	}
}

// The key figures come first: the largest for their size before the others, of
// those that luck alone moves none, and of the baseline's none.
func TestKeyFiguresFirst(t *testing.T) {
	f := func(x float64) *float64 { return &x }
	c := &result.Comparison{Replications: 20, Confidence: 0.95}
	for _, d := range []struct {
		path    string
		a, b    float64
		verdict string
	}{
		{"sites.east.push.late", 1000, 1100, result.BeyondNoise},
		{"sites.east.push.lateness_ms.p99", 1, 1000, result.BeyondNoise},
		{"sites.east.overflow.with_offset", 1000, 250, result.BeyondNoise},
		{"sites.east.order.discordant.1s", 0, 3, result.BeyondNoise},
		{"sites.east.duplicates.ids", 7, 9, result.WithinNoise},
		{"sites.east.baseline.order.discordant.1s", 0, 5_000_000, result.BeyondNoise},
		{"between.east-west.duplicates.ids", 0, 12, result.BeyondNoise},
		{"between.east-west.different_second", 500, 1000, result.BeyondNoise},
		{"between.east-west.baseline.different_second", 0, 1000, result.BeyondNoise},
	} {
		c.Differences = append(c.Differences, result.Difference{Path: d.path, A: f(d.a), B: f(d.b), Difference: estimated(d.b-d.a, 0), Verdict: d.verdict})
	}
	text := func() string {
		var got bytes.Buffer
		if err := ComparisonText(&got, c, "a", "b", TextOptions{}); err != nil {
			t.Fatal(err)
		}
		_, part, _ := strings.Cut(got.String(), "KEY FIGURES")
		part, _, ok := strings.Cut(part, "BEYOND NOISE")
		if !ok {
			t.Fatalf("no key figures before the others in\n%s", got.String())
		}
		return part
	}
	var got []string
	for line := range strings.Lines(text()) {
		if name, _, ok := strings.Cut(strings.TrimSpace(line), ": "); ok && (name == "east" || name == "east-west") {
			got = append(got, strings.Fields(line)[1])
		}
	}
	want := []string{"duplicates.ids", "order.discordant.1s", "overflow.with_offset", "different_second", "push.late"}
	if !slices.Equal(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
	c.Differences = c.Differences[1:2]
	if got := text(); !strings.Contains(got, "  none beyond noise: duplicates, refusals,") {
		t.Errorf("without any:\n%s", got)
	}
}

func TestComparisonJSON(t *testing.T) {
	var got bytes.Buffer
	if err := ComparisonJSON(&got, slower(20)); err != nil {
		t.Fatal(err)
	}
	golden(t, "diff.json", got.Bytes())
}

// Whatever a comparison says, it fits 80 columns and moves no cursor.
func TestComparisonTextFits(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		random := rand.New(rand.NewPCG(rapid.Uint64().Draw(t, "seed"), 0))
		c := new(result.Comparison)
		fill(random, reflect.ValueOf(c).Elem())
		for i := range c.Differences {
			c.Differences[i].Verdict = []string{result.BeyondNoise, result.WithinNoise, result.NotEnough}[random.IntN(3)]
		}
		var got bytes.Buffer
		if err := ComparisonText(&got, c, randomString(random), "b", TextOptions{}); err != nil {
			t.Fatal(err)
		}
		for i, l := range strings.Split(strings.TrimSuffix(got.String(), "\n"), "\n") {
			if n := utf8.RuneCountInString(l); n > 80 || strings.TrimRight(l, " ") != l || printable(l) != l {
				t.Fatalf("line %d has %d columns: %q", i+1, n, l)
			}
		}
	})
}
