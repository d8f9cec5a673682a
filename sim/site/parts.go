package site

// An epoch can bring far more draws than messages: all that has waited through
// an outage of the link. It is told in parts then, none of them much longer
// than Config.PartDraws for a consumer.

// paused is the start at which a consumer has stopped for the moment.
type paused struct {
	atNs int64

	// Of those that will start with it at that moment, it is the first by
	// partition and ordinal, where exact.
	exact     bool
	partition int32
	ordinal   int64
}

// pauses says whether a consumer has drawn enough for a part, with a start
// before it: that of a message, m of p where it is known to be the earliest
// arrival of all that wait.
func (c *Consumer) pauses(m *waiting, p *partition, atNs int64) bool {
	if c.most == 0 || c.draws.Len() < c.most {
		return false
	}
	c.pause = &paused{atNs: atNs}
	if m != nil && m.arrivalNs == atNs {
		c.pause.exact, c.pause.partition, c.pause.ordinal = true, p.index, m.ordinal
	}
	return true
}

// after says whether all that starts from the pause on is drawn after row i of
// the draws.
func (p *paused) after(d *Draws, i int) bool {
	if p == nil || !p.exact || d.DrawNs[i] != p.atNs {
		return false
	}
	return d.Partition[i] < p.partition || d.Partition[i] == p.partition && d.Ordinal[i] < p.ordinal
}

// turn begins an epoch, or a part of it, with columns to fill.
func (c *Consumer) turn(draws *Draws) {
	draws.reset()
	draws.losing = c.loses()
	c.draws, c.keptRow, c.pause = draws, 0, nil
}

// More says whether the epoch has more draws than Advance or Resume has told.
func (s *Site) More() bool {
	if s.isAligned {
		return s.aligned.more(s.Consumers)
	}
	for _, c := range s.Consumers {
		if c.pause != nil {
			return true
		}
	}
	return false
}

// Resume fills draws with the next part of an epoch. The error is as of Advance.
func (s *Site) Resume(draws []Draws) error {
	if s.isAligned {
		s.aligned.begin(s.Consumers, true)
		return s.advance()
	}
	for i, c := range s.Consumers {
		c.turn(&draws[i])
	}
	return s.advance()
}
