package snowflake

import (
	"math"

	"twindrift/generator"
)

// blocks turns blocks of numbers into ids, for TwoLevel and Adaptive: number n gives the
// sequence number n modulo 4096 in the ms of the clock.
//
// A block has 4096 numbers at most, and a ms never has ids of two blocks, whose numbers
// could be equal modulo 4096: with the first id of a block the process waits for the ms
// after its last one. So within a worker no id comes twice. That rests on the clock
// alone, and no two numbers need to differ for it: where a failover puts the counter back,
// nothing comes twice.
//
//   - A clock that goes back is not followed: ids stay at the last ms, and with the next
//     block go on to the ms after it, without waiting, until the clock has caught up.
//   - A restarted process waits for the ms after the one it starts in. A clock that is put
//     back across a restart is not noticed, and may give ids again.
//   - Two processes with one worker number give ids twice where both have blocks in one ms
//     that are equal modulo 4096: of TwoLevel, with blocks of 1024, every fourth pair of
//     blocks is.
type blocks struct {
	timeline
	from, to int64 // these numbers are at hand, without to
	lastMs   int64 // of the last id
	closed   bool  // lastMs is not for the numbers at hand
	started  bool  // this process has drawn before
}

// supply is where blocks come from. One that is asked for at ns arrives at readyNs.
type supply interface {
	block(ns int64) (from, to, readyNs int64, kind generator.Kind)
}

func newBlocks() blocks { return blocks{timeline: newTimeline(), lastMs: math.MinInt64} }

// draw is a draw of a worker.
func (b *blocks) draw(s supply, costs *generator.Costs, worker, nowMs, atNs int64) (int64, generator.Kind) {
	c := b.begin(nowMs, atNs)
	if kind := inTime(c.now()); kind.Refused() {
		return 0, kind
	}
	if !b.started {
		b.lastMs, b.closed, b.started = max(b.lastMs, c.now()), true, true
	}
	id, kind := b.give(&c, s, worker)
	b.end(&c)
	if !kind.Refused() {
		given(costs, &c)
	}
	return id, kind
}

func (b *blocks) give(c *call, s supply, worker int64) (int64, generator.Kind) {
	if b.from == b.to {
		from, to, readyNs, kind := s.block(c.ns)
		c.wait(readyNs)
		if kind.Refused() {
			return 0, kind
		}
		b.from, b.to, b.closed = from, to, true
	}
	if b.closed && c.now() == b.lastMs {
		c.spin(b.lastMs + 1)
	}
	ms := max(c.now(), b.lastMs)
	if b.closed && ms == b.lastMs { // the clock is behind it
		ms++
	}
	if kind := inTime(ms); kind.Refused() {
		return 0, kind
	}
	b.lastMs, b.closed = ms, false
	id := compose(ms, worker, b.from&(seqs-1))
	b.from++
	return id, generator.Drawn
}

// restart loses the numbers at hand, and says how many those are.
func (b *blocks) restart() (wasted int64) {
	wasted = b.to - b.from
	t := b.timeline
	*b = newBlocks()
	b.timeline = t
	return wasted
}

// restore takes over what a snapshot kept.
func (b *blocks) restore(s *blocks) {
	t := b.timeline
	*b = *s
	b.timeline = t.later(s.timeline)
}

// saved is what a snapshot keeps: not the numbers at hand, which could be given again.
func (b *blocks) saved() blocks {
	s := *b
	s.from, s.to, s.started = 0, 0, false
	return s
}
