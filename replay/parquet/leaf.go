package parquet

import (
	"fmt"
	"io"

	pq "github.com/parquet-go/parquet-go"
	"github.com/parquet-go/parquet-go/encoding"
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

	meaning    meaning
	null       int64 // what a NULL becomes
	nullsFail  bool  // a NULL is an error
	maxDef     byte
	pages      pq.Pages
	dictionary pq.Dictionary
	meant      []int64 // what the dictionary's entries mean

	page   pq.Page
	data   encoding.Values
	index  []int32 // dictionary page: entry of each value
	levels []byte  // page with NULLs: maxDef where there is a value
	at     int     // rows of the page given
	value  int     // values of the page given
	size   int     // rows of the page

	row   int64 // rows given in all
	nulls int64 // of them NULL
}

// openLeaf starts reading a column of a row group, after a look at its page
// headers.
func (f *file) openLeaf(group int, c pq.LeafColumn, m meaning) (l *leaf, err error) {
	l = &leaf{file: f, group: group, name: joinPath(c.Path), meaning: m, maxDef: byte(c.MaxDefinitionLevel)}
	defer func() { err = l.place(err, -1) }()
	defer rescue(&err)
	if err := f.checkAnnotation(c); err != nil {
		return nil, err
	}
	if err := f.checkChunk(group, c); err != nil {
		return nil, err
	}
	l.pages = f.pq.RowGroups()[group].ColumnChunks()[c.ColumnIndex].Pages()
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

// close ends reading.
func (l *leaf) close() {
	pq.Release(l.page)
	if l.pages != nil {
		l.pages.Close()
	}
	l.page, l.pages = nil, nil
}

// fill gives the next len(dst) rows. There must be as many left in the row
// group.
func (l *leaf) fill(dst []int64) (err error) {
	defer func() {
		if r := recover(); r != nil {
			err = l.place(fmt.Errorf("%w: the Parquet library gave up: %v", ErrCorrupt, r), -1)
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
		if l.levels == nil {
			err = l.values(dst[:n])
		} else {
			err = l.valuesAndNulls(dst[:n])
		}
		if err != nil {
			return err
		}
		l.at += n
		l.row += int64(n)
		dst = dst[n:]
	}
	return nil
}

// values fills dst with the next values of the page.
func (l *leaf) values(dst []int64) error {
	if l.index != nil {
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

// valuesAndNulls fills dst from a page with NULLs: the values go to its end
// first and are then set in their places.
func (l *leaf) valuesAndNulls(dst []int64) error {
	levels := l.levels[l.at : l.at+len(dst)]
	present := 0
	for i, d := range levels {
		if d == l.maxDef {
			present++
		} else if l.nullsFail {
			return l.place(errNull, l.row+int64(i))
		}
	}
	from := len(dst) - present
	if err := l.values(dst[from:]); err != nil {
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

var errNull = fmt.Errorf("NULL")

// nextPage reads the next page and sees that it holds what it says.
func (l *leaf) nextPage() error {
	pq.Release(l.page)
	l.page, l.at, l.value, l.size = nil, 0, 0, 0
	p, err := l.pages.ReadPage()
	if err == io.EOF {
		return fmt.Errorf("%w: it ends after %d of %d rows", ErrCorrupt, l.row, l.file.rows(l.group))
	}
	if err != nil {
		return fmt.Errorf("%w: %w", ErrCorrupt, err)
	}
	l.page, l.size = p, int(p.NumRows())
	l.data, l.index, l.levels = p.Data(), nil, nil
	nulls := int(p.NumNulls())
	if nulls > 0 {
		if l.levels = p.DefinitionLevels(); len(l.levels) != l.size && nulls < l.size {
			return fmt.Errorf("%w: a page of %d rows says which are NULL of %d", ErrCorrupt, l.size, len(l.levels))
		}
		if len(l.levels) != l.size { // a column of type NULL
			l.levels = make([]byte, l.size)
			l.maxDef = 1
		}
	}
	if nulls == l.size {
		return nil
	}
	if d := p.Dictionary(); d != nil {
		l.index = l.data.Int32()
		if len(l.index) < l.size-nulls {
			return fmt.Errorf("%w: a page of %d values holds %d", ErrCorrupt, l.size-nulls, len(l.index))
		}
		return l.useDictionary(d)
	}
	if n := valueCount(&l.data); n < l.size-nulls {
		return fmt.Errorf("%w: a page of %d values holds %d", ErrCorrupt, l.size-nulls, n)
	}
	return nil
}

// useDictionary finds what the entries mean, once a dictionary. An entry that
// means nothing is an error even if no row has it.
func (l *leaf) useDictionary(d pq.Dictionary) error {
	if d == l.dictionary {
		return nil
	}
	data := d.Page().Data()
	n := d.Len()
	if have := valueCount(&data); have < n {
		return fmt.Errorf("%w: a dictionary of %d entries holds %d", ErrCorrupt, n, have)
	}
	l.meant = make([]int64, n)
	if done, err := l.meaning.convert(l.meant, &data, 0); err != nil {
		return fmt.Errorf("dictionary entry %d: %w", done, err)
	}
	l.dictionary = d
	return nil
}

// valueCount is the number of values that a page's bytes hold.
func valueCount(v *encoding.Values) int {
	data, offsets := v.Data()
	switch v.Kind() {
	case encoding.Boolean:
		return 8 * len(data)
	case encoding.Int32, encoding.Float:
		return len(data) / 4
	case encoding.Int64, encoding.Double:
		return len(data) / 8
	case encoding.Int96:
		return len(data) / 12
	case encoding.ByteArray:
		return max(len(offsets)-1, 0)
	case encoding.FixedLenByteArray:
		if _, size := v.FixedLenByteArray(); size > 0 {
			return len(data) / size
		}
	}
	return 0
}
