package redis

import (
	"errors"
	"math"
)

// Reply is what a counter says.
type Reply struct {
	Value int64
	Again bool // a number up to this one was given before a failover took it back, or the key of a day expired
	New   bool // the key was not there
}

// ErrOverflow is the refusal of INCRBY past the largest int64, in the server's words.
var ErrOverflow = errors.New("ERR increment or decrement would overflow")

// Incr adds by, 1 or more, to a counter and gives its new value (INCRBY). With a forNs
// above 0 the key expires that long after this command (PEXPIRE, in one transaction with
// it); with 0 its expiry stays as it is, and a new key has none. The error is ErrDown or
// ErrOverflow.
//
// Reply.Again says that one of the numbers Value-by+1..Value is not above the highest that
// failovers have taken back from this key, or with the name Counter, than the highest that
// it had when it expired.
func (s *Server) Incr(atNs int64, key Key, by, forNs int64) (Reply, error) {
	if err := s.reach(atNs); err != nil {
		return Reply{}, err
	}
	before, there := s.get(atNs, key)
	if before.number > math.MaxInt64-by {
		return Reply{}, ErrOverflow
	}
	after := before
	after.number += by
	if forNs > 0 {
		after.untilMs = expiry(atNs, forNs)
	}
	s.put(atNs, key, before, there, after)
	return Reply{Value: after.number, Again: before.number < s.lost.numbers[key], New: !there}, nil
}
