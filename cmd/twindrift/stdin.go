package main

import (
	"context"
	"io"
)

// interruptible is a reader that gives up waiting for input when its context
// ends: a read of a terminal or a pipe cannot be called back otherwise. The
// read that was waited for then stays behind; the process ends soon.
type interruptible struct {
	ctx     context.Context
	in      io.Reader
	buf     []byte
	ready   []byte // read and not handed out yet
	err     error  // comes after ready
	reading chan read
}

// read is what came of a read into the buffer.
type read struct {
	n   int
	err error
}

func newInterruptible(ctx context.Context, in io.Reader) *interruptible {
	return &interruptible{ctx: ctx, in: in, reading: make(chan read, 1)}
}

func (r *interruptible) Read(p []byte) (int, error) {
	if len(r.ready) == 0 && r.err == nil {
		if r.buf == nil {
			r.buf = make([]byte, 1<<16)
		}
		go func() {
			n, err := r.in.Read(r.buf)
			r.reading <- read{n, err}
		}()
		select {
		case <-r.ctx.Done():
			r.err = r.ctx.Err() // for good: the buffer belongs to the read that stays behind
		case got := <-r.reading:
			r.ready, r.err = r.buf[:got.n], got.err
		}
	}
	n := copy(p, r.ready)
	r.ready = r.ready[n:]
	if n == 0 && len(p) > 0 {
		return 0, r.err
	}
	return n, nil
}
