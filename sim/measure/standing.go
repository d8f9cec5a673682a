package measure

import "twindrift/sim/radix"

// standing is what of a second's entries stands in the list, in its order: all but those
// that a later delivery has taken out, and those that share an id where that is the member.
type standing struct {
	ids, events []int64
	byTime      []int64 // events, but ascending among those of one id; none without byGroups
	places      []int   // among the entries, where some do not stand
	some        bool    // do not

	idsOfSome, eventsOfSome []int64 // memory of ids and events, which are the entries' own where all stand
	times                   radix.Numbers
}

// all takes all entries of a second.
func (s *standing) all(e *entries) {
	s.ids, s.events, s.byTime, s.some = e.ids, e.eventMs, s.byTime[:0], false
}

// byGroups makes ready for the entries to be told again group by group, each with one id;
// some says that there are some that do not stand.
func (s *standing) byGroups(some bool) {
	if s.some = some; some {
		s.ids, s.events, s.places = s.idsOfSome[:0], s.eventsOfSome[:0], s.places[:0]
	} else {
		s.byTime = append(s.byTime, s.events...)
	}
}

// group takes the entries at the places from..to, which have one id, and gives the event
// times of those that stand, ascending.
func (s *standing) group(w *walk, from, to int) (ascending []int64) {
	if !s.some {
		ascending = s.byTime[from:to]
	} else {
		first := len(s.events)
		for place := from; place < to; place++ {
			if !w.isGone(place) {
				s.ids, s.events = append(s.ids, w.ids[place]), append(s.events, w.eventMs[place])
				s.places = append(s.places, place)
			}
		}
		s.byTime = append(s.byTime, s.events[first:]...)
		s.idsOfSome, s.eventsOfSome = s.ids, s.events
		ascending = s.byTime[first:]
	}
	s.times.Sort(ascending)
	return ascending
}

// place is where one that stands is among the entries.
func (s *standing) place(at int) int {
	if s.some {
		return s.places[at]
	}
	return at
}
