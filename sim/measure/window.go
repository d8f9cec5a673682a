package measure

import (
	"math"

	"twindrift/generator"
	"twindrift/sim/site"
	"twindrift/sim/spill"
)

// What a window holds instead of an id.
const (
	pending = generator.LeastID - 2 // the site has not drawn for the message yet
	absent  = generator.LeastID - 1 // nor will it be in the site's list
)

// window is one partition from about the first message that a site has not
// drawn for, in stretches of 1 << bits messages; the last may be shorter.
type window struct {
	first     int64 // ordinal of the first message of the first stretch
	done      int   // messages of the first stretch that are compared
	stretches []*stretch
}

// stretch holds consecutive messages of a window, as columns, or is on disk.
type stretch struct {
	offset, eventMs []int64
	a, b            []int64 // ids, pending or absent
	atA, atB        []int64 // when they were drawn; only where messages come again

	kept       spill.Kept // the columns, one after the other
	stale      bool       // lowA and lowB do not hold
	hot        bool       // it was stale when last looked at
	lowA, lowB int64      // the lowest ids of the messages that are not compared
}

// windowBits are those of a window that need not go to disk.
const windowBits = 12

// spareMost is how many stretches, or open seconds, that are done with are kept
// for use.
const spareMost = 256

// extend adds messages; again says that they may come again.
func (w *window) extend(r *site.Rows, bits int, again bool, spare *[]*stretch) {
	for k := 0; k < r.Len(); {
		s := w.last(bits, spare)
		from := len(s.a)
		n := min(r.Len()-k, 1<<bits-from)
		s.offset, s.eventMs = append(s.offset, r.Offset[k:k+n]...), append(s.eventMs, r.EventMs[k:k+n]...)
		s.a, s.b = s.a[:from+n], s.b[:from+n]
		for i := from; i < from+n; i++ {
			s.a[i], s.b[i] = pending, pending
			if len(r.Absent) > 0 && r.Absent[k+i-from] {
				s.a[i], s.b[i] = absent, absent
			}
		}
		if again {
			for range n {
				s.atA, s.atB = append(s.atA, math.MinInt64), append(s.atB, math.MinInt64)
			}
		}
		s.stale = true
		k += n
	}
}

// last is the stretch that the next message belongs to.
func (w *window) last(bits int, spare *[]*stretch) *stretch {
	if n := len(w.stretches); n > 0 {
		if s := w.stretches[n-1]; len(s.a) < 1<<bits {
			return s
		}
	}
	var s *stretch
	if n := len(*spare); n > 0 {
		s, *spare = (*spare)[n-1], (*spare)[:n-1]
	} else {
		s = &stretch{}
	}
	s.clear(bits)
	w.stretches = append(w.stretches, s)
	return s
}

// clear empties a stretch and makes room for a whole one.
func (s *stretch) clear(bits int) {
	if s.a == nil {
		columns := make([]int64, 4<<bits)
		for i, c := range []*[]int64{&s.offset, &s.eventMs, &s.a, &s.b} {
			*c = columns[i<<bits : i<<bits : (i+1)<<bits]
		}
	}
	s.offset, s.eventMs, s.a, s.b = s.offset[:0], s.eventMs[:0], s.a[:0], s.b[:0]
	s.atA, s.atB = s.atA[:0], s.atB[:0]
	s.hot = true
}

// drawnAt are the ids of a side, A or B.
func (s *stretch) drawnAt(side int) *[]int64 { return [...]*[]int64{&s.a, &s.b}[side] }

// drawnWhen is when they were drawn, where messages come again.
func (s *stretch) drawnWhen(side int) *[]int64 { return [...]*[]int64{&s.atA, &s.atB}[side] }

// lows are the lowest ids of the messages of a stretch from a row on; the
// largest int64 for none.
func (s *stretch) lows(from int) (lowA, lowB int64) {
	if s.hot = s.stale; s.stale {
		s.lowA, s.lowB = lowest(s.a[from:]), lowest(s.b[from:])
		s.stale = false
	}
	return s.lowA, s.lowB
}

func lowest(ids []int64) int64 {
	low := int64(math.MaxInt64)
	for _, id := range ids {
		if id > absent {
			low = min(low, id)
		}
	}
	return low
}

// onDisk says whether the columns of a stretch are on disk.
func (s *stretch) onDisk() bool { return s.kept.Len() > 0 }

func (s *stretch) bytes() int64 { return int64(cap(s.a)*4+cap(s.atA)*2) * 8 }
