package bench

import (
	"context"
	"errors"
	"strings"
	"testing"

	"twindrift/generator"
	"twindrift/generator/catalog"
	"twindrift/generator/secondslot"
)

func options() catalog.Options {
	o := catalog.Defaults()
	o.Node = 1
	return o
}

// variants are the second-slot generators, as Config.Generators.
func variants(t *testing.T, names ...string) (list []catalog.Entry) {
	for _, name := range names {
		e, err := catalog.Find("second-slot", name)
		if err != nil {
			t.Fatal(err)
		}
		list = append(list, e)
	}
	return list
}

// Every draw ends as an id that was looked at, or is counted as refused; and
// the corrected form gives no id twice, whatever the contention.
func TestRunChecksEveryID(t *testing.T) {
	c := Config{
		Generators: variants(t, "published", "corrected"), Options: options(),
		Contentions: Contentions(), Threads: []int{1, 3, 40}, IDs: 20_000, WarmUp: 1, Rounds: 2,
	}
	var done, total int64
	r, err := c.Run(context.Background(), func(d, of int64) { done, total = d, of })
	if err != nil {
		t.Fatal(err)
	}
	if len(r.Points) != 2*3*3 {
		t.Fatalf("%d points", len(r.Points))
	}
	if want := int64(18 * 3 * 20_000); done != want || total != want {
		t.Errorf("progress ends at %d of %d, want %d", done, total, want)
	}
	for _, p := range r.Points {
		if want := 20_000 / p.Threads * p.Threads; p.IDs != want || p.Checked+p.Refused != int64(2*want) {
			t.Errorf("%+v: want %d ids in each of 2 rounds", p, want)
		}
		if len(p.NsPerID) != 2 || p.Median <= 0 {
			t.Errorf("%+v: want two times", p)
		}
		if p.Refused != 0 || p.OffStep != 0 || p.SharedScore != 0 {
			t.Errorf("%+v: refused, off the step or with a shared score", p)
		}
		// One thread meets nobody, and neither does who has seconds of its own.
		if clean := p.Variant == "corrected" || p.Threads == 1 || p.Contention != OneSecond; clean && p.Faults != (Faults{}) {
			t.Errorf("%+v: faults", p)
		}
	}
}

// broken gives ids of a fixed row, and refuses where that has 0.
type broken struct {
	row []int64
	at  int
}

func (b *broken) Draw(_, _ int64) (int64, generator.Outcome, error) {
	id := b.row[b.at%len(b.row)]
	b.at++
	if id == 0 {
		return 0, generator.Outcome{}, errors.New("refused")
	}
	return id, generator.Outcome{}, nil
}
func (b *broken) Reset()                     {}
func (b *broken) Floor(_, _ int64) int64     { return 0 }
func (b *broken) Wasted() int64              { return 7 }
func (b *broken) makes() generator.Generator { return b }

func TestRunReportsWhatABrokenGeneratorGives(t *testing.T) {
	const id = 638935272001000000 // 10:00:00 of 2025-09-15, node 1, sequence 0
	b := &broken{row: []int64{id, id, id, 0, id + 200, id + 1_000_000, id + 401, id + 402}}
	e := catalog.Entry{Name: "broken", Concurrent: func(catalog.Options) (func() generator.Generator, generator.Layout, error) {
		return b.makes, secondslot.DefaultLayout(), nil
	}}
	c := Config{Generators: []catalog.Entry{e}, Options: options(), Contentions: []Contention{OneSecond}, Threads: []int{1}, IDs: 8, Rounds: 3}
	r, err := c.Run(context.Background(), nil)
	if err != nil {
		t.Fatal(err)
	}
	p := r.Points[0]
	// 401 and 402 are off the step, and have one float64; node 2 once.
	want := Faults{Duplicates: 6, WrongNode: 3, OffStep: 6, SharedScore: 3}
	if p.Faults != want || p.Refused != 3 || p.Wasted != 21 || p.Checked != 21 {
		t.Errorf("%+v, %d refused, %d wasted, %d checked; want %+v, 3, 21, 21", p.Faults, p.Refused, p.Wasted, p.Checked, want)
	}
}

