package sim

import (
	"twindrift/replay"
	"twindrift/sim/site"
)

const (
	yearMs = 365 * 24 * 3600 * 1000
	// nsRangeMs is how far from 1970 int64 nanoseconds are used directly; they
	// end in 2262, and delays come on top.
	nsRangeMs = 200 * yearMs
	// spanMs is the longest stretch of append times that is kept apart.
	spanMs = 100 * yearMs
)

// clockFor chooses where virtual time counts from: 1970, unless the capture's
// timestamps lie outside what int64 nanoseconds can hold (microseconds taken
// for milliseconds, say).
func clockFor(plan *replay.Plan) site.Clock {
	low, high, any := int64(0), int64(0), false
	for _, p := range plan.Partitions {
		if p.Messages == p.NoTimestamp {
			continue
		}
		if !any {
			low, high, any = p.MinMs, p.MaxMs, true
		}
		low, high = min(low, p.MinMs), max(high, p.MaxMs)
	}
	if low >= -nsRangeMs && high <= nsRangeMs {
		return site.Clock{}
	}
	return site.Clock{BaseMs: low}
}

// plausible bounds an append time to what virtual time can hold. Only captures
// with a timestamp more than a century after the first (or after 2170) notice.
func plausible(ms int64, clock site.Clock) int64 {
	if clock.BaseMs == 0 {
		return min(max(ms, -nsRangeMs), nsRangeMs)
	}
	if ms > clock.BaseMs && uint64(ms)-uint64(clock.BaseMs) > spanMs {
		return clock.BaseMs + spanMs
	}
	return ms
}
