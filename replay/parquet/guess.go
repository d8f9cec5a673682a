package parquet

import (
	"bytes"
	"errors"
	"fmt"
	"strconv"

	"github.com/parquet-go/parquet-go/encoding"
)

// findUnit tells the unit of timestamps that are plain integers (or digits)
// from the first value that is large enough to tell; the pass for the plan
// then sees that the others agree. All files of a capture have one unit.
func (c *Capture) findUnit() error {
	if c.opts.TimestampUnit != "" {
		return nil
	}
	var open []*input // whose unit is not known
	guess := probe{}
	for _, in := range c.inputs {
		t := &in.layout.time
		if !t.plain && !t.text {
			continue
		}
		dates, err := in.probe(&guess)
		if err != nil {
			return inFile(in.name, err)
		}
		if !dates {
			open = append(open, in)
		}
	}
	if guess.unit == "" && guess.largest > 1 {
		return inFile(open[0].name, fmt.Errorf("column %q: the timestamps are plain integers and too small to tell their unit (the largest is %d); say --timestamp-unit s, ms, us or ns",
			joinPath(open[0].layout.columns[timestampRole].Path), guess.largest))
	}
	if guess.unit == "" {
		guess.unit = "ms" // nothing but 0 and -1
	}
	for _, in := range open {
		t := &in.layout.time
		t.plain, t.unit, t.guessed = true, units[guess.unit], guess.unit
	}
	return nil
}

// probe is a meaning that looks for a value that tells its unit.
type probe struct {
	unit    string
	largest uint64
	time    timeColumn
	digits  bool // text: some values are numbers
}

var (
	errToldUnit = errors.New("unit told")
	errDates    = errors.New("dates")
)

// probe reads a file's timestamps until one tells the unit, if that is not
// known yet. It reports whether they are dates written out.
func (in *input) probe(p *probe) (dates bool, err error) {
	p.time, p.digits = in.layout.time, false
	if p.unit != "" && !p.time.text {
		return false, nil
	}
	if err := in.content.acquire(); err != nil {
		return false, err
	}
	defer in.content.release()
	buf := make([]int64, planRows)
	for g := range in.groups() {
		if err := in.probeGroup(g, p, buf); errors.Is(err, errDates) {
			return true, nil
		} else if errors.Is(err, errToldUnit) {
			return false, nil
		} else if err != nil {
			return false, err
		}
	}
	return p.time.text && !p.digits, nil
}

func (in *input) probeGroup(group int, p *probe, buf []int64) error {
	l, err := in.openLeaf(group, in.layout.columns[timestampRole], p)
	if err != nil {
		return err
	}
	for left := in.rows(group); left > 0; {
		n := min(left, int64(len(buf)))
		if err := l.fill(buf[:n]); err != nil {
			return err
		}
		left -= n
	}
	return nil
}

func (p *probe) convert(dst []int64, v *encoding.Values, from int) (int, error) {
	if v.Kind() == encoding.ByteArray {
		return eachBytes(dst, v, from, func(b []byte) (int64, error) {
			b = bytes.TrimSpace(b)
			x, err := strconv.ParseInt(string(b), 10, 64)
			if err != nil {
				return 0, errDates
			}
			p.digits = true
			return x, p.look(x)
		})
	}
	n, err := asInt64(dst, v, from, p.time.element)
	if err != nil {
		return n, err
	}
	for i, x := range dst {
		if err := p.look(x); err != nil {
			return i, err
		}
	}
	return len(dst), nil
}

func (p *probe) look(x int64) error {
	if u := unitOf(x); u != "" {
		if p.unit == "" {
			p.unit = u
		}
		return errToldUnit
	}
	p.largest = max(p.largest, magnitude(x))
	return nil
}