// A step of 100 is below the distance of float64 values: GENERATORS 1.
func TestStep100SharesScores(t *testing.T) {
	o := options()
	o.Step = 100
	c := Config{Generators: variants(t, "published"), Options: o, Contentions: []Contention{OneSecond}, Threads: []int{1}, IDs: 1000, Rounds: 1}
	r, err := c.Run(context.Background(), nil)
	if err != nil {
		t.Fatal(err)
	}
	// 1000 ids over 99,900 ticks meet 781 or 782 multiples of 128.
	if n := r.Points[0].SharedScore; n < 218 || n > 219 {
		t.Errorf("%d ids share a score, want 218 or 219", n)
	}
}

func TestContention(t *testing.T) {
	const goroutines, each = 7, 9000
	own, err := OwnSeconds.seconds(goroutines, each)
	if err != nil {
		t.Fatal(err)
	}
	shared, err := SharedSeconds.seconds(goroutines, each)
	if err != nil {
		t.Fatal(err)
	}
	one, err := OneSecond.seconds(goroutines, each)
	if err != nil {
		t.Fatal(err)
	}
	owner, perOwn, perShared := map[int64]int{}, map[int64]int{}, map[int64]int{}
	for g := range goroutines {
		for i := range each {
			s := own(g, i)
			if of, ok := owner[s]; ok && of != g {
				t.Fatalf("second %d is drawn for by %d and by %d", s, of, g)
			}
			owner[s] = g
			perOwn[s]++
			if shared(g, i) != shared(0, i) || one(g, i) != 0 {
				t.Fatalf("draw %d of goroutine %d: second %d, and %d", i, g, shared(g, i), one(g, i))
			}
			perShared[shared(g, i)]++
		}
	}
	for _, counts := range []map[int64]int{perOwn, perShared} {
		for s, n := range counts {
			if n > 5000 || s < 0 || s >= 86_400 {
				t.Errorf("%d ids for second %d", n, s)
			}
		}
	}
	for s := range perShared {
		if s%512 != 0 {
			t.Errorf("shared second %d", s)
		}
	}
}

func TestValidate(t *testing.T) {
	right := Config{Generators: variants(t, "published"), Options: options(), Contentions: Contentions(), Threads: []int{2}, IDs: 100, Rounds: 1}
	if err := right.Validate(); err != nil {
		t.Fatal(err)
	}
	consumption, err := catalog.Find("consumption-time", "")
	if err != nil {
		t.Fatal(err)
	}
	for want, change := range map[string]func(*Config){
		"no form for many threads":           func(c *Config) { c.Generators = []catalog.Entry{consumption} },
		"threads 0: want 1 or more":          func(c *Config) { c.Threads = []int{0} },
		"threads: want numbers":              func(c *Config) { c.Threads = nil },
		"ids 100: too few for 101 threads":   func(c *Config) { c.Threads = []int{101} },
		"ids -1: want 1 or more":             func(c *Config) { c.IDs = -1 },
		`contention "many": there are`:       func(c *Config) { c.Contentions = []Contention{"many"} },
		"contention: want some of":           func(c *Config) { c.Contentions = nil },
		"rounds 0: want 1 or more":           func(c *Config) { c.Rounds = 0 },
		"warm-up -1: want 0 or more":         func(c *Config) { c.WarmUp = -1 },
		"need 96000 seconds of their own":    func(c *Config) { c.Threads, c.IDs = []int{12_000}, 12_000 },
		"500000000: they need 125000 shared": func(c *Config) { c.Contentions, c.IDs = []Contention{SharedSeconds}, 500_000_000 },
	} {
		c := right
		change(&c)
		if err := c.Validate(); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("error %v, want %q", err, want)
		}
		if _, err := c.Run(context.Background(), nil); err == nil {
			t.Errorf("%q: it runs", want)
		}
	}
}

func TestRunStops(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	c := Config{Generators: variants(t, "published"), Options: options(), Contentions: Contentions(), Threads: []int{1}, IDs: 10, Rounds: 5}
	_, err := c.Run(ctx, func(_, _ int64) { cancel() })
	if !errors.Is(err, context.Canceled) {
		t.Errorf("error %v", err)
	}
}

func TestMedian(t *testing.T) {
	for want, of := range map[float64][]float64{3: {9, 3, 1}, 2.5: {4, 1, 2, 3}, 7: {7}} {
		if got := median(of); got != want {
			t.Errorf("median of %v: %v", of, got)
		}
	}
}
