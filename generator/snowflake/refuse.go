package snowflake

import (
	"errors"
	"fmt"

	"twindrift/generator"
	"twindrift/generator/redis"
)

// Why there is no id; test with errors.Is. The fourth is redis.ErrDown.
var (
	ErrTooLate   = errors.New("past 2080-07-10, where the 41 bits of ms end; is the clock in milliseconds?")
	ErrTooEarly  = errors.New("before 1941-02-27, where the 41 bits of ms begin; is the clock in milliseconds?")
	ErrClockBack = errors.New("the clock stands before an id that was given; ids go on when it has caught up")
)

// RefusedError says at which clock there was no id, and why. It wraps one of the errors
// above or redis.ErrDown, and is a generator.Refusal.
type RefusedError struct {
	NowMs int64 // the clock at the call
	Err   error
	how   generator.Kind
}

var _ generator.Refusal = (*RefusedError)(nil)

// Kind is the outcome that the error stands for.
func (e *RefusedError) Kind() generator.Kind { return e.how }

func (e *RefusedError) Error() string {
	return fmt.Sprintf("snowflake: no id at clock %d ms: %v", e.NowMs, e.Err)
}

func (e *RefusedError) Unwrap() error { return e.Err }

// refusal is the error of a kind that is one.
func refusal(kind generator.Kind, nowMs int64) error {
	err := ErrTooLate
	switch kind {
	case generator.TooEarly:
		err = ErrTooEarly
	case generator.ClockBack:
		err = ErrClockBack
	case generator.RedisDown:
		err = fmt.Errorf("%w; the corrected variant goes on without it", redis.ErrDown)
	}
	return &RefusedError{nowMs, err, kind}
}
