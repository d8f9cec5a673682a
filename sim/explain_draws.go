package sim

import (
	"fmt"

	"twindrift/generator"
)

// drawn says in words how a delivery came to its id.
func (x *explainer) drawn(f *found) string {
	switch f.entry.Kind {
	case generator.StaleDay:
		return "not drawn: " + x.staleDay(f)
	case generator.JumpLimit:
		return "not drawn: " + x.jumpLimit(f)
	case generator.DayEnd:
		return "not drawn: " + x.dayEnd(f)
	}
	d := x.digits(f.entry.ID)
	asked := x.askedMs(f)
	offset := floorDiv(x.run.sites[f.site].lanes[chosen].layout.OwnerMs(f.entry.ID), 1000) - floorDiv(asked, 1000)
	of := "its own second"
	if x.run.sites[f.site].lanes[chosen].byClock {
		of = "the clock's second"
	}
	node := int64(x.node(f))
	switch {
	case node < 0 || node > 9:
		return fmt.Sprintf("drawn; %s", x.nodeRange(f))
	case offset == 0:
		return fmt.Sprintf("drawn from %s, sequence %d", of, d.Sequence)
	}
	return fmt.Sprintf("%s was full: drawn %d s later, from %s local, sequence %d", of, offset, x.localClock(d.OwnerSecondMs), d.Sequence)
}
