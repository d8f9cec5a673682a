package measure

import (
	"twindrift/generator"
	"twindrift/generator/secondslot"
)

// Rules are what second-slot ids have to look like. The cause of a duplicate is
// told from what the generator says of itself; Rules hold it against the digits
// of the ids, which know nothing of that.
type Rules struct {
	Layout    secondslot.Layout
	PerSecond int64 // ids of a node and second
	JumpLimit int64
	Days      bool // the last second of a day borrows from the next day
}

const (
	ticksPerSecond = 10_000_000
	ticksPerNode   = 1_000_000
	secondsPerDay  = 86_400
)

// fits says whether the digits bear out the cause that is named for an extra
// copy of an id.
func (r *Rules) fits(cause string, extra, first *Entry, extraOf, firstOf *Processes) bool {
	if !r.drawnAsSaid(extra, extraOf) || !r.drawnAsSaid(first, firstOf) {
		return false
	}
	either := func(is func(*Entry, *Processes) bool) bool { return is(extra, extraOf) || is(first, firstOf) }
	both := func(is func(*Entry, *Processes) bool) bool { return is(extra, extraOf) && is(first, firstOf) }
	ofKind := func(kind generator.Kind) bool {
		return either(func(e *Entry, _ *Processes) bool { return e.Kind == kind })
	}
	switch cause {
	case StaleDay:
		return ofKind(generator.StaleDay)
	case JumpLimit:
		return ofKind(generator.JumpLimit)
	case DayEnd:
		return ofKind(generator.DayEnd)
	case WrongUnit:
		return either(func(e *Entry, p *Processes) bool { return wrongUnit(p.askedMs(e)) })
	case NodeRange:
		return extraOf.Overrun || !both(r.ownDigit)
	case Restart, SharedNode:
		return both(r.ownDigit)
	}
	return true // nothing is claimed
}

// ownDigit says whether an id says the node of the process that gave it.
func (r *Rules) ownDigit(e *Entry, p *Processes) bool {
	return r.Layout.Node(e.ID) == int64(p.Nodes[e.Consumer])
}

// drawnAsSaid says whether an id has the digits that its kind makes, by
// GENERATORS 1, counted from the first id of the second asked for: a drawn one
// has a sequence number below PerSecond, in that second or a later one of the
// day (the corrected form goes on in the next); a stale-day one is that first id itself; one that left the walk has the
// sequence number PerSecond, at the day's end in the second after the day, at
// the jump limit more seconds later than jumps are allowed. With the published
// numbers the sequence 5000 reads as 0 of the next node.
func (r *Rules) drawnAsSaid(e *Entry, p *Processes) bool {
	second := generator.FloorDiv(p.askedMs(e)+r.Layout.UTCOffsetMs, 1000)
	beyond := e.ID - (second*ticksPerSecond + int64(p.Nodes[e.Consumer])*ticksPerNode + secondslot.Epoch) // ids may wrap
	if beyond < 0 {
		return false
	}
	if e.Kind == generator.StaleDay {
		return beyond == 0
	}
	if e.Kind != generator.Drawn {
		beyond -= r.PerSecond * r.Layout.Step
	}
	offset, ticks := beyond/ticksPerSecond, beyond%ticksPerSecond
	reached := second%secondsPerDay + offset // second of the day, or where it ends
	switch e.Kind {
	case generator.Drawn:
		return r.drawn(beyond, second%secondsPerDay)
	case generator.JumpLimit:
		return beyond >= 0 && ticks == 0 && offset > r.JumpLimit && reached < secondsPerDay
	case generator.DayEnd:
		return beyond >= 0 && ticks == 0 && reached == secondsPerDay
	}
	return false
}

// drawn says whether so many ticks beyond the first id of a second of the day are those of
// a drawn id. Where a second's numbers reach past the second itself, there are several
// seconds that it can be of.
func (r *Rules) drawn(beyond, second int64) bool {
	for offset := beyond / ticksPerSecond; offset >= 0; offset-- {
		ticks := beyond - offset*ticksPerSecond
		if ticks/r.Layout.Step >= r.PerSecond {
			return false
		}
		if ticks%r.Layout.Step == 0 && (r.Days || second+offset < secondsPerDay) {
			return true
		}
	}
	return false
}
