package site

import "math"

// NextDrawNs is a lower bound of the virtual time of every draw still to come
// at the site; math.MaxInt64 for none.
func (s *Site) NextDrawNs() int64 {
	next := int64(math.MaxInt64)
	for _, c := range s.Consumers {
		next = min(next, c.nextNs)
		if len(c.pending) > 0 {
			next = min(next, c.pending[0].drawNs)
		}
	}
	_, _, next = s.aligned.ahead(0, 0, next)
	return next
}
