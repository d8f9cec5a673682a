package delay

import (
	"fmt"
	"slices"
	"sort"
	"strings"
)

// dailyKind is a distribution that varies over the day.
var dailyKind = kind{name: "daily", usage: "(HH:MM=DELAY; HH:MM=DELAY; ...)", nested: parseDaily}

// day is the distributions of a day, each from its time of day until the next
// one's; before the first, the last goes on from the day before.
type day struct {
	fromMs   []int64 // since local midnight, ascending
	dists    []Dist
	offsetMs int64 // local time less UTC
}

const dayMs = 24 * 3600 * 1000

func parseDaily(inside string, parse func(string) (Dist, error)) (Dist, error) {
	var from []int64
	var dists []Dist
	for _, item := range splitOutside(inside, ';') {
		at, rest, ok := strings.Cut(item, "=")
		ms, isTime := parseTimeOfDay(strings.TrimSpace(at))
		if !ok || !isTime {
			return Dist{}, fmt.Errorf("%q is no part of a day: write TIME=DELAY with a time from 00:00 to 23:59 or 23:59:59, as in 09:30=20ms", strings.TrimSpace(item))
		}
		d, err := parse(rest)
		if err != nil {
			return Dist{}, err
		}
		if d.Varies() {
			return Dist{}, fmt.Errorf("%s: what varies over the day cannot stand in a part of a day", strings.TrimSpace(item))
		}
		if n := len(from); n > 0 && from[n-1] >= ms {
			return Dist{}, fmt.Errorf("%s does not come after %s: write the times of a day in order", timeOfDay(ms), timeOfDay(from[n-1]))
		}
		from, dists = append(from, ms), append(dists, d)
	}
	return newDaily(&day{fromMs: from, dists: dists}), nil
}

func newDaily(day *day) Dist {
	d := Dist{form: &formula{daySample, fillOneByOne}, at: dayAt, day: day, lo: maxNs}
	text := make([]string, len(day.dists))
	for i := range day.dists {
		text[i] = timeOfDay(day.fromMs[i]) + "=" + day.dists[i].String()
		d.lo = min(d.lo, day.dists[i].Min())
	}
	d.text = "daily:(" + strings.Join(text, ";") + ")"
	return d
}

// at is the distribution at a time of day, in ms.
func (y *day) at(ms int64) *Dist {
	i := sort.Search(len(y.fromMs), func(i int) bool { return y.fromMs[i] > ms }) - 1
	if i < 0 {
		i = len(y.fromMs) - 1
	}
	return &y.dists[i]
}

func daySample(d *Dist, u uint64) int64 { return d.day.at(0).Sample(u) }

func dayAt(d *Dist, u uint64, ms int64) int64 {
	// Reduced before the offset is added, so that no time runs over.
	local := (ms%dayMs + d.day.offsetMs%dayMs + 2*dayMs) % dayMs
	return d.day.at(local).Sample(u)
}

// InZone is the distribution with days that start at local midnight, where
// local time is ahead of UTC by an offset in ms (behind, if negative). Until
// then they start at midnight UTC. Distributions that do not vary stay as they
// are.
func (d Dist) InZone(offsetMs int64) Dist {
	switch {
	case !d.Varies():
		return d
	case d.day != nil:
		y := *d.day
		y.offsetMs = offsetMs
		d.day = &y
		return d
	}
	parts := *d.parts
	parts.dists = slices.Clone(parts.dists)
	for i := range parts.dists {
		parts.dists[i] = parts.dists[i].InZone(offsetMs)
	}
	d.parts = &parts
	return d
}

// each is the day with every part changed.
func (y *day) each(change func(Dist) (Dist, error)) (Dist, error) {
	changed := *y
	changed.dists = slices.Clone(y.dists)
	for i := range changed.dists {
		var err error
		if changed.dists[i], err = change(changed.dists[i]); err != nil {
			return Dist{}, err
		}
	}
	return newDaily(&changed), nil
}

// parseTimeOfDay reads HH:MM or HH:MM:SS as ms since midnight.
func parseTimeOfDay(text string) (ms int64, ok bool) {
	units := []int64{3_600_000, 60_000, 1000}
	fields := strings.Split(text, ":")
	if len(fields) < 2 || len(fields) > 3 {
		return 0, false
	}
	for i, field := range fields {
		if len(field) != 2 || strings.Trim(field, "0123456789") != "" {
			return 0, false
		}
		n := int64(field[0]-'0')*10 + int64(field[1]-'0')
		if i == 0 && n > 23 || n > 59 {
			return 0, false
		}
		ms += n * units[i]
	}
	return ms, true
}

func timeOfDay(ms int64) string {
	text := fmt.Sprintf("%02d:%02d", ms/3_600_000, ms/60_000%60)
	if s := ms / 1000 % 60; s != 0 {
		text += fmt.Sprintf(":%02d", s)
	}
	return text
}
