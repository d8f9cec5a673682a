package rediscounter

import "twindrift/generator"

// local gives the ids of a process while Redis is down, in the layout of all others:
// their counts have bit 31 set, which no count of Corrected from Redis has, then the
// node, then the ms within the second and a number within the ms. They always go by the
// clock, even with Config.ByEvent: places within a second of the clock are used once,
// whereas events of one second may come for ever.
//
// No id is given twice, since the times never go back: a clock behind the last ms gets
// ids of that ms, and a ms that is full is followed by the next one, for which the call
// waits, up to maxWaitMs. A restarted process begins with the ms after the one it starts
// in, which the process before it may have used. What it cannot know is how far the clock
// has stood ahead before it: a clock that is put back across a restart, both within
// one outage, may give ids again.
type local struct {
	lastMs  int64
	n       int64 // given of lastMs
	started bool  // this process has drawn before
	endNs   int64 // when the last call that waited comes back, also one before a restart
}

const maxWaitMs = 1000

// start takes note of the clock, which must be done before the first id of a process.
// Calls of the process before it may still be waiting, and the new one begins after them.
func (l *local) start(nowMs, atNs int64) {
	if l.started {
		return
	}
	if early := l.endNs - atNs; early > 0 {
		nowMs += (early + nsPerMs - 1) / nsPerMs
	}
	l.lastMs, l.n, l.started = max(l.lastMs, nowMs), perMs, true
}

const nsPerMs = 1_000_000

// next gives the time of the next id, its number there, and for how long it waits.
func (l *local) next(nowMs, atNs int64) (ms, n, waitMs int64) {
	switch {
	case nowMs > l.lastMs:
		l.lastMs, l.n = nowMs, 0
	case l.n == perMs:
		l.lastMs, l.n = l.lastMs+1, 0
	}
	n = l.n
	l.n++
	if waitMs = l.lastMs - nowMs; waitMs > maxWaitMs {
		waitMs = 0
	}
	l.endNs = max(l.endNs, atNs+waitMs*nsPerMs)
	return l.lastMs, n, waitMs
}

// drawLocal is a draw without Redis.
func (c *Corrected) drawLocal(nowMs, atNs int64) (int64, generator.Kind) {
	ms, n, waitMs := c.local.next(nowMs, atNs)
	s, _, kind := c.cfg.seconds(ms)
	if kind.Refused() {
		return 0, kind
	}
	c.costs.Waits.Add(waitMs * 1000)
	place := (ms+c.cfg.UTCOffsetMs-(s+EpochS)*1000)*perMs + n
	return s<<countBits | localBit | int64(c.cfg.Node)<<placeBits | place, kind
}
