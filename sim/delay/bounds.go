package delay

// Bounds are bounds of the samples of a distribution by the leading bits of their
// words: enough for whoever only needs the few that are larger than something.
type Bounds [1 << boundBits]struct{ Low, High int64 }

const boundBits = 8

// Of is the smallest and the largest that the sample for a word can be.
func (b *Bounds) Of(u uint64) (low, high int64) {
	bound := &b[u>>(64-boundBits)]
	return bound.Low, bound.High
}

// Bounds are nil where samples do not rise with the word or are as cheap as bounds.
func (d *Dist) Bounds() *Bounds {
	if d.Fixed() || d.Varies() || d.parts != nil || d.span > 0 {
		return nil
	}
	b := new(Bounds)
	for i := range b {
		first := uint64(i) << (64 - boundBits)
		low, high := d.Sample(first), d.Sample(first|(1<<(64-boundBits)-1))
		// Far more than what samples are off by where they are rounded.
		b[i].Low, b[i].High = max(0, low-low>>20-1), high+high>>20+1
	}
	return b
}
