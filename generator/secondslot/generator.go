package secondslot

import "twindrift/generator"

var (
	_ generator.Generator = (*Generator)(nil)
	_ generator.Batcher   = (*Generator)(nil)

	_ generator.Snapshotter = (*Generator)(nil)
)

// Generator is the published second-slot generator for one goroutine. It
// allocates nothing after New.
type Generator struct {
	formula
	slots [secondsPerDay]uint64
}

// New makes a generator with empty slots, as after a process start.
func New(cfg Config) (*Generator, error) {
	f, err := newFormula(cfg)
	if err != nil {
		return nil, err
	}
	return &Generator{formula: f}, nil
}

// Draw gives the id of an event for the configured node. The clock plays no
// part in it. A refused timestamp is a *TimestampError and changes nothing.
func (g *Generator) Draw(eventMs, _ int64) (int64, generator.Outcome, error) {
	return g.draw(g.nodeTicks, eventMs)
}

// DrawNode is Draw for any node: the slots belong to the process, whatever
// nodes use them. A node is counted in 32 bits, as in Config.
func (g *Generator) DrawNode(node int32, eventMs int64) (int64, generator.Outcome, error) {
	return g.draw(int64(node)*nodeTicks, eventMs)
}

func (g *Generator) draw(node, eventMs int64) (int64, generator.Outcome, error) {
	s, ok := g.second(eventMs)
	if !ok {
		return 0, generator.Outcome{}, g.refuse(eventMs)
	}
	day, sec := s/secondsPerDay, s%secondsPerDay
	// Most draws find room in their own slot (step 5, hops 0).
	if word := g.slots[sec]; word>>dayShift == day && word&(1<<dayShift-1) < g.perSecond {
		g.slots[sec] = word + 1
		return g.id(s, word&nextMask, node), generator.Outcome{}, nil
	}
	at, seq, how := g.walk(day, sec)
	return g.id(s-sec+at, seq, node), how, nil
}

// walk is steps 2 to 10 for second sec of a day: it gives the second of the
// day and the sequence number that the id has to say.
func (g *Generator) walk(day, sec uint64) (at, seq uint64, how generator.Outcome) {
	at = sec
	for {
		slotDay, jump, next := unpack(g.slots[at])
		if slotDay > day { // step 3
			how.Kind = generator.StaleDay
			return sec, 0, how
		}
		if slotDay < day { // step 4
			g.slots[at] = pack(day, 0, 1)
			seq = 0
			break
		}
		seq = next
		if jump == 0 {
			if next < g.perSecond { // step 5
				g.slots[at]++
				break
			}
			jump = at + 1 // step 6
			g.slots[at] = pack(day, jump, next)
		}
		at = jump // step 9; the slot at at has not been read
		if at >= secondsPerDay {
			how.Kind = generator.DayEnd
			break
		}
		how.Hops++
		if how.Hops > g.jumpLimit {
			how.Kind = generator.JumpLimit
			break
		}
	}
	if how.Hops > 2 && at-sec > 1 { // step 10
		if _, jump, _ := unpack(g.slots[sec]); jump < at {
			g.slots[sec] = pack(day, at, g.perSecond)
		}
	}
	return at, seq, how
}

// DrawBatch draws for many events in their order (generator.Batcher). Of the calls only
// the event times are looked at. There is never an error.
func (g *Generator) DrawBatch(c generator.Calls, ids []int64, kinds []generator.Kind, hops []int32) error {
	eventMs := c.EventMs
	ids, kinds, hops = ids[:len(eventMs)], kinds[:len(eventMs)], hops[:len(eventMs)]
	for i, ms := range eventMs {
		s, ok := g.second(ms)
		if !ok {
			ids[i], kinds[i], hops[i] = 0, g.refuse(ms).Kind(), 0
			continue
		}
		day, sec := s/secondsPerDay, s%secondsPerDay
		if word := g.slots[sec]; word>>dayShift == day && word&(1<<dayShift-1) < g.perSecond {
			g.slots[sec] = word + 1
			ids[i] = g.id(s, word&nextMask, g.nodeTicks)
			kinds[i], hops[i] = generator.Drawn, 0
			continue
		}
		at, seq, how := g.walk(day, sec)
		ids[i] = g.id(s-sec+at, seq, g.nodeTicks)
		kinds[i], hops[i] = how.Kind, how.Hops
	}
	return nil
}

// Snapshot copies the slots.
func (g *Generator) Snapshot() generator.State {
	slots := g.slots
	return &slots
}

// Restore puts the slots back as they were at a Snapshot; nil empties them.
func (g *Generator) Restore(state generator.State) {
	if state == nil {
		g.Reset()
		return
	}
	g.slots = *state.(*[secondsPerDay]uint64)
}

// Reset empties the slots: a restarted process has forgotten what it gave out.
func (g *Generator) Reset() { clear(g.slots[:]) }

// Floor is the first id that the event's own second has for the configured
// node; no id of this or a later event lies below it. With Config.WrapIDs
// there is no bound, and Floor is the smallest int64.
func (g *Generator) Floor(eventMs, _ int64) int64 { return g.floor(eventMs) }
