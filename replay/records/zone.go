package records

import (
	"fmt"
	"math"
	"strings"
	"time"
	_ "time/tzdata" // zones by name, on machines without their files too
)

// zone turns what a clock on the wall showed into an instant.
type zone struct {
	loc *time.Location

	// From lo up to hi on the wall clock, the offset from UTC is the one here
	// (seconds east).
	lo, hi, offset int64

	ambiguous      int64 // times that were two instants
	firstAmbiguous string
}

const day = 24 * 60 * 60

// newZone takes a name of the IANA database (Europe/Berlin), UTC, or an offset
// (+08:00). Local is refused: the answer would depend on the machine.
func newZone(name string) (*zone, error) {
	if name == "" || strings.EqualFold(name, "utc") || name == "Z" {
		return &zone{loc: time.UTC}, nil
	}
	if name[0] == '+' || name[0] == '-' {
		for _, layout := range []string{"-07:00", "-0700", "-07"} {
			if t, err := time.Parse(layout, name); err == nil {
				_, offset := t.Zone()
				return &zone{loc: time.FixedZone(name, offset)}, nil
			}
		}
		return nil, fmt.Errorf("zone %q is not an offset like +08:00", name)
	}
	loc, err := time.LoadLocation(name)
	if err != nil || loc == time.Local {
		return nil, fmt.Errorf("zone %q is not known; say a name like America/Los_Angeles, UTC, or an offset like +08:00", name)
	}
	return &zone{loc: loc}, nil
}

// instant gives the Unix second at which the wall clock showed wall, the
// seconds from 1970 to that date and time as though it were UTC. In the hour
// that comes twice when clocks are set back, near (a Unix second) decides: the
// nearer instant is taken, and counted. A time that clocks skip is an error.
func (z *zone) instant(wall, near int64) (int64, error) {
	if z.lo <= wall && wall < z.hi {
		return wall - z.offset, nil
	}
	// No zone is more than a day away from UTC, so these three offsets are all
	// that can hold at this time.
	offsets := [3]int64{z.offsetAt(wall - day), z.offsetAt(wall), z.offsetAt(wall + day)}
	var found []int64
	for i, o := range offsets {
		seen := i > 0 && o == offsets[i-1] || i == 2 && o == offsets[0]
		if !seen && z.offsetAt(wall-o) == o {
			found = append(found, wall-o)
		}
	}
	text := func() string { return time.Unix(wall, 0).UTC().Format(time.DateTime) }
	switch {
	case len(found) == 0:
		return 0, fmt.Errorf("%s does not exist in %v: clocks were set forward over it", text(), z.loc)
	case len(found) > 1:
		if z.ambiguous++; z.ambiguous == 1 {
			z.firstAmbiguous = text()
		}
	case offsets[0] == offsets[2]:
		z.remember(found[0])
	}
	best := found[0]
	for _, t := range found[1:] {
		if distance(t, near) < distance(best, near) {
			best = t
		}
	}
	return best, nil
}

func (z *zone) offsetAt(sec int64) int64 {
	_, offset := time.Unix(sec, 0).In(z.loc).Zone()
	return int64(offset)
}

// remember keeps the stretch around an instant, a day away from any change of
// the clocks, in which the offset holds.
func (z *zone) remember(sec int64) {
	start, end := time.Unix(sec, 0).In(z.loc).ZoneBounds()
	z.offset = z.offsetAt(sec)
	z.lo, z.hi = math.MinInt64, math.MaxInt64
	if !start.IsZero() {
		z.lo = start.Unix() + z.offset + day
	}
	if !end.IsZero() {
		z.hi = end.Unix() + z.offset - day
	}
}

func distance(a, b int64) int64 { return max(a-b, b-a) }
