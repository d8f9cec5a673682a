package measure

import (
	"math/bits"

	"twindrift/sim/spill"
)

// Spill has open seconds, and messages for which only one site has drawn,
// written to disk when they take too much memory. It comes before Extend.
func (p *Pair) Spill(seconds, messages *spill.Owner) {
	p.spill, p.windowed = seconds, messages
	p.bits = min(max(bits.Len(uint(messages.PageWords()/stretchColumns))-1, 1), windowBits)
}

// stretchColumns is how many columns a stretch has, where messages do not come
// again.
const stretchColumns = 4

// shedWindows writes messages to disk where they take too much memory: whole
// stretches that have not changed since Join was called before.
func (p *Pair) shedWindows() {
	if p.windowed == nil {
		return
	}
	var cold []*stretch
	for i := range p.windows {
		for _, s := range p.windows[i].stretches {
			if !s.hot && !s.onDisk() {
				cold = append(cold, s)
			}
		}
	}
	spill.Shed(p.windowed, cold, (*stretch).bytes, p.writeStretch)
}

func (p *Pair) writeStretch(s *stretch) (ok bool) {
	p.words = p.words[:0]
	for _, column := range s.columns() {
		p.words = append(p.words, *column...)
	}
	if s.kept, ok = p.windowed.Write(p.words); ok {
		for _, column := range s.columns() {
			*column = nil
		}
	}
	return ok
}

// recallStretch brings a stretch back from disk.
func (p *Pair) recallStretch(s *stretch) {
	p.words = p.windowed.Read(&s.kept, p.words[:0])
	columns := s.columns()
	used := stretchColumns
	if p.again {
		used = len(columns)
	}
	n := len(p.words) / used
	s.clear(p.bits)
	for i, column := range columns[:used] {
		*column = append(*column, p.words[i*n:(i+1)*n]...)
	}
}

// columns are those of a stretch; the last two are used where messages come
// again.
func (s *stretch) columns() [stretchColumns + 2]*[]int64 {
	return [...]*[]int64{&s.offset, &s.eventMs, &s.a, &s.b, &s.atA, &s.atB}
}
