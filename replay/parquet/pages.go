package parquet

import (
	"errors"
	"fmt"
	"hash/crc32"
	"io"
	"slices"

	pq "github.com/parquet-go/parquet-go"
	"github.com/parquet-go/parquet-go/encoding/thrift"
	"github.com/parquet-go/parquet-go/format"
)

// Limits on what one page may take when unpacked. A small file has no need of
// large pages: what it asks for is bounded by its own size.
const (
	pageBytesMax      = 256 << 20
	pageBytesSmall    = 16 << 20 // always allowed
	pageBytesPerByte  = 1 << 10  // of file, above pageBytesSmall
	pageHeaderWindow  = 512      // bytes looked at for a page header at first
	pageHeaderLargest = 16 << 20 // statistics can make one long
	pageReadAhead     = 64 << 10 // bytes read from the file at a time, at least
)

// pageLimit is how many bytes one page of the file may unpack to.
func (f *file) pageLimit() int64 {
	return min(pageBytesMax, max(pageBytesSmall, pageBytesPerByte*f.size))
}

// checkChunk sees that what the footer says of a column in a row group is
// something that can be there and that this reader can read.
func (f *file) checkChunk(group int, c pq.LeafColumn) error {
	chunk := f.chunk(group, c)
	meta, element := &chunk.MetaData, f.element(c)
	switch {
	case chunk.CryptoMetadata.Value != nil || len(chunk.EncryptedColumnMetadata) > 0:
		return fmt.Errorf("%w: the column is encrypted; write it without encryption", ErrUnsupported)
	case chunk.FilePath != "":
		return fmt.Errorf("%w: its data is in another file, %q", ErrUnsupported, chunk.FilePath)
	case element == nil || meta.Type != element.Type.V:
		return fmt.Errorf("%w: the row group has it as %s, the schema as %s", ErrCorrupt, meta.Type, typeName(element))
	case joinPath(meta.PathInSchema) != joinPath(c.Path):
		return fmt.Errorf("%w: the row group has column %q in its place", ErrCorrupt, joinPath(meta.PathInSchema))
	case meta.NumValues != f.rows(group):
		return fmt.Errorf("%w: it has %d values, the row group %d rows", ErrCorrupt, meta.NumValues, f.rows(group))
	}
	switch meta.Codec {
	case format.Uncompressed, format.Snappy, format.Gzip, format.Brotli, format.Zstd, format.Lz4Raw:
	default:
		return fmt.Errorf("%w: compression %s; write the file with snappy, zstd, gzip, brotli, lz4_raw or none", ErrUnsupported, codecName(meta.Codec))
	}
	if start := chunkStart(meta); start < 4 || meta.TotalCompressedSize < 0 || meta.TotalCompressedSize > f.size-start {
		return fmt.Errorf("%w: %d bytes from byte %d of a file of %d", ErrCorrupt, meta.TotalCompressedSize, start, f.size)
	}
	return nil
}

// chunkStart is where the first page of a column in a row group is.
func chunkStart(meta *format.ColumnMetaData) int64 {
	if meta.DictionaryPageOffset != 0 {
		return min(meta.DictionaryPageOffset, meta.DataPageOffset)
	}
	return meta.DataPageOffset
}

func codecName(c format.CompressionCodec) string {
	switch c {
	case format.LZO:
		return "LZO"
	case format.Lz4:
		return "LZ4 (Hadoop's framing)"
	}
	return fmt.Sprintf("number %d", int32(c))
}

// pageReader goes from page to page of a column in a row group.
type pageReader struct {
	f        *file
	at, end  int64 // of the file: what is still to come
	required bool  // the column has no NULLs
	page     int   // pages so far

	window   []byte // bytes of the file at hand
	windowAt int64
}

func (f *file) newPageReader(group int, c pq.LeafColumn) *pageReader {
	meta := &f.chunk(group, c).MetaData
	start := chunkStart(meta)
	return &pageReader{f: f, at: start, end: start + meta.TotalCompressedSize, required: c.MaxDefinitionLevel == 0}
}

// next gives the next page: its header and its bytes as they are in the file,
// which stay valid until the next call. io.EOF is the end.
func (r *pageReader) next() (*format.PageHeader, []byte, error) {
	if r.at >= r.end {
		return nil, nil, io.EOF
	}
	h, n, err := r.header()
	if err != nil {
		return nil, nil, fmt.Errorf("%w: header of page %d: %w", ErrCorrupt, r.page, err)
	}
	if err := r.check(h, r.end-r.at-int64(n)); err != nil {
		return nil, nil, fmt.Errorf("page %d: %w", r.page, err)
	}
	b, err := r.bytes(r.at+int64(n), int64(h.CompressedPageSize))
	if err != nil {
		return nil, nil, fmt.Errorf("page %d: %w", r.page, err)
	}
	// A header without checksum cannot be told from one with checksum 0.
	if h.CRC != 0 && crc32.ChecksumIEEE(b) != uint32(h.CRC) {
		return nil, nil, fmt.Errorf("%w: page %d: its checksum is wrong", ErrCorrupt, r.page)
	}
	r.at += int64(n) + int64(len(b))
	r.page++
	return h, b, nil
}

