package redis

// TryLock takes a lock for forNs, more than 0 (SET key NX PX), and says whether it was
// free. The error is ErrDown.
func (s *Server) TryLock(atNs int64, key Key, forNs int64) (got bool, err error) {
	if err := s.reach(atNs); err != nil {
		return false, err
	}
	held := s.find(key)
	if held != nil && !held.over(atNs) {
		return false, nil
	}
	if held == nil && len(s.lost.failovers) == 0 && len(s.values) < s.sweepAt { // as put, with less to look up
		*s.newKey(key) = value{untilMs: expiry(atNs, forNs)}
		return true, nil
	}
	s.put(atNs, key, value{untilMs: never}, false, value{untilMs: expiry(atNs, forNs)})
	return true, nil
}

// Unlock gives a lock back, whoever holds it (DEL). The error is ErrDown.
//
// A process may give its lock back ahead of the others' commands, since it knows when it
// will: until then the lock is held.
func (s *Server) Unlock(atNs int64, key Key) error {
	if err := s.reach(atNs); err != nil {
		return err
	}
	held := s.alive(atNs, key)
	switch {
	case held == nil:
	case len(s.lost.failovers) == 0: // nothing to be remembered of it
		held.freed, held.freedNs = true, atNs
	default:
		after := *held
		after.freed, after.freedNs = true, atNs
		s.put(atNs, key, *held, true, after)
	}
	return nil
}
