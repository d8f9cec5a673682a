package secondslot

import "twindrift/generator"

// Found is what a draw finds in a slot that it reads.
type Found uint8

// What there is to find.
const (
	Stale    Found = iota // an earlier day's: it becomes this day's, and the id is its first
	Room                  // room: the id is the next one
	Full                  // all of its ids are given out
	LaterDay              // a later day's already: the draw gives up (step 3)
)

// String is the name used in reports.
func (f Found) String() string { return [...]string{"stale", "room", "full", "later-day"}[f] }

// Read is one slot that a draw reads.
type Read struct {
	Second int64 // of the local day, the slot's number
	Day    int64 // local days since 1970 that the slot belongs to, 24 bits; 0 also for one never used
	Next   int64 // ids of that day that were given out of it
	Found  Found
	JumpTo int64 // where a full slot leads on to, 86,400 for the end of the day; else 0
}

// Trace is how a draw goes: the slots it reads, in order, and what comes of it.
type Trace struct {
	Day, Second int64  // local day since 1970 and second of the day that the draw asks for
	Reads       []Read // at least one
	ID          int64
	How         generator.Outcome
}

// Trace tells how Draw would go for an event if it were called now, and
// changes nothing. The error is Draw's.
func (g *Generator) Trace(eventMs, _ int64) (Trace, error) {
	s, ok := g.second(eventMs)
	if !ok {
		return Trace{}, g.refuse(eventMs)
	}
	day, sec := s/secondsPerDay, s%secondsPerDay
	t := Trace{Day: int64(day), Second: int64(sec)}
	// Every jump leads forward, so a draw reads a slot once, and never one that
	// it has written itself.
	at, seq := sec, uint64(0)
	for {
		slotDay, jump, next := unpack(g.slots[at])
		r := Read{Second: int64(at), Day: int64(slotDay), Next: int64(next)}
		switch {
		case slotDay > day:
			r.Found, t.How.Kind, at, seq = LaterDay, generator.StaleDay, sec, 0
		case slotDay < day:
			r.Found, seq = Stale, 0
		case jump == 0 && next < g.perSecond:
			r.Found, seq = Room, next
		default:
			if jump == 0 {
				jump = at + 1
			}
			r.Found, r.JumpTo, at, seq = Full, int64(jump), jump, next
		}
		t.Reads = append(t.Reads, r)
		if r.Found != Full {
			break
		}
		if at >= secondsPerDay {
			t.How.Kind = generator.DayEnd
			break
		}
		t.How.Hops++
		if t.How.Hops > g.jumpLimit {
			t.How.Kind = generator.JumpLimit
			break
		}
	}
	t.ID = g.id(s-sec+at, seq, g.nodeTicks)
	return t, nil
}
