package recipe

import (
	"fmt"
	"slices"
	"sort"
)

// window is a time from from to before to, ms since the Unix epoch.
type window struct{ from, to int64 }

func (w window) holds(ms int64) bool { return w.from <= ms && ms < w.to }

// piece is a stretch of time with a steady rate, a message a ms in the topic.
type piece struct {
	window
	rate rate
}

// bounds is the time that a recipe covers, and its zone.
type bounds struct {
	window
	offsetMs int64 // local time - UTC
}

// rates cuts the time into pieces of steady rate.
func (b bounds) rates(c *traffic, t *topic, path string) error {
	if t.Rate == nil {
		return faultf(path+".rate", "topic %q has no rate: say rate: 150/s", t.Name)
	}
	cuts := []int64{b.from, b.to}
	if len(*t.Rate) > 1 {
		for _, s := range *t.Rate {
			for _, w := range b.windows(moment{everyDay, s.fromMs}, 1) {
				cuts = append(cuts, w.from)
			}
		}
	}
	var over []piece
	for i, s := range t.Bursts {
		path := fmt.Sprintf("%s.bursts[%d]", path, i)
		if s.At == nil || s.For == 0 || s.Rate == nil {
			return faultf(path, "a burst needs at, for and rate, as in {at: 10m, for: 30s, rate: 7000/s}")
		}
		windows := b.windows(*s.At, int64(s.For))
		if len(windows) == 0 {
			return faultf(path+".at", "the burst lies outside the time of the recipe")
		}
		for _, w := range windows {
			over = append(over, piece{w, *s.Rate})
			cuts = append(cuts, w.from, w.to)
		}
	}
	slices.Sort(cuts)
	cuts = slices.Compact(cuts)
	for i, from := range cuts[:len(cuts)-1] {
		c.pieces = append(c.pieces, piece{window{from, cuts[i+1]}, t.Rate.at((from + b.offsetMs) % dayMs)})
	}
	for _, o := range over {
		for i := c.pieceAt(o.from); i < len(c.pieces) && c.pieces[i].from < o.to; i++ {
			c.pieces[i].rate = o.rate
		}
	}
	return nil
}

// pieceAt is the index of the piece that holds a time within the recipe.
func (c *traffic) pieceAt(ms int64) int {
	return sort.Search(len(c.pieces), func(i int) bool { return c.pieces[i].to > ms })
}

// windows gives the windows of a length that begin at a moment, as far as they
// lie within the recipe.
func (b bounds) windows(m moment, lengthMs int64) []window {
	var starts []int64
	switch m.kind {
	case afterStart:
		starts = []int64{b.from + m.ms}
	case atInstant:
		starts = []int64{m.ms}
	case everyDay:
		local := b.from + b.offsetMs
		first := local - local%dayMs + m.ms - b.offsetMs
		for s := first - dayMs*(1+lengthMs/dayMs); s < b.to; s += dayMs {
			starts = append(starts, s)
		}
	}
	var windows []window
	for _, s := range starts {
		w := window{max(s, b.from), min(s+lengthMs, b.to)}
		if w.from < w.to {
			windows = append(windows, w)
		}
	}
	return windows
}

// expected is how many messages a topic has on average.
func (c *traffic) expected() float64 {
	span := window{c.pieces[0].from, c.pieces[len(c.pieces)-1].to}
	sum := c.mean(span)
	for _, r := range c.resends {
		sum += c.mean(r.window)
	}
	return sum
}

// mean is how many messages are stamped within a window on average.
func (c *traffic) mean(w window) float64 {
	sum := 0.0
	for i := c.pieceAt(w.from); i < len(c.pieces) && c.pieces[i].from < w.to; i++ {
		p := &c.pieces[i]
		sum += float64(p.rate) * float64(min(p.to, w.to)-max(p.from, w.from))
	}
	return sum
}
