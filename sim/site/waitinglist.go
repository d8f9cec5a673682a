package site

import (
	"twindrift/sim/spill"
)

// onDisk is the middle of what waits at a partition, where that takes too much
// memory: behind partition.queue, before tail.
type onDisk struct {
	spill *spill.Owner
	kept  []spill.Kept
	words []int64 // scratch
	tail  queue   // what has come since
}

const (
	waitingWords = 7  // of a message on disk
	waitingBytes = 40 // in memory, where no time is spent on it
)

// stretch is how many messages are written or read at a time.
func (d *onDisk) stretch() int { return max(2, d.spill.PageWords()/waitingWords) }

// Spill has what waits written to disk when it takes too much memory.
func (s *Site) Spill(to *spill.Owner) {
	s.spill = to
	for _, c := range s.Consumers {
		for _, p := range c.parts {
			p.disk.spill = to
		}
	}
}

// behind is where messages are added behind all that wait.
func (p *partition) behind() *queue {
	if len(p.disk.kept) > 0 {
		return &p.disk.tail
	}
	return &p.queue
}

// passOn goes on by n messages that are not on disk.
func (p *partition) passOn(n int) {
	p.queue.head += n
	if p.queue.len() > 0 || len(p.disk.kept) == 0 {
		return
	}
	d := &p.disk
	p.queue.clear()
	d.words = d.spill.Read(&d.kept[0], d.words[:0])
	for w := d.words; len(w) > 0; w = w[waitingWords:] {
		m := waiting{arrivalNs: w[0], eventMs: w[1], appendMs: w[2], offset: w[3], ordinal: w[4],
			delivery: int32(w[5] >> 32), drawn: int32(w[5]), state: State(w[6])}
		p.work(&m)
		p.queue.add(&m)
	}
	if d.kept = d.kept[1:]; len(d.kept) == 0 {
		d.kept = nil
		p.takeBack()
	}
}

// takeBack moves what has come since into the queue; nothing is on disk.
func (p *partition) takeBack() {
	p.queue.addAll(&p.disk.tail, p.disk.tail.head, len(p.disk.tail.arrivalNs))
	p.disk.tail = queue{}
}

// shed writes what waits to disk where that takes too much memory: of each
// partition all but a first stretch.
func (s *Site) shed() {
	if s.spill == nil {
		return
	}
	s.parts = s.parts[:0]
	for _, c := range s.Consumers {
		s.parts = append(s.parts, c.parts...)
	}
	spill.Shed(s.spill, s.parts, (*partition).bytes, (*partition).writeWaiting)
}

// bytes is what waits in memory and could be written.
func (p *partition) bytes() int64 {
	return max(0, p.queue.bytes()-waitingBytes*int64(p.disk.stretch())) + p.disk.tail.bytes()
}

// bytes is the memory of a queue, but for what few messages have.
func (q *queue) bytes() int64 {
	return waitingBytes*int64(cap(q.arrivalNs)) + 8*int64(cap(q.serviceNs)+cap(q.handlingNs))
}

// writeWaiting writes all that waits behind the first stretch.
func (p *partition) writeWaiting() bool {
	d, stretch := &p.disk, p.disk.stretch()
	rest := &d.tail
	if len(d.kept) == 0 {
		*rest = p.queue
		p.queue = queue{}
		p.queue.reserve(stretch)
		n := min(rest.len(), stretch)
		p.queue.addAll(rest, rest.head, rest.head+n)
		rest.head += n
	}
	for rest.len() > 0 {
		n := min(rest.len(), stretch)
		if !d.write(rest, n) {
			if len(d.kept) == 0 {
				p.takeBack()
			}
			return false
		}
		rest.head += n
	}
	d.tail = queue{}
	return true
}

// write writes the first n messages of a queue.
func (d *onDisk) write(q *queue, n int) bool {
	d.words = d.words[:0]
	for i := q.head; i < q.head+n; i++ {
		m := q.at(i)
		d.words = append(d.words, m.arrivalNs, m.eventMs, m.appendMs, m.offset, m.ordinal,
			int64(m.delivery)<<32|int64(uint32(m.drawn)), int64(m.state))
	}
	k, ok := d.spill.Write(d.words)
	if ok {
		d.kept = append(d.kept, k)
	}
	return ok
}
