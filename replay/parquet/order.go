package parquet

import (
	"cmp"
	"slices"
)

// step is the next stretch of a partition: one piece whose rows come in offset
// order, or several that overlap (or one that does not rise) and have to be
// put in order.
type step struct {
	pieces []*piece
	tangle bool
}

// order puts the pieces of a partition in the order of their offsets. Pieces
// that do not overlap cost nothing more.
func (pt *part) order() {
	slices.SortStableFunc(pt.pieces, func(a, b *piece) int {
		return cmp.Or(cmp.Compare(a.lo, b.lo), cmp.Compare(a.job, b.job))
	})
	for i := 0; i < len(pt.pieces); {
		hi := pt.pieces[i].hi
		j := i + 1
		for j < len(pt.pieces) && pt.pieces[j].lo <= hi {
			hi = max(hi, pt.pieces[j].hi)
			j++
		}
		pt.steps = append(pt.steps, step{
			pieces: pt.pieces[i:j],
			tangle: j-i > 1 || !pt.pieces[i].sorted,
		})
		i = j
	}
}
