package parquet

import (
	"encoding/binary"
	"errors"
	"fmt"
)

// The Parquet library makes room for lists and strings as long as a footer or
// page header says they are, before it reads them; a few bytes can so ask for
// hundreds of gigabytes. thriftLength walks such a structure (Thrift compact
// protocol) first and sees that all it announces is there.

// errThriftShort says that the structure goes on past the bytes at hand.
var errThriftShort = errors.New("cut short")

// thriftDepth is how deep structures may be nested; Parquet's own go to 8.
const thriftDepth = 64

// thriftLength is the number of bytes of the struct at the start of b.
func thriftLength(b []byte) (int, error) {
	w := thriftWalk{b: b}
	if err := w.structure(0); err != nil {
		return 0, err
	}
	return w.at, nil
}

type thriftWalk struct {
	b  []byte
	at int
}

func (w *thriftWalk) byte() (byte, error) {
	if w.at >= len(w.b) {
		return 0, errThriftShort
	}
	w.at++
	return w.b[w.at-1], nil
}

func (w *thriftWalk) varint() (uint64, error) {
	v, n := binary.Uvarint(w.b[w.at:])
	switch {
	case n == 0:
		return 0, errThriftShort
	case n < 0:
		return 0, errors.New("a number of more than 64 bits")
	}
	w.at += n
	return v, nil
}

func (w *thriftWalk) skip(n uint64) error {
	if n > uint64(len(w.b)-w.at) {
		return errThriftShort
	}
	w.at += int(n)
	return nil
}

func (w *thriftWalk) structure(depth int) error {
	if depth > thriftDepth {
		return errors.New("nested too deeply")
	}
	for {
		head, err := w.byte()
		if err != nil || head == 0 {
			return err
		}
		if head>>4 == 0 { // the field's number follows in full
			if _, err := w.varint(); err != nil {
				return err
			}
		}
		if typ := head & 15; typ != 1 && typ != 2 { // booleans are all type
			if err := w.value(typ, depth); err != nil {
				return err
			}
		}
	}
}

func (w *thriftWalk) value(typ byte, depth int) error {
	switch typ {
	case 1, 2, 3: // boolean in a list, byte
		return w.skip(1)
	case 4, 5, 6: // integers
		_, err := w.varint()
		return err
	case 7: // double
		return w.skip(8)
	case 8: // bytes
		n, err := w.varint()
		if err != nil {
			return err
		}
		return w.skip(n)
	case 9, 10: // list, set
		return w.list(depth)
	case 11:
		return w.mapping(depth)
	case 12:
		return w.structure(depth + 1)
	}
	return fmt.Errorf("unknown type %d", typ)
}

func (w *thriftWalk) list(depth int) error {
	head, err := w.byte()
	if err != nil {
		return err
	}
	n := uint64(head >> 4)
	if n == 15 {
		if n, err = w.varint(); err != nil {
			return err
		}
	}
	return w.values(n, depth, head&15)
}

func (w *thriftWalk) mapping(depth int) error {
	n, err := w.varint()
	if err != nil || n == 0 {
		return err
	}
	types, err := w.byte()
	if err != nil {
		return err
	}
	return w.values(n, depth, types>>4, types&15)
}

// values walks n values of each of the types in turn. Each value takes a byte
// at least, so that n is bounded by the bytes at hand.
func (w *thriftWalk) values(n uint64, depth int, types ...byte) error {
	if n > uint64(len(w.b)-w.at) {
		return errThriftShort
	}
	if depth > thriftDepth {
		return errors.New("nested too deeply")
	}
	for range n {
		for _, typ := range types {
			if err := w.value(typ, depth+1); err != nil {
				return err
			}
		}
	}
	return nil
}
