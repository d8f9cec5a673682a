package report

import (
	"encoding/json"
	"fmt"
	"io"
	"math"
	"reflect"
	"strings"

	"twindrift/replay/figure"
	"twindrift/sim/result"
)

// ComparisonJSON writes a comparison as JSON, in the manner of JSON.
func ComparisonJSON(w io.Writer, c *result.Comparison) error {
	e := json.NewEncoder(w)
	e.SetEscapeHTML(false)
	e.SetIndent("", "  ")
	return e.Encode(withoutNil(reflect.ValueOf(c)).Interface())
}

// ComparisonText writes a comparison for people: first the key figures that
// changed most, then all figures that differ by more than luck, one a line, then
// how many others do. a and b are what to call the two results.
func ComparisonText(w io.Writer, c *result.Comparison, a, b string, opts TextOptions) error {
	t := &differences{page: page{width: max(opts.Width, 80), color: opts.Color}, Comparison: c}
	t.styled(bold, fmt.Sprintf("twindrift: what changed from %s to %s", short(a, 24), short(b, 24)))
	if c.Replications < 2 {
		t.wrap("  ", "one run each, with the same luck where they agree. How much of a difference is luck cannot be told: give both runs --replications 20.")
		t.key(result.NotEnough)
		t.part("DIFFERENT", result.NotEnough)
	} else {
		t.wrap("  ", fmt.Sprintf("%s replications each, paired: both saw the same luck. Differences are means with %s confidence intervals (Student's t).",
			count(int64(c.Replications)), amount(100*c.Confidence)+" %"))
		t.key(result.BeyondNoise)
		t.part("BEYOND NOISE", result.BeyondNoise)
		t.part("NOT ENOUGH DATA: not defined in enough replications", result.NotEnough)
		t.within()
	}
	t.line("")
	t.only("the first", c.OnlyA)
	t.only("the second", c.OnlyB)
	t.wrap("  ", counted(int64(c.Same), "figure")+" the same")
	_, err := w.Write(t.Bytes())
	return err
}

// differences is a comparison being written.
type differences struct {
	page
	*result.Comparison
}

// Widths of the columns; the label takes the rest.
const (
	meanColumn       = 14
	differenceColumn = 24
)

// part lists the differences with a verdict, under the sites and pairs that they
// are of.
func (t *differences) part(heading, verdict string) {
	shown, under := 0, ""
	for i := range t.Differences {
		d := &t.Differences[i]
		if d.Verdict != verdict {
			continue
		}
		place, name := placeOf(d.Path)
		if shown == 0 {
			t.heading(heading)
			t.columnHeads()
		}
		if place != under {
			t.line("  " + short(place, t.width-2))
			under = place
		}
		t.row("    "+name, d)
		shown++
	}
	if shown == 0 && verdict != result.NotEnough {
		t.heading(heading)
		t.line("  nothing")
	}
}

func (t *differences) columnHeads() {
	t.line(right("first", t.width-meanColumn-differenceColumn) + right("second", meanColumn) + right("difference", differenceColumn))
}

// row is one difference; a label that is too long has a line of its own.
func (t *differences) row(label string, d *result.Difference) {
	width := t.width - 2*meanColumn - differenceColumn
	if columns(label) >= width {
		t.line(label)
		label = ""
	}
	t.line(left(label, width) + right(mean(d.A, d.Difference), meanColumn) + right(mean(d.B, d.Difference), meanColumn) +
		right(cut(by(d.Difference), differenceColumn-1), differenceColumn))
}

// within says how many differences may be luck.
func (t *differences) within() {
	n, beyond := 0, 0
	for _, d := range t.Differences {
		switch d.Verdict {
		case result.WithinNoise:
			n++
		case result.BeyondNoise:
			beyond++
		}
	}
	t.line("")
	if n > 0 {
		t.wrap("  ", counted(int64(n), "figure")+" different within noise: the interval of the difference holds 0 (-o json lists them)")
	}
	if n+beyond > 0 {
		t.wrap("  ", "of figures that luck alone moves apart, about one in 20 looks as if beyond noise")
	}
}

func (t *differences) only(which string, paths []string) {
	if len(paths) == 0 {
		return
	}
	var places []string
	for _, path := range paths {
		if place, _ := placeOf(path); len(places) == 0 || places[len(places)-1] != place {
			places = append(places, place)
		}
	}
	more := ""
	if n := len(places) - 5; n > 0 {
		places, more = places[:5], fmt.Sprintf(" and %d more", n)
	}
	t.wrap("  ", fmt.Sprintf("%s that %s alone has, of %s%s", counted(int64(len(paths)), "figure"), which, strings.Join(places, ", "), more))
}

// placeOf cuts a path into the site or pair that it is of, with baseline and part
// of the report, and the rest.
func placeOf(path string) (place, name string) {
	kind, rest, _ := strings.Cut(path, ".")
	place, name, ok := strings.Cut(rest, ".")
	if !ok {
		return "", path
	}
	if of, ok := strings.CutPrefix(name, "baseline."); ok {
		place, name = place+", baseline", of
	}
	if part, of, ok := strings.Cut(name, "."); ok && kind == "sites" {
		place, name = place+": "+part, of
	}
	return place, name
}

// mean writes the mean of a figure as exactly as the difference is known.
func mean(x *float64, difference *result.Estimate) string {
	if x == nil {
		return "not defined"
	}
	if e := difference; e != nil && e.Mean != nil {
		spread := e.Low != nil && e.High != nil && *e.High > *e.Low
		known := math.Abs(*e.Mean)
		if spread {
			known = (*e.High - *e.Low) / 2
		}
		shows := amount(*x) != amount(*x+*e.Mean) && amount(*x) != amount(*x-*e.Mean)
		if (spread || !shows) && known > 1e-9 && known < 1e12 && math.Abs(*x) < 1e9 {
			return fixedPoint(*x, max(0, figure.DigitsAfter(known)))
		}
	}
	return amount(*x)
}

// by writes how much more the second has.
func by(e *result.Estimate) string {
	if e == nil || e.Mean == nil {
		return "not defined"
	}
	s := amount(*e.Mean)
	if e.Low != nil && e.High != nil {
		s = around(*e.Mean, (*e.High-*e.Low)/2)
	}
	if *e.Mean > 0 {
		s = "+" + s
	}
	return s
}
