package snowflake

import (
	"math"

	"twindrift/generator"
)

const nsPerMs = 1_000_000

// timeline is the virtual time of a process that answers one call after the other. It
// outlasts a restart: the calls that came before that still end when they do, and the new
// process takes none before.
type timeline struct {
	atNs   int64 // when the last call came
	freeNs int64 // when it ended
	readMs int64 // what the clock said then, at least
}

// newTimeline is that of a process that has just started.
func newTimeline() timeline { return timeline{math.MinInt64, math.MinInt64, math.MinInt64} }

// later is the one of two that goes further.
func (t timeline) later(u timeline) timeline {
	if u.freeNs > t.freeNs {
		return u
	}
	return t
}

// call is one draw.
type call struct {
	clockMs, atNs int64 // the site's clock said clockMs at atNs
	ns            int64 // how far the call has got
	waitNs        int64 // how long it has waited
}

// begin starts a call that comes at atNs, when the site's clock says nowMs. Calls come in
// their order: one before the last, which Draw has where the clock goes back, comes with it.
func (t *timeline) begin(nowMs, atNs int64) call {
	atNs = max(atNs, t.atNs)
	t.atNs = atNs
	c := call{nowMs, atNs, max(atNs, t.freeNs), 0}
	c.waitNs = c.ns - atNs
	// nowMs is a whole ms, so a clock that is reckoned from it may be up to one behind, but
	// never says less than it said before.
	if c.waitNs > 0 && c.now() == t.readMs-1 {
		c.clockMs, c.atNs = t.readMs, c.ns
	}
	return c
}

// end is when the process is free again.
func (t *timeline) end(c *call) { t.freeNs, t.readMs = c.ns, c.now() }

// now is what the clock says.
func (c *call) now() int64 { return c.clockMs + (c.ns-c.atNs)/nsPerMs }

// wait has the call wait until ns, if that is still to come.
func (c *call) wait(ns int64) {
	if ns > c.ns {
		c.waitNs += ns - c.ns
		c.ns = ns
	}
}

// spin has it wait until the clock says ms.
func (c *call) spin(ms int64) { c.wait(c.atNs + (ms-c.clockMs)*nsPerMs) }

// given counts an id that a call ends with.
func given(costs *generator.Costs, c *call) { costs.Waits.Add(c.waitNs / 1000) }
