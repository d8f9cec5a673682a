package redis

import "math"

// Locker is one of the processes that take the locks of a number.
type Locker struct {
	all   *lockers
	which int
}

// lockers are the processes of one number.
type lockers struct {
	of      int64
	beganNs []int64 // of each: it sends no command any more that is due to anything before
}

// Locker is one more process that takes the locks of a number, Key.Of. Either all of them
// tell the server, before the first command, or none.
func (s *Server) Locker(of int64) Locker {
	all := s.lockers[of]
	if all == nil {
		all = &lockers{of: of}
		s.lockers[of] = all
	}
	all.beganNs = append(all.beganNs, math.MinInt64)
	s.nearLockers[uint64(of)%nearOfs] = all
	return Locker{all, len(all.beganNs) - 1}
}

// Began says that the process sends no command before atNs any more. One that is busy is
// far ahead of what the server knows by its own Began, and its locks are long past.
func (l Locker) Began(atNs int64) { l.all.beganNs[l.which] = atNs }

// lockersOf are those of a number; nil where none have told.
func (s *Server) lockersOf(of int64) *lockers {
	if l := s.nearLockers[uint64(of)%nearOfs]; l == nil || l.of == of {
		return l
	}
	return s.lockers[of]
}

// past says whether none of the processes sees a lock any more.
func (l *lockers) past(v *value) bool {
	if l == nil {
		return false
	}
	began := int64(math.MaxInt64)
	for _, ns := range l.beganNs {
		began = min(began, ns)
	}
	return v.freed && v.freedNs <= began || v.untilMs < serverMs(began)
}
