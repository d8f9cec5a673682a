package replications

import (
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"

	"twindrift/replay/figure"
	"twindrift/sim/result"
)

// ErrNotComparable is the cause of the errors of Compare.
var ErrNotComparable = errors.New("not comparable")

// Compare says what differs between two results of the same messages, with the
// same seed and as many replications. Of results without replications it says
// what differs, and nothing of how much of it is luck.
func Compare(a, b *result.Result) (*result.Comparison, error) {
	if err := matched(a, b); err != nil {
		return nil, fmt.Errorf("%w: %w", ErrNotComparable, err)
	}
	of, err := newSample(a)
	if err != nil {
		return nil, fmt.Errorf("the first: %w", err)
	}
	with, err := newSample(b)
	if err != nil {
		return nil, fmt.Errorf("the second: %w", err)
	}
	out := &result.Comparison{
		Format: result.ComparisonFormat, Version: result.ComparisonVersion,
		Replications: of.n, Confidence: result.Confidence,
		Differences: []result.Difference{}, OnlyA: []string{}, OnlyB: []string{},
	}
	for _, path := range paths(of, with) {
		x, inA := of.at(path)
		y, inB := with.at(path)
		switch {
		case !inB:
			out.OnlyA = append(out.OnlyA, path)
		case !inA:
			out.OnlyB = append(out.OnlyB, path)
		case equal(x, y):
			out.Same++
		default:
			out.Differences = append(out.Differences, difference(path, x, y))
		}
	}
	return out, nil
}

// difference pairs the values of two figures, replication by replication.
func difference(path string, a, b []*float64) result.Difference {
	d := result.Difference{Path: path, A: Estimate(a).Mean, B: Estimate(b).Mean}
	pairs := make([]*float64, len(a))
	for i := range a {
		if a[i] != nil && b[i] != nil {
			less := *b[i] - *a[i]
			pairs[i] = &less
		}
	}
	d.Difference = Estimate(pairs)
	switch e := d.Difference; {
	case e.Defined < 2:
		d.Verdict = result.NotEnough
	case *e.Low > 0 || *e.High < 0:
		d.Verdict = result.BeyondNoise
	default:
		d.Verdict = result.WithinNoise
	}
	return d
}

// equal says that two figures are the same in every replication, defined or not.
func equal(a, b []*float64) bool {
	return slices.EqualFunc(a, b, func(x, y *float64) bool {
		return x == nil && y == nil || x != nil && y != nil && *x == *y
	})
}

// sample is the figures of a result, by replication.
type sample struct {
	n      int
	order  []string // paths, as they stand in the result
	values map[string][]*float64
	counts []string // result.CountsByName
}

func newSample(r *result.Result) (*sample, error) {
	s := &sample{n: 1, values: map[string][]*float64{}, counts: result.CountsByName(r)}
	for _, f := range result.Figures(r) {
		s.order = append(s.order, f.Path)
		s.values[f.Path] = []*float64{f.Value}
	}
	if r.Replications == nil {
		return s, nil
	}
	s.n = r.Replications.N
	for _, path := range slices.Sorted(maps.Keys(r.Replications.Figures)) {
		e := r.Replications.Figures[path]
		if e == nil || len(e.Values) != s.n {
			return nil, fmt.Errorf("result: replications.figures[%q] has not the %d values of as many replications", path, s.n)
		}
		if _, ok := s.values[path]; !ok {
			s.order = append(s.order, path)
		}
		s.values[path] = e.Values
	}
	for path, values := range s.values {
		if len(values) != s.n {
			return nil, fmt.Errorf("result: replications.figures has not %s", path)
		}
	}
	return s, nil
}

// at are the values of a figure: 0 where it is a count that does not occur. ok
// says that there is such a figure.
func (s *sample) at(path string) (values []*float64, ok bool) {
	if values, ok = s.values[path]; ok {
		return values, true
	}
	for _, of := range s.counts {
		if rest, under := strings.CutPrefix(path, of); under && rest != "" && (rest[0] == '.' || rest[0] == '[') {
			return uncounted(nil, s.n), true
		}
	}
	return nil, false
}

// paths are those of both samples: in the order of the first, and what only the
// second has after them.
func paths(a, b *sample) []string {
	all := slices.Clone(a.order)
	for _, path := range b.order {
		if _, ok := a.values[path]; !ok {
			all = append(all, path)
		}
	}
	return all
}

// matched says why two results cannot be compared; nil if they can.
func matched(a, b *result.Result) error {
	seedA, seedB := seed(a), seed(b)
	switch nA, nB := count(a), count(b); {
	case seedA != seedB:
		return fmt.Errorf("the first has seed %s and the second %s; run both with the same --seed, so that they see the same luck", seedA, seedB)
	case nA != nB:
		return fmt.Errorf("the first has %s and the second %d; run both with as many --replications", figure.Counted(int64(nA), "replication"), nB)
	}
	if what := inputsDiffer(&a.Input, &b.Input); what != "" {
		return fmt.Errorf("they are not of the same messages (%s); run both on the same capture, with the same traffic", what)
	}
	return nil
}

func count(r *result.Result) int {
	if r.Replications == nil {
		return 1
	}
	return r.Replications.N
}

// seed is that of a result's scenario, in whichever form it has that.
func seed(r *result.Result) string {
	var s struct{ Seed json.Number }
	text, err := json.Marshal(r.Scenario)
	if err != nil || json.Unmarshal(text, &s) != nil || s.Seed == "" {
		return "unknown"
	}
	return s.Seed.String()
}

// inputsDiffer says in what two inputs differ; nothing if they do not.
func inputsDiffer(a, b *result.Input) string {
	if a.Messages != b.Messages {
		return fmt.Sprintf("%d against %d", a.Messages, b.Messages)
	}
	for i := range min(len(a.Partitions), len(b.Partitions)) {
		p, q := &a.Partitions[i], &b.Partitions[i]
		if p.Topic != q.Topic || p.Partition != q.Partition {
			return fmt.Sprintf("%s/%d against %s/%d", p.Topic, p.Partition, q.Topic, q.Partition)
		}
		if *p != *q {
			return fmt.Sprintf("%s/%d differs", p.Topic, p.Partition)
		}
	}
	if len(a.Partitions) != len(b.Partitions) {
		return fmt.Sprintf("%d partitions against %d", len(a.Partitions), len(b.Partitions))
	}
	return ""
}
