package parquet

import (
	"encoding/binary"
	"encoding/json"
	"fmt"
	"io"
	"math"
	"os"
	"strings"
	"sync"

	pq "github.com/parquet-go/parquet-go"
	"github.com/parquet-go/parquet-go/format"
)

// bytesAt is the content of a file. A file on disk is open only between
// acquire and release, so that a capture may have more files than a process
// may hold open.
type bytesAt struct {
	path  string      // of a file on disk
	in    io.ReaderAt // of content in memory
	mu    sync.Mutex
	file  *os.File
	users int
}

func (s *bytesAt) acquire() error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.users == 0 && s.in == nil {
		f, err := os.Open(s.path)
		if err != nil {
			return err
		}
		s.file = f
	}
	s.users++
	return nil
}

func (s *bytesAt) release() {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.users--; s.users == 0 && s.file != nil {
		s.file.Close()
		s.file = nil
	}
}

func (s *bytesAt) ReadAt(b []byte, off int64) (int, error) {
	if s.in != nil {
		return s.in.ReadAt(b, off)
	}
	return s.file.ReadAt(b, off)
}

// file is one Parquet file whose footer has been checked.
type file struct {
	name    string
	size    int64
	content *bytesAt
	pq      *pq.File
	leaves  []pq.LeafColumn
	firsts  []int64   // number in the file of each row group's first row
	meta    *Metadata // what our own writer noted; nil in files of others
}

func openFile(path string) (*file, error) {
	info, err := os.Stat(path)
	if err != nil {
		return nil, err
	}
	return newFile(path, &bytesAt{path: path}, info.Size())
}

// newFile reads and checks the footer. Errors name the file.
func newFile(name string, content *bytesAt, size int64) (f *file, err error) {
	defer func() { err = inFile(name, err) }()
	defer rescue(&err)
	if err := content.acquire(); err != nil {
		return nil, err
	}
	defer content.release()
	if err := checkEnds(content, size); err != nil {
		return nil, err
	}
	p, err := pq.OpenFile(content, size,
		pq.SkipPageIndex(true), pq.SkipBloomFilters(true))
	if err != nil {
		return nil, fmt.Errorf("%w: footer: %w", ErrCorrupt, err)
	}
	f = &file{name: name, size: size, content: content, pq: p}
	f.findLeaves(p.Root(), nil, 0, 0)
	if err := f.checkFooter(); err != nil {
		return nil, err
	}
	if text, ok := p.Lookup(MetadataKey); ok {
		f.meta = new(Metadata)
		if err := json.Unmarshal([]byte(text), f.meta); err != nil {
			return nil, fmt.Errorf("%w: metadata %s: %w", ErrCorrupt, MetadataKey, err)
		}
	}
	return f, nil
}

const (
	magic          = "PAR1"
	magicEncrypted = "PARE"

	signatureBytes = 28 // after the footer of a file with encrypted columns
)

// checkEnds sees that a file begins and ends as Parquet files do and that the
// footer announces nothing that is not there.
func checkEnds(in io.ReaderAt, size int64) error {
	if size < 12 {
		return fmt.Errorf("%w: %d bytes are too few; it may never have been finished", ErrNotParquet, size)
	}
	var head, tail [8]byte
	if _, err := in.ReadAt(head[:4], 0); err != nil {
		return err
	}
	if _, err := in.ReadAt(tail[:], size-8); err != nil && err != io.EOF {
		return err
	}
	switch start, end := string(head[:4]), string(tail[4:]); {
	case start == magicEncrypted && end == magicEncrypted:
		return fmt.Errorf("%w: the file is encrypted; write it without encryption", ErrUnsupported)
	case start != magic:
		return fmt.Errorf("%w: it begins with %q, not %q (CSV, JSON and logs go through twindrift import)", ErrNotParquet, start, magic)
	case end != magic:
		return fmt.Errorf("%w: it ends with %q, not %q; it may be cut short or still being written", ErrNotParquet, end, magic)
	}
	length := int64(binary.LittleEndian.Uint32(tail[:4]))
	if length > size-12 {
		return fmt.Errorf("%w: a footer of %d bytes does not fit a file of %d bytes", ErrNotParquet, length, size)
	}
	footer := make([]byte, length)
	if _, err := in.ReadAt(footer, size-8-length); err != nil {
		return err
	}
	used, err := thriftLength(footer)
	if err != nil {
		return fmt.Errorf("%w: footer: %w", ErrCorrupt, err)
	}
	if len(footer)-used == signatureBytes {
		return fmt.Errorf("%w: the footer is signed, columns of the file are encrypted; write it without encryption", ErrUnsupported)
	}
	return nil
}

