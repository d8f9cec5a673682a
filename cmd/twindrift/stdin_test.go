package main

import (
	"context"
	"errors"
	"io"
	"strings"
	"testing"
	"testing/iotest"
)

func TestInterruptibleReadsAll(t *testing.T) {
	text := strings.Repeat("some input\n", 20_000)
	if err := iotest.TestReader(newInterruptible(t.Context(), strings.NewReader(text)), []byte(text)); err != nil {
		t.Error(err)
	}
	broken := errors.New("broken")
	in := newInterruptible(t.Context(), io.MultiReader(strings.NewReader("abc"), iotest.ErrReader(broken)))
	if got, err := io.ReadAll(in); string(got) != "abc" || !errors.Is(err, broken) {
		t.Errorf("got %q, %v; want what came before the error, and the error", got, err)
	}
}

// A read that waits for ever ends with the context, and every later one too.
func TestInterruptibleStopsWaiting(t *testing.T) {
	pipe, w := io.Pipe()
	defer w.Close()
	ctx, cancel := context.WithCancel(t.Context())
	in := newInterruptible(ctx, pipe)
	done := make(chan error)
	go func() {
		_, err := in.Read(make([]byte, 10))
		done <- err
	}()
	cancel()
	if err := <-done; !errors.Is(err, context.Canceled) {
		t.Errorf("error %v", err)
	}
	if n, err := in.Read(make([]byte, 10)); n != 0 || !errors.Is(err, context.Canceled) {
		t.Errorf("read again: %d, %v", n, err)
	}
}
