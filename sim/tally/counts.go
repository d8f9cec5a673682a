package tally

import (
	"maps"
	"math"
	"math/big"
	"math/bits"
	"slices"
)

// Values are kept in dense pages of pageSize neighbours. A direct-mapped cache
// in front of the page map finds the page of a value without hashing as long
// as the values in use lie within cacheSize*pageSize of each other.
const (
	pageBits  = 4
	pageSize  = 1 << pageBits
	cacheSize = 256
)

type page [pageSize]int64

type cached struct {
	key  int64
	page *page
}

// Counts tells how often each int64 value was added. The zero value is an
// empty tally. A Counts belongs to one goroutine at a time.
//
// Memory: 128 bytes for every run of 16 neighbouring values of which at least
// one was seen, and 32 KiB for those from -2048 to 2047 together.
type Counts struct {
	n     int64
	pages map[int64]*page
	cache [cacheSize]cached
	front *[frontSize]int64 // the pages of the values next to 0, in one piece

	ascending []int64 // keys of pages, as of when they were last gone over
}

// frontSize is how many values next to 0 are counted without looking for a page,
// from frontLow on.
const (
	frontSize = 4096
	frontLow  = -frontSize / 2
)

// Add counts v once.
func (c *Counts) Add(v int64) {
	c.n++
	if c.front != nil && uint64(v-frontLow) < frontSize {
		c.front[v-frontLow]++
		return
	}
	c.near(v)[uint64(v)%pageSize]++
}

// AddEach counts each of the values once.
func (c *Counts) AddEach(values []int64) {
	c.n += int64(len(values))
	front := c.front
	for _, v := range values {
		if front != nil && uint64(v-frontLow) < frontSize {
			front[v-frontLow]++
			continue
		}
		c.near(v)[uint64(v)%pageSize]++
		front = c.front
	}
}

// AddN counts v n times; n below 1 adds nothing.
func (c *Counts) AddN(v, n int64) {
	if n < 1 {
		return
	}
	c.near(v)[uint64(v)%pageSize] += n
	c.n += n
}

// near finds or makes the page of v.
func (c *Counts) near(v int64) *page {
	key := v >> pageBits
	hot := &c.cache[uint64(key)%cacheSize]
	if hot.page == nil || hot.key != key {
		*hot = cached{key, c.page(key)}
	}
	return hot.page
}

// page finds or makes the page with the given key.
func (c *Counts) page(key int64) *page {
	p := c.pages[key]
	if p == nil {
		if c.pages == nil {
			c.pages = make(map[int64]*page)
		}
		if uint64(key-frontLow/pageSize) < frontSize/pageSize {
			c.front = new([frontSize]int64)
			for k := range int64(frontSize / pageSize) {
				c.pages[k+frontLow/pageSize] = (*page)(c.front[k*pageSize:])
			}
			return c.pages[key]
		}
		p = new(page)
		c.pages[key] = p
	}
	return p
}

// Merge adds everything that other holds. Merging in any order gives the same
// tally. other is left as it is.
func (c *Counts) Merge(other *Counts) {
	if other == nil || other.n == 0 {
		return
	}
	c.n += other.n
	for key, from := range other.pages {
		to := c.page(key)
		for i, n := range from {
			to[i] += n
		}
	}
}

// N is how many values were added.
func (c *Counts) N() int64 { return c.n }

// Min is the smallest value; false when nothing was added.
func (c *Counts) Min() (int64, bool) {
	for v := range c.All() {
		return v, true
	}
	return 0, false
}

// Max is the largest value; false when nothing was added.
func (c *Counts) Max() (int64, bool) {
	if c.n == 0 {
		return 0, false
	}
	last := int64(math.MinInt64)
	for key, p := range c.pages {
		if key > last && *p != (page{}) {
			last = key
		}
	}
	at := pageSize - 1
	for c.pages[last][at] == 0 {
		at--
	}
	return last<<pageBits + int64(at), true
}

// Count is how often v was added.
func (c *Counts) Count(v int64) int64 {
	if p := c.pages[v>>pageBits]; p != nil {
		return p[uint64(v)%pageSize]
	}
	return 0
}

// Sum is the exact sum of all values, of any size.
func (c *Counts) Sum() *big.Int {
	var above, below wide // of the values from 0 up, and of those below, without their sign
	for v, n := range c.All() {
		if v >= 0 {
			above.add(uint64(v), uint64(n))
		} else {
			below.add(-uint64(v), uint64(n))
		}
	}
	return new(big.Int).Sub(above.int(), below.int())
}

// wide is a number of 128 bits: enough for 2^63 values of 2^63.
type wide struct{ hi, lo uint64 }

func (w *wide) add(v, n uint64) {
	hi, lo := bits.Mul64(v, n)
	var carry uint64
	w.lo, carry = bits.Add64(w.lo, lo, 0)
	w.hi, _ = bits.Add64(w.hi, hi, carry)
}

func (w *wide) int() *big.Int {
	n := new(big.Int).SetUint64(w.hi)
	return n.Lsh(n, 64).Or(n, new(big.Int).SetUint64(w.lo))
}

// Mean is the arithmetic mean, rounded once from the exact sum; false when
// nothing was added.
func (c *Counts) Mean() (float64, bool) {
	if c.n == 0 {
		return 0, false
	}
	mean, _ := new(big.Rat).SetFrac(c.Sum(), big.NewInt(c.n)).Float64()
	return mean, true
}

// Quantile is the value at share p by nearest rank: the smallest value v such
// that at least p of everything added is v or less, so always a value that was
// seen. p at or below 0 gives the minimum, p at or above 1 the maximum; false
// when nothing was added.
func (c *Counts) Quantile(p float64) (int64, bool) {
	if c.n == 0 {
		return 0, false
	}
	return c.Quantiles(p)[0], true
}

// Quantiles are those at several shares, ascending; something was added.
func (c *Counts) Quantiles(p ...float64) []int64 {
	ranks, out := make([]int64, len(p)), make([]int64, 0, len(p))
	for i := range p {
		ranks[i] = nearestRank(p[i], c.n)
	}
	var seen int64
	for v, n := range c.All() {
		for seen += n; len(ranks) > 0 && seen >= ranks[0]; ranks = ranks[1:] {
			out = append(out, v)
		}
		if len(ranks) == 0 {
			break
		}
	}
	return out
}

// Cumulative is how many of the added values are v or less.
func (c *Counts) Cumulative(v int64) int64 {
	var seen int64
	for u, n := range c.All() {
		if u > v {
			break
		}
		seen += n
	}
	return seen
}

// All goes over the values that were seen, ascending, each with its count.
func (c *Counts) All() func(yield func(value, count int64) bool) {
	return func(yield func(value, count int64) bool) {
		if len(c.ascending) != len(c.pages) { // pages only come
			c.ascending = slices.Sorted(maps.Keys(c.pages))
		}
		for _, key := range c.ascending {
			for i, n := range c.pages[key] {
				if n > 0 && !yield(key<<pageBits+int64(i), n) {
					return
				}
			}
		}
	}
}

// Each calls visit for every value that was seen, ascending, with its count.
func (c *Counts) Each(visit func(value, count int64)) {
	for v, n := range c.All() {
		visit(v, n)
	}
}
