package parquet

import (
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"slices"
	"sync"

	pq "github.com/parquet-go/parquet-go"
	"github.com/parquet-go/parquet-go/encoding"
	"github.com/parquet-go/parquet-go/format"
)

// meaning turns the values of a column, as they are stored, into int64: ms,
// offsets, hashes, and so on.
type meaning interface {
	// convert fills dst with what the values from and after mean. Where one
	// means nothing it says how many came before it.
	convert(dst []int64, v *encoding.Values, from int) (done int, err error)
}

// leaf reads one column of one row group, page by page, as int64. It gives
// exactly as many values as the row group has rows, or an error.
type leaf struct {
	file  *file
	group int
	name  string

	meaning meaning
	null    int64 // what a NULL becomes
	nullErr error // or the error that it is

	codec  format.CompressionCodec
	maxDef byte
	pages  *pageReader
	decoder
	dictionary bool
	meant      []int64 // what the dictionary's entries mean
	unpacked   *[]byte

	// The page at hand.
	data     encoding.Values
	index    []int32 // the dictionary entry of each value
	indexed  bool
	constant bool   // all of them the dictionary's only entry
	levels   []byte // maxDef where there is a value
	hasNulls bool
	at       int // rows given
	value    int // values given
	size     int // rows

	row   int64 // rows given in all
	nulls int64 // of them NULL
}

// openLeaf starts reading a column of a row group.
func (f *file) openLeaf(group int, c pq.LeafColumn, m meaning) (_ *leaf, err error) {
	l := &leaf{file: f, group: group, name: joinPath(c.Path), meaning: m, maxDef: byte(c.MaxDefinitionLevel)}
	defer func() { err = l.place(err, -1) }()
	if err := f.checkAnnotation(c); err != nil {
		return nil, err
	}
	if err := f.checkChunk(group, c); err != nil {
		return nil, err
	}
	l.codec = f.chunk(group, c).MetaData.Codec
	l.pages = f.newPageReader(group, c)
	l.decoder = newDecoder(f.element(c), f.pageLimit())
	return l, nil
}

// place says where an error was met; row counts from 0 in the row group, -1
// where it has none.
func (l *leaf) place(err error, row int64) error {
	if err == nil {
		return nil
	}
	return &placed{l.file.name, l.group, l.name, row, err}
}

// fill gives the next len(dst) rows. There must be as many left in the row
// group.
func (l *leaf) fill(dst []int64) (err error) {
	defer func() {
		if r := recover(); r != nil {
			err = l.place(fmt.Errorf("%w: the decoder gave up: %v", ErrCorrupt, r), -1)
		}
	}()
	for len(dst) > 0 {
		if l.at == l.size {
			if err := l.nextPage(); err != nil {
				return l.place(err, -1)
			}
			continue
		}
		n := min(len(dst), l.size-l.at)
		if l.hasNulls {
			err = l.valuesAndNulls(dst[:n])
		} else {
			err = l.give(dst[:n])
		}
		if err != nil {
			return err
		}
		l.at += n
		l.row += int64(n)
		dst = dst[n:]
	}
	if l.row == l.file.rows(l.group) && l.pages.morePages() {
		return l.place(fmt.Errorf("%w: more pages follow those of the row group's rows", ErrCorrupt), -1)
	}
	return nil
}

// give fills dst with the next values of the page.
func (l *leaf) give(dst []int64) error {
	if l.constant {
		fillWith(dst, l.meant[0])
	} else if l.indexed {
		index, meant := l.index[l.value:l.value+len(dst)], l.meant
		for i, x := range index {
			if uint(x) >= uint(len(meant)) {
				return l.place(fmt.Errorf("%w: entry %d of a dictionary of %d", ErrCorrupt, x, len(meant)), l.row+int64(i))
			}
			dst[i] = meant[x]
		}
	} else if done, err := l.meaning.convert(dst, &l.data, l.value); err != nil {
		return l.place(err, l.row+int64(done))
	}
	l.value += len(dst)
	return nil
}

// What a NULL is where it is an error.
var (
	errNull     = errors.New("NULL")
	errNullTime = errors.New("NULL timestamp; say --null-timestamps skip to leave such messages out, or none to take them as messages without a timestamp")
)

// valuesAndNulls fills dst from a page with NULLs: the values go to its end
// first and are then set in their places.
func (l *leaf) valuesAndNulls(dst []int64) error {
	levels := l.levels[l.at : l.at+len(dst)]
	present := 0
	for i, d := range levels {
		if d == l.maxDef {
			present++
		} else if l.nullErr != nil {
			return l.place(l.nullErr, l.row+int64(i))
		}
	}
	from := len(dst) - present
	if err := l.give(dst[from:]); err != nil {
		return err
	}
	for i, d := range levels {
		if d == l.maxDef {
			dst[i] = dst[from]
			from++
		} else {
			dst[i] = l.null
		}
	}
	l.nulls += int64(len(dst) - present)
	return nil
}

// nextPage reads the next page with rows.
func (l *leaf) nextPage() error {
	l.at, l.value, l.size = 0, 0, 0
	h, b, err := l.pages.next()
	if err == io.EOF {
		return fmt.Errorf("%w: it ends after %d of %d rows", ErrCorrupt, l.row, l.file.rows(l.group))
	}
	if err != nil {
		return err
	}
	values, _ := pageValues(h)
	if left := l.file.rows(l.group) - l.row; values > left && h.Type != format.DictionaryPage {
		return fmt.Errorf("%w: page %d has %d values, where %d rows are to come", ErrCorrupt, l.pages.page-1, values, left)
	}
	n := int(values)
	switch {
	case h.Type == format.DictionaryPage && h.DictionaryPageHeader.Valid:
		err = l.readDictionary(h, b, n)
	case n == 0:
	case h.Type == format.DataPage:
		err = l.readV1(h, b, n)
	case h.Type == format.DataPageV2:
		err = l.readV2(h, b, n)
	}
	if err != nil {
		return fmt.Errorf("page %d: %w", l.pages.page-1, err)
	}
	if h.Type != format.DictionaryPage {
		l.size = n
	}
	return nil
}

