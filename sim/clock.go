package sim

import (
	"fmt"
	"math"
	"time"

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
	// lastBaseMs leaves room for all of virtual time after it.
	lastBaseMs = math.MaxInt64 - 3*spanMs
)

// clockFor chooses where virtual time counts from: 1970, unless all of the
// capture's timestamps lie past what int64 nanoseconds can hold (microseconds
// taken for milliseconds, say).
func clockFor(plan *replay.Plan) site.Clock {
	low, _ := earliestMs(plan)
	if low <= nsRangeMs {
		return site.Clock{}
	}
	return site.Clock{BaseMs: min(low, lastBaseMs)}
}

// earliestMs is the smallest timestamp of a capture; false where there is none.
func earliestMs(plan *replay.Plan) (low int64, ok bool) {
	for i := range plan.Partitions {
		if p := &plan.Partitions[i]; p.Messages > p.NoTimestamp && (!ok || p.MinMs < low) {
			low, ok = p.MinMs, true
		}
	}
	return low, ok
}

// plausible bounds an append time to what virtual time can hold. Only captures
// with a timestamp before 1770 or after 2170, or, where all are past 2170, more
// than a century after the first, notice.
func plausible(ms int64, clock site.Clock) int64 {
	if clock.BaseMs == 0 {
		return min(max(ms, -nsRangeMs), nsRangeMs)
	}
	return clock.BaseMs + min(max(ms, clock.BaseMs)-clock.BaseMs, spanMs)
}

// clockNotes tell of timestamps that are not plausible.
func clockNotes(plan *replay.Plan, clock site.Clock) []string {
	var notes []string
	for i := range plan.Partitions {
		p := &plan.Partitions[i]
		if p.Messages == p.NoTimestamp {
			continue
		}
		for _, end := range []int64{p.MinMs, p.MaxMs} {
			if held := plausible(end, clock); held != end {
				notes = append(notes, fmt.Sprintf("%s/%d has a timestamp of %d ms, too far off to be simulated: it counts as appended on %s, and the messages behind it no earlier. Is it in milliseconds?",
					p.Topic, p.Number, end, time.UnixMilli(held).UTC().Format(time.DateOnly)))
			}
		}
	}
	return notes
}
