package external

import (
	"bytes"
	"strings"
	"sync"
	"unicode"
)

// What is kept of a process's standard error.
const (
	tailBytes = 2048
	tailLines = 10
)

// tail is a writer that keeps the end of what is written to it.
type tail struct {
	mu   sync.Mutex
	kept []byte // at most twice tailBytes
	cut  bool   // there was more before
}

func (t *tail) Write(b []byte) (int, error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	n := len(b)
	if n > tailBytes {
		b, t.cut = b[n-tailBytes:], true
	}
	if t.kept = append(t.kept, b...); len(t.kept) > 2*tailBytes {
		t.kept, t.cut = append(t.kept[:0], t.kept[len(t.kept)-tailBytes:]...), true
	}
	return n, nil
}

// String is the last lines, whole ones where they fit, without control characters.
func (t *tail) String() string {
	t.mu.Lock()
	defer t.mu.Unlock()
	b, cut := t.kept, t.cut
	if len(b) > tailBytes {
		b, cut = b[len(b)-tailBytes:], true
	}
	if _, whole, found := bytes.Cut(b, []byte("\n")); cut && found && len(whole) > 0 {
		b = whole
	}
	lines := strings.Split(strings.TrimSpace(strings.ToValidUTF8(string(b), "?")), "\n")
	lines = lines[max(0, len(lines)-tailLines):]
	return strings.Map(func(r rune) rune {
		if unicode.IsControl(r) && r != '\n' && r != '\t' {
			return -1
		}
		return r
	}, strings.Join(lines, "\n"))
}
