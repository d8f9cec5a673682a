package external

import (
	"runtime"
	"testing"
)

// A draw that waits for a program that hangs ends as soon as it is interrupted, and no
// process is started any more.
func TestInterrupt(t *testing.T) {
	g := newGenerator(t, Config{Command: []string{"sh", "-c", "sleep 1000"}})
	failed := make(chan error)
	go func() {
		_, _, err := g.Draw(0, 0)
		failed <- err
	}()
	for g.running.Load() == nil {
		runtime.Gosched()
	}
	g.Interrupt()
	if err := <-failed; err == nil {
		t.Error("the draw has an id")
	}
	if _, _, err := g.Draw(0, 0); err == nil {
		t.Error("the next draw has an id")
	}
}
