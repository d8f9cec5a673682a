package site

import "math"

// Clock turns virtual time into what a site's clock says. Virtual time is
// counted in ns from BaseMs (ms since the Unix epoch), which is 0 unless the
// capture's timestamps lie too far out for int64 nanoseconds since 1970. The
// zero value is right.
type Clock struct {
	BaseMs int64

	ErrorNs  int64 // how far the clock is ahead
	DriftPPM int64 // how much it gains, in millionths of the time since StartNs; above -1,000,000
	StartNs  int64
	Steps    []Step // by how much it is set, ascending by time
}

// Step sets a clock forward or back.
type Step struct{ AtNs, ByNs int64 }

const nsPerMs = 1_000_000

// Ns is the virtual time of a moment in ms since the Unix epoch.
func (c *Clock) Ns(ms int64) int64 { return (ms - c.BaseMs) * nsPerMs }

// Ms is the whole ms since the Unix epoch that the clock shows at virtual time
// ns.
func (c *Clock) Ms(ns int64) int64 {
	if !c.isRight() {
		ns += c.wrong(ns)
	}
	q := ns / nsPerMs
	if ns%nsPerMs < 0 {
		q--
	}
	return q + c.BaseMs
}

// fillMs sets ms[i] to Ms of ns[i], ascending.
func (c *Clock) fillMs(ns, ms []int64) {
	ms = ms[:len(ns)]
	if len(ns) > 0 && (ns[0] < 0 || !c.isRight()) {
		for i, t := range ns {
			ms[i] = c.Ms(t)
		}
		return
	}
	for i, t := range ns {
		ms[i] = int64(uint64(t)/nsPerMs) + c.BaseMs
	}
}

func (c *Clock) isRight() bool { return c.ErrorNs == 0 && c.DriftPPM == 0 && len(c.Steps) == 0 }

// wrong is how far the clock is ahead at ns.
func (c *Clock) wrong(ns int64) int64 {
	since := ns - c.StartNs
	ahead := c.ErrorNs + since/1_000_000*c.DriftPPM + since%1_000_000*c.DriftPPM/1_000_000
	for _, s := range c.Steps {
		if ns >= s.AtNs {
			ahead += s.ByNs
		}
	}
	return ahead
}

// FloorMs is a lower bound of what the clock shows from ns on.
func (c *Clock) FloorMs(ns int64) int64 {
	low := c.Ms(ns)
	for _, s := range c.Steps {
		if s.AtNs > ns {
			low = min(low, c.Ms(s.AtNs))
		}
	}
	return low
}

// UnixNs are moments of virtual time as ns since the Unix epoch, cut at the
// last that int64 holds, 2262-04-11. The slice is ns itself where virtual time
// counts from 1970.
func (c *Clock) UnixNs(ns []int64) []int64 {
	if c.BaseMs == 0 {
		return ns
	}
	unix := make([]int64, len(ns))
	for i, t := range ns {
		unix[i] = math.MaxInt64
		if c.BaseMs <= (math.MaxInt64-t)/nsPerMs {
			unix[i] = t + c.BaseMs*nsPerMs
		}
	}
	return unix
}
