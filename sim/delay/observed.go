package delay

import (
	"math"
	"math/bits"
	"slices"
)

// Observed gathers observed delays. Up to 2^20 different ones are kept as they
// are, with how often each was seen; where there are more, all but the smallest
// and the largest are rounded to 16 binary digits, so that no quantile is off
// by more than 1 part in 65536 (0.0015 %). So memory is bounded, by some 30 MB,
// however many there are. The zero value is ready for use.
type Observed struct {
	// Cut counts values below 0 (clocks differ) and above Max, which were cut to
	// these.
	Cut int64

	n        int64
	low      int64
	high     int64
	pending  []int64
	ns       []int64 // different values, ascending
	counts   []int64
	rounding bool
}

const (
	maxDistinct = 1 << 20
	maxPending  = 1 << 20
	keptBits    = 16
)

// Len is how many delays there are.
func (o *Observed) Len() int64 { return o.n }

// Add takes in delays in nanoseconds.
func (o *Observed) Add(ns []int64) {
	for _, v := range ns {
		if v < 0 || v > maxNs {
			o.Cut++
			v = min(max(v, 0), maxNs)
		}
		if o.n == 0 {
			o.low, o.high = v, v
		}
		o.low, o.high = min(o.low, v), max(o.high, v)
		o.n++
		o.pending = append(o.pending, v)
		if len(o.pending) == maxPending {
			o.merge()
		}
	}
}

// merge moves the pending values in among the others.
func (o *Observed) merge() {
	if o.rounding {
		round(o.pending)
	}
	slices.Sort(o.pending)
	ns, counts := make([]int64, 0, len(o.ns)+1), make([]int64, 0, len(o.ns)+1)
	add := func(v, n int64) {
		if k := len(ns); k > 0 && ns[k-1] == v {
			counts[k-1] += n
			return
		}
		ns, counts = append(ns, v), append(counts, n)
	}
	i := 0
	for _, v := range o.pending {
		for i < len(o.ns) && o.ns[i] <= v {
			add(o.ns[i], o.counts[i])
			i++
		}
		add(v, 1)
	}
	for ; i < len(o.ns); i++ {
		add(o.ns[i], o.counts[i])
	}
	o.ns, o.counts, o.pending = ns, counts, o.pending[:0]
	if len(o.ns) > maxDistinct && !o.rounding {
		o.rounding = true
		round(o.ns)
		old, oldCounts := o.ns, o.counts
		ns, counts = old[:0], oldCounts[:0]
		for i, v := range old {
			add(v, oldCounts[i])
		}
		o.ns, o.counts = ns, counts
	}
}

// round rounds values to the nearest that has keptBits binary digits. It keeps
// their order.
func round(ns []int64) {
	for i, v := range ns {
		if drop := bits.Len64(uint64(v)) - keptBits; drop > 0 {
			half := int64(1) << (drop - 1)
			ns[i] = (v + half) >> drop << drop
		}
	}
}

// ranks finds the value of a rank.
type ranks struct {
	ns    []int64          // different values, ascending
	upTo  []int64          // how many delays are at most the value
	start [1<<12 + 1]int32 // by the leading bits of a word: where its search starts
}

// rank ends the gathering; there is at least one value.
func (o *Observed) rank() *ranks {
	o.merge()
	r := &ranks{ns: slices.Clone(o.ns), upTo: make([]int64, len(o.ns))}
	r.ns[len(r.ns)-1], r.ns[0] = o.high, o.low
	total := int64(0)
	for i, n := range o.counts {
		total += n
		r.upTo[i] = total
	}
	i := int32(0)
	for lead := range r.start {
		word := uint64(math.MaxUint64)
		if lead < len(r.start)-1 {
			word = uint64(lead) << 52
		}
		for rank, _ := bits.Mul64(word, uint64(total)); r.upTo[i] <= int64(rank); {
			i++
		}
		r.start[lead] = i
	}
	return r
}

// rankSample gives each of the observed delays the same share of words, to
// within one word.
func rankSample(d *Dist, u uint64) int64 {
	r := d.seen.ranks
	rank, _ := bits.Mul64(u, uint64(r.upTo[len(r.upTo)-1]))
	from, to := r.start[u>>52], r.start[u>>52+1]
	i, _ := slices.BinarySearch(r.upTo[from:to], int64(rank)+1)
	return r.ns[int(from)+i]
}
