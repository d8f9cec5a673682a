package site

import "math"

// NextDrawNs is a lower bound of the virtual time of every draw still to come
// at the site; math.MaxInt64 for none.
func (s *Site) NextDrawNs() int64 {
	_, _, next := s.aligned.ahead(0, 0, s.WorkedToNs())
	return next
}

// WorkedToNs is NextDrawNs, but for the draws of an aligned site that are made and not
// told: all draws before it are made.
func (s *Site) WorkedToNs() int64 {
	next := int64(math.MaxInt64)
	for _, c := range s.Consumers {
		next = min(next, c.nextNs)
		if len(c.pending) > 0 {
			next = min(next, c.pending[0].drawNs)
		}
	}
	return next
}