// unpack decompresses b, if the column is compressed, to size bytes.
func (l *leaf) unpack(b []byte, size int) ([]byte, error) {
	if l.codec == format.Uncompressed || size == 0 {
		return b, nil
	}
	if l.unpacked == nil {
		l.unpacked = unpackBuffers.Get().(*[]byte)
	}
	*l.unpacked = slices.Grow((*l.unpacked)[:0], size)[:size]
	if err := unpack(l.codec, *l.unpacked, b); err != nil {
		return nil, fmt.Errorf("%w: unpacking: %w", ErrCorrupt, err)
	}
	return *l.unpacked, nil
}

// unpackBuffers are shared by all columns being read, of which there may be
// thousands: most need one only while they decode a page.
var unpackBuffers = sync.Pool{New: func() any { return new([]byte) }}

// unpackedDone gives the buffer back, when nothing refers to it any more.
func (l *leaf) unpackedDone() {
	if l.unpacked != nil {
		unpackBuffers.Put(l.unpacked)
		l.unpacked = nil
	}
}

// readDictionary finds what the entries mean. One that means nothing is an
// error even if no row has it.
func (l *leaf) readDictionary(h *format.PageHeader, b []byte, n int) error {
	if l.dictionary {
		return fmt.Errorf("%w: a second dictionary", ErrCorrupt)
	}
	b, err := l.unpack(b, int(h.UncompressedPageSize))
	if err != nil {
		return err
	}
	data, err := l.plainValues(b, n)
	if err != nil {
		return err
	}
	l.meant = make([]int64, n)
	if done, err := l.meaning.convert(l.meant, &data, 0); err != nil {
		return fmt.Errorf("dictionary entry %d: %w", done, err)
	}
	l.dictionary = true
	l.unpackedDone()
	return nil
}

// readV1 reads a data page of version 1: levels and values are compressed
// together, and the levels say their length.
func (l *leaf) readV1(h *format.PageHeader, b []byte, n int) error {
	b, err := l.unpack(b, int(h.UncompressedPageSize))
	if err != nil {
		return err
	}
	head := &h.DataPageHeader.V
	present := n
	l.hasNulls = false
	if l.maxDef > 0 {
		if head.DefinitionLevelEncoding != format.RLE {
			return fmt.Errorf("%w: definition levels in encoding %s", ErrUnsupported, head.DefinitionLevelEncoding)
		}
		if len(b) < 4 || uint64(binary.LittleEndian.Uint32(b)) > uint64(len(b)-4) {
			return fmt.Errorf("%w: definition levels are cut short", ErrCorrupt)
		}
		size := binary.LittleEndian.Uint32(b)
		if present, err = l.readLevels(b[4:4+size], n); err != nil {
			return err
		}
		b = b[4+size:]
	}
	return l.readValues(head.Encoding, b, present)
}

// readV2 reads a data page of version 2: the levels come first, uncompressed.
// They say which values are NULL; some writers get the count in the header
// wrong.
func (l *leaf) readV2(h *format.PageHeader, b []byte, n int) error {
	head := &h.DataPageHeaderV2.V
	rep, def := int(head.RepetitionLevelsByteLength), int(head.DefinitionLevelsByteLength)
	present := n
	l.hasNulls = false
	if l.maxDef > 0 {
		var err error
		if present, err = l.readLevels(b[rep:rep+def], n); err != nil {
			return err
		}
	}
	b = b[rep+def:]
	if present > 0 && (!head.IsCompressed.Valid || head.IsCompressed.V) {
		var err error
		if b, err = l.unpack(b, int(h.UncompressedPageSize)-rep-def); err != nil {
			return err
		}
	}
	return l.readValues(head.Encoding, b, present)
}

// readLevels decodes which of n rows have a value, and gives how many have.
func (l *leaf) readLevels(b []byte, n int) (present int, err error) {
	if l.levels, err = levels(l.levels, b, l.maxDef, n); err != nil {
		return 0, err
	}
	for _, d := range l.levels {
		if d == l.maxDef {
			present++
		} else if d > l.maxDef {
			return 0, fmt.Errorf("%w: definition level %d, where the largest is %d", ErrCorrupt, d, l.maxDef)
		}
	}
	l.hasNulls = present < n
	return present, nil
}

// plainDictionary is what writers of old call RLE_DICTIONARY.
const plainDictionary format.Encoding = 2

// readValues decodes the n values of a page that are not NULL.
func (l *leaf) readValues(enc format.Encoding, b []byte, n int) (err error) {
	l.indexed, l.constant = enc == format.RLEDictionary || enc == plainDictionary, false
	switch {
	case n == 0:
		return nil
	case !l.indexed:
		l.data, err = l.decoder.values(enc, b, n)
		if err == nil && !l.inPlace(enc) {
			l.unpackedDone()
		}
		return err
	case !l.dictionary:
		return fmt.Errorf("%w: dictionary indexes without a dictionary", ErrCorrupt)
	}
	// A column that is the same in all rows is common: one topic, one type of
	// timestamp.
	if len(l.meant) == 1 {
		if b, err = indexRuns(b, n); err != nil {
			return err
		}
		l.constant = allZero(b, n)
	}
	if !l.constant {
		l.index, err = indexes(l.index, b, n)
	}
	if err == nil {
		l.unpackedDone()
	}
	return err
}
