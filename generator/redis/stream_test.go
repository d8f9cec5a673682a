package redis

import (
	"errors"
	"math"
	"testing"
)

const last = math.MaxUint64

// How an XADD says its id.
const (
	given = "ms-seq"
	inMs  = "ms-*"
	auto  = "*"
)

// xadd is a command and what a real server answers to it (Redis 7.0.15).
type xadd struct {
	how  string
	id   EntryID // with auto, its Ms is the server's clock
	want EntryID
	err  error
}

func (c xadd) onModel(s *Server, atNs int64, stream Key) (Added, error) {
	switch c.how {
	case auto:
		return s.AddAuto(atNs, stream, int64(c.id.Ms))
	case inMs:
		return s.AddIn(atNs, stream, c.id.Ms)
	}
	return s.Add(atNs, stream, c.id)
}

// streams are commands on one stream each.
var streams = map[string][]xadd{
	"given": {
		{given, EntryID{0, 0}, EntryID{}, ErrZeroID},
		{given, EntryID{0, 1}, EntryID{0, 1}, nil},
		{given, EntryID{5, 3}, EntryID{5, 3}, nil},
		{given, EntryID{5, 3}, EntryID{}, ErrNotAbove},
		{given, EntryID{5, 2}, EntryID{}, ErrNotAbove},
		{given, EntryID{4, 9}, EntryID{}, ErrNotAbove},
		{given, EntryID{0, 0}, EntryID{}, ErrZeroID},
		{given, EntryID{5, 4}, EntryID{5, 4}, nil},
	},
	"in a ms": {
		{inMs, EntryID{Ms: 0}, EntryID{0, 1}, nil},
		{inMs, EntryID{Ms: 0}, EntryID{0, 2}, nil},
		{inMs, EntryID{Ms: 7}, EntryID{7, 0}, nil},
		{inMs, EntryID{Ms: 7}, EntryID{7, 1}, nil},
		{given, EntryID{9, 41}, EntryID{9, 41}, nil},
		{inMs, EntryID{Ms: 9}, EntryID{9, 42}, nil},
		{inMs, EntryID{Ms: 8}, EntryID{}, ErrNotAbove},
	},
	"by the clock": {
		{auto, EntryID{Ms: 0}, EntryID{0, 1}, nil},
		{auto, EntryID{Ms: 100}, EntryID{100, 0}, nil},
		{auto, EntryID{Ms: 100}, EntryID{100, 1}, nil},
		{auto, EntryID{Ms: 101}, EntryID{101, 0}, nil},
	},
	"the clock is behind": {
		{given, EntryID{1 << 50, 7}, EntryID{1 << 50, 7}, nil},
		{auto, EntryID{Ms: 102}, EntryID{1 << 50, 8}, nil},
		{auto, EntryID{Ms: 101}, EntryID{1 << 50, 9}, nil},
		{given, EntryID{1 << 50, 9}, EntryID{}, ErrNotAbove},
		{auto, EntryID{Ms: 1 << 50}, EntryID{1 << 50, 10}, nil},
		{auto, EntryID{Ms: 1<<50 + 1}, EntryID{1<<50 + 1, 0}, nil},
	},
	"numbers end": {
		{given, EntryID{1 << 50, last - 1}, EntryID{1 << 50, last - 1}, nil},
		{inMs, EntryID{Ms: 1 << 50}, EntryID{1 << 50, last}, nil},
		{auto, EntryID{Ms: 5}, EntryID{1<<50 + 1, 0}, nil},
	},
	"ids end": {
		{given, EntryID{last, last - 1}, EntryID{last, last - 1}, nil},
		{auto, EntryID{Ms: 5}, EntryID{last, last}, nil},
		{auto, EntryID{Ms: 5}, EntryID{}, ErrExhausted},
		{inMs, EntryID{Ms: last}, EntryID{}, ErrExhausted},
		{given, EntryID{5, 5}, EntryID{}, ErrExhausted},
		{given, EntryID{0, 0}, EntryID{}, ErrZeroID},
	},
}

func TestStreams(t *testing.T) {
	for name, commands := range streams {
		t.Run(name, func(t *testing.T) {
			s := New(Config{})
			stream := Key{Entries, 1, 0}
			var top EntryID
			for i, c := range commands {
				got, err := c.onModel(s, 0, stream)
				if want := (Added{ID: c.want, New: c.err == nil && top == EntryID{}}); got != want || !errors.Is(err, c.err) {
					t.Fatalf("command %d, XADD %s %v: %+v, %v; want %+v, %v", i, c.how, c.id, got, err, want, c.err)
				}
				if err == nil {
					top = c.want
				}
				if got, err := s.Top(0, stream); got != top || err != nil {
					t.Fatalf("command %d: top %v, %v; want %v", i, got, err, top)
				}
			}
			if got, err := s.Top(0, Key{Entries, 2, 0}); got != (EntryID{}) || err != nil {
				t.Errorf("another stream has the top %v, %v", got, err)
			}
		})
	}
}

// A real server refuses this as well, but what it says depends on its version.
func TestNumbersOfMsEnd(t *testing.T) {
	s := New(Config{})
	stream := Key{Entries, 1, 0}
	if _, err := s.Add(0, stream, EntryID{7, last}); err != nil {
		t.Fatal(err)
	}
	if _, err := s.AddIn(0, stream, 7); err != ErrNotAbove {
		t.Error(err)
	}
}

func TestEntryID(t *testing.T) {
	ascending := []EntryID{{0, 0}, {0, last}, {1, 0}, {1, 1}, {last, 0}, lastID}
	for i, a := range ascending {
		for j, b := range ascending {
			if a.Less(b) != (i < j) {
				t.Errorf("%v < %v is %v", a, b, a.Less(b))
			}
		}
	}
	if got := lastID.String(); got != "18446744073709551615-18446744073709551615" {
		t.Error(got)
	}
}
