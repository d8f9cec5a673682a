package order

import (
	"math"
	"slices"
)

// waiting holds the elements of a sequence until they can be put in order of y: a
// bucket for each stretch of 2^shift values of y, with its elements in order of
// position. Buckets are given out whole, lowest first, and sorted only then, by
// counting digits. An element takes 8 bytes, or 16 where memory has just grown.
type waiting struct {
	buckets map[int64]*bucket // by y >> shift
	keys    []int64           // of the buckets, a heap with the smallest first
	cache   [16]cachedBucket
	spare   []*bucket
	sorter  sorter
}

// bucket holds an element as the low bits of its y above 32 bits of position, so
// that the order of the numbers is the order of y, and of positions in one y.
type bucket struct{ elements []uint64 }

type cachedBucket struct {
	key    int64
	bucket *bucket
}

// add puts the element at a position of the sequence; positions ascend.
func (w *waiting) add(y int64, at uint32, shift uint) {
	key := y >> shift
	c := &w.cache[uint64(key)%uint64(len(w.cache))]
	if c.bucket == nil || c.key != key {
		*c = cachedBucket{key, w.open(key)}
	}
	low := uint64(y) & (1<<shift - 1)
	c.bucket.elements = append(c.bucket.elements, low<<32|uint64(at))
}

// addEach puts elements at a position and those that follow it. Neighbours mostly
// go into one bucket.
func (w *waiting) addEach(ys []int64, at uint32, shift uint) {
	for n := 0; len(ys) > 0; ys, at = ys[n:], at+uint32(n) {
		key := ys[0] >> shift
		c := &w.cache[uint64(key)%uint64(len(w.cache))]
		if c.bucket == nil || c.key != key {
			*c = cachedBucket{key, w.open(key)}
		}
		to := c.bucket.elements
		for n = 0; n < len(ys) && ys[n]>>shift == key; n++ {
			low := uint64(ys[n]) & (1<<shift - 1)
			to = append(to, low<<32|uint64(at+uint32(n)))
		}
		c.bucket.elements = to
	}
}

// open finds or makes the bucket with the key.
func (w *waiting) open(key int64) *bucket {
	if b := w.buckets[key]; b != nil {
		return b
	}
	if w.buckets == nil {
		w.buckets = make(map[int64]*bucket)
	}
	b := take(&w.spare)
	w.buckets[key] = b
	w.keys = append(w.keys, key)
	for i := len(w.keys) - 1; i > 0; { // up the heap
		parent := (i - 1) / 2
		if w.keys[parent] <= w.keys[i] {
			break
		}
		w.keys[parent], w.keys[i] = w.keys[i], w.keys[parent]
		i = parent
	}
	return b
}

// below goes over the buckets with all their y below floor, ascending, each sorted,
// and forgets them. The slices are good until the next.
func (w *waiting) below(floor int64, shift uint) func(yield func(sorted []uint64) bool) {
	return func(yield func([]uint64) bool) {
		for len(w.keys) > 0 && w.keys[0] < floor>>shift {
			key := w.pop()
			b := w.buckets[key]
			delete(w.buckets, key)
			if c := &w.cache[uint64(key)%uint64(len(w.cache))]; c.key == key {
				c.bucket = nil
			}
			more := yield(w.sorter.sort(b.elements, shift))
			b.elements = b.elements[:0]
			w.spare = append(w.spare, b)
			if !more {
				return
			}
		}
	}
}

// pop takes the smallest key off the heap.
func (w *waiting) pop() int64 {
	least, last := w.keys[0], len(w.keys)-1
	w.keys[0] = w.keys[last]
	w.keys = w.keys[:last]
	for i := 0; ; { // down the heap
		least := i
		for kid := 2*i + 1; kid <= 2*i+2 && kid < last; kid++ {
			if w.keys[kid] < w.keys[least] {
				least = kid
			}
		}
		if least == i {
			break
		}
		w.keys[i], w.keys[least] = w.keys[least], w.keys[i]
		i = least
	}
	return least
}

// all goes over all buckets, ascending, each sorted, and keeps them.
func (w *waiting) all(shift uint) func(yield func(sorted []uint64) bool) {
	return func(yield func([]uint64) bool) {
		var s sorter
		var scratch []uint64
		for _, key := range slices.Sorted(slices.Values(w.keys)) {
			scratch = append(scratch[:0], w.buckets[key].elements...)
			if !yield(s.sort(scratch, shift)) {
				return
			}
		}
	}
}

// sorter sorts buckets.
type sorter struct {
	counts  [1 << digitBits]uint32
	scratch []uint64
}

// digitBits is the width of a digit at most.
const digitBits = 12

// sort sorts the elements of a bucket and gives them back, in place or in memory of
// its own. Those of one y must come in order of position: sorting by the digits of
// y, lowest first, keeps that.
func (s *sorter) sort(elements []uint64, shift uint) []uint64 {
	const few = 256 // fewer than this are not worth going over the counts
	if slices.IsSorted(elements) {
		return elements
	}
	if len(elements) < few || len(elements) > math.MaxUint32 {
		slices.Sort(elements)
		return elements
	}
	digits := (shift + digitBits - 1) / digitBits
	width := (shift + digits - 1) / digits
	s.scratch = slices.Grow(s.scratch[:0], len(elements))[:len(elements)]
	from, to := elements, s.scratch
	counts, mask := s.counts[:1<<width], uint64(1)<<width-1
	for digit := range digits {
		low := 32 + digit*width
		clear(counts)
		for _, e := range from {
			counts[e>>low&mask]++
		}
		before := uint32(0)
		for i, n := range counts {
			counts[i] = before
			before += n
		}
		for _, e := range from {
			d := e >> low & mask
			to[counts[d]] = e
			counts[d]++
		}
		from, to = to, from
	}
	return from
}
