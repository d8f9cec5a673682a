package measure

import "twindrift/sim/spill"

// Spill has open seconds written to disk when they take too much memory.
func (p *Pair) Spill(to *spill.Owner) { p.spill = to }

// shed writes open seconds to disk where they take too much memory.
func (p *Pair) shed() {
	if p.spill == nil {
		return
	}
	p.shedding = p.shedding[:0]
	for _, o := range p.opens {
		p.shedding = append(p.shedding, o)
	}
	spill.Shed(p.spill, p.shedding, (*openPairs).bytes, func(o *openPairs) bool {
		x, ok := p.spill.Write(o.x)
		if !ok {
			return false
		}
		y, ok := p.spill.Write(o.y)
		if ok {
			o.keptX, o.keptY = append(o.keptX, x), append(o.keptY, y)
			o.x, o.y = nil, nil
		}
		return ok
	})
}

func (o *openPairs) bytes() int64 { return int64(cap(o.x)+cap(o.y)) * 8 }

// all are the elements of an open second, those on disk too; good until the next.
func (p *Pair) all(o *openPairs) (x, y []int64) {
	if len(o.keptX) == 0 {
		return o.x, o.y
	}
	x, y = p.allX[:0], p.allY[:0]
	for i := range o.keptX {
		x, y = p.spill.Read(&o.keptX[i], x), p.spill.Read(&o.keptY[i], y)
	}
	o.keptX, o.keptY = o.keptX[:0], o.keptY[:0]
	p.allX, p.allY = append(x, o.x...), append(y, o.y...)
	return p.allX, p.allY
}
