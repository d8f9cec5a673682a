package measure

import (
	"cmp"
	"slices"

	"twindrift/sim/radix"
)

// scatterer puts entries in order that come in too many runs for those to be merged, as
// where thousands have one id: by the digits of the ids, and partitions first.
// Within a partition a process mostly draws in the order of offsets.
type scatterer struct {
	keys  []uint64 // ids less the least one, each above the place of its entry
	keyed radix.Keyed
	parts []uint32 // entries by partition
}

// scatter sorts entries that stand as they came into columns of their own; n is less
// than 2^32.
func (s *scatterer) scatter(e *entries) {
	to := stock.Get().(*entries)
	to.clear()
	for _, r := range e.runs {
		for range r.to - r.from {
			e.consumer, e.life = append(e.consumer, r.consumer), append(e.life, r.life)
		}
	}
	order := s.byPartition(e)
	to.gather(e, order)
	if repair(e, to, order) {
		to.gather(e, order)
	}
	e.swap(to)
	to.clear()
	stock.Put(to)
}

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
// messages come again, or partitions move. It says whether there were any.
func repair(e, sorted *entries, order []uint64) (changed bool) {
	for from := 0; from < sorted.len(); {
		end, ascend := from+1, true
		for end < sorted.len() && sorted.ids[end] == sorted.ids[from] && sorted.partition[end] == sorted.partition[from] {
			ascend = ascend && (sorted.offset[end-1] < sorted.offset[end] || sorted.compare(end-1, end) < 0)
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

// gather fills e with others in some order.
func (e *entries) gather(of *entries, order []uint64) {
	e.ids, e.eventMs = gathered(e.ids, of.ids, order), gathered(e.eventMs, of.eventMs, order)
	e.nowMs, e.offset = gathered(e.nowMs, of.nowMs, order), gathered(e.offset, of.offset, order)
	e.partition, e.kind = gathered(e.partition, of.partition, order), gathered(e.kind, of.kind, order)
	e.consumer, e.life = gathered(e.consumer, of.consumer, order), gathered(e.life, of.life, order)
	e.gone = e.gone[:0]
	if len(of.gone) > 0 {
		of.gone = append(of.gone, make([]bool, of.len()-len(of.gone))...)
		e.gone = gathered(e.gone, of.gone, order)
	}
}

func gathered[T any](to, of []T, order []uint64) []T {
	to = resized(to, len(order))
	for k, o := range order {
		to[k] = of[uint32(o)]
	}
	return to
}

// swap exchanges the columns of e, which has its runs no more, with those of another.
func (e *entries) swap(o *entries) {
	e.ids, o.ids = o.ids, e.ids
	e.eventMs, o.eventMs = o.eventMs, e.eventMs
	e.nowMs, o.nowMs = o.nowMs, e.nowMs
	e.offset, o.offset = o.offset, e.offset
	e.partition, o.partition = o.partition, e.partition
	e.kind, o.kind = o.kind, e.kind
	e.consumer, o.consumer = o.consumer, e.consumer
	e.life, o.life = o.life, e.life
	e.gone, o.gone = o.gone, e.gone
	e.runs = e.runs[:0]
}
