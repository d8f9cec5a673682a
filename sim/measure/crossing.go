package measure

// Crossing tells apart the entries that have one id at two sites.
type Crossing struct {
	OfB      bool     // the original is B's, which has the id for more messages; else A's
	Original int      // index at its site
	Extra    []int    // indexes at the other site of the extra copies
	Causes   []string // why each of them has the id
}

// Of fills x for the entries at two sites, both in the order of the list.
func (x *Crossing) Of(a, b []Entry, ofA, ofB Processes) {
	base, other, baseOf, otherOf := a, b, ofA, ofB
	*x = Crossing{OfB: distinctMessages(b) > distinctMessages(a), Extra: x.Extra[:0], Causes: x.Causes[:0]}
	if x.OfB {
		base, other, baseOf, otherOf = b, a, ofB, ofA
	}
	for i := range base {
		if original(&base[i], &base[x.Original], &baseOf) < 0 {
			x.Original = i
		}
	}
	for i := range other {
		extra := &other[i]
		if holds(base, extra) || i > 0 && extra.sameMessage(&other[i-1]) {
			continue
		}
		x.Extra = append(x.Extra, i)
		x.Causes = append(x.Causes, provenCause(extra, &base[x.Original], &otherOf, &baseOf, false))
	}
}

func (e *Entry) sameMessage(o *Entry) bool { return e.Partition == o.Partition && e.Offset == o.Offset }

// distinctMessages counts the messages among entries in list order.
func distinctMessages(entries []Entry) int {
	n := 1
	for i := 1; i < len(entries); i++ {
		if !entries[i].sameMessage(&entries[i-1]) {
			n++
		}
	}
	return n
}

// holds says whether a message is among entries that are in list order and
// have one id.
func holds(entries []Entry, e *Entry) bool {
	low, high := 0, len(entries)
	for low < high {
		middle := (low + high) / 2
		m := &entries[middle]
		if m.Partition < e.Partition || m.Partition == e.Partition && m.Offset < e.Offset {
			low = middle + 1
		} else {
			high = middle
		}
	}
	return low < len(entries) && entries[low].Partition == e.Partition && entries[low].Offset == e.Offset
}
