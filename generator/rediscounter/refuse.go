package rediscounter

import (
	"errors"
	"fmt"

	"twindrift/generator"
	"twindrift/generator/redis"
)

// Why there is no id; test with errors.Is. The third is redis.ErrDown.
var (
	ErrTooLate     = errors.New("past 2090-01-19 03:14:07, where the 31 bits of seconds end; is it in milliseconds?")
	ErrTooEarly    = errors.New("before 1953-12-13, where the 31 bits of seconds begin; is it in milliseconds?")
	ErrCounterFull = errors.New("the day's 2^31 numbers are used up; the next local day has new ones")
)

// RefusedError says which message got no id, and why. It wraps one of the errors above
// or redis.ErrDown, and is a generator.Refusal.
type RefusedError struct {
	Ms  int64 // the time that the id was to say
	Err error
	how generator.Kind
}

var _ generator.Refusal = (*RefusedError)(nil)

// Kind is the outcome that the error stands for.
func (e *RefusedError) Kind() generator.Kind { return e.how }

func (e *RefusedError) Error() string {
	return fmt.Sprintf("redis-counter: no id of time %d ms: %v", e.Ms, e.Err)
}

func (e *RefusedError) Unwrap() error { return e.Err }

// refusal is the error of a kind that is one.
func refusal(kind generator.Kind, ms int64) error {
	err := ErrTooLate
	switch kind {
	case generator.TooEarly:
		err = ErrTooEarly
	case generator.CounterFull:
		err = ErrCounterFull
	case generator.RedisDown:
		err = fmt.Errorf("%w; the corrected variant goes on without it", redis.ErrDown)
	}
	return &RefusedError{ms, err, kind}
}
