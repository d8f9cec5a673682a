package order

import "slices"

// waiting holds the elements of a sequence until they can be put in order of y: a
// bucket for each stretch of 2^shift values of y, with its elements in order of
// position. Buckets are given out whole, lowest first. An element takes 8 bytes, or 16
// where memory has just grown.
type waiting struct {
	buckets map[int64]*bucket // by y >> shift
	keys    []int64           // of the buckets, a heap with the smallest first
	cache   [cachedBuckets]cachedBucket
	spare   []*bucket
}

// bucket holds an element as the low bits of its y above 32 bits of position, so
// that the order of the numbers is the order of y, and of positions in one y.
type bucket struct{ elements []uint64 }

// cachedBuckets are found without hashing: where elements jump about, as from one
// partition to the next, those of some minutes.
const cachedBuckets = 512

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
	c.bucket.grow(1)
	c.bucket.elements = append(c.bucket.elements, low<<32|uint64(at))
}

// grow makes room for n more elements, and for as many as there are.
func (b *bucket) grow(n int) {
	if have := len(b.elements); cap(b.elements)-have < n {
		b.elements = slices.Grow(b.elements, max(n, have))
	}
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
		start, width := key<<shift, uint64(1)<<shift
		for n = 1; n < len(ys) && uint64(ys[n]-start) < width; n++ {
		}
		c.bucket.grow(n)
		elements := c.bucket.elements
		for i, y := range ys[:n] {
			elements = append(elements, uint64(y-start)<<32|uint64(at+uint32(i)))
		}
		c.bucket.elements = elements
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

// below goes over the buckets with all their y below floor, ascending, and forgets
// them. The slices are good until the next.
func (w *waiting) below(floor int64, shift uint) func(yield func(elements []uint64) bool) {
	return func(yield func([]uint64) bool) {
		for len(w.keys) > 0 && w.keys[0] < floor>>shift {
			key := w.pop()
			b := w.buckets[key]
			delete(w.buckets, key)
			if c := &w.cache[uint64(key)%uint64(len(w.cache))]; c.key == key {
				c.bucket = nil
			}
			more := yield(b.elements)
			b.elements = b.elements[:0]
			w.spare = append(w.spare, b)
			if !more {
				return
			}
		}
	}
}

// none says whether nothing waits.
func (w *waiting) none() bool { return len(w.keys) == 0 }

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

// all goes over all buckets, ascending, and keeps them. The slices are copies.
func (w *waiting) all(shift uint) func(yield func(elements []uint64) bool) {
	return func(yield func([]uint64) bool) {
		var scratch []uint64
		for _, key := range slices.Sorted(slices.Values(w.keys)) {
			scratch = append(scratch[:0], w.buckets[key].elements...)
			if !yield(scratch) {
				return
			}
		}
	}
}
