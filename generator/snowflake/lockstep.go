package snowflake

import "twindrift/generator"

// lockstep gives the ids of a process while Redis is down. Its windows are the odd ms,
// none of which Redis gives out, and it goes in step with the clock: a window is given
// from while the clock says that ms or the one before it, and a full window is followed
// by the next one when the clock gets there.
//
// So no id comes twice. In a process windows only go on. A restarted process begins with
// the window after the one it starts in, and what the process before it gave from lies
// before that, since it was never ahead of the clock. Other processes have other workers.
//
// A clock behind the last window gets what that has left. After that the process waits,
// up to maxSpinMs, or refuses (generator.ClockBack).
type lockstep struct {
	window, next int64
	started      bool // this process has drawn before
}

const maxSpinMs = 10

// start takes note of the clock, which must be done before the first id of a process.
func (l *lockstep) start(ms int64) {
	if !l.started {
		l.window, l.next, l.started = max(l.window, ms|1), seqs, true
	}
}

// give gives the id of a call that began at ms.
func (l *lockstep) give(c *call, ms, worker int64) (int64, generator.Kind) {
	if window := ms | 1; window > l.window {
		l.window, l.next = window, 0
	}
	if l.next == seqs {
		if l.window+1-c.now() > maxSpinMs {
			return 0, generator.ClockBack
		}
		c.spin(l.window + 1)
		l.window, l.next = l.window+2, 0
	}
	if kind := inTime(l.window); kind.Refused() {
		return 0, kind
	}
	id := compose(l.window, worker, l.next)
	l.next++
	return id, generator.Drawn
}
