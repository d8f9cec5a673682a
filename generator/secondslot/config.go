package secondslot

import (
	"errors"
	"fmt"
	"math"

	"twindrift/generator"
)

// DefaultUTCOffsetMs is the published local time, UTC+8.
const DefaultUTCOffsetMs int64 = 8 * 3600 * 1000

// maxUTCOffsetMs is the widest offset that time zones have.
const maxUTCOffsetMs int64 = 18 * 3600 * 1000

// Config says how a generator draws. Fields are used as given: start from
// DefaultConfig and change what differs.
type Config struct {
	// Node tells generator processes apart; it becomes one digit of the id. As
	// in the published code, a node outside 0..9 is not refused: it is added
	// into the seconds and so reads as another node of another second.
	Node int
	// UTCOffsetMs is local time less UTC in ms: whole seconds, within 18 hours; 0
	// means UTC.
	UTCOffsetMs int64
	// Step is the distance of consecutive ids; the published value is 200.
	// Below 129, ids can share a float64 score.
	Step int
	// PerSecond is how many sequence numbers a second has before later seconds
	// are borrowed, at most 1,048,575; the published value is 5000. PerSecond
	// times Step past 1,000,000 runs into the next node's range.
	PerSecond int
	// JumpLimit is how many jumps to later slots one draw follows before it
	// gives up and returns an id that it did not draw; the published value is 16.
	JumpLimit int
	// WrapIDs lets ids past int64 wrap around, as the published code's do for
	// timestamps in microseconds and beyond. Such ids lie anywhere, so Floor
	// then has no bound to give. By default those timestamps are refused with
	// ErrTooLate.
	WrapIDs bool
}

// DefaultConfig has the published constants, node 0 and local time UTC+8.
func DefaultConfig() Config {
	return Config{UTCOffsetMs: DefaultUTCOffsetMs, Step: 200, PerSecond: 5000, JumpLimit: 16}
}

// Why a timestamp is refused; test with errors.Is.
var (
	ErrTooEarly = errors.New("before 1970-01-01 00:00:00 local time, where the slots begin")
	ErrTooLate  = errors.New("too late for an int64 id; is it in milliseconds?")
)

// TimestampError says which timestamp got no id, and why. It wraps ErrTooEarly
// or ErrTooLate. It is a generator.Refusal.
type TimestampError struct {
	EventMs int64
	Err     error
}

var _ generator.Refusal = (*TimestampError)(nil)

// Kind is the outcome that the error stands for.
func (e *TimestampError) Kind() generator.Kind {
	switch e.Err {
	case ErrTooEarly:
		return generator.TooEarly
	case ErrTooOld:
		return generator.TooOld
	case ErrTooFarAhead:
		return generator.TooFarAhead
	case ErrNoRoom:
		return generator.NoRoom
	}
	return generator.TooLate
}

func (e *TimestampError) Error() string { return fmt.Sprintf("timestamp %d is %v", e.EventMs, e.Err) }

func (e *TimestampError) Unwrap() error { return e.Err }

// formula is the arithmetic that both forms of the generator share.
type formula struct {
	nodeTicks   int64 // the configured node's digits
	utcOffsetMs int64
	step        int64
	perSecond   uint64
	jumpLimit   int32
	wrap        bool
	maxLocalMs  uint64 // largest event time + UTC offset that is not refused
}

// newFormula checks cfg; the first contradiction is the error.
func newFormula(cfg Config) (formula, error) {
	switch {
	case cfg.Node < math.MinInt32 || cfg.Node > math.MaxInt32:
		return formula{}, fmt.Errorf("second-slot: node %d: a node number is a 32-bit integer, and 0 to 9 in its senses", cfg.Node)
	case cfg.UTCOffsetMs < -maxUTCOffsetMs || cfg.UTCOffsetMs > maxUTCOffsetMs:
		return formula{}, fmt.Errorf("second-slot: UTC offset %d ms: want at most 18 hours (%d) either way", cfg.UTCOffsetMs, maxUTCOffsetMs)
	case cfg.UTCOffsetMs%1000 != 0:
		return formula{}, fmt.Errorf("second-slot: UTC offset %d ms: want whole seconds, as every time zone has", cfg.UTCOffsetMs)
	case cfg.Step < 1 || cfg.Step > nodeTicks:
		return formula{}, fmt.Errorf("second-slot: step %d: want 1 to %d; the published step is 200", cfg.Step, nodeTicks)
	case cfg.PerSecond < 1 || cfg.PerSecond > nextMask:
		return formula{}, fmt.Errorf("second-slot: %d ids a second: want 1 to %d; the published number is 5000", cfg.PerSecond, nextMask)
	case cfg.JumpLimit < 0 || cfg.JumpLimit > secondsPerDay:
		return formula{}, fmt.Errorf("second-slot: jump limit %d: want 0 to %d; the published limit is 16", cfg.JumpLimit, secondsPerDay)
	}
	f := formula{
		nodeTicks:   int64(cfg.Node) * nodeTicks,
		utcOffsetMs: cfg.UTCOffsetMs,
		step:        int64(cfg.Step),
		perSecond:   uint64(cfg.PerSecond),
		jumpLimit:   int32(cfg.JumpLimit),
		wrap:        cfg.WrapIDs,
	}
	if f.wrap {
		// Only event time + offset itself must not run over.
		f.maxLocalMs = uint64(math.MaxInt64 - maxUTCOffsetMs)
	} else {
		// The largest id lies at most a day of borrowed seconds later.
		room := math.MaxInt64 - Epoch - f.nodeTicks - int64(cfg.PerSecond)*f.step
		f.maxLocalMs = uint64((room/secondTicks-secondsPerDay)*1000 + 999)
	}
	return f, nil
}

// second is S (step 1): the local second of an event. ok is false where the
// timestamp must be refused.
func (f *formula) second(eventMs int64) (s uint64, ok bool) {
	localMs := uint64(eventMs + f.utcOffsetMs)
	return localMs / 1000, localMs <= f.maxLocalMs // a negative sum is a huge uint64
}

// id puts an id together from the local second (borrowed seconds included) and
// the sequence number; node is in ticks.
func (f *formula) id(second, seq uint64, node int64) int64 {
	return int64(second)*secondTicks + node + int64(seq)*f.step + Epoch
}

// refuse explains why second was not ok.
func (f *formula) refuse(eventMs int64) *TimestampError {
	err := ErrTooLate
	if eventMs < -f.utcOffsetMs {
		err = ErrTooEarly
	}
	return &TimestampError{EventMs: eventMs, Err: err}
}

// floor is a lower bound of the ids that the configured node can still get for
// events at or after eventMs.
//
// Proof: every id returned, drawn or not, is S*10^7 + offset*10^7 + node ticks
// + seq*step + Epoch with offset >= 0 (jumps only lead forward, and step 3
// returns offset 0) and seq >= 0. S does not fall as the event time grows, so
// the id of an event at or after eventMs is at least that of S(eventMs) with
// offset 0 and sequence 0. Events before the first slot are refused, so S is
// at least 0; past the last timestamp there are no ids at all. The sum cannot
// wrap, because newFormula bounds it. None of this holds when ids may wrap.
func (f *formula) floor(eventMs int64) int64 {
	if f.wrap {
		return math.MinInt64
	}
	s, ok := f.second(eventMs)
	switch {
	case ok:
		return f.id(s, 0, f.nodeTicks)
	case eventMs < -f.utcOffsetMs:
		return f.id(0, 0, f.nodeTicks)
	}
	return math.MaxInt64
}
