package recipe

import (
	"fmt"
	"math"
	"slices"
	"strings"
)

// Limits on what a recipe may ask for; each keeps some table or list small.
const (
	maxLengthMs   = 20 * 366 * dayMs
	maxPartitions = 10_000
	maxKeys       = 1_000_000
	maxWindows    = 10_000 // of stalls and resends each, a topic
	maxBytes      = 1 << 30
)

// traffic is a topic made ready for drawing its messages.
type traffic struct {
	name       string
	partitions []float64 // share of the rate of each
	keyed      *keySpace // nil: null keys
	pieces     []piece   // from the start of the recipe to its end
	valueBytes [quantiles]int32
	logAppend  bool
	jitterMs   int64
	late       *lateness // nil: none
	stalls     []holding
	resends    []shifting
}

// holding is one window of a stall.
type holding struct {
	window
	share   share
	drainMs int64
}

// shifting is one window whose messages come again.
type shifting struct {
	window
	afterMs int64
}

// compile checks a recipe and makes it ready. Its errors are faults.
func compile(r *recipe) (*Source, error) {
	switch {
	case r.Start == nil:
		return nil, faultf("$.start", "start is missing: say when the traffic begins, as in 2026-03-02T20:00:00+08:00")
	case r.Start.ms < 0 || r.Start.ms > 1e14:
		return nil, faultf("$.start", "start must lie after 1970 and before the year 5000")
	case r.Length == 0:
		return nil, faultf("$.length", "length is missing: say how long the traffic goes on, as in 20m")
	case r.Length > maxLengthMs:
		return nil, faultf("$.length", "length is more than 20 years")
	case len(r.Topics) == 0:
		return nil, faultf("$.topics", "topics are missing: list at least one with a name and a rate")
	}
	s := &Source{seed: r.Seed}
	b := bounds{window{r.Start.ms, r.Start.ms + int64(r.Length)}, r.Start.offsetMs}
	names := map[string]bool{}
	for i := range r.Topics {
		t, path := &r.Topics[i], fmt.Sprintf("$.topics[%d]", i)
		if names[t.Name] {
			return nil, faultf(path+".name", "topic %q is listed twice", t.Name)
		}
		names[t.Name] = true
		c, err := b.compileTopic(t, path)
		if err != nil {
			return nil, err
		}
		s.topics = append(s.topics, c)
	}
	slices.SortFunc(s.topics, func(a, b *traffic) int { return strings.Compare(a.name, b.name) })
	if s.expected() == 0 {
		return nil, faultf("$.topics", "no topic has a rate above 0 between start and end")
	}
	return s, nil
}

func (b bounds) compileTopic(t *topic, path string) (*traffic, error) {
	c := &traffic{name: t.Name, jitterMs: int64(t.Jitter)}
	if err := c.partition(t, path); err != nil {
		return nil, err
	}
	if err := b.rates(c, t, path); err != nil {
		return nil, err
	}
	if err := c.values(t, path); err != nil {
		return nil, err
	}
	if err := c.lateness(t, path); err != nil {
		return nil, err
	}
	if err := b.stalls(c, t, path); err != nil {
		return nil, err
	}
	return c, b.resends(c, t, path)
}

// partition settles the partitions, the keys and what share each has.
func (c *traffic) partition(t *topic, path string) error {
	n := t.Partitions
	if n == 0 {
		n = max(1, len(t.Shares))
	}
	switch {
	case t.Name == "":
		return faultf(path+".name", "the topic has no name")
	case n < 0 || n > maxPartitions:
		return faultf(path+".partitions", "partitions must be 1 to %d", maxPartitions)
	case len(t.Shares) > 0 && len(t.Shares) != n:
		return faultf(path+".shares", "%d shares for %d partitions", len(t.Shares), n)
	}
	if t.Keys != nil {
		weights, err := t.Keys.weights(path + ".keys")
		if err != nil {
			return err
		}
		c.keyed = newKeySpace(t.Name, weights, n)
		c.partitions = c.keyed.partitionShares
	} else {
		c.partitions = slices.Repeat([]float64{1 / float64(n)}, n)
	}
	if len(t.Shares) == 0 {
		return nil
	}
	shares, ok := normalised(t.Shares)
	if !ok {
		return faultf(path+".shares", "shares must be numbers from 0 up, not all 0")
	}
	for p, s := range shares {
		if s > 0 && c.partitions[p] == 0 {
			return faultf(path+".shares", "partition %d has a share but none of the keys goes there: use more keys", p)
		}
	}
	c.partitions = shares
	return nil
}

