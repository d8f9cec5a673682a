package redisstreams

import (
	"errors"
	"fmt"

	"twindrift/generator"
	"twindrift/generator/redis"
)

var (
	errTooEarly = errors.New("before 1970, where entry ids begin")
	errTooLate  = errors.New("too late for an id; is it in milliseconds?")
)

var _ generator.Refusal = (*Refused)(nil)

// Refused says why a message got no id. It wraps redis.ErrNotAbove or redis.ErrZeroID
// where the server has refused the entry, and redis.ErrDown where there was no answer.
type Refused struct {
	EventMs, NowMs int64
	Err            error
}

func (r *Refused) Error() string {
	return fmt.Sprintf("redis-streams: event at %d ms, clock at %d ms: %v", r.EventMs, r.NowMs, r.Err)
}

func (r *Refused) Unwrap() error { return r.Err }

// Kind is the outcome that the error stands for.
func (r *Refused) Kind() generator.Kind { return kindOf(r.Err) }

// kindOf is the kind of a refusal, Drawn of any other error.
func kindOf(err error) generator.Kind {
	switch err {
	case redis.ErrNotAbove, redis.ErrZeroID:
		return generator.NotAbove
	case redis.ErrDown:
		return generator.RedisDown
	case errTooEarly:
		return generator.TooEarly
	case errTooLate:
		return generator.TooLate
	}
	return generator.Drawn
}
