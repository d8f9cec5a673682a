package main

import (
	"bytes"
	"os"
	"regexp"
	"runtime"
	"strings"
	"testing"
	"time"
)

// testMeter is a meter on a clock that the test moves.
func testMeter(w *bytes.Buffer, onTerminal bool, unit string) (m *meter, now *time.Duration) {
	now = new(time.Duration)
	m = &meter{w: w, label: "reading", unit: unit, onTerminal: onTerminal, elapsed: func() time.Duration { return *now }}
	m.next = m.every()
	return m, now
}

func TestProgressOffTerminalIsALineNowAndThen(t *testing.T) {
	var w bytes.Buffer
	m, now := testMeter(&w, false, "messages")
	for ms := int64(0); ms <= 25_000; ms += 50 { // 2000 messages a second
		*now = time.Duration(ms) * time.Millisecond
		m.update(2*ms, 60_000)
	}
	m.finish()
	m.finish()
	m.update(60_000, 60_000)
	want := "reading: 20.0 k of 60.0 k messages (33 %), 2.00 k messages/s, 20s left\n" +
		"reading: 40.0 k of 60.0 k messages (66 %), 2.00 k messages/s, 10s left\n" +
		"reading: 50.0 k messages in 25s, 2.00 k messages/s\n"
	if w.String() != want {
		t.Errorf("got\n%swant\n%s", &w, want)
	}
}

func TestProgressWithoutTotal(t *testing.T) {
	var w bytes.Buffer
	m, now := testMeter(&w, false, "bytes")
	*now = 10 * time.Second
	m.update(25_000_000, 0)
	if want := "reading: 25.0 MB, 2.50 MB/s\n"; w.String() != want {
		t.Errorf("got %q, want %q", w.String(), want)
	}
}

func TestProgressOfShortWorkLeavesNothing(t *testing.T) {
	var w bytes.Buffer
	m, now := testMeter(&w, false, "messages")
	*now = 2 * time.Second
	m.update(10, 10)
	m.finish()
	if w.Len() > 0 {
		t.Errorf("got %q, want nothing", w.String())
	}
}

func TestProgressBarOnTerminal(t *testing.T) {
	for _, c := range []struct {
		name, unit string
		total      int64
		want       string
	}{
		{"messages", "messages", 1000, `50% \|█+ +\| +reading 500 of 1.00 k messages, 5.00 k/s, 0s left`},
		{"bytes", "bytes", 1000, `50% \|█+ +\| +reading 500 B of 1.00 kB, 5.00 kB/s, 0s left`},
		{"no total", "messages", 0, `reading 500 messages, 5.00 k/s`},
	} {
		t.Run(c.name, func(t *testing.T) {
			var w bytes.Buffer
			m, now := testMeter(&w, true, c.unit)
			m.update(1, c.total)
			if w.Len() > 0 {
				t.Fatalf("drew %q before it was time", w.String())
			}
			*now = barEvery
			m.update(500, c.total)
			drawn := w.Len()
			m.update(501, c.total)
			if w.Len() != drawn {
				t.Errorf("drew twice within %v: %q", barEvery, w.String())
			}
			if !regexp.MustCompile(c.want).MatchString(w.String()) {
				t.Errorf("got %q, want a match of %s", w.String(), c.want)
			}
			if colour := regexp.MustCompile(`\x1b\[[0-9;]*m`); colour.MatchString(w.String()) {
				t.Errorf("colours in %q", w.String())
			}
			*now = 3 * time.Second
			m.finish()
			if lines := strings.Split(w.String(), "\r\033[2K"); !strings.HasPrefix(lines[len(lines)-1], "reading: 501 ") {
				t.Errorf("got %q, want the bar gone and a last line", w.String())
			}
		})
	}
}

func TestProgressBarOnANarrowTerminal(t *testing.T) {
	var w bytes.Buffer
	m, now := testMeter(&w, true, "messages")
	m.narrow = true
	*now = barEvery
	m.update(500, 1000)
	if got := w.String(); !strings.Contains(got, "reading 500 of 1.00 k messages ") || strings.Contains(got, "k/s") {
		t.Errorf("got %q, want no rate", got)
	}
}

// A total that comes late, grows, or was too small never breaks the bar.
func TestProgressBarTotalChanges(t *testing.T) {
	var w bytes.Buffer
	m, now := testMeter(&w, true, "messages")
	for _, u := range []struct {
		done, total int64
		want        string
	}{
		{10, 0, "reading 10 messages, "}, {50, 200, " 25% "}, {100, 400, " 25% "}, {500, 400, "100% "},
		{500, 1000, " 50% "}, {600, 0, "reading 600 messages, "}, {600, 600, "100% "},
	} {
		*now += barEvery
		w.Reset()
		m.update(u.done, u.total)
		if !strings.Contains(w.String(), u.want) {
			t.Errorf("%d of %d: got %q, want %q in it", u.done, u.total, w.String(), u.want)
		}
	}
}

func TestProgressGoesNowhereElse(t *testing.T) {
	var out, errw bytes.Buffer
	work := func(tt *terminal) {
		update, finish := tt.progress("reading", "messages")
		for i := range int64(1000) {
			update(i, 1000)
		}
		finish()
	}
	work(&terminal{out: &out, err: &errw})                                // a pipe
	work(&terminal{out: &out, err: &errw, onTerminal: true, quiet: true}) // told to be quiet
	if out.Len()+errw.Len() > 0 {
		t.Errorf("stdout %q, stderr %q, want nothing", out.String(), errw.String())
	}
}

func TestIsTerminal(t *testing.T) {
	t.Setenv("TERM", "xterm")
	pipe, other, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	defer pipe.Close()
	defer other.Close()
	if isTerminal(&bytes.Buffer{}) || isTerminal(other) {
		t.Error("a buffer or a pipe is taken for a terminal")
	}
	if runtime.GOOS != "linux" {
		return
	}
	pty, err := os.OpenFile("/dev/ptmx", os.O_RDWR, 0) // the near end of a new pseudo-terminal
	if err != nil {
		t.Fatal(err)
	}
	defer pty.Close()
	if !isTerminal(pty) {
		t.Error("a pseudo-terminal is not taken for a terminal")
	}
	t.Setenv("TERM", "dumb")
	if isTerminal(pty) {
		t.Error("a bar would be drawn on a dumb terminal")
	}
}

func TestQuantity(t *testing.T) {
	for _, c := range []struct {
		n    float64
		unit string
		want string
	}{
		{0, "messages", "0 messages"}, {999, "messages", "999 messages"}, {999.6, "messages", "1.00 k messages"},
		{12_345, "messages", "12.3 k messages"}, {999_499, "messages", "999 k messages"}, {4_560_000, "bytes", "4.56 MB"},
		{512, "bytes", "512 B"}, {2e12, "messages", "2.00 T messages"}, {5e15, "bytes", "5000 TB"},
	} {
		if got := quantity(c.n, c.unit); got != c.want {
			t.Errorf("quantity(%g, %s) = %q, want %q", c.n, c.unit, got, c.want)
		}
	}
}

func BenchmarkProgressUpdate(b *testing.B) {
	tt := &terminal{err: &bytes.Buffer{}, onTerminal: true}
	update, finish := tt.progress("reading", "messages")
	for i := range int64(b.N) {
		update(i, int64(b.N))
	}
	finish()
}
