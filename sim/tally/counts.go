package tally

import (
	"maps"
	"math/big"
	"math/bits"
	"slices"
)

// Values are kept in dense pages of pageSize neighbours. A direct-mapped cache
// in front of the page map finds the page of a value without hashing as long
// as the values in use lie within cacheSize*pageSize of each other. Where pages
// crowd they go over to a block, see blocks.
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
// one was seen, or 4 KiB for every run of 2048 in which 8 of those runs were, and
// 20 KiB where a value of these was seen 65536 times. Next to 0, from -2048 to -1
// and from 0 to 2047, one value is enough for that.
type Counts struct {
	n      int64
	blocks blocks
	pages  map[int64]*page // of values that no block holds
	spare  []page          // for those to come
	crowd  map[int64]int   // pages by the block that they would be in
	cache  [cacheSize]cached

	ascending []int64 // keys of pages
	stale     bool    // they have changed since
}

// Add counts v once.
func (c *Counts) Add(v int64) {
	c.n++
	if b := c.blocks.of(v); b != nil {
		b.add(uint64(v))
		return
	}
	c.addToPage(v, 1)
}

// AddEach counts each of the values once.
func (c *Counts) AddEach(values []int64) {
	c.n += int64(len(values))
	held := c.blocks
	for _, v := range values {
		if b := held.of(v); b != nil {
			b.add(uint64(v))
			continue
		}
		c.addToPage(v, 1)
		held = c.blocks
	}
}

// AddN counts v n times; n below 1 adds nothing.
func (c *Counts) AddN(v, n int64) {
	if n < 1 {
		return
	}
	c.n += n
	if b := c.blocks.of(v); b != nil {
		b.addN(uint64(v), n)
		return
	}
	c.addToPage(v, n)
}

// addToPage counts a value that no block holds n times; it makes room for it.
func (c *Counts) addToPage(v, n int64) {
	key := v >> pageBits
	hot := &c.cache[uint64(key)%cacheSize]
	if hot.page == nil || hot.key != key {
		p := c.page(key)
		if p == nil {
			c.blocks.of(v).addN(uint64(v), n)
			return
		}
		*hot = cached{key, p}
	}
	hot.page[uint64(v)%pageSize] += n
}

// page finds or makes the page with the given key, which no block holds; nil where one
// does now.
func (c *Counts) page(key int64) *page {
	p := c.pages[key]
	if p != nil {
		return p
	}
	of := key >> (blockBits - pageBits)
	if nextTo0 := of == 0 || of == -1; (nextTo0 || c.crowd[of]+1 >= crowded) && c.block(of) != nil {
		return nil
	}
	if c.pages == nil {
		c.pages, c.crowd = make(map[int64]*page), make(map[int64]int)
	}
	if len(c.spare) == 0 {
		c.spare = make([]page, min(len(c.pages)+1, 64))
	}
	p, c.spare = &c.spare[0], c.spare[1:]
	c.pages[key] = p
	c.crowd[of]++
	c.stale = true
	return p
}

// block finds or makes the block with the given key, out of the pages there are; nil
// where it lies too far from the others.
func (c *Counts) block(key int64) *block {
	if b := c.blocks.of(key << blockBits); b != nil {
		return b
	}
	b := c.blocks.open(key)
	if b == nil || c.crowd[key] == 0 {
		return b
	}
	first := key << (blockBits - pageBits)
	for i := range int64(blockSize / pageSize) {
		if p := c.pages[first+i]; p != nil {
			for k, n := range p {
				b.addN(uint64(i)*pageSize+uint64(k), n)
			}
			delete(c.pages, first+i)
			if hot := &c.cache[uint64(first+i)%cacheSize]; hot.page == p {
				*hot = cached{}
			}
		}
	}
	delete(c.crowd, key)
	c.stale = true
	return b
}

// Merge adds everything that other holds. Merging in any order gives the same
// tally. other is left as it is.
func (c *Counts) Merge(other *Counts) {
	if other == nil || other.n == 0 {
		return
	}
	for i, from := range other.blocks.list {
		if from != nil {
			c.addAll(other.blocks.low+int64(i), from)
		}
	}
	for key, from := range other.pages {
		for i, n := range from {
			c.AddN(key<<pageBits+int64(i), n)
		}
	}
}

