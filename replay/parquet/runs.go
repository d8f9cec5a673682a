package parquet

import (
	"encoding/binary"
	"fmt"
	"io"
	"slices"

	"github.com/parquet-go/parquet-go/encoding/delta"
	"github.com/parquet-go/parquet-go/encoding/rle"
)

// The Parquet library's decoders make room for as many values as the bytes
// announce and fill up what is missing with what they have. So each stretch of
// bytes is walked first: it must hold the number of values that the page header
// gives, neither more nor less.

// hybrid gives the bytes that n values take in the RLE and bit-packing hybrid
// (Parquet's Encodings.md, RLE = 3) of a bit width. Where the last packed bits
// are there without their padding, as Impala writes them, it is added.
func hybrid(b []byte, width, n int) ([]byte, error) {
	at, have := 0, 0
	for have < n {
		head, k := binary.Uvarint(b[at:])
		if k <= 0 {
			return nil, fmt.Errorf("%w: %d of %d values are there", ErrCorrupt, have, n)
		}
		at += k
		count, size, least := head>>1, uint64(width+7)/8, uint64(width+7)/8
		if head&1 != 0 {
			size = count * uint64(width)
			count *= 8
			least = (min(count, uint64(n-have))*uint64(width) + 7) / 8
		}
		// The last packed bits are padded to 8 values, by some writers to 504.
		if count == 0 || count > uint64(n-have)+504 {
			return nil, fmt.Errorf("%w: a run of %d values, with %d of %d to come", ErrCorrupt, count, n-have, n)
		}
		switch left := uint64(len(b) - at); {
		case size <= left:
		case least <= left:
			return append(b[:len(b):len(b)], make([]byte, size-left)...), nil
		default:
			return nil, fmt.Errorf("%w: a run of %d values is cut short", ErrCorrupt, count)
		}
		at += int(size)
		have += int(count)
	}
	return b[:at], nil
}

// levels decodes n definition levels up to maxDef.
func levels(dst, b []byte, maxDef byte, n int) ([]byte, error) {
	width := bitsFor(int(maxDef))
	b, err := hybrid(b, width, n)
	if err != nil {
		return dst, fmt.Errorf("definition levels: %w", err)
	}
	dst = slices.Grow(dst[:0], n+512)
	out, err := (&rle.Encoding{BitWidth: width}).DecodeLevels(dst[:0], b)
	if err != nil || len(out) < n {
		return dst, fmt.Errorf("%w: definition levels: %d of %d are there: %w", ErrCorrupt, len(out), n, err)
	}
	return out[:n], nil
}

// allZero reports whether the n values of dictionary indexes, which have been
// walked, are certainly 0.
func allZero(b []byte, n int) bool {
	width := uint64(b[0])
	for b = b[1:]; n > 0; {
		head, k := binary.Uvarint(b)
		count, size := head>>1, (width+7)/8
		if head&1 != 0 {
			count, size = 8*count, count*width
		}
		for _, x := range b[k : k+int(size)] {
			if x != 0 {
				return false
			}
		}
		b = b[k+int(size):]
		n -= int(count)
	}
	return true
}

// bitsFor is how many bits the numbers up to max take.
func bitsFor(max int) int {
	n := 0
	for ; max > 0; max >>= 1 {
		n++
	}
	return n
}

// indexRuns gives the bytes of n dictionary indexes: their width in bits, and
// the runs.
func indexRuns(b []byte, n int) ([]byte, error) {
	if len(b) == 0 {
		return nil, fmt.Errorf("%w: dictionary indexes are missing", ErrCorrupt)
	}
	width := int(b[0])
	if width > 32 {
		return nil, fmt.Errorf("%w: dictionary indexes of %d bits", ErrCorrupt, width)
	}
	runs, err := hybrid(b[1:], width, n)
	if err != nil {
		return nil, fmt.Errorf("dictionary indexes: %w", err)
	}
	if len(runs) < len(b) {
		return b[:1+len(runs)], nil
	}
	return append([]byte{b[0]}, runs...), nil
}

// indexes decodes n dictionary indexes.
func indexes(dst []int32, b []byte, n int) ([]int32, error) {
	b, err := indexRuns(b, n)
	if err != nil {
		return dst, err
	}
	dst = slices.Grow(dst[:0], n+512)
	out, err := new(rle.DictionaryEncoding).DecodeInt32(dst[:0], b)
	if err != nil || len(out) < n {
		return dst, fmt.Errorf("%w: dictionary indexes: %d of %d are there: %w", ErrCorrupt, len(out), n, err)
	}
	return out[:n], nil
}

// deltaLength is how many bytes n integers take as DELTA_BINARY_PACKED, of
// which b is the start.
func deltaLength(b []byte, n int) (int, error) {
	at := 0
	var head [3]uint64 // block size, miniblocks in a block, values
	for i := range head {
		v, k := binary.Uvarint(b[at:])
		if k <= 0 {
			return 0, io.ErrUnexpectedEOF
		}
		head[i] = v
		at += k
	}
	_, k := binary.Varint(b[at:]) // first value
	if k <= 0 {
		return 0, io.ErrUnexpectedEOF
	}
	at += k
	block, minis, values := head[0], head[1], head[2]
	switch {
	case values != uint64(n):
		return 0, fmt.Errorf("%d values where there should be %d", values, n)
	case block == 0 || block > 1<<16 || block%128 != 0 || minis == 0 || minis > block || block/minis%32 != 0:
		return 0, fmt.Errorf("blocks of %d values in %d parts", block, minis)
	}
	each := int(block / minis)
	for left := n - 1; left > 0; {
		if _, k = binary.Varint(b[at:]); k <= 0 || len(b)-at-k < int(minis) {
			return 0, io.ErrUnexpectedEOF
		}
		widths := b[at+k : at+k+int(minis)]
		at += k + int(minis)
		for _, width := range widths {
			if left <= 0 {
				break // parts without values have no bytes
			}
			size := each * int(width) / 8
			switch {
			case width > 64:
				return 0, fmt.Errorf("values of %d bits", width)
			case size <= len(b)-at:
				at += size
			default:
				return 0, io.ErrUnexpectedEOF
			}
			left -= each
		}
	}
	return at, nil
}

// deltaInts decodes n lengths and gives what follows them.
func deltaInts(dst []int32, b []byte, n int) ([]int32, []byte, error) {
	used, err := deltaLength(b, n)
	if err != nil {
		return dst, nil, fmt.Errorf("%w: lengths: %w", ErrCorrupt, err)
	}
	out, err := new(delta.BinaryPackedEncoding).DecodeInt32(dst[:0], b[:used])
	if err != nil || len(out) != n {
		return dst, nil, fmt.Errorf("%w: lengths: %d of %d are there: %w", ErrCorrupt, len(out), n, err)
	}
	return out, b[used:], nil
}
