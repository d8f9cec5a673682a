package measure

import (
	"cmp"
	"slices"

	"twindrift/generator"
	"twindrift/sim/radix"
)

// scatterer puts entries in order that come in too many runs for those to be merged, as
// where thousands have one id: by the digits of the ids, and partitions first.
// Within a partition a process mostly draws in the order of offsets.
type scatterer struct {
	keys  []uint64 // ids less the least one, each above the place of its entry
	keyed radix.Keyed
	parts []uint32 // entries by partition

	// Columns that the next one is put in order into: each takes the memory of one before.
	longs  []int64
	ints   []int32
	shorts []int16
	bytes  []uint8
	kinds  []generator.Kind
}

// scatter sorts entries that stand as they came into columns of their own; n is less
// than 2^32.
func (s *scatterer) scatter(e *entries) {
	for _, r := range e.runs {
		for range r.to - r.from {
			e.consumer, e.life = append(e.consumer, r.consumer), append(e.life, r.life)
		}
	}
	order := s.byPartition(e)
	s.longs, s.ints = gathered(s.longs, e.offset, order), gathered(s.ints, e.partition, order)
	if repair(e, order, s.ints, s.longs) {
		s.longs, s.ints = gathered(s.longs, e.offset, order), gathered(s.ints, e.partition, order)
	}
	s.longs, e.offset = e.offset, s.longs
	s.ints, e.partition = e.partition, s.ints
	for _, column := range []*[]int64{&e.ids, &e.eventMs, &e.nowMs} {
		s.longs, *column = *column, gathered(s.longs, *column, order)
	}
	s.shorts, e.consumer = e.consumer, gathered(s.shorts, e.consumer, order)
	s.bytes, e.life = e.life, gathered(s.bytes, e.life, order)
	s.kinds, e.kind = e.kind, gathered(s.kinds, e.kind, order)
	if len(e.gone) > 0 {
		e.gone = gathered(nil, append(e.gone, make([]bool, e.len()-len(e.gone))...), order)
	}
	e.runs = e.runs[:0]
	if e.len() > scatterKept {
		*s = scatterer{}
	}
}

// scatterKept is how many entries memory is kept for.
const scatterKept = 1 << 18

// byPartition gives the order of entries by id and then partition and then as they came:
// their places, in the lower 32 bits.
func (s *scatterer) byPartition(e *entries) []uint64 {
	low := slices.Min(e.ids)
	s.keys = resized(s.keys, e.len())
	s.parts = append(s.parts[:0], make([]uint32, slices.Max(e.partition)+1)...)
	for _, p := range e.partition {
		s.parts[p]++
	}
	radix.StartEach(s.parts)
	differ := uint64(0)
	for i, p := range e.partition {
		above := uint64(e.ids[i]) - uint64(low)
		differ |= above
		s.keys[s.parts[p]] = above<<32 | uint64(i)
		s.parts[p]++
	}
	if differ>>32 != 0 { // no ids of one second
		slices.SortStableFunc(s.keys, func(a, b uint64) int { return cmp.Compare(e.ids[uint32(a)], e.ids[uint32(b)]) })
		return s.keys
	}
	return s.keyed.Sort(s.keys)
}

// compare is the order of the list, of entries with columns of their own.
func (e *entries) compare(i, j int) int {
	return cmp.Or(cmp.Compare(e.ids[i], e.ids[j]), cmp.Compare(e.partition[i], e.partition[j]), cmp.Compare(e.offset[i], e.offset[j]),
		cmp.Compare(e.nowMs[i], e.nowMs[j]), cmp.Compare(e.consumer[i], e.consumer[j]), cmp.Compare(e.life[i], e.life[j]), cmp.Compare(i, j))
}

// repair puts entries of one id and partition in order that have not come so: where
// messages come again, or partitions move. It says whether there were any. Partitions and
// offsets are those in the present order.
func repair(e *entries, order []uint64, partitions []int32, offsets []int64) (changed bool) {
	for from := 0; from < len(order); {
		end, ascend := from+1, true
		for end < len(order) && order[end]>>32 == order[from]>>32 && partitions[end] == partitions[from] {
			ascend = ascend && (offsets[end-1] < offsets[end] || e.compare(int(uint32(order[end-1])), int(uint32(order[end]))) < 0)
			end++
		}
		if !ascend {
			slices.SortFunc(order[from:end], func(a, b uint64) int { return e.compare(int(uint32(a)), int(uint32(b))) })
			changed = true
		}
		from = end
	}
	return changed
}

// gathered is a column in some order, in the memory of to.
func gathered[T any](to, of []T, order []uint64) []T {
	to = resized(to, len(order))
	for k, o := range order {
		to[k] = of[uint32(o)]
	}
	return to
}
