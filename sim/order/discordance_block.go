package order

// AddBlock is AddEach for the elements of a block: all of them at once, where the block
// is sorted and they are not too few for going over all of its milliseconds.
func (d *Discordance) AddBlock(b *Block) {
	if len(b.sorted) < b.span()/2 || len(b.sorted) == 0 || b.lowMs < d.floor.lowest() {
		d.AddEach(b.ysMs)
		return
	}
	d.discordant[0] += b.inversions()
	for g := 1; g < Grains; g++ {
		d.discordant[g] += b.inversionsAt(GrainsMs[g])
	}
	// Against those before. A second does not change what is later than the next.
	for from := 0; from < len(b.sorted); {
		from = d.addSecondOf(b, from)
	}
}

// addSecondOf takes those elements of a block that lie in the second of one of them,
// the first in order of y, and gives the place of the first behind it.
func (d *Discordance) addSecondOf(b *Block, from int) (to int) {
	y := b.yMs(b.sorted[from])
	at := d.line.locate(y)
	first := int(y-b.lowMs) - at.ms // where the second begins; below 0 where that is before the block
	ends := b.ends[max(first, 0):min(first+secondMs, b.span())]
	to = int(ends[len(ends)-1])
	if n := to - from; n >= blockLeast {
		if block := d.line.hot.crowdSecond(at.second, &d.line.spare); block.room() >= n {
			later, tied := block.addEach(max(-first, 0), from, ends)
			d.line.addedSecond(at.second, b.yMs(b.sorted[to-1]), int64(n), tied, later, &d.discordant)
			return to
		}
	}
	for _, end := range ends[at.ms-max(-first, 0):] {
		if n := int64(end) - int64(from); n > 0 {
			d.count(y, at, n)
			d.line.add(y, at, n)
			from = int(end)
		}
		y++
		at.ms++
	}
	return to
}
