package whatif

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"twindrift/replay"
)

// bounds are the changes as they are in one capture.
type bounds struct {
	selected []int // by the capture's index of a partition: its place in parts, or -1
	parts    []int // the capture's indexes of the partitions that are left
	window   span
	periodMs int64 // from one round to the next
	bursts   []span
}

// boundsIn resolves changes for a capture.
func (c *Changes) boundsIn(plan *replay.Plan) (*bounds, error) {
	b := &bounds{}
	if err := b.choose(c, plan); err != nil {
		return nil, fmt.Errorf("only: %w", err)
	}
	all := make([]int, len(plan.Partitions))
	for i := range all {
		all[i] = i
	}
	whole, timed := spanOf(plan, all)
	if !timed {
		if !c.Window.isOpen() || len(c.Bursts) > 0 {
			return nil, fmt.Errorf("the capture has no message with a timestamp, so there is nothing to take a window of")
		}
		b.window = span{math.MinInt64, math.MaxInt64}
		b.periodMs = 1000
		return b, nil
	}
	var err error
	if b.window, err = c.Window.in(whole.from); err != nil {
		return nil, fmt.Errorf("window: %w", err)
	}
	if b.window.from > whole.to || b.window.to <= whole.from {
		return nil, fmt.Errorf("window: no message lies in it; the capture goes from %s to %s", moment(whole.from), moment(whole.to))
	}
	for i, burst := range c.Bursts {
		s, err := burst.in(whole.from)
		if err != nil {
			return nil, fmt.Errorf("burst[%d]: %w", i, err)
		}
		b.bursts = append(b.bursts, s)
	}
	if left, timed := spanOf(plan, b.parts); timed {
		return b, b.times(c, left)
	}
	b.periodMs = 1000
	return b, nil
}

// choose finds the partitions that are left.
func (b *bounds) choose(c *Changes, plan *replay.Plan) error {
	for _, want := range c.Only {
		if !slices.ContainsFunc(plan.Partitions, func(p replay.Partition) bool { return want.holds(p.Topic, p.Number) }) {
			return fmt.Errorf("the capture has no partition %s; it has %s", want, inventory(plan))
		}
	}
	b.selected = make([]int, len(plan.Partitions))
	for i, p := range plan.Partitions {
		b.selected[i] = -1
		if len(c.Only) == 0 || slices.ContainsFunc(c.Only, func(o Partitions) bool { return o.holds(p.Topic, p.Number) }) {
			b.selected[i] = len(b.parts)
			b.parts = append(b.parts, i)
		}
	}
	return nil
}

// inventory lists the topics of a capture with their first and last partition.
func inventory(plan *replay.Plan) string {
	var topics []Partitions
	for _, p := range plan.Partitions {
		if n := len(topics); n > 0 && topics[n-1].Topic == p.Topic {
			topics[n-1].Last = p.Number
			continue
		}
		topics = append(topics, Partitions{p.Topic, p.Number, p.Number})
	}
	const most = 8
	var names []string
	for _, t := range topics[:min(len(topics), most)] {
		names = append(names, t.String())
	}
	if len(topics) == 0 {
		return "none"
	}
	if more := len(topics) - most; more > 0 {
		names = append(names, fmt.Sprintf("%d topics more", more))
	}
	return strings.Join(names, ", ")
}

// spanOf is the smallest and the largest timestamp of some partitions, both
// included, and whether there is any.
func spanOf(plan *replay.Plan, parts []int) (s span, timed bool) {
	s = span{math.MaxInt64, math.MinInt64}
	for _, i := range parts {
		if p := &plan.Partitions[i]; p.Messages > p.NoTimestamp {
			s = span{min(s.from, p.MinMs), max(s.to, p.MaxMs)}
			timed = true
		}
	}
	return s, timed
}

// times finds the length of a round, and that no time goes past what an int64
// holds. left is what the partitions have, both ends included.
func (b *bounds) times(c *Changes, left span) error {
	first, last := max(left.from, b.window.from), min(left.to, b.window.to-1)
	low, high := first, last
	if b.window.from != math.MinInt64 {
		first = b.window.from
	}
	if b.window.to != math.MaxInt64 {
		last = b.window.to - 1
	}
	tooFar := fmt.Errorf("timestamps from %d to %d ms cannot be changed so: they would not fit an int64 any more; leave out what is wrong in them by a window", low, high)
	// Whole seconds around first and last.
	const far = math.MaxInt64 / 4
	if low < -far || high > far || first < -far || last > far {
		if c.Repeat > 1 || c.copies() || c.ShiftMs != 0 {
			return tooFar
		}
		return nil
	}
	b.periodMs = (floor(last)+1)*1000 - floor(first)*1000
	room := float64(b.periodMs) * float64(c.Repeat)
	if room > far || c.ShiftMs < -far || c.ShiftMs > far {
		return tooFar
	}
	return nil
}

// floor is the second of a time in ms.
func floor(ms int64) int64 {
	s := ms / 1000
	if ms%1000 < 0 {
		s--
	}
	return s
}
