package redis

import "errors"

// EntryID is the id of a stream's entry, ms-seq.
type EntryID struct{ Ms, Seq int64 }

// Less is the order of entries.
func (a EntryID) Less(b EntryID) bool { return a.Ms < b.Ms || a.Ms == b.Ms && a.Seq < b.Seq }

// ErrNotAbove is the refusal of XADD, in the server's words.
var ErrNotAbove = errors.New("ERR The ID specified in XADD is equal or smaller than the target stream top item")

// Add appends an entry with an explicit id (XADD key ms-seq). The error is ErrDown or
// ErrNotAbove.
func (s *Server) Add(atNs int64, stream Key, id EntryID) error {
	if err := s.reach(atNs); err != nil {
		return err
	}
	if v := s.values[stream]; !(EntryID{}).Less(id) || v != nil && !v.top.Less(id) {
		return ErrNotAbove
	}
	v, _, err := s.write(atNs, stream)
	if err != nil {
		return err
	}
	v.top = id
	return nil
}

// AddAuto appends an entry with an id of the server's clock (XADD key *).
func (s *Server) AddAuto(atNs int64, stream Key, nowMs int64) (EntryID, error) {
	v, _, err := s.write(atNs, stream)
	if err != nil {
		return EntryID{}, err
	}
	if next := (EntryID{Ms: nowMs}); v.top.Less(next) {
		v.top = next
	} else {
		v.top.Seq++
	}
	return v.top, nil
}

// Top is the id of a stream's last entry (XINFO STREAM); 0-0 where there is none.
func (s *Server) Top(atNs int64, stream Key) (EntryID, error) {
	if err := s.reach(atNs); err != nil {
		return EntryID{}, err
	}
	if v := s.values[stream]; v != nil {
		return v.top, nil
	}
	return EntryID{}, nil
}
