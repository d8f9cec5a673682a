package radix

import "math/bits"

// Keyed sorts numbers by a key in their upper 32 bits. The zero value is ready; it keeps
// memory for as many numbers as it has sorted, and for marks 12 bytes for 64 keys of the
// widest range yet, 768 KiB at most.
type Keyed struct {
	other  []uint64
	counts [1 << keyDigitBits]uint32

	marks  []uint64 // by key, as bits; all 0 between two calls
	before []uint32 // by word of marks: how many there are in the words before it
	marked []uint64 // words of marks with any, as bits
}

const (
	keyDigitBits = 12
	marksMost    = 1 << 22
	keyedFew     = 1 << 5 // are sorted by comparing them
)

// Sort sorts stably; fewer than 2^32. It gives them in their own memory, or in its own,
// which is good until the next call.
func (s *Keyed) Sort(numbers []uint64) []uint64 {
	if len(numbers) < keyedFew {
		insert(numbers)
		return numbers
	}
	differ := uint64(0) // bits in which keys do
	for _, v := range numbers {
		differ |= (v ^ numbers[0]) >> 32
	}
	if cap(s.other) < len(numbers) {
		s.other = make([]uint64, len(numbers))
	}
	if differ != 0 && s.byMarks(numbers, differ) {
		return s.other[:len(numbers)]
	}
	return s.byDigits(numbers, differ)
}

// insert sorts a few.
func insert(numbers []uint64) {
	for i := 1; i < len(numbers); i++ {
		v, k := numbers[i], i
		for k > 0 && numbers[k-1]>>32 > v>>32 {
			numbers[k] = numbers[k-1]
			k--
		}
		numbers[k] = v
	}
}

// byMarks sorts into s.other, where no two numbers have one key and keys are not too far
// apart: it marks each key, and the place of a number is how many marks there are before
// its own. That takes two looks at the numbers, however wide keys are, and one at the words
// with marks.
func (s *Keyed) byMarks(numbers []uint64, differ uint64) bool {
	shift := uint(bits.TrailingZeros64(differ))
	most := uint64(1)<<bits.Len64(differ>>shift) - 1
	if most >= marksMost {
		return false
	}
	words := int(most/64) + 1
	if words > len(s.marks) {
		s.marks, s.before, s.marked = make([]uint64, words), make([]uint32, words), make([]uint64, (words+63)/64)
	}
	shift = (shift + 32) % 64
	marks, marked := s.marks, s.marked[:(words+63)/64]
	for _, v := range numbers {
		key := v >> shift & most
		word, bit := key/64, uint64(1)<<(key%64)
		was := marks[word]
		if was&bit != 0 {
			s.clear(marked)
			return false
		}
		marks[word] = was | bit
		marked[word/64] |= 1 << (word % 64)
	}
	s.count(marked)
	before, to := s.before, s.other[:len(numbers)]
	for _, v := range numbers {
		key := v >> shift & most
		word, bit := key/64, uint64(1)<<(key%64)
		to[before[word]+uint32(bits.OnesCount64(marks[word]&(bit-1)))] = v
	}
	s.clear(marked)
	return true
}

// count counts the marks before each word that has any.
func (s *Keyed) count(marked []uint64) {
	n := uint32(0)
	for i, words := range marked {
		for ; words != 0; words &= words - 1 {
			word := i*64 + bits.TrailingZeros64(words)
			s.before[word] = n
			n += uint32(bits.OnesCount64(s.marks[word]))
		}
	}
}

// clear takes all marks away.
func (s *Keyed) clear(marked []uint64) {
	for i, words := range marked {
		for ; words != 0; words &= words - 1 {
			s.marks[i*64+bits.TrailingZeros64(words)] = 0
		}
	}
	clear(marked)
}

// byDigits sorts by the digits of keys, from the lowest to the highest. They have no bits
// but those of differ, and a digit begins and ends with one of those.
func (s *Keyed) byDigits(numbers []uint64, differ uint64) []uint64 {
	from, to := numbers, s.other[:len(numbers)]
	for bit := 0; differ>>bit != 0; {
		bit += bits.TrailingZeros64(differ >> bit)
		width := bits.Len64(differ >> bit & (1<<keyDigitBits - 1))
		counts, mask := s.counts[:1<<width], uint64(1)<<width-1
		clear(counts)
		for _, v := range from {
			counts[v>>(32+bit)&mask]++
		}
		StartEach(counts)
		for _, v := range from {
			at := &counts[v>>(32+bit)&mask]
			to[*at] = v
			*at++
		}
		from, to = to, from
		bit += width
	}
	return from
}

// StartEach turns counts into the places where each begins.
func StartEach(counts []uint32) {
	before := uint32(0)
	for d, n := range counts {
		counts[d] = before
		before += n
	}
}