// addAll adds the counts of a block to those of the one with a key.
func (c *Counts) addAll(key int64, from *block) {
	to := c.block(key)
	if to == nil { // too far from those of c
		var counts [blockSize]int64
		from.all(&counts)
		for k, n := range counts {
			c.AddN(key<<blockBits+int64(k), n)
		}
		return
	}
	c.n += to.merge(from)
}

// Absolute counts |v| for every v; the smallest int64 has none, and stays.
func (c *Counts) Absolute() *Counts {
	a := new(Counts)
	for i, from := range c.blocks.list {
		switch key := c.blocks.low + int64(i); {
		case from == nil:
		case key >= 0:
			a.addAll(key, from)
		default: // the first value lies beside the block of the others
			first := key << blockBits
			a.AddN(max(first, -first), from.count(0))
			a.addAll(-key-1, from.mirrored())
		}
	}
	for key, from := range c.pages {
		for i, n := range from {
			v := key<<pageBits + int64(i)
			a.AddN(max(v, -v), n)
		}
	}
	return a
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
	last, ok := c.blocks.max()
	for key, p := range c.pages {
		for i, n := range p {
			if v := key<<pageBits + int64(i); n > 0 && (!ok || v > last) {
				last, ok = v, true
			}
		}
	}
	return last, ok
}

// Count is how often v was added.
func (c *Counts) Count(v int64) int64 {
	if b := c.blocks.of(v); b != nil {
		return b.count(uint64(v))
	}
	if p := c.pages[v>>pageBits]; p != nil {
		return p[uint64(v)%pageSize]
	}
	return 0
}

// Sum is the exact sum of all values, of any size.
func (c *Counts) Sum() *big.Int {
	var sum sums
	for v, n := range c.All() {
		sum.add(v, n)
	}
	return sum.int()
}

// sums are those of the values from 0 up, and of those below, without their sign.
type sums struct{ above, below wide }

func (s *sums) add(v, n int64) {
	if v >= 0 {
		s.above.add(uint64(v), uint64(n))
	} else {
		s.below.add(-uint64(v), uint64(n))
	}
}

// addSpan adds n values from first on, all of one sign, that lie so far beyond it in all.
func (s *sums) addSpan(first, n int64, beyond wide) {
	s.add(first, n)
	s.above.addWide(beyond)
}

func (s *sums) int() *big.Int { return new(big.Int).Sub(s.above.int(), s.below.int()) }

// wide is a number of 128 bits: enough for 2^63 values of 2^63.
type wide struct{ hi, lo uint64 }

func (w *wide) add(v, n uint64) {
	hi, lo := bits.Mul64(v, n)
	w.addWide(wide{hi, lo})
}

func (w *wide) addWide(o wide) {
	var carry uint64
	w.lo, carry = bits.Add64(w.lo, o.lo, 0)
	w.hi, _ = bits.Add64(w.hi, o.hi, carry)
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
	return meanOf(c.Sum(), c.n), true
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
		for first, counts := range c.spans {
			for i, n := range counts {
				if n > 0 && !yield(first+int64(i), n) {
					return
				}
			}
		}
	}
}

// spans goes over the counts of neighbouring values, ascending: the first of them, and how
// often it was added, the value after it, and so on.
func (c *Counts) spans(yield func(first int64, counts []int64) bool) {
	if c.stale {
		c.ascending, c.stale = slices.Sorted(maps.Keys(c.pages)), false
	}
	pages := c.ascending
	var counts [blockSize]int64
	for i, b := range c.blocks.list {
		if b == nil {
			continue
		}
		first := (c.blocks.low + int64(i)) << blockBits
		for ; len(pages) > 0 && pages[0]<<pageBits < first; pages = pages[1:] {
			if !yield(pages[0]<<pageBits, c.pages[pages[0]][:]) {
				return
			}
		}
		if b.all(&counts); !yield(first, counts[:]) {
			return
		}
	}
	for _, key := range pages {
		if !yield(key<<pageBits, c.pages[key][:]) {
			return
		}
	}
}

// Each calls visit for every value that was seen, ascending, with its count.
func (c *Counts) Each(visit func(value, count int64)) {
	for v, n := range c.All() {
		visit(v, n)
	}
}