// checkFooter sees that the footer agrees with itself.
func (f *file) checkFooter() error {
	meta := f.pq.Metadata()
	if meta.EncryptionAlgorithm.Value != nil {
		return fmt.Errorf("%w: the file is encrypted; write it without encryption", ErrUnsupported)
	}
	if meta.NumRows < 0 {
		return fmt.Errorf("%w: the footer counts %d rows", ErrCorrupt, meta.NumRows)
	}
	sum := int64(0)
	for i := range meta.RowGroups {
		n := meta.RowGroups[i].NumRows
		if n < 0 || n > math.MaxInt64-sum {
			return &placed{f.name, i, "", -1, fmt.Errorf("%w: it counts %d rows", ErrCorrupt, n)}
		}
		f.firsts = append(f.firsts, sum)
		sum += n
	}
	if sum != meta.NumRows {
		return fmt.Errorf("%w: the footer counts %d rows, its row groups %d", ErrCorrupt, meta.NumRows, sum)
	}
	return nil
}

// rows is the number of rows of a row group.
func (f *file) rows(group int) int64 { return f.pq.Metadata().RowGroups[group].NumRows }

// groups is the number of row groups.
func (f *file) groups() int { return len(f.pq.Metadata().RowGroups) }

// findLeaves lists the columns. The root of the schema does not count, though
// some writers give it levels of its own.
func (f *file) findLeaves(c *pq.Column, path []string, rep, def int) {
	if c.Leaf() {
		f.leaves = append(f.leaves, pq.LeafColumn{Node: c, Path: path, ColumnIndex: c.Index(), MaxRepetitionLevel: rep, MaxDefinitionLevel: def})
		return
	}
	for _, child := range c.Columns() {
		childRep, childDef := rep, def
		if child.Repeated() {
			childRep++
		}
		if !child.Required() {
			childDef++
		}
		f.findLeaves(child, append(path[:len(path):len(path)], child.Name()), childRep, childDef)
	}
}

// column finds a column by the names on its way, joined by dots, and otherwise
// by the same without regard to case. Only columns outside lists and maps
// count.
func (f *file) column(name string) (c pq.LeafColumn, ok bool) {
	for _, leaf := range f.leaves {
		if leaf.MaxRepetitionLevel > 0 {
			continue
		}
		full := joinPath(leaf.Path)
		if full == name {
			return leaf, true
		}
		if !ok && strings.EqualFold(full, name) {
			c, ok = leaf, true
		}
	}
	return c, ok
}

// columnsNamed is how many columns a message names at most.
const columnsNamed = 50

// columnNames names the columns for an error message, with their types.
func (f *file) columnNames() string {
	var names []string
	for i, leaf := range f.leaves {
		if i == columnsNamed {
			return fmt.Sprintf("its columns are %s and %d more", strings.Join(names, ", "), len(f.leaves)-i)
		}
		names = append(names, fmt.Sprintf("%s (%s)", joinPath(leaf.Path), typeName(f.element(leaf))))
	}
	if len(names) == 0 {
		return "it has no columns"
	}
	return "its columns are " + strings.Join(names, ", ")
}

// chunk is the footer's entry of a column in a row group.
func (f *file) chunk(group int, c pq.LeafColumn) *format.ColumnChunk {
	return &f.pq.Metadata().RowGroups[group].Columns[c.ColumnIndex]
}

// element is the footer's entry of a column in the schema.
func (f *file) element(c pq.LeafColumn) *format.SchemaElement {
	schema := f.pq.Metadata().Schema
	leaf := 0
	for i := range schema {
		if schema[i].Type.Valid {
			if leaf == c.ColumnIndex {
				return &schema[i]
			}
			leaf++
		}
	}
	return nil
}

func joinPath(path []string) string { return strings.Join(path, ".") }
