package parquet

import (
	"context"
	"fmt"
	"io"
	"strings"

	"twindrift/replay"
)

// Capture is a set of Parquet files as one replay.Source. Make it with Open or
// OpenReader.
type Capture struct {
	opts   Options
	inputs []*input
	jobs   []job // the row groups with rows, in order of files
	parts  []*part
	plan   *replay.Plan
	rows   int64

	rowless  []*Metadata // of files of ours without rows, which may know of gaps
	optional [roles]bool // columns that only some captures have, and this has
}

// input is a file with its layout.
type input struct {
	*file
	layout *layout
	pieces []*piece
	nulls  int64 // NULL timestamps
}

// job is a row group to be read.
type job struct {
	in     *input
	group  int
	pieces []*piece
}

// part is a partition of the capture as its pieces make it up.
type part struct {
	key     partitionKey
	index   int32 // in the plan; -1 if it has no messages
	pieces  []*piece
	steps   []step
	source  offsetSource
	next    int64 // rows so far, where rows are numbered
	last    int64 // last offset, while pieces come in order
	started bool
	tally   *replay.Tally
	skipped skipped
}

// piece is the rows of one partition in one row group.
type piece struct {
	part   *part
	job    int
	rows   int64
	lo, hi int64 // smallest and largest offset
	base   int64 // the first row's offset, where rows are numbered
	last   int64
	sorted bool // offsets rise
}

// Open opens captures: files, folders (with all that is below them) and
// patterns. Folders are searched for files that are Parquet by name or content;
// +tmp folders, names that begin with _ or a dot, and the .keys.parquet and
// .headers.parquet files of Kafka Connect are passed over, and so are files and
// row groups without rows.
//
// Every file's footer is read. Errors name the file and say what to do; a path
// with no capture in it is an error (ErrNoCapture).
func Open(paths []string, opts Options) (*Capture, error) {
	if err := opts.check(); err != nil {
		return nil, err
	}
	list, err := findFiles(paths)
	if err != nil {
		return nil, err
	}
	c := &Capture{opts: opts}
	for _, path := range list {
		f, err := openFile(path)
		if err != nil {
			return nil, err
		}
		if err := c.add(f); err != nil {
			return nil, err
		}
	}
	return c, c.ready(paths)
}

// OpenReader opens one capture that is not a file on disk, such as an embedded
// one. name stands for its path, in messages and where the path says what the
// columns do not.
func OpenReader(name string, content io.ReaderAt, size int64, opts Options) (*Capture, error) {
	if err := opts.check(); err != nil {
		return nil, err
	}
	f, err := newFile(name, &bytesAt{in: content}, size)
	if err != nil {
		return nil, err
	}
	c := &Capture{opts: opts}
	if err := c.add(f); err != nil {
		return nil, err
	}
	return c, c.ready([]string{name})
}

// add takes a file into the capture, if it has rows.
func (c *Capture) add(f *file) error {
	if f.pq.Metadata().NumRows == 0 {
		if f.meta != nil {
			c.rowless = append(c.rowless, f.meta)
		}
		return nil
	}
	l, err := f.findLayout(&c.opts)
	if err != nil {
		return inFile(f.name, err)
	}
	in := &input{file: f, layout: l}
	c.inputs = append(c.inputs, in)
	for g := range f.groups() {
		if f.rows(g) > 0 {
			c.jobs = append(c.jobs, job{in: in, group: g})
			c.rows += f.rows(g)
		}
	}
	for _, r := range []role{processedRole, messageIDRole, rawRole} {
		c.optional[r] = c.optional[r] || l.has[r]
	}
	return nil
}

// ready finds the unit of plain timestamps.
func (c *Capture) ready(paths []string) error {
	if len(c.inputs) == 0 {
		return fmt.Errorf("%s: %w: no file there has rows", strings.Join(paths, ", "), ErrNoCapture)
	}
	return c.findUnit()
}

// Plan reads the capture once. A capture whose partitions are not in offset
// order, or that holds messages twice, is read a second time, put in order.
func (c *Capture) Plan(ctx context.Context, progress func(done, total int64)) (*replay.Plan, error) {
	if c.plan != nil {
		return c.plan, nil
	}
	if progress == nil {
		progress = func(done, total int64) {}
	}
	c.parts = nil
	for _, in := range c.inputs {
		in.pieces, in.nulls = nil, 0
	}
	for i := range c.jobs {
		c.jobs[i].pieces = nil
	}
	p := &planning{c: c, byKey: map[partitionKey]*part{}, ordered: true}
	if err := c.scan(ctx, p, progress); err != nil {
		return nil, err
	}
	plan, err := p.finish(ctx, progress)
	if err != nil {
		return nil, err
	}
	c.plan = plan
	return plan, nil
}

// Open starts a pass over the messages.
func (c *Capture) Open(ctx context.Context) (replay.Stream, error) {
	if c.plan == nil {
		return nil, fmt.Errorf("parquet: Open before Plan")
	}
	return c.openPass(ctx), nil
}