// morePages reports whether a page with values follows. Other bytes may: some
// writers leave a few.
func (r *pageReader) morePages() bool {
	for {
		h, _, err := r.next()
		if err != nil {
			return false
		}
		if n, _ := pageValues(h); n > 0 && h.Type != format.DictionaryPage {
			return true
		}
	}
}

// bytes gives n bytes of the file. They stay valid until the next call.
func (r *pageReader) bytes(at, n int64) ([]byte, error) {
	if at < r.windowAt || at+n > r.windowAt+int64(len(r.window)) {
		size := min(max(n, pageReadAhead), r.end-at)
		r.window = slices.Grow(r.window[:0], int(size))[:size]
		r.windowAt = at
		if got, err := r.f.content.ReadAt(r.window, at); got < len(r.window) {
			r.window = r.window[:0]
			return nil, err
		}
	}
	from := at - r.windowAt
	return r.window[from : from+n : from+n], nil
}

// header reads the page header at r.at and gives its length.
func (r *pageReader) header() (*format.PageHeader, int, error) {
	for size := int64(pageHeaderWindow); ; size *= 8 {
		size = min(size, r.end-r.at)
		b, err := r.bytes(r.at, size)
		if err != nil {
			return nil, 0, err
		}
		n, err := thriftLength(b)
		if errors.Is(err, errThriftShort) && size < min(r.end-r.at, pageHeaderLargest) {
			continue
		}
		if err != nil {
			return nil, 0, err
		}
		h := new(format.PageHeader)
		return h, n, thrift.Unmarshal(new(thrift.CompactProtocol), b[:n], h)
	}
}

// pageValues is the number of values of a page, NULLs and all, and of NULLs as
// far as the header says.
func pageValues(h *format.PageHeader) (values, nulls int64) {
	switch {
	case h.Type == format.DataPage && h.DataPageHeader.Valid:
		return int64(h.DataPageHeader.V.NumValues), 0
	case h.Type == format.DataPageV2 && h.DataPageHeaderV2.Valid:
		return int64(h.DataPageHeaderV2.V.NumValues), int64(h.DataPageHeaderV2.V.NumNulls)
	case h.Type == format.DictionaryPage && h.DictionaryPageHeader.Valid:
		return int64(h.DictionaryPageHeader.V.NumValues), 0
	}
	return 0, 0
}

// check sees that a page is one that can be there. left is what is left of the
// column's bytes.
func (r *pageReader) check(h *format.PageHeader, left int64) error {
	packed, unpacked := int64(h.CompressedPageSize), int64(h.UncompressedPageSize)
	if packed < 0 || unpacked < 0 {
		return fmt.Errorf("%w: sizes %d and %d", ErrCorrupt, packed, unpacked)
	}
	if packed > left {
		return fmt.Errorf("%w: %d bytes, of which %d are there: %w", ErrCorrupt, packed, left, io.ErrUnexpectedEOF)
	}
	values, nulls := pageValues(h)
	switch limit := r.f.pageLimit(); {
	case values < 0 || nulls < 0 || nulls > values:
		return fmt.Errorf("%w: %d values, %d of them NULL", ErrCorrupt, values, nulls)
	case r.required && nulls > 0:
		return fmt.Errorf("%w: NULLs in a required column", ErrCorrupt)
	case unpacked > limit:
		return fmt.Errorf("%w: %d bytes unpack to %d; at most %d are taken from such a file; write it with smaller pages", ErrTooLarge, packed, unpacked, limit)
	case values > limit/8:
		return fmt.Errorf("%w: %d values; at most %d are taken from such a file; write it with smaller pages", ErrTooLarge, values, limit/8)
	}
	if v2 := &h.DataPageHeaderV2.V; h.Type == format.DataPageV2 && h.DataPageHeaderV2.Valid {
		levels := int64(v2.DefinitionLevelsByteLength) + int64(v2.RepetitionLevelsByteLength)
		if v2.DefinitionLevelsByteLength < 0 || v2.RepetitionLevelsByteLength < 0 || levels > min(packed, unpacked) {
			return fmt.Errorf("%w: levels of %d bytes in a page of %d", ErrCorrupt, levels, packed)
		}
		if v2.NumRows != v2.NumValues {
			return fmt.Errorf("%w: %d values for %d rows", ErrCorrupt, v2.NumValues, v2.NumRows)
		}
	}
	return nil
}
