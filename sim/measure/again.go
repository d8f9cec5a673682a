package measure

import "math"

// Again counts what redelivery does to a site's list, whose member is the
// message (a later delivery overwrites the entry of an earlier one) or the id
// (each id is an entry of its own, and messages with one id share it).
type Again struct {
	Overwritten int64 // entries that a later delivery of their message took out of the list
	Lost        int64 // entries that share an id with another, where the member is the id
	SeveralIDs  int64 // messages that were given several ids

	current map[messageKey]*delivered
}

// messageKey is a message by partition and ordinal.
type messageKey struct {
	partition int32
	ordinal   int64
}

// delivered is the last delivery of a message that may come again.
type delivered struct {
	id, second, drawNs int64
	several            bool
}

// settle forgets the messages before the settled ordinals and gives the lowest
// owner second of the others: it must stay open, since they may still be
// overwritten.
func (a *Again) settle(settled []int64) (floorSecond int64) {
	floorSecond = math.MaxInt64
	for key, d := range a.current {
		if key.ordinal < settled[key.partition] {
			delete(a.current, key)
		} else {
			floorSecond = min(floorSecond, d.second)
		}
	}
	return floorSecond
}

// delivered takes in a delivery of a message that may come again: the last
// entry of an open second. Deliveries at different processes come in any order.
func (l *List) delivered(o *open, second, ordinal, drawNs int64) {
	a, e := &l.Again, &o.entries[len(o.entries)-1]
	key := messageKey{e.Partition, ordinal}
	before := a.current[key]
	if before == nil {
		if a.current == nil {
			a.current = map[messageKey]*delivered{}
		}
		a.current[key] = &delivered{id: e.ID, second: second, drawNs: drawNs}
		return
	}
	if before.id != e.ID && !before.several {
		before.several = true
		a.SeveralIDs++
	}
	later := drawNs >= before.drawNs
	if !l.processes.MemberIsID {
		a.Overwritten++
		if later {
			l.recall(l.opens[before.second])
			e = &o.entries[len(o.entries)-1] // the same, which may have moved
			l.overwrite(before, e)
		} else {
			e.Life |= gone
		}
	}
	if later {
		before.id, before.second, before.drawNs = e.ID, second, drawNs
	}
}

// overwrite takes the entry of a message's delivery before, not e itself, out
// of the list.
func (l *List) overwrite(before *delivered, e *Entry) {
	entries := l.opens[before.second].entries
	for i := range entries {
		o := &entries[i]
		if o != e && o.ID == before.id && o.Partition == e.Partition && o.Offset == e.Offset && o.Life&gone == 0 {
			o.Life |= gone
			return
		}
	}
}
