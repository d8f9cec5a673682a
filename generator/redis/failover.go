package redis

// lost is what failovers may take back, and what they have; and the numbers of keys that
// have expired.
type lost struct {
	failovers []Failover // still to come
	log       ring       // the last writes, as many as those may take back together
	numbers   map[Key]int64
	entries   map[entry]struct{}
}

// entry is one of a stream.
type entry struct {
	stream Key
	id     EntryID
}

// write is one that may be taken back.
type write struct {
	key    Key
	before value
	there  bool // before it
	after  value
}

func newLost(failovers []Failover) lost {
	l := lost{failovers: failovers, numbers: map[Key]int64{}, entries: map[entry]struct{}{}}
	for _, f := range failovers {
		l.log.room += max(0, f.Lose)
	}
	return l
}

// expired notes the numbers of a key that is no longer there. Only days are counted for
// again once they are over, and few enough to be remembered.
func (l *lost) expired(key Key, v value) {
	if key.Name == Counter && v.number > l.numbers[key] {
		l.numbers[key] = v.number
	}
}

// failOver is the next failover: the last writes are undone, the latest first, and
// numbers and entries that they gave are remembered.
func (s *Server) failOver() {
	l := &s.lost
	for range l.failovers[0].Lose {
		w, ok := l.log.pop()
		if !ok {
			break
		}
		if w.there {
			s.set(w.key, w.before)
		} else {
			s.drop(w.key)
		}
		if w.after.number > w.before.number {
			l.numbers[w.key] = max(l.numbers[w.key], w.after.number)
		}
		if w.before.top.Less(w.after.top) {
			l.entries[entry{w.key, w.after.top}] = struct{}{}
		}
	}
	l.failovers = l.failovers[1:]
	if len(l.failovers) == 0 {
		l.log = ring{}
	}
}

// ring holds the last room writes.
type ring struct {
	room   int
	writes []write // grows up to room, then goes round
	end    int     // behind the latest write
	n      int     // how many there are
}

func (r *ring) push(w write) {
	if r.room == 0 {
		return
	}
	if r.end == r.room {
		r.end = 0
	}
	if r.end == len(r.writes) {
		r.writes = append(r.writes, w)
	} else {
		r.writes[r.end] = w
	}
	r.end++
	r.n = min(r.n+1, r.room)
}

// pop takes the latest write out.
func (r *ring) pop() (w write, ok bool) {
	if r.n == 0 {
		return write{}, false
	}
	if r.end == 0 {
		r.end = len(r.writes)
	}
	r.end--
	r.n--
	return r.writes[r.end], true
}
