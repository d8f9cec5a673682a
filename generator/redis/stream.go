package redis

import (
	"cmp"
	"errors"
	"fmt"
	"math"
)

// EntryID is the id of a stream's entry, ms-seq.
type EntryID struct{ Ms, Seq uint64 }

// lastID is the largest there is.
var lastID = EntryID{math.MaxUint64, math.MaxUint64}

// Less is the order of entries.
func (a EntryID) Less(b EntryID) bool { return a.Ms < b.Ms || a.Ms == b.Ms && a.Seq < b.Seq }

// Compare is the order of entries, as of cmp.Compare.
func (a EntryID) Compare(b EntryID) int {
	return cmp.Or(cmp.Compare(a.Ms, b.Ms), cmp.Compare(a.Seq, b.Seq))
}

// String is ms-seq.
func (a EntryID) String() string { return fmt.Sprintf("%d-%d", a.Ms, a.Seq) }

// Refusals of XADD, in the server's words.
var (
	ErrNotAbove  = errors.New("ERR The ID specified in XADD is equal or smaller than the target stream top item")
	ErrZeroID    = errors.New("ERR The ID specified in XADD must be greater than 0-0")
	ErrExhausted = errors.New("ERR The stream has exhausted the last possible ID, unable to add more items")
)

// Added is what XADD says.
type Added struct {
	ID    EntryID
	Again bool // the id was given before a failover took its entry back
	New   bool // the stream was not there
}

// Add appends an entry with an explicit id (XADD key ms-seq). The error is ErrDown,
// ErrNotAbove, ErrZeroID or ErrExhausted.
func (s *Server) Add(atNs int64, stream Key, id EntryID) (Added, error) {
	held, _, err := s.held(atNs, stream)
	switch {
	case err != nil:
		return Added{}, err
	case id == EntryID{}:
		return Added{}, ErrZeroID
	}
	return s.add(atNs, stream, held, id)
}

// AddIn appends an entry to a ms that is given and leaves the sequence number to the
// server (XADD key ms-*): the next one of the top entry's ms, 0 in a later ms. The error
// is ErrDown, ErrNotAbove or ErrExhausted.
func (s *Server) AddIn(atNs int64, stream Key, ms uint64) (Added, error) {
	held, top, err := s.held(atNs, stream)
	if err != nil {
		return Added{}, err
	}
	id := EntryID{Ms: ms}
	if ms == top.Ms {
		id.Seq = top.Seq + 1 // 0 after the last number, and so refused
	}
	return s.add(atNs, stream, held, id)
}

// AddAuto appends an entry with an id of the server's clock, nowMs, 0 or more (XADD key
// *). A clock that is not past the top entry's ms goes on from the top entry: the next
// sequence number, and after the last of these the next ms. The error is ErrDown or
// ErrExhausted.
func (s *Server) AddAuto(atNs int64, stream Key, nowMs int64) (Added, error) {
	held, top, err := s.held(atNs, stream)
	if err != nil {
		return Added{}, err
	}
	id := EntryID{Ms: uint64(nowMs)}
	switch {
	case id.Ms > top.Ms:
	case top.Seq == math.MaxUint64:
		id.Ms = top.Ms + 1
	default:
		id = EntryID{top.Ms, top.Seq + 1}
	}
	return s.add(atNs, stream, held, id)
}

// held is where the top entry of a stream is held, nil where there is none, and its id.
// The error is ErrDown.
func (s *Server) held(atNs int64, stream Key) (held *value, top EntryID, err error) {
	if err := s.reach(atNs); err != nil {
		return nil, EntryID{}, err
	}
	if held = s.alive(atNs, stream); held != nil {
		top = held.top
	}
	return held, top, nil
}

// add appends the entry that comes after the top one (streamAppendItem and xaddCommand in
// redis/redis src/t_stream.c).
func (s *Server) add(atNs int64, stream Key, held *value, id EntryID) (Added, error) {
	var top EntryID
	if held != nil {
		top = held.top
	}
	switch {
	case top == lastID:
		return Added{}, ErrExhausted
	case !top.Less(id):
		return Added{}, ErrNotAbove
	}
	if held != nil && len(s.lost.failovers) == 0 {
		held.top = id // and nothing to be remembered of it
	} else {
		before, there := s.get(atNs, stream)
		after := before
		after.top = id
		s.put(atNs, stream, before, there, after)
	}
	again := false
	if len(s.lost.entries) > 0 {
		_, again = s.lost.entries[entry{stream, id}]
	}
	return Added{ID: id, Again: again, New: held == nil}, nil
}

// Top is the id of a stream's last entry (last-generated-id of XINFO STREAM); 0-0 where
// there is no stream, for which a real server says "ERR no such key". The error is ErrDown.
func (s *Server) Top(atNs int64, stream Key) (EntryID, error) {
	_, top, err := s.held(atNs, stream)
	return top, err
}
