package parquet

import (
	"bytes"
	"fmt"
	"io"
	"sync"

	"github.com/andybalholm/brotli"
	"github.com/klauspost/compress/gzip"
	"github.com/klauspost/compress/snappy"
	"github.com/klauspost/compress/zstd"
	"github.com/parquet-go/parquet-go/format"
	"github.com/pierrec/lz4/v4"
)

// unpack decompresses src into dst, which has the length that the page header
// gives. That what comes out is of this length is part of the check, and no
// more memory than this is taken, whatever src says.
func unpack(codec format.CompressionCodec, dst, src []byte) error {
	switch codec {
	case format.Snappy:
		if n, err := snappy.DecodedLen(src); err != nil {
			return err
		} else if n != len(dst) {
			return fmt.Errorf("it unpacks to %d bytes, not %d", n, len(dst))
		}
		_, err := snappy.Decode(dst, src)
		return err
	case format.Lz4Raw:
		n, err := lz4.UncompressBlock(src, dst)
		if err == nil && n != len(dst) {
			err = fmt.Errorf("it unpacks to %d bytes, not %d", n, len(dst))
		}
		return err
	case format.Zstd:
		return unpackZstd(dst, src)
	case format.Gzip:
		r, err := gzip.NewReader(bytes.NewReader(src))
		if err != nil {
			return err
		}
		return readExactly(r, dst)
	case format.Brotli:
		return readExactly(brotli.NewReader(bytes.NewReader(src)), dst)
	}
	return fmt.Errorf("%w: compression %s", ErrUnsupported, codecName(codec))
}

// readExactly fills dst and sees that nothing follows.
func readExactly(r io.Reader, dst []byte) error {
	if n, err := io.ReadFull(r, dst); err != nil {
		return fmt.Errorf("it unpacks to %d bytes, not %d: %w", n, len(dst), err)
	}
	var more [1]byte
	if n, _ := io.ReadFull(r, more[:]); n > 0 {
		return fmt.Errorf("it unpacks to more than %d bytes", len(dst))
	}
	return nil
}

func newZstdDecoder() *zstd.Decoder {
	d, err := zstd.NewReader(nil, zstd.WithDecoderConcurrency(1), zstd.WithDecoderMaxMemory(pageBytesMax))
	if err != nil {
		panic(err) // the options are constants
	}
	return d
}

var zstdDecoders = sync.Pool{New: func() any { return newZstdDecoder() }}

func unpackZstd(dst, src []byte) error {
	var head zstd.Header
	if err := head.Decode(src); err == nil && head.HasFCS && head.FrameContentSize == uint64(len(dst)) {
		d := zstdDecoders.Get().(*zstd.Decoder)
		out, err := d.DecodeAll(src, dst[:0])
		zstdDecoders.Put(d) // not after a panic, of which it would not recover
		if err == nil && len(out) != len(dst) {
			err = fmt.Errorf("it unpacks to %d bytes, not %d", len(out), len(dst))
		}
		return err
	}
	// A frame that does not say its length, or several: as a stream, with a
	// decoder of its own, since one that is left in mid-stream cannot be used
	// again.
	d := newZstdDecoder()
	defer d.Close()
	if err := d.Reset(bytes.NewReader(src)); err != nil {
		return err
	}
	return readExactly(d, dst)
}
