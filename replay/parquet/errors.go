package parquet

import (
	"errors"
	"fmt"
	"strings"
)

// Kinds of failure, for errors.Is.
var (
	// ErrNotParquet marks a file that is not Parquet, or cut short.
	ErrNotParquet = errors.New("not a whole Parquet file")
	// ErrCorrupt marks a Parquet file that contradicts itself.
	ErrCorrupt = errors.New("corrupt")
	// ErrUnsupported marks what this reader cannot read: encryption, codecs,
	// types.
	ErrUnsupported = errors.New("not supported")
	// ErrTooLarge marks pages that would take more memory than such a file
	// should need.
	ErrTooLarge = errors.New("too large")
	// ErrNoCapture marks paths that hold no captures.
	ErrNoCapture = errors.New("no captures")
)

// placed is an error with its place in a file.
type placed struct {
	file   string
	group  int // -1: the whole file
	column string
	row    int64 // in the row group; -1: not known
	err    error
}

func (e *placed) Error() string {
	var b strings.Builder
	b.WriteString(e.file)
	if e.group >= 0 {
		fmt.Fprintf(&b, ": row group %d", e.group)
	}
	if e.column != "" {
		fmt.Fprintf(&b, ": column %q", e.column)
	}
	if e.row >= 0 {
		fmt.Fprintf(&b, ": row %d", e.row)
	}
	b.WriteString(": " + e.err.Error())
	if errors.Is(e.err, ErrCorrupt) || errors.Is(e.err, ErrNotParquet) {
		b.WriteString("; fetch or write the file again, or leave it out")
	}
	return b.String()
}

func (e *placed) Unwrap() error { return e.err }

// inFile places an error in a file, unless it has a place already.
func inFile(file string, err error) error {
	var p *placed
	if err == nil || errors.As(err, &p) {
		return err
	}
	return &placed{file: file, group: -1, row: -1, err: err}
}

// rescue turns a panic of the Parquet library, which trusts what it reads,
// into an error. To be deferred.
func rescue(err *error) {
	if r := recover(); r != nil {
		*err = fmt.Errorf("%w: the Parquet library gave up: %v", ErrCorrupt, r)
	}
}
