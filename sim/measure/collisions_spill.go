package measure

import "twindrift/sim/spill"

// Spill has the seconds that wait written to disk when they take too much
// memory.
func (c *Collisions) Spill(to *spill.Owner) { c.spill = to }

// shed writes seconds to disk where they take too much memory.
func (c *Collisions) shed() {
	if c.spill == nil {
		return
	}
	c.shedding = c.shedding[:0]
	for _, waiting := range [][]heldSecond{c.a, c.b} {
		for i := range waiting {
			if waiting[i].entries != nil {
				c.shedding = append(c.shedding, &waiting[i])
			}
		}
	}
	spill.Shed(c.spill, c.shedding, (*heldSecond).bytes, func(s *heldSecond) (ok bool) {
		if s.kept, ok = c.disk.writeAll(c.spill, s.entries); ok {
			s.giveBack()
		}
		return ok
	})
	clear(c.shedding)
}

func (s *heldSecond) bytes() int64 { return s.entries.bytes() }

// recall gives the entries of a second, from disk if they are there.
func (c *Collisions) recall(s *heldSecond) *entries {
	if len(s.kept) > 0 {
		s.entries = newEntries(0)
		s.entries.users.Store(1)
		c.disk.readAll(c.spill, s.kept, s.entries)
		s.kept = nil
	}
	return s.entries
}

// forget lets go of a second that is done with.
func (c *Collisions) forget(s *heldSecond) {
	for i := range s.kept {
		c.spill.Drop(&s.kept[i])
	}
	if s.entries != nil {
		s.giveBack()
	}
	*s = heldSecond{}
}
