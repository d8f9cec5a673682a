package records

import (
	"errors"
	"fmt"
	"strings"
	"time"
)

// layout reads times by a layout of Go's package time.
type layout struct {
	*local
	layout string
	zoned  bool // the layout has a zone
	year   int  // of the rows, where the layout has none; follows them
}

// newLayout sees that a layout names enough of a time.
func newLayout(text string, l *local, year int) (*layout, error) {
	a := time.Date(2003, 11, 12, 21, 32, 43, 0, time.UTC)
	show := func(t time.Time) string { return t.Format(text) }
	differ := func(t time.Time) bool { return show(a) != show(t) }
	switch {
	case !differ(a.AddDate(0, 1, 0)) || !differ(a.AddDate(0, 0, 1)):
		return nil, fmt.Errorf("time format %q is neither a known name (auto, s, ms, us, ns, mail, snowflake, after:UNIT) nor a layout of a date and time: write 2006 for the year, 01 or Jan for the month, 02 or _2 for the day, 15:04:05 for the time", text)
	case strings.Contains(text, "MST"):
		return nil, fmt.Errorf("time format %q: zones by their letters (MST) are not unique; leave them out of the column and say --zone", text)
	case differ(a.AddDate(1, 0, 0)):
		year = 0
	case year == 0:
		return nil, fmt.Errorf("time format %q has no year; say --year", text)
	}
	return &layout{local: l, layout: text, zoned: hasZone(text), year: year}, nil
}

// hasZone tells whether a layout shows the zone of a time.
func hasZone(layout string) bool {
	wall := func(offset int) string {
		return time.Date(2003, 11, 12, 21, 32, 43, 0, time.FixedZone("", offset)).Format(layout)
	}
	return wall(0) != wall(3600)
}

func (l *layout) parse(text string) (int64, error) {
	t, err := time.Parse(l.layout, text)
	if err != nil {
		return 0, fmt.Errorf("%q does not have the form %q", text, l.layout)
	}
	m := moment{zoned: l.zoned, nano: int64(t.Nanosecond())}
	if l.zoned {
		_, offset := t.Zone()
		m.offset = int64(offset)
	}
	m.wall = t.Unix() + m.offset
	if l.year != 0 {
		if m.wall, err = l.withYear(m.wall); err != nil {
			return 0, fmt.Errorf("%q: %w", text, err)
		}
	}
	return l.millis(m)
}

// withYear puts a time of the year 0 into the year that brings it nearest to
// the row before; the first row gets the year given.
func (l *layout) withYear(wall int64) (int64, error) {
	t := time.Unix(wall, 0).UTC()
	in := func(year int) time.Time {
		return time.Date(year, t.Month(), t.Day(), t.Hour(), t.Minute(), t.Second(), 0, time.UTC)
	}
	best := in(l.year)
	if l.seen {
		for _, year := range []int{l.year - 1, l.year + 1} {
			if c := in(year); distance(c.Unix(), l.lastSecond) < distance(best.Unix(), l.lastSecond) {
				best = c
			}
		}
	}
	if best.Day() != t.Day() {
		return 0, errors.New("there is no such day in that year")
	}
	l.year = best.Year()
	return best.Unix(), nil
}

func (l *layout) String() string {
	return fmt.Sprintf("layout %q %v", l.layout, l.local)
}
