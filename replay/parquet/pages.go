package parquet

import (
	"errors"
	"fmt"
	"io"

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
	pageHeaderWindow  = 512      // bytes read for a page header at first
	pageHeaderLargest = 16 << 20 // statistics can make one long
)

// pageLimit is how many bytes one page of the file may unpack to.
func (f *file) pageLimit() int64 {
	return min(pageBytesMax, max(pageBytesSmall, pageBytesPerByte*f.size))
}

// checkChunk goes over the page headers of a column in a row group and sees
// that they hold what the footer says: as many values as the row group has
// rows, within the bytes that the file has, in pages of a bearable size. What
// the library then reads can be compared with that.
func (f *file) checkChunk(group int, c pq.LeafColumn) error {
	chunk := f.chunk(group, c)
	if err := f.checkChunkFooter(group, c, chunk); err != nil {
		return err
	}
	meta := &chunk.MetaData
	start := meta.DataPageOffset
	if meta.DictionaryPageOffset != 0 {
		start = meta.DictionaryPageOffset
	}
	if start < 4 || meta.TotalCompressedSize < 0 || meta.TotalCompressedSize > f.size-start {
		return fmt.Errorf("%w: bytes %d to %d of a file of %d", ErrCorrupt, start, start+meta.TotalCompressedSize, f.size)
	}
	walk := pageWalk{f: f, at: start, end: start + meta.TotalCompressedSize, required: c.MaxDefinitionLevel == 0}
	want := f.rows(group)
	for walk.values < want {
		if err := walk.next(); err != nil {
			return err
		}
	}
	if walk.values != want {
		return fmt.Errorf("%w: its pages hold %d values, the row group %d rows", ErrCorrupt, walk.values, want)
	}
	return walk.nothingLeft()
}

// checkChunkFooter checks what the footer says of the column in the row group.
func (f *file) checkChunkFooter(group int, c pq.LeafColumn, chunk *format.ColumnChunk) error {
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
	if first := f.chunk(0, c).MetaData.Codec; first != meta.Codec {
		return fmt.Errorf("%w: compression %s here and %s in row group 0; write the file with one", ErrUnsupported, meta.Codec, first)
	}
	return nil
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

// pageWalk goes from page header to page header.
type pageWalk struct {
	f        *file
	at, end  int64
	required bool  // the column has no NULLs
	values   int64 // in the data pages so far
	pages    int
	buf      []byte
}

// next goes over one page.
func (w *pageWalk) next() error {
	if w.at >= w.end {
		return fmt.Errorf("%w: its pages end after %d values", ErrCorrupt, w.values)
	}
	header, n, err := w.header()
	if err != nil {
		return fmt.Errorf("%w: header of page %d: %w", ErrCorrupt, w.pages, err)
	}
	w.at += int64(n)
	values, err := w.check(header)
	if err != nil {
		return fmt.Errorf("page %d: %w", w.pages, err)
	}
	w.at += int64(header.CompressedPageSize)
	w.values += values
	w.pages++
	return nil
}

// nothingLeft sees that no page with values follows those that make up the row
// group. Other bytes may: some writers leave a few.
func (w *pageWalk) nothingLeft() error {
	for w.at < w.end {
		header, n, err := w.header()
		if err != nil {
			return nil
		}
		w.at += int64(n)
		values, err := w.check(header)
		if err != nil {
			return nil
		}
		if values > 0 {
			return fmt.Errorf("%w: more pages follow those of the row group's rows", ErrCorrupt)
		}
		w.at += int64(header.CompressedPageSize)
	}
	return nil
}

// header reads the page header at w.at and gives its length.
func (w *pageWalk) header() (*format.PageHeader, int, error) {
	for size := int64(pageHeaderWindow); ; size *= 8 {
		size = min(size, w.end-w.at)
		if int64(cap(w.buf)) < size {
			w.buf = make([]byte, size)
		}
		b := w.buf[:size]
		if n, err := w.f.content.ReadAt(b, w.at); n < len(b) {
			return nil, 0, err
		}
		n, err := thriftLength(b)
		if errors.Is(err, errThriftShort) && size < min(w.end-w.at, pageHeaderLargest) {
			continue
		}
		if err != nil {
			return nil, 0, err
		}
		header := new(format.PageHeader)
		if err := thrift.Unmarshal(new(thrift.CompactProtocol), b[:n], header); err != nil {
			return nil, 0, err
		}
		return header, n, nil
	}
}

// check sees that a page is one that can be there, and gives its values.
func (w *pageWalk) check(h *format.PageHeader) (values int64, err error) {
	packed, unpacked := int64(h.CompressedPageSize), int64(h.UncompressedPageSize)
	if packed < 0 || unpacked < 0 {
		return 0, fmt.Errorf("%w: sizes %d and %d", ErrCorrupt, packed, unpacked)
	}
	if packed > w.end-w.at {
		return 0, fmt.Errorf("%w: %d bytes, of which %d are there: %w", ErrCorrupt, packed, w.end-w.at, io.ErrUnexpectedEOF)
	}
	count, nulls, levels := int64(0), int64(0), int64(0)
	switch {
	case h.Type == format.DataPage && h.DataPageHeader.Valid:
		count = int64(h.DataPageHeader.V.NumValues)
		values = count
	case h.Type == format.DataPageV2 && h.DataPageHeaderV2.Valid:
		v2 := &h.DataPageHeaderV2.V
		count, nulls, levels = int64(v2.NumValues), int64(v2.NumNulls), int64(v2.DefinitionLevelsByteLength)
		values = count
		if v2.NumRows != v2.NumValues {
			return 0, fmt.Errorf("%w: %d values for %d rows", ErrCorrupt, v2.NumValues, v2.NumRows)
		}
		if sum := levels + int64(v2.RepetitionLevelsByteLength); levels < 0 || v2.RepetitionLevelsByteLength < 0 || sum > packed {
			return 0, fmt.Errorf("%w: levels of %d bytes in a page of %d", ErrCorrupt, sum, packed)
		}
	case h.Type == format.DictionaryPage && h.DictionaryPageHeader.Valid:
		count = int64(h.DictionaryPageHeader.V.NumValues)
	default:
		return 0, nil // index pages and what may yet be invented hold no values
	}
	switch limit := w.f.pageLimit(); {
	case count < 0 || nulls < 0 || nulls > count:
		return 0, fmt.Errorf("%w: %d values, %d of them NULL", ErrCorrupt, count, nulls)
	case w.required && nulls > 0:
		return 0, fmt.Errorf("%w: NULLs in a required column", ErrCorrupt)
	case unpacked > limit:
		return 0, fmt.Errorf("%w: %d bytes unpack to %d; at most %d are taken from such a file; write it with smaller pages", ErrTooLarge, packed, unpacked, limit)
	case count > limit/8:
		return 0, fmt.Errorf("%w: %d values; at most %d are taken from such a file; write it with smaller pages", ErrTooLarge, count, limit/8)
	}
	return values, nil
}
