package redis

import (
	"errors"
	"math"
	"testing"
)

const last = math.MaxUint64

// What a real server answers (Redis 7.0.15), command by command.
func TestStreamIDs(t *testing.T) {
	const auto, seq = "*", "ms-*"
	type command struct {
		how  string // auto, seq, or ""
		id   EntryID
		want EntryID
		err  error
	}
	for name, commands := range map[string][]command{
		"explicit": {
			{"", EntryID{0, 0}, EntryID{}, ErrZeroID},
			{"", EntryID{0, 1}, EntryID{0, 1}, nil},
			{"", EntryID{5, 3}, EntryID{5, 3}, nil},
			{"", EntryID{5, 3}, EntryID{}, ErrNotAbove},
			{"", EntryID{5, 2}, EntryID{}, ErrNotAbove},
			{"", EntryID{4, 9}, EntryID{}, ErrNotAbove},
			{"", EntryID{0, 0}, EntryID{}, ErrZeroID},
			{"", EntryID{5, 4}, EntryID{5, 4}, nil},
		},
		"a ms": {
			{seq, EntryID{Ms: 0}, EntryID{0, 1}, nil},
			{seq, EntryID{Ms: 0}, EntryID{0, 2}, nil},
			{seq, EntryID{Ms: 7}, EntryID{7, 0}, nil},
			{seq, EntryID{Ms: 7}, EntryID{7, 1}, nil},
			{"", EntryID{9, 41}, EntryID{9, 41}, nil},
			{seq, EntryID{Ms: 9}, EntryID{9, 42}, nil},
			{seq, EntryID{Ms: 8}, EntryID{}, ErrNotAbove},
		},
		"the clock behind": {
			{auto, EntryID{Ms: 100}, EntryID{100, 0}, nil},
			{auto, EntryID{Ms: 100}, EntryID{100, 1}, nil},
			{auto, EntryID{Ms: 101}, EntryID{101, 0}, nil},
			{"", EntryID{9999, 7}, EntryID{9999, 7}, nil},
			{auto, EntryID{Ms: 102}, EntryID{9999, 8}, nil},
			{auto, EntryID{Ms: 9999}, EntryID{9999, 9}, nil},
			{auto, EntryID{Ms: 10000}, EntryID{10000, 0}, nil},
		},
		"sequence numbers end": {
			{"", EntryID{9999, last}, EntryID{9999, last}, nil},
			{seq, EntryID{Ms: 9999}, EntryID{}, ErrNotAbove},
			{auto, EntryID{Ms: 5}, EntryID{10000, 0}, nil},
		},
		"ids end": {
			{"", EntryID{last, last - 1}, EntryID{last, last - 1}, nil},
			{auto, EntryID{Ms: 5}, EntryID{last, last}, nil},
			{auto, EntryID{Ms: 5}, EntryID{}, ErrExhausted},
			{seq, EntryID{Ms: last}, EntryID{}, ErrExhausted},
			{"", EntryID{5, 5}, EntryID{}, ErrExhausted},
			{"", EntryID{0, 0}, EntryID{}, ErrZeroID},
		},
		"first by clock, at 0": {
			{auto, EntryID{Ms: 0}, EntryID{0, 1}, nil},
		},
	} {
		t.Run(name, func(t *testing.T) {
			s := New(Config{})
			stream := Key{Entries, 1, 0}
			var top EntryID
			for i, c := range commands {
				var got Added
				var err error
				switch c.how {
				case auto:
					got, err = s.AddAuto(0, stream, int64(c.id.Ms))
				case seq:
					got, err = s.AddIn(0, stream, c.id.Ms)
				default:
					got, err = s.Add(0, stream, c.id)
				}
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
