package tally

import "slices"

// blocks hold the counts of values that lie close together: a block for blockSize
// neighbours, found by its place in a list, without hashing. So values that jump about
// in a wide range, such as displacements in a long list, cost one look each.
type blocks struct {
	low  int64    // key of the first block: its values >> blockBits
	list []*block // by key from low on; nil where there is none
}

// block counts 16 bits each, which mostly suffice where values are many, and what goes
// beyond.
type block struct {
	counts [blockSize]uint16
	carry  *[blockSize]int64 // multiples of 1<<16; nil where there are none
}

const (
	blockBits = 11
	blockSize = 1 << blockBits
	crowded   = 8       // pages that are worth a block, of 128
	listMost  = 1 << 16 // blocks: those of 2^27 values
)

// of is the block of a value, or nil.
func (b *blocks) of(v int64) *block {
	if i := uint64(v>>blockBits - b.low); i < uint64(len(b.list)) {
		return b.list[i]
	}
	return nil
}

// add counts the value at a place once.
func (b *block) add(at uint64) {
	n := &b.counts[at%blockSize]
	if *n++; *n == 0 {
		b.carryOver(at, 1<<16)
	}
}

// addN counts the value at a place n times.
func (b *block) addN(at uint64, n int64) {
	low := int64(b.counts[at%blockSize]) + n&(1<<16-1)
	b.counts[at%blockSize] = uint16(low)
	if more := low&^(1<<16-1) + n&^(1<<16-1); more > 0 {
		b.carryOver(at, more)
	}
}

func (b *block) carryOver(at uint64, n int64) {
	if b.carry == nil {
		b.carry = new([blockSize]int64)
	}
	b.carry[at%blockSize] += n
}

// count is how often the value at a place was counted.
func (b *block) count(at uint64) int64 {
	n := int64(b.counts[at%blockSize])
	if b.carry != nil {
		n += b.carry[at%blockSize]
	}
	return n
}

// all gives the counts of all values.
func (b *block) all(counts *[blockSize]int64) {
	for k, n := range b.counts {
		counts[k] = int64(n)
	}
	if b.carry != nil {
		for k, n := range b.carry {
			counts[k] += n
		}
	}
}

// merge adds the counts of another block, and says how many those are.
func (b *block) merge(other *block) (n int64) {
	for k, more := range other.counts {
		sum := uint32(b.counts[k]) + uint32(more)
		b.counts[k] = uint16(sum)
		if sum >= 1<<16 {
			b.carryOver(uint64(k), 1<<16)
		}
		n += int64(more)
	}
	if other.carry != nil {
		for k, more := range other.carry {
			if more > 0 {
				b.carryOver(uint64(k), more)
				n += more
			}
		}
	}
	return n
}

// mirrored has the counts of all places but the first in the opposite order, behind it.
func (b *block) mirrored() *block {
	m := &block{counts: b.counts}
	m.counts[0] = 0
	slices.Reverse(m.counts[1:])
	if b.carry != nil {
		carry := *b.carry
		carry[0] = 0
		slices.Reverse(carry[1:])
		m.carry = &carry
	}
	return m
}

// open makes the block with a key; nil where the list would be too long.
func (b *blocks) open(key int64) *block {
	if len(b.list) == 0 {
		b.low, b.list = key, make([]*block, 1)
	}
	// Keys are 53 bits wide, so that differences fit.
	if key < b.low {
		more := b.low - key
		if more+int64(len(b.list)) > listMost {
			return nil
		}
		more = min(max(more, int64(len(b.list))/2), listMost-int64(len(b.list)))
		b.list = slices.Concat(make([]*block, more), b.list)
		b.low -= more
	} else if at := key - b.low; at >= int64(len(b.list)) {
		if at >= listMost {
			return nil
		}
		b.list = append(b.list, make([]*block, at+1-int64(len(b.list)))...)
	}
	made := new(block)
	b.list[key-b.low] = made
	return made
}

// max is the largest value; false where there is none.
func (b *blocks) max() (int64, bool) {
	for i := len(b.list) - 1; i >= 0; i-- {
		if b.list[i] == nil {
			continue
		}
		for k := blockSize - 1; k >= 0; k-- {
			if b.list[i].count(uint64(k)) > 0 {
				return (b.low+int64(i))<<blockBits + int64(k), true
			}
		}
	}
	return 0, false
}
