package measure

import (
	"cmp"
	"math"
)

// Again counts what redelivery does to a site's list, whose member is the
// message (a later delivery overwrites the entry of an earlier one) or the id
// (each id is an entry of its own, and messages with one id share it).
type Again struct {
	Overwritten int64 // entries that a later delivery of their message took out of the list
	Lost        int64 // entries that share an id with another, where the member is the id
	SeveralIDs  int64 // messages that were given several ids
	Stored      int64 // stored deliveries of messages that were stored before

	current map[messageKey]*delivered
	floor   int64 // no second of theirs is lower
	credit  int   // towards going over all of them
}

// messageKey is a message by partition and ordinal.
type messageKey struct {
	partition int32
	ordinal   int64
}

// delivered is the last delivery of a message that may come again.
type delivered struct {
	id, second, drawNs int64
	place              int // of its entry among those of its second, as they came
	delivery           int32
	several            bool
}

// settleCredit is how many messages are gone over for nothing where few are delivered.
const settleCredit = 1 << 12

// settle forgets the messages before the settled ordinals and gives the lowest
// owner second of the others: it must stay open, since they may still be
// overwritten. Where many are kept, it does so after as many deliveries as make it
// worth while, or at the end, and in between gives a second that is lower, maybe.
func (a *Again) settle(settled []int64, atEnd bool) (floorSecond int64) {
	if len(a.current) == 0 {
		return math.MaxInt64
	}
	a.credit += settleCredit
	if a.credit < len(a.current)/4 && !atEnd {
		return a.floor
	}
	a.credit, a.floor = 0, math.MaxInt64
	for key, d := range a.current {
		if key.ordinal < settled[key.partition] {
			delete(a.current, key)
		} else {
			a.floor = min(a.floor, d.second)
		}
	}
	return a.floor
}

// delivered takes in a delivery of a message that may come again, or has come before: the
// last entry of a chunk, the last of an open second. Deliveries at different processes come
// in any order.
func (l *List) delivered(o *open, c *chunk, ordinal, drawNs int64, delivery int32) {
	a, last, second := &l.Again, c.len()-1, o.second
	id, key, place := c.ids[last], messageKey{c.partition[last], ordinal}, o.n-1
	if a.current == nil {
		a.current, a.floor = map[messageKey]*delivered{}, math.MaxInt64
	}
	a.credit++
	a.floor = min(a.floor, second)
	before := a.current[key]
	if before == nil {
		a.current[key] = &delivered{id: id, second: second, drawNs: drawNs, place: place, delivery: delivery}
		return
	}
	a.Stored++
	if before.id != id && !before.several {
		before.several = true
		a.SeveralIDs++
	}
	later := cmp.Or(cmp.Compare(drawNs, before.drawNs), cmp.Compare(delivery, before.delivery)) >= 0
	if !l.processes.MemberIsID {
		a.Overwritten++
		if later {
			l.overwrite(before)
		} else {
			c.takeOut(last)
		}
	}
	if later {
		before.id, before.second, before.drawNs, before.place, before.delivery = id, second, drawNs, place, delivery
	}
}

// overwrite takes the entry of a message's delivery before out of the list.
func (l *List) overwrite(before *delivered) {
	c := l.opens[before.second].chunkAt(before.place)
	l.recall(c)
	c.takeOut(before.place - c.start)
}
