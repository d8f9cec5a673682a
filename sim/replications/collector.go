package replications

import "twindrift/sim/result"

// Collector gathers the figures of replications. The zero value is ready.
type Collector struct {
	n      int
	values map[string][]*float64 // by path; of the replications up to the last that has the figure
}

// Add takes in the next replication of the run. It keeps the figures, and
// nothing else.
func (c *Collector) Add(r *result.Result) {
	if c.values == nil {
		c.values = map[string][]*float64{}
	}
	for _, f := range result.Figures(r) {
		c.values[f.Path] = append(uncounted(c.values[f.Path], c.n), f.Value)
	}
	c.n++
}

// uncounted says that a figure was 0 in the replications, up to n, that do not
// name it: they count what occurs, by name.
func uncounted(values []*float64, n int) []*float64 {
	for len(values) < n {
		values = append(values, new(float64))
	}
	return values
}

// Result sums up the replications so far.
func (c *Collector) Result() *result.Replications {
	out := &result.Replications{N: c.n, Confidence: result.Confidence, Figures: map[string]*result.Estimate{}}
	for path, values := range c.values {
		out.Figures[path] = Estimate(uncounted(values, c.n))
	}
	return out
}
