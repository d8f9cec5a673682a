package delay

import (
	"errors"
	"fmt"
	"strings"
)

// Reference names a column of observed delays in a file. How files are read is
// not for this package to know: see Load.
type Reference struct {
	Path   string
	Column string
	UnitNs int64 // ns in one of the column's units
}

// seen is an empirical distribution from a file; before Load, ranks is nil.
type seen struct {
	Reference
	ranks *ranks
}

// unitsNs are the endings of column names that say the unit, and the units that
// can be given.
var unitsNs = []struct {
	name string
	ns   int64
}{{"ns", 1}, {"us", 1e3}, {"ms", 1e6}, {"s", 1e9}}

// parseReference reads FILE#COLUMN or FILE#COLUMN:UNIT. Without a unit, the
// column's name must end in one: lag_ms.
func parseReference(text string) (Dist, error) {
	at := strings.LastIndexByte(text, '#')
	if at <= 0 || at == len(text)-1 {
		return Dist{}, fmt.Errorf("%q names no column of a file: write @FILE.parquet#COLUMN", "@"+text)
	}
	r := Reference{Path: text[:at], Column: text[at+1:]}
	for _, u := range unitsNs {
		if column, ok := strings.CutSuffix(r.Column, ":"+u.name); ok && column != "" {
			r.Column, r.UnitNs = column, u.ns
			break
		}
		if strings.HasSuffix(r.Column, "_"+u.name) {
			r.UnitNs = u.ns
		}
	}
	if r.UnitNs == 0 {
		return Dist{}, fmt.Errorf("column %s does not say its unit: write #%s:ms (or ns, us, s)", r.Column, r.Column)
	}
	return Dist{text: "empirical:@" + text, form: &formula{unreadSample, fillOneByOne}, seen: &seen{Reference: r}}, nil
}

// unreadSample stands in until the file is read. Nobody should come to see it:
// see Unread.
func unreadSample(*Dist, uint64) int64 { return 0 }

// Unread names a file that has to be read, by Load, before the distribution can
// be sampled; ok is false where there is none.
func (d *Dist) Unread() (r Reference, ok bool) {
	dists := []Dist{}
	switch {
	case d.seen != nil:
		return d.seen.Reference, d.seen.ranks == nil
	case d.parts != nil:
		dists = d.parts.dists
	case d.day != nil:
		dists = d.day.dists
	}
	for i := range dists {
		if r, ok := dists[i].Unread(); ok {
			return r, true
		}
	}
	return Reference{}, false
}

// Load is the distribution with what its files hold: read is called for each
// that is still unread. A Dist that names no file stays as it is.
func (d Dist) Load(read func(Reference) (*Observed, error)) (Dist, error) {
	if _, unread := d.Unread(); !unread {
		return d, nil
	}
	part := func(d Dist) (Dist, error) { return d.Load(read) }
	switch {
	case d.parts != nil:
		return d.parts.each(part)
	case d.day != nil:
		return d.day.each(part)
	}
	values, err := read(d.seen.Reference)
	if err != nil {
		return Dist{}, fmt.Errorf("%s: %w", d, err)
	}
	if values.n == 0 {
		return Dist{}, fmt.Errorf("%s: %w", d, ErrNoValues)
	}
	ranks := values.rank()
	d.seen = &seen{Reference: d.seen.Reference, ranks: ranks}
	d.lo, d.form = ranks.ns[0], &formula{rankSample, fillOneByOne}
	return d, nil
}

// ErrNoValues says that a column of delays is empty.
var ErrNoValues = errors.New("there is no value in the column")
