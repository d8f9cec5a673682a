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
	id, second int64
	several    bool
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

// delivered takes in a delivery of a message that may come again.
func (l *List) delivered(e *Entry, second, ordinal int64) {
	a := &l.Again
	key := messageKey{e.Partition, ordinal}
	before := a.current[key]
	if before == nil {
		if a.current == nil {
			a.current = map[messageKey]*delivered{}
		}
		a.current[key] = &delivered{id: e.ID, second: second}
		return
	}
	if before.id != e.ID && !before.several {
		before.several = true
		a.SeveralIDs++
	}
	if !l.processes.MemberIsID {
		l.overwrite(before, e)
		a.Overwritten++
	}
	before.id, before.second = e.ID, second
}

// overwrite takes the entry of a message's delivery before out of the list.
func (l *List) overwrite(before *delivered, e *Entry) {
	entries := l.opens[before.second].entries
	for i := range entries {
		o := &entries[i]
		if o.ID == before.id && o.Partition == e.Partition && o.Offset == e.Offset && o.Life&gone == 0 {
			o.Life |= gone
			return
		}
	}
}
