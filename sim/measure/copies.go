package measure

import (
	"math"

	"twindrift/generator"
)

// copies are the entries of one id at a site, at the places from..to of a second.
type copies struct {
	walk     walk
	from, to int
	of       *Processes
	site     int
}

// messages counts the messages among them.
func (c *copies) messages() (n int) {
	w, last := c.walk, message{partition: -1}
	for place := c.from; place < c.to; place++ {
		if m := w.message(place); m != last {
			last = m
			n++
		}
	}
	return n
}

// original is the one that is taken for that, and its place: the first as the function
// original orders them, read from the columns. Those of one clock stand in its order.
func (c *copies) original() (place int, first Entry) {
	w, p, id := c.walk, c.of, c.walk.ids[c.from]
	said := p.Layout.Node(id)
	proper, firstMs := false, int64(math.MaxInt64)
	place = c.from
	for at := c.from; at < c.to; at++ {
		i, consumer, _ := w.seek(at)
		drawn := w.kind[i] == generator.Drawn && !wrongUnit(p.asked(&w, i, at)) && (said == generator.NoNode || said == int64(p.Nodes[consumer]))
		if ms := w.nowMs[i]; drawn == proper && ms < firstMs || drawn && !proper {
			place, proper, firstMs = at, drawn, ms
		}
	}
	w = c.walk
	return place, w.entry(place)
}

// likeness is what the cause of an extra copy goes by, where no Rules look at its digits.
type likeness struct {
	partition int32
	consumer  int16
	life      uint8
	kind      generator.Kind
	wrongUnit bool
}

// likeness is that of the copy at a place.
func (c *copies) likeness(w *walk, place int) likeness {
	i, consumer, life := w.seek(place)
	return likeness{w.partition[i], consumer, life, w.kind[i], wrongUnit(c.of.asked(w, i, place))}
}

// asked is askedMs of the entry at a place, which is i in the columns that have not been
// sorted.
func (p *Processes) asked(w *walk, i, place int) int64 {
	if p.ByClock {
		return w.nowMs[i]
	}
	return w.eventMs[place]
}

// message is which one stands at a place.
func (w *walk) message(place int) message {
	i, _, _ := w.seek(place)
	return message{w.partition[i], w.offset[i]}
}

// message is a message by partition and offset.
type message struct {
	partition int32
	offset    int64
}

func (m message) before(o message) bool {
	return m.partition < o.partition || m.partition == o.partition && m.offset < o.offset
}
