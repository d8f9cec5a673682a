package site

import "twindrift/sim/luck"

// StartNs is when the delivery in row i of a consumer's draws was started: its
// handling delay before the draw, which its luck gives once more. It is for a
// few deliveries, not for all.
func (s *Site) StartNs(consumer int, d *Draws, i int) int64 {
	handling := s.Consumers[consumer].handling
	if handling.IsZero() {
		return d.DrawNs[i]
	}
	words := s.luckOf(d.Partition[i]).Words(d.Offset[i], d.Delivery[i])
	right := Clock{BaseMs: s.Clock.BaseMs}
	return d.DrawNs[i] - handling.SampleAt(words[luck.Handling], right.Ms(d.ArrivalNs[i]))
}

// luckOf is that of the partition with a plan index, whoever consumes it now.
func (s *Site) luckOf(index int32) *luck.Stream {
	for _, c := range s.Consumers {
		for _, p := range c.parts {
			if p.index == index {
				return &p.luck
			}
		}
	}
	return nil
}
