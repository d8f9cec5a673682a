package report

import (
	"fmt"
	"time"

	"twindrift/sim/result"
)

// walk writes the slots that a draw read, full ones in a row on one line.
func (s *story) walk(slots []result.SlotRead) {
	label := "walk"
	for i := 0; i < len(slots); {
		n := run(slots[i:])
		s.field(label, s.slots(slots[i:i+n]))
		label, i = "", i+n
	}
}

// run is how many slots, from the first, are full and lead on to the next.
func run(slots []result.SlotRead) int {
	n := 1
	for n < len(slots) && next(&slots[n-1]) && next(&slots[n]) && slots[n].IDs == slots[0].IDs {
		n++
	}
	return n
}

// next says whether a slot is full and leads to the second after it.
func next(r *result.SlotRead) bool { return r.Found == "full" && r.JumpToMs == r.SecondMs+1000 }

func (s *story) local(ms int64) string {
	return time.UnixMilli(ms + s.UTCOffsetMs).UTC().Format(time.TimeOnly)
}

// slots says what a draw found in slots: one, or several that are full.
func (s *story) slots(slots []result.SlotRead) string {
	first, last := &slots[0], &slots[len(slots)-1]
	at := s.local(first.SecondMs) + " local"
	if len(slots) > 1 {
		at = fmt.Sprintf("%s to %s local", s.local(first.SecondMs), s.local(last.SecondMs))
	}
	switch first.Found {
	case "stale":
		if first.Day == "" {
			return at + ": not used before, room"
		}
		return fmt.Sprintf("%s: last used on %s, so empty for this day", at, first.Day)
	case "room":
		return fmt.Sprintf("%s: %s given out, room", at, counted(first.IDs, "id"))
	case "later-day":
		return fmt.Sprintf("%s: belongs to %s, a later day", at, first.Day)
	}
	on := s.local(last.JumpToMs)
	if on == "00:00:00" {
		on = "the end of the day"
	}
	full := "full"
	if len(slots) > 1 {
		full = fmt.Sprintf("%d seconds, all full", len(slots))
	}
	return fmt.Sprintf("%s: %s (%s), on to %s", at, full, counted(first.IDs, "id"), on)
}
