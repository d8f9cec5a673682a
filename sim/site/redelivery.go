package site

import (
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

// repeats are in the order in which they go. They are few.
type repeats []repeat

func (q repeats) next() int64 {
	if len(q) == 0 {
		return math.MaxInt64
	}
	return q[0].message.arrivalNs
}

func (q *repeats) add(r repeat) {
	i, _ := slices.BinarySearchFunc(*q, r, func(a, b repeat) int {
		if a.beats(&b.message, b.partition) {
			return -1
		}
		return 1
	})
	*q = slices.Insert(*q, i, r)
}

func (q *repeats) remove(i int) repeat {
	r := (*q)[i]
	*q = slices.Delete(*q, i, i+1)
	return r
}

// drawn tells whether a message that has just been drawn comes again.
func (c *Consumer) drawn(p *partition, m *waiting, atNs int64) {
	if p.again.below == 0 || p.luck.Words(m.offset, m.delivery)[luck.Again] >= p.again.below {
		return
	}
	r := repeat{message: *m, partition: p}
	r.message.arrivalNs = atNs + p.again.afterNs
	r.message.delivery++
	r.message.drawn++
	p.work(&r.message)
	c.repeats.add(r)
}

// makesRepeat draws what is due before a start at a moment; if one of these
// comes again, it may have to go first.
func (c *Consumer) makesRepeat(atNs int64) bool {
	before := len(c.repeats)
	c.emit(atNs)
	return len(c.repeats) != before
}