func (c *traffic) values(t *topic, path string) error {
	v := size{100, 100}
	if t.Value != nil {
		v = *t.Value
	}
	if !(v.P50 >= 0 && v.P50 <= v.P99 && v.P99 <= maxBytes) || v.P50 == 0 && v.P99 > 0 {
		return faultf(path+".value", "the size of values must be 0 <= p50 <= p99 <= %d bytes, and above 0 if they differ", maxBytes)
	}
	for i := range c.valueBytes {
		u := (float64(i) + 0.5) / quantiles
		c.valueBytes[i] = int32(math.Round(min(maxBytes, lognormal(v.P50, v.P99, u))))
	}
	return nil
}

func (c *traffic) lateness(t *topic, path string) error {
	switch t.Timestamps {
	case "", "create":
	case "log-append":
		c.logAppend = true
	default:
		return faultf(path+".timestamps", "timestamps are %q: say create (the producer stamps) or log-append (the broker does)", t.Timestamps)
	}
	l := t.Late
	if l == nil {
		return nil
	}
	if l.P50 <= 0 || l.P99 < l.P50 || l.Max < l.P50 || l.Max > maxLengthMs {
		return faultf(path+".late", "late needs 0 < p50 <= p99 and p50 <= max, as in {share: 2%%, p50: 3s, p99: 40s, max: 5m}")
	}
	c.late = newLateness(l)
	return nil
}

func (b bounds) stalls(c *traffic, t *topic, path string) error {
	for i, s := range t.Stalls {
		path := fmt.Sprintf("%s.stalls[%d]", path, i)
		if s.At == nil || s.For == 0 {
			return faultf(path, "a stall needs at and for, as in {at: 10m, for: 2m, share: 25%%}")
		}
		h := holding{share: 1, drainMs: int64(s.For) / 20}
		if s.Share != nil {
			h.share = *s.Share
		}
		if s.Drain != nil {
			h.drainMs = int64(*s.Drain)
		}
		if h.drainMs > maxLengthMs {
			return faultf(path+".drain", "drain is more than 20 years")
		}
		windows := b.windows(*s.At, int64(s.For))
		if len(windows) == 0 {
			return faultf(path+".at", "the stall lies outside the time of the recipe")
		}
		for _, h.window = range windows {
			c.stalls = append(c.stalls, h)
		}
		if len(c.stalls) > maxWindows {
			return faultf(path, "more than %d stalls in the time of the recipe", maxWindows)
		}
	}
	return nil
}

func (b bounds) resends(c *traffic, t *topic, path string) error {
	for i, s := range t.Resends {
		path := fmt.Sprintf("%s.resends[%d]", path, i)
		switch {
		case s.From == nil || s.For == 0 || s.After == 0:
			return faultf(path, "a resend needs from, for and after, as in {from: 0s, for: 20m, after: 1d}")
		case s.After > maxLengthMs:
			return faultf(path+".after", "after is more than 20 years")
		case c.logAppend:
			return faultf(path, "resends keep their timestamps, which log-append would overwrite: use timestamps: create")
		}
		windows := b.windows(*s.From, int64(s.For))
		if len(windows) == 0 {
			return faultf(path+".from", "the messages to send again lie outside the time of the recipe")
		}
		for _, w := range windows {
			c.resends = append(c.resends, shifting{w, int64(s.After)})
		}
		if len(c.resends) > maxWindows {
			return faultf(path, "more than %d resends in the time of the recipe", maxWindows)
		}
	}
	return nil
}
