package sim

import (
	"fmt"
	"slices"
	"time"

	"twindrift/sim/site"
)

// heldOnLink says what held a message up on its way to the site.
func (x *explainer) heldOnLink(f *found) string {
	if f.repeat {
		return ""
	}
	for _, w := range x.sites[f.site].Outages {
		if w.To == f.arrivalNs {
			return x.stretch("the link was out", w)
		}
	}
	if x.sites[f.site].Observed {
		return "as the capture saw it processed"
	}
	return ""
}

// waitedFor says what a message waited for at its process.
func (x *explainer) waitedFor(f *found) string {
	if f.startNs == f.arrivalNs {
		return ""
	}
	c := &x.sites[f.site].Consumers[f.entry.Consumer]
	for _, r := range c.Restarts {
		switch down := (site.Window{From: r.AtNs, To: r.AtNs + r.DownNs}); {
		case !overlaps(down, f):
		case r.DownNs == 0:
			return "the process was restarted at " + x.moment(r.AtNs)
		default:
			return x.stretch("the process was down", down)
		}
	}
	for _, h := range x.sites[f.site].Handovers {
		if h.To == int(f.entry.Consumer) && f.arrivalNs < h.AtNs && h.AtNs <= f.startNs && slices.Contains(h.Partitions, int(f.entry.Partition)) {
			return "its partition came to this process at " + x.moment(h.AtNs)
		}
	}
	for _, w := range c.Stalls {
		if overlaps(w, f) {
			return x.stretch("the process stood still", w)
		}
	}
	if c.Parallel == site.Partitions {
		return "no worker was free, or its partition had a message in work"
	}
	return "no worker was free"
}

// overlaps says whether a message waited in a stretch.
func overlaps(w site.Window, f *found) bool { return w.From < f.startNs && f.arrivalNs < w.To }

func (x *explainer) stretch(what string, w site.Window) string {
	return fmt.Sprintf("%s from %s to %s", what, x.moment(w.From), x.moment(w.To))
}

// reason says why a message was delivered once more; before is its delivery
// before at the site, nil if that drew no id.
func (x *explainer) reason(f, before *found) string {
	if f.repeat {
		return "by chance (redelivery)"
	}
	if f.delivery == 0 && before == nil {
		return ""
	}
	from := f.arrivalNs
	lost := "started and not drawn"
	if before != nil {
		from, lost = before.drawNs, "not committed"
	}
	cfg := &x.sites[f.site]
	if before == nil || before.entry.Consumer == f.entry.Consumer {
		for _, r := range cfg.Consumers[f.entry.Consumer].Restarts {
			if r.AtNs >= from && r.AtNs <= f.startNs {
				return fmt.Sprintf("after the restart at %s (%s), since it was %s", x.moment(r.AtNs), restarted(r), lost)
			}
		}
	}
	for _, h := range cfg.Handovers {
		if h.AtNs >= from && h.AtNs <= f.startNs && slices.Contains(h.Partitions, int(f.entry.Partition)) {
			return fmt.Sprintf("after the rebalance at %s, since it was %s", x.moment(h.AtNs), lost)
		}
	}
	return fmt.Sprintf("after a restart or a rebalance, since it was %s", lost)
}

// restarted says what a process knows after a restart.
func restarted(r site.Restart) string {
	switch r.State {
	case site.StateKept:
		return "state kept"
	case site.StateRestored:
		return fmt.Sprintf("a snapshot %s old restored", time.Duration(r.AgeNs))
	}
	return "state lost"
}
