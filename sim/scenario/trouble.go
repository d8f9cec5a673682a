package scenario

import (
	"fmt"
	"slices"

	"twindrift/replay"
	"twindrift/sim/duration"
)

// Stretch is a stretch of virtual time.
type Stretch struct {
	// At is when it begins: so long after the capture's start (10m), or a date
	// and time.
	At Moment `json:"at" required:"true"`

	// For is how long it is.
	For duration.Duration `json:"for" required:"true"`
}

// Restart is a consumer process that dies and comes back.
type Restart struct {
	// At is when the process dies. What it has started and not drawn then is not
	// drawn; that and what it has not committed comes again, first and in order.
	At Moment `json:"at" required:"true"`

	// Down is how long it takes no message. Default 0s.
	Down duration.Duration `json:"down"`

	// State is what becomes of the generator's state: lost, as the published
	// generator's is; kept; or snapshot, restored as it was when the process was
	// age younger. Default lost.
	State string `json:"state" enum:"lost,kept,snapshot"`

	// Age of the snapshot at the restart. Only with state snapshot. Default 0s.
	Age duration.Duration `json:"age,omitempty"`
}

// Ways of Restart.State.
const (
	StateLost     = "lost"
	StateKept     = "kept"
	StateSnapshot = "snapshot"
)

func (r *Restart) defaults() { r.State = StateLost }

// Rebalance moves partitions to another process of the site.
type Rebalance struct {
	// At is when. What the old process has started and not drawn then is not
	// drawn there; that and what it has not committed comes again at the new
	// one, first and in order.
	At Moment `json:"at" required:"true"`

	// Partitions that move: "orders/3", "orders/0-5", or "orders" for all of a
	// topic.
	Partitions []string `json:"partitions" required:"true"`

	// To is the node number of the process that takes them.
	To int32 `json:"to" required:"true"`
}

// Redelivery makes messages come again by chance.
type Redelivery struct {
	// Probability that a message is delivered once more after it is drawn; the
	// same holds for that delivery. Default 0; below 1.
	Probability float64 `json:"probability" min:"0" max:"0.99"`

	// After is how long after the draw the next delivery arrives. Default 0s.
	After duration.Duration `json:"after"`
}

// Clock is how wrong a site's clock is. Clocks say how late a message is and
// when the consumption-time generator draws; they do not change when things
// happen.
type Clock struct {
	// Error is how far the clock is ahead; negative: behind. Default 0s.
	Error duration.Duration `json:"error"`

	// DriftPPM is how much the clock gains, in microseconds a second from the
	// capture's start on. Default 0.
	DriftPPM int64 `json:"drift_ppm" min:"-100000" max:"100000"`

	// Steps are the moments at which the clock is set.
	Steps []ClockStep `json:"steps,omitempty"`
}

// ClockStep sets a clock.
type ClockStep struct {
	// At is when, by true time.
	At Moment `json:"at" required:"true"`

	// By is how far the clock is set forward; negative: back.
	By duration.Duration `json:"by" required:"true"`
}

// checkTrouble checks what may go wrong at a site.
func (p *problems) checkTrouble(path string, s *Site) {
	for i, w := range s.Link.Outages {
		p.checkStretch(fmt.Sprintf("%s.link.outages[%d]", path, i), w)
	}
	for i := range s.Consumers {
		c, at := &s.Consumers[i], fmt.Sprintf("%s.consumers[%d]", path, i)
		for k, w := range c.Stalls {
			p.checkStretch(fmt.Sprintf("%s.stalls[%d]", at, k), w)
		}
		p.checkNotNegative(at+".commit", c.Commit)
		for k, r := range c.Restarts {
			p.checkRestart(fmt.Sprintf("%s.restarts[%d]", at, k), r)
		}
	}
	for i, r := range s.Rebalances {
		p.checkRebalance(fmt.Sprintf("%s.rebalances[%d]", path, i), s, r)
	}
	p.checkNotNegative(path+".redelivery.after", s.Redelivery.After)
}

func (p *problems) checkStretch(path string, w Stretch) {
	if w.For <= 0 {
		p.add(path+".for", "%s is no length of time: want more than 0s", w.For)
	}
}

func (p *problems) checkNotNegative(path string, d duration.Duration) {
	if d < 0 {
		p.add(path, "%s is negative", d)
	}
}

func (p *problems) checkRestart(path string, r Restart) {
	p.checkNotNegative(path+".down", r.Down)
	p.checkNotNegative(path+".age", r.Age)
	if r.Age != 0 && r.State != StateSnapshot {
		p.add(path+".age", "goes with state: snapshot, not %s", r.State)
	}
}

func (p *problems) checkRebalance(path string, s *Site, r Rebalance) {
	users := 0
	for i := range s.Consumers {
		if s.Consumers[i].Node == r.To {
			users++
		}
	}
	switch {
	case users == 0:
		p.add(path+".to", "the site has no consumer with node %d", r.To)
	case users > 1:
		p.add(path+".to", "%d consumers of the site have node %d: it does not say which", users, r.To)
	}
	if len(r.Partitions) == 0 {
		p.add(path+".partitions", "there is none: name those that move")
	}
	for i, text := range r.Partitions {
		if _, err := parseSpan(text); err != nil {
			p.add(fmt.Sprintf("%s.partitions[%d]", path, i), "%v", err)
		}
	}
}

// Moves gives, for each rebalance of the site, the indexes into parts of the
// partitions that move and the consumer that takes them.
func (s *Site) Moves(parts []replay.Partition) ([][]int, []int, error) {
	var moves [][]int
	var to []int
	for _, r := range s.Rebalances {
		var indexes []int
		for _, text := range r.Partitions {
			span, err := parseSpan(text)
			if err != nil {
				return nil, nil, fmt.Errorf("site %s: %w", s.Name, err)
			}
			found := false
			for i := range parts {
				if span.holds(parts[i].Topic, parts[i].Number) {
					indexes, found = append(indexes, i), true
				}
			}
			if !found {
				return nil, nil, fmt.Errorf("site %s: rebalances: the capture has no partition %q%s", s.Name, text, nearestTopic(span.topic, parts))
			}
		}
		slices.Sort(indexes)
		moves = append(moves, slices.Compact(indexes))
		to = append(to, slices.IndexFunc(s.Consumers, func(c Consumer) bool { return c.Node == r.To }))
	}
	return moves, to, nil
}
