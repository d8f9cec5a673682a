package records

import (
	"fmt"
	"strings"
	"time"
)

// moment is a date and time as it stands in a file.
type moment struct {
	wall   int64 // seconds from 1970 to the date and time, as though it were UTC
	nano   int64
	zoned  bool
	offset int64 // seconds east of UTC, where zoned
}

// local turns moments into milliseconds: those without a zone by the column's
// zone.
type local struct {
	*zone
	named      bool  // the user named the zone
	naive      bool  // there were moments without a zone
	seen       bool  // there was a row before
	lastSecond int64 // its instant
}

func (l *local) millis(m moment) (int64, error) {
	sec := m.wall - m.offset
	if !m.zoned {
		l.naive = true
		var err error
		if sec, err = l.instant(m.wall, l.lastSecond); err != nil {
			return 0, err
		}
	}
	l.seen, l.lastSecond = true, sec
	return sec*1000 + m.nano/1_000_000, nil
}

func (l *local) String() string {
	switch {
	case !l.naive:
		return "with a zone"
	case !l.named:
		return "without a zone, taken as UTC (--zone says otherwise)"
	}
	return fmt.Sprintf("local time of %v", l.loc)
}

// datetime reads year, month, day and time of day: RFC 3339 and its many
// relatives (see parseMoment).
type datetime struct {
	*local
	column string
}

func (d datetime) parse(text string) (int64, error) {
	m, err := parseMoment(text)
	if err != nil {
		return 0, fmt.Errorf("%w; if its form is another, give its layout, as in --time-format '%s=02/01/2006 15:04:05'", err, d.column)
	}
	return d.millis(m)
}

func (d datetime) String() string { return "date and time " + d.local.String() }

// parseMoment reads YYYY-MM-DD, also with slashes or points between, then, after
// a T or a space, hh:mm or hh:mm:ss with any number of places behind a point or
// comma, then perhaps a zone: Z, UTC, +hh:mm, +hhmm or +hh. A date alone is its
// midnight.
func parseMoment(text string) (moment, error) {
	bad := fmt.Errorf("%q is not a date and time like 2006-01-02 15:04:05", text)
	s := scanner{text: text}
	year := s.number(4)
	separator := s.oneOf("-/.")
	month := s.number(2)
	if s.oneOf("-/.") != separator {
		return moment{}, bad
	}
	dayOfMonth := s.number(2)
	var hour, minute, second, nano int
	m := moment{}
	if !s.done() {
		s.oneOf("Tt ")
		hour = s.number(2)
		s.oneOf(":")
		minute = s.number(2)
		if s.at(":") {
			second = s.number(2)
			if s.at(".,") {
				nano = s.fraction()
			}
		}
		m.zoned, m.offset = s.zone()
	}
	if s.failed || !s.done() {
		return moment{}, bad
	}
	t := time.Date(year, time.Month(month), dayOfMonth, hour, minute, second, nano, time.UTC)
	if t.Day() != dayOfMonth || int(t.Month()) != month || hour > 23 || minute > 59 || second > 59 {
		return moment{}, fmt.Errorf("%q: there is no such date or time", text)
	}
	m.wall, m.nano = t.Unix(), int64(nano)
	return m, nil
}

// scanner walks over a date. After a failure all it gives is worthless.
type scanner struct {
	text   string
	i      int
	failed bool
}

func (s *scanner) done() bool { return s.i == len(s.text) }

// number reads exactly n digits.
func (s *scanner) number(n int) int {
	v := 0
	if s.i+n > len(s.text) {
		s.failed = true
		return 0
	}
	for _, c := range []byte(s.text[s.i : s.i+n]) {
		s.failed = s.failed || c < '0' || c > '9'
		v = v*10 + int(c-'0')
	}
	s.i += n
	return v
}

// at takes one of the characters if it comes next.
func (s *scanner) at(set string) bool {
	if s.i < len(s.text) && strings.IndexByte(set, s.text[s.i]) >= 0 {
		s.i++
		return true
	}
	return false
}

// oneOf takes one of the characters, which must come next.
func (s *scanner) oneOf(set string) byte {
	if !s.at(set) {
		s.failed = true
		return 0
	}
	return s.text[s.i-1]
}

// fraction reads places of a second, in ns; those beyond nine are dropped.
func (s *scanner) fraction() int {
	start, nano, scale := s.i, 0, 100_000_000
	for s.i < len(s.text) && '0' <= s.text[s.i] && s.text[s.i] <= '9' {
		nano += int(s.text[s.i]-'0') * scale
		scale /= 10
		s.i++
	}
	s.failed = s.failed || s.i == start
	return nano
}

// zone reads what is left: nothing, a name of UTC, or an offset.
func (s *scanner) zone() (zoned bool, offset int64) {
	s.at(" ")
	switch rest := s.text[s.i:]; rest {
	case "":
		return false, 0
	case "Z", "z", "UTC", "GMT":
		s.i = len(s.text)
		return true, 0
	}
	sign := s.oneOf("+-")
	offset = int64(s.number(2)) * 3600
	if !s.done() {
		s.at(":")
		offset += int64(s.number(2)) * 60
	}
	if sign == '-' {
		offset = -offset
	}
	return true, offset
}
