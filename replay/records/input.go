package records

import (
	"bufio"
	"bytes"
	"compress/gzip"
	"errors"
	"fmt"
	"io"

	"github.com/klauspost/compress/zstd"
)

// maxRecordBytes is the longest record that is read. A longer one is a sign of
// a quote that is never closed, or of a file that is not text.
const maxRecordBytes = 64 << 20

// source is the text of a file.
type source struct {
	*bufio.Reader
	close func()
}

// newSource takes compression (gzip, Zstandard) and a byte order mark off a
// file.
func newSource(r io.Reader) (*source, error) {
	s := &source{Reader: bufio.NewReaderSize(r, 256<<10), close: func() {}}
	head, err := s.Peek(4)
	if err != nil && err != io.EOF {
		return nil, err
	}
	switch {
	case bytes.HasPrefix(head, []byte{0x1f, 0x8b}):
		z, err := gzip.NewReader(s.Reader)
		if err != nil {
			return nil, fmt.Errorf("gzip: %w", err)
		}
		s.Reader = bufio.NewReaderSize(z, 256<<10)
	case bytes.Equal(head, []byte{0x28, 0xb5, 0x2f, 0xfd}):
		z, err := zstd.NewReader(s.Reader, zstd.WithDecoderConcurrency(1), zstd.WithDecoderMaxMemory(256<<20))
		if err != nil {
			return nil, fmt.Errorf("zstd: %w", err)
		}
		s.close = z.Close
		s.Reader = bufio.NewReaderSize(z, 256<<10)
	case bytes.Equal(head, []byte("PAR1")):
		return nil, errors.New("is a Parquet file; captures in Parquet need no import")
	}
	if head, err = s.Peek(3); bytes.Equal(head, []byte{0xef, 0xbb, 0xbf}) {
		s.Discard(3)
	} else if err != nil && err != io.EOF {
		return nil, err
	}
	head, err = s.Peek(4096)
	if err != nil && err != io.EOF {
		return nil, err
	}
	if bytes.IndexByte(head, 0) >= 0 {
		return nil, errors.New("is not text")
	}
	return s, nil
}

// lines reads text line by line.
type lines struct {
	in   *bufio.Reader
	line int // number of the line read last, from 1
	long []byte
}

// readFilled gives the next line that is not empty, without its end; it is good
// until the next.
func (l *lines) readFilled() ([]byte, error) {
	for {
		if b, err := l.read(); err != nil || len(b) > 0 {
			return b, err
		}
	}
}

func (l *lines) read() ([]byte, error) {
	l.line++
	b, err := l.in.ReadSlice('\n')
	if err == bufio.ErrBufferFull {
		l.long = append(l.long[:0], b...)
		for err == bufio.ErrBufferFull {
			if len(l.long) > maxRecordBytes {
				return nil, fmt.Errorf("line %d is longer than %d MiB", l.line, maxRecordBytes>>20)
			}
			b, err = l.in.ReadSlice('\n')
			l.long = append(l.long, b...)
		}
		b = l.long
	}
	if err == io.EOF && len(b) > 0 {
		err = nil
	}
	if err != nil {
		return nil, err
	}
	return bytes.TrimRight(b, "\r\n"), nil
}

// guard passes text on to a decoder that reads ahead. It stops a record that
// has no end, and counts lines.
type guard struct {
	in    io.Reader
	read  int64 // bytes passed on
	done  int64 // bytes that belong to finished records
	lines bool  // lineAt is going to be called

	newlines []int64 // where the lines begin that the decoder has yet to come to
	line     int     // number of lines before them
}

var errLongRecord = fmt.Errorf("a record is longer than %d MiB", maxRecordBytes>>20)

func (g *guard) Read(p []byte) (int, error) {
	if g.read-g.done > maxRecordBytes {
		return 0, errLongRecord
	}
	n, err := g.in.Read(p)
	for i := 0; g.lines; {
		j := bytes.IndexByte(p[i:n], '\n')
		if j < 0 {
			break
		}
		i += j + 1
		g.newlines = append(g.newlines, g.read+int64(i))
	}
	g.read += int64(n)
	return n, err
}

// lineAt gives the number, from 1, of the line that a byte stands in. Bytes
// before it are done with.
func (g *guard) lineAt(at int64) int {
	i := 0
	for i < len(g.newlines) && g.newlines[i] <= at {
		i++
	}
	g.newlines = g.newlines[i:]
	g.line += i
	g.done = at
	return g.line + 1
}
