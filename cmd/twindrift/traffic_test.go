package main

import (
	"bytes"
	"runtime"
	"testing"
)

// Changed traffic, too, depends on the messages alone: not on the number of
// cores, nor on how the capture is cut and interleaved.
func TestChangedTrafficDependsOnMessagesAlone(t *testing.T) {
	const sample = "evening"
	plan, parts := partitionsOf(t, sample)
	flags := []string{"--node", "1+3,2+4", "--scale", "1.7", "--window", "1m..6m"}
	want := runJSON(t, append(flags, "--sample", sample)...)
	for name, cut := range map[string]struct {
		files int
		turns turns
	}{
		"one file in turn":        {1, roundRobin},
		"three files, one by one": {3, oneByOne},
	} {
		dir := t.TempDir()
		write(t, dir, cut.files, plan, parts, cut.turns)
		before := runtime.GOMAXPROCS(1)
		got := runJSON(t, append(flags, dir)...)
		runtime.GOMAXPROCS(before)
		if !bytes.Equal(got, want) {
			t.Errorf("%s: the result differs from the sample's own", name)
		}
	}
}
