package site

import (
	"twindrift/sim/spill"
)

// onDisk is the middle of what waits at a partition, where that takes too much
// memory: behind partition.queue, before tail.
type onDisk struct {
	spill *spill.Owner
	kept  []spill.Kept
	words []int64   // scratch
	tail  []waiting // what has come since
}

const (
	waitingWords = 7  // of a message on disk
	waitingBytes = 72 // in memory
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
func (p *partition) behind() *[]waiting {
	if len(p.disk.kept) > 0 {
		return &p.disk.tail
	}
	return &p.queue
}

// passOn goes on to the next message that waits.
func (p *partition) passOn() {
	p.head++
	if p.head < len(p.queue) || len(p.disk.kept) == 0 {
		return
	}
	d := &p.disk
	p.queue, p.head = p.queue[:0], 0
	d.words = d.spill.Read(&d.kept[0], d.words[:0])
	for w := d.words; len(w) > 0; w = w[waitingWords:] {
		m := waiting{arrivalNs: w[0], eventMs: w[1], appendMs: w[2], offset: w[3], ordinal: w[4],
			delivery: int32(w[5] >> 32), drawn: int32(w[5]), state: State(w[6] >> 1), repeat: w[6]&1 != 0}
		p.work(&m)
		p.queue = append(p.queue, m)
	}
	if d.kept = d.kept[1:]; len(d.kept) == 0 {
		p.queue = append(p.queue, d.tail...)
		d.kept, d.tail = nil, nil
	}
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
	return waitingBytes * int64(max(0, cap(p.queue)-p.disk.stretch())+cap(p.disk.tail))
}

// writeWaiting writes all that waits behind the first stretch.
func (p *partition) writeWaiting() bool {
	d, stretch := &p.disk, p.disk.stretch()
	rest := &d.tail
	if len(d.kept) == 0 {
		waits := p.queue[p.head:]
		n := min(len(waits), stretch)
		p.queue, p.head = append(make([]waiting, 0, stretch), waits[:n]...), 0
		d.tail = waits[n:]
	}
	for len(*rest) > 0 {
		n := min(len(*rest), stretch)
		if !d.write((*rest)[:n]) {
			return p.putBack()
		}
		*rest = (*rest)[n:]
	}
	d.tail = nil
	return true
}

// putBack makes one queue of what is in memory where nothing is on disk.
func (p *partition) putBack() (written bool) {
	if d := &p.disk; len(d.kept) == 0 {
		p.queue = append(p.queue, d.tail...)
		d.tail = nil
	}
	return false
}

func (d *onDisk) write(messages []waiting) bool {
	d.words = d.words[:0]
	for i := range messages {
		m := &messages[i]
		repeat := int64(0)
		if m.repeat {
			repeat = 1
		}
		d.words = append(d.words, m.arrivalNs, m.eventMs, m.appendMs, m.offset, m.ordinal,
			int64(m.delivery)<<32|int64(uint32(m.drawn)), int64(m.state)<<1|repeat)
	}
	k, ok := d.spill.Write(d.words)
	if ok {
		d.kept = append(d.kept, k)
	}
	return ok
}
