package order

import (
	"errors"
	"fmt"
	"math"
)

// Errors of the streaming measures. A measure that has met one goes on counting,
// but its result is not to be used.
var (
	// ErrBelowFloor: an element came below a floor that had been promised.
	ErrBelowFloor = errors.New("element below the promised floor")
	// ErrNotAscending: elements did not come in ascending order of x.
	ErrNotAscending = errors.New("elements not in ascending order of x")
	// ErrTooMany: 2^32 elements or more, whose pairs do not fit in 64 bits.
	ErrTooMany = errors.New("too many elements to count pairs in 64 bits")
)

// promise is the floor below which no later y may lie.
type promise struct {
	floorMs int64
	given   bool
	err     error
}

// raise takes a new floor; a lower one than before changes nothing.
func (p *promise) raise(floorMs int64) {
	if !p.given || floorMs > p.floorMs {
		p.floorMs, p.given = floorMs, true
	}
}

// lowest is the smallest y that keeps the promise.
func (p *promise) lowest() int64 {
	if !p.given {
		return math.MinInt64
	}
	return p.floorMs
}

// check notes the first y that breaks the promise.
func (p *promise) check(yMs int64) {
	if yMs < p.floorMs && p.given {
		p.broken(yMs)
	}
}

func (p *promise) broken(yMs int64) {
	if p.err == nil {
		p.err = fmt.Errorf("%w: y %d ms after a floor of %d ms", ErrBelowFloor, yMs, p.floorMs)
	}
}
