package threshold

import (
	"cmp"
	"math"
	"reflect"
	"strings"

	"twindrift/sim/duration"
	"twindrift/sim/result"
)

// Check says whether the expression can be judged by results of the shape of r,
// which has their sites, pairs and other names: its figures are there, and are
// numbers. What lists will hold cannot be told before.
func (t *Threshold) Check(r *result.Result) error {
	for i := range t.comparisons {
		c := &t.comparisons[i]
		if _, err := c.limit(t.Expression); err != nil {
			return err
		}
		if _, err := t.figures(c, r); err != nil {
			return err
		}
	}
	return nil
}

// Judge says whether a result holds to the expression. It fails where one
// comparison does; else it is not enough data where one has not enough. The
// error is that of Check.
func (t *Threshold) Judge(r *result.Result) (result.Threshold, error) {
	out := result.Threshold{Expression: t.Expression, Verdict: result.ThresholdPass, Values: []result.ThresholdValue{}}
	rank := map[string]int{result.ThresholdPass: 0, result.ThresholdNoData: 1, result.ThresholdFail: 2}
	for i := range t.comparisons {
		c := &t.comparisons[i]
		limit, err := c.limit(t.Expression)
		if err != nil {
			return out, err
		}
		found, err := t.figures(c, r)
		if err != nil {
			return out, err
		}
		value, verdict := c.judge(found, limit)
		out.Values = append(out.Values, value)
		if rank[verdict] > rank[out.Verdict] {
			out.Verdict = verdict
		}
	}
	return out, nil
}

// figures are the figures that a comparison is about, at least one.
func (t *Threshold) figures(c *comparison, r *result.Result) ([]figure, error) {
	w := walk{expression: t.Expression}
	last := c.path[len(c.path)-1]
	err := w.follow(reflect.ValueOf(r), "", false, c.path, last.at)
	if root := c.path[0].name; r.Input.Messages == 0 && (root == "sites" || root == "between") {
		for i := range w.found {
			w.found[i].known = false
		}
	}
	return w.found, err
}

// judge finds the figure that decides: the one furthest on the wrong side of
// the limit, or nearest to it; of equals the first. Where none of the defined
// ones fails, one that is not defined decides.
func (c *comparison) judge(found []figure, limit float64) (result.ThresholdValue, string) {
	var worst, unknown *figure
	for i := range found {
		switch f := &found[i]; {
		case !f.known:
			unknown = cmp.Or(unknown, f)
		case worst == nil || c.badness(f.value, limit) > c.badness(worst.value, limit):
			worst = f
		}
	}
	if worst != nil && !c.holds(worst.value, limit) {
		return result.ThresholdValue{Path: worst.path, Value: &worst.value}, result.ThresholdFail
	}
	if unknown != nil {
		return result.ThresholdValue{Path: unknown.path}, result.ThresholdNoData
	}
	return result.ThresholdValue{Path: worst.path, Value: &worst.value}, result.ThresholdPass
}

func (c *comparison) holds(x, limit float64) bool {
	switch c.operator {
	case "<":
		return x < limit
	case "<=":
		return x <= limit
	case ">":
		return x > limit
	case ">=":
		return x >= limit
	case "!=":
		return x != limit
	}
	return x == limit
}

// badness orders figures by how far they are from holding.
func (c *comparison) badness(x, limit float64) float64 {
	switch c.operator {
	case "<", "<=":
		return x
	case ">", ">=":
		return -x
	case "!=":
		return -math.Abs(x - limit)
	}
	return math.Abs(x - limit)
}

// limit is the number to compare with, in the unit of the figure.
func (c *comparison) limit(expression string) (float64, error) {
	if !c.isTime {
		return c.number, nil
	}
	unit, name := unitOf(c.path)
	if unit == 0 {
		return 0, fail(expression, c.at, "%s is a length of time, and %s is not counted in one: write a plain number", c.time, name)
	}
	return float64(c.time) / float64(unit), nil
}

// unitOf is the unit that the name of a figure says, 0 for none, and that name.
// The parts of a summary have the unit of the summary.
func unitOf(path []step) (unit duration.Duration, name string) {
	for i := len(path) - 1; i >= 0; i-- {
		if path[i].kind != named && path[i].kind != quoted {
			continue
		}
		name = path[i].name
		switch name {
		case "min", "p50", "p90", "p99", "p999", "max", "mean":
			continue
		}
		break
	}
	switch {
	case strings.HasSuffix(name, "_ms"):
		return 1e6, name
	case strings.HasSuffix(name, "_s"), name == "seconds":
		return 1e9, name
	}
	return 0, name
}
