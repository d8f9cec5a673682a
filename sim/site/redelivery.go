package site

import (
	"cmp"
	"math"
	"slices"

	"twindrift/sim/luck"
)

// Redelivery makes messages come again by chance (MODEL 7c): after a delivery
// is drawn, the message is delivered once more with some probability, and so on.
type Redelivery struct {
	Probability float64 // below 1
	AfterNs     int64   // from the draw to the arrival of the next delivery
}

type redelivery struct {
	below   uint64 // a word below it repeats
	afterNs int64
}

func (r Redelivery) compiled() redelivery {
	return redelivery{below: uint64(math.Ldexp(r.Probability, 64)), afterNs: r.AfterNs}
}

// repeat is a message to be delivered once more.
type repeat struct {
	message   waiting
	partition *partition
	afterNs   int64 // when the delivery before it draws
}

// beats says whether r goes before a message of a partition.
func (r *repeat) beats(m *waiting, p *partition) bool {
	if r.message.arrivalNs != m.arrivalNs {
		return r.message.arrivalNs < m.arrivalNs
	}
	if r.partition != p {
		return r.partition.index < p.index
	}
	return r.message.ordinal < m.ordinal
}

// order puts repeats in the order in which they go: as they beat each other,
// ties by delivery. Two that are equal in all of it are alike.
func (r *repeat) order(o *repeat) int {
	return cmp.Or(
		cmp.Compare(r.message.arrivalNs, o.message.arrivalNs), cmp.Compare(r.partition.index, o.partition.index),
		cmp.Compare(r.message.ordinal, o.message.ordinal), cmp.Compare(r.message.delivery, o.message.delivery),
		cmp.Compare(r.message.drawn, o.message.drawn))
}

// repeats are in the order in which they go. They can be many, where they come long
// after: most go in at the end and out at the front, which moves no others.
type repeats struct {
	list []repeat
	gone int // from the front of the list
}

func (q *repeats) waiting() []repeat { return q.list[q.gone:] }

func (q *repeats) add(r repeat) {
	i, _ := slices.BinarySearchFunc(q.waiting(), r, func(a, b repeat) int { return a.order(&b) })
	q.list = slices.Insert(q.list, q.gone+i, r)
}

func (q *repeats) remove(i int) {
	if i > 0 {
		q.list = slices.Delete(q.list, q.gone+i, q.gone+i+1)
		return
	}
	if q.gone++; 2*q.gone >= len(q.list) {
		q.list, q.gone = slices.Delete(q.list, 0, q.gone), 0
	}
}

// tellRepeat tells whether a message that will be drawn at a moment comes again.
func (c *Consumer) tellRepeat(p *partition, m *waiting, drawNs int64) bool {
	if p.again.below == 0 || p.luck.Words(m.offset, m.delivery)[luck.Again] >= p.again.below {
		return false
	}
	r := repeat{message: *m, partition: p, afterNs: drawNs}
	r.message.arrivalNs = drawNs + p.again.afterNs
	r.message.delivery++
	r.message.drawn++
	r.message.repeat = true
	p.work(&r.message)
	c.repeats.add(r)
	return true
}

// forget takes out the repeats of deliveries of a partition that would have
// been drawn at or after a moment, and were not.
func (q *repeats) forget(p *partition, fromNs int64) {
	q.list, q.gone = slices.Delete(q.list, 0, q.gone), 0
	q.list = slices.DeleteFunc(q.list, func(r repeat) bool { return r.partition == p && r.afterNs >= fromNs })
}
