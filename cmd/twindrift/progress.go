package main

import (
	"fmt"
	"io"
	"os"
	"strings"
	"time"

	"github.com/schollz/progressbar/v3"
	"golang.org/x/term"
)

const barEvery = 100 * time.Millisecond // between two drawings of a bar

// What is shown for work that takes long. Variables, since the tests of what
// commands print must not depend on how fast the machine is.
var (
	lineEvery     = 10 * time.Second // between two lines where there is no terminal
	worthALastOne = 2 * time.Second  // shorter work leaves no line behind
)

// isTerminal tells whether bars can be drawn on w.
func isTerminal(w io.Writer) bool {
	f, ok := w.(*os.File)
	return ok && os.Getenv("TERM") != "dumb" && term.IsTerminal(int(f.Fd()))
}

// progress shows on stderr how far some work is: a bar with rate and time left
// on a terminal, a plain line every ten seconds elsewhere, nothing at all with
// --quiet. Neither form has colours, so NO_COLOR has nothing to turn off.
//
// label says what is going on ("reading"), unit what is counted ("messages";
// "bytes" are shown as kB, MB and so on). update(done, total) may be called as
// often as convenient, by one goroutine at a time; total is 0 while it is not
// known and may change. finish takes the bar away, leaves a last line if the
// work took more than two seconds, and may be called more than once: defer it.
func (t *terminal) progress(label, unit string) (update func(done, total int64), finish func()) {
	if t.quiet {
		return func(int64, int64) {}, func() {}
	}
	start := time.Now()
	m := &meter{
		w: t.err, label: label, unit: unit, onTerminal: t.onTerminal,
		elapsed: func() time.Duration { return time.Since(start) },
	}
	m.next = m.every()
	m.narrow = t.onTerminal && isNarrow(t.err)
	return m.update, m.finish
}

// isNarrow tells whether a terminal has no room for a bar and all that is said of it.
func isNarrow(w io.Writer) bool {
	f, ok := w.(*os.File)
	if !ok {
		return false
	}
	width, _, err := term.GetSize(int(f.Fd()))
	return err == nil && width < 80
}

// passes is the progress of a run: of its reading, and then of what label says.
func (t *terminal) passes(label string) (planning, replaying func(done, total int64), finish func()) {
	planning, end := t.progress("reading", "messages")
	var update func(done, total int64)
	replaying = func(done, total int64) {
		if update == nil {
			end()
			update, end = t.progress(label, "messages")
		}
		update(done, total)
	}
	return planning, replaying, func() { end() }
}

// meter is the progress of one piece of work.
type meter struct {
	w           io.Writer
	label, unit string
	onTerminal  bool
	narrow      bool                 // the rate is left out
	elapsed     func() time.Duration // since the work began
	next        time.Duration        // when to show something again
	done, total int64
	bar         *progressbar.ProgressBar // nil until something was drawn
	barTotal    int64
	finished    bool
}

func (m *meter) every() time.Duration {
	if m.onTerminal {
		return barEvery
	}
	return lineEvery
}

func (m *meter) update(done, total int64) {
	m.done, m.total = done, total
	now := m.elapsed()
	if now < m.next || m.finished {
		return
	}
	m.next = now + m.every()
	if m.onTerminal {
		m.draw(now)
		return
	}
	fmt.Fprintln(m.w, m.line(now))
}

// draw brings the bar up to date. A bar that is full, or that did not know its
// total, cannot go on with another total: a new one takes its place.
func (m *meter) draw(now time.Duration) {
	known := m.total > 0
	if m.bar == nil || known != (m.barTotal > 0) || known && m.bar.IsFinished() && m.done < m.total {
		m.bar = m.newBar()
	} else if known && m.total != m.barTotal {
		m.bar.ChangeMax64(m.total)
	}
	m.barTotal = m.total
	done := m.done
	if known {
		done = min(done, m.total)
	}
	// What cannot be drawn is not worth stopping the work for.
	_ = m.bar.Set64(done)
	said := m.label + " " + m.amount()
	if !m.narrow {
		said += ", " + m.rate(now, "")
	}
	m.bar.Describe(said)
}

func (m *meter) newBar() *progressbar.ProgressBar {
	total := int64(-1)
	if m.total > 0 {
		total = m.total
	}
	return progressbar.NewOptions64(total,
		progressbar.OptionSetWriter(m.w),
		progressbar.OptionSetDescription(m.label),
		progressbar.OptionShowDescriptionAtLineEnd(), // with the rate since the work began, not since the bar was drawn
		progressbar.OptionSetWidth(16),
		progressbar.OptionSetPredictTime(false),
		progressbar.OptionUseANSICodes(true),
		progressbar.OptionSetSpinnerChangeInterval(0), // else it spins in a goroutine of its own
	)
}

// line is the progress as a sentence.
func (m *meter) line(now time.Duration) string {
	share := ""
	if m.total > 0 {
		share = fmt.Sprintf(" (%d %%)", 100*min(m.done, m.total)/m.total)
	}
	return fmt.Sprintf("%s: %s%s, %s", m.label, m.amount(), share, m.rate(now, m.unit))
}

// amount is how much is done, and of how much: 2.50 M of 5.40 M messages.
func (m *meter) amount() string {
	done := quantity(float64(m.done), m.unit)
	if m.total <= 0 {
		return done
	}
	if m.unit != "bytes" {
		done = strings.TrimSuffix(done, " "+m.unit)
	}
	return done + " of " + quantity(float64(m.total), m.unit)
}

// rate is how fast it goes, in a unit that may go without saying, and how long it will.
func (m *meter) rate(now time.Duration, unit string) string {
	if m.unit == "bytes" {
		unit = m.unit
	}
	rate := float64(m.done) / now.Seconds()
	s := strings.TrimSuffix(quantity(rate, unit), " ") + "/s"
	if left := float64(m.total - m.done); left > 0 && rate > 0 {
		s += fmt.Sprintf(", %s left", seconds(left/rate))
	}
	return s
}

func (m *meter) finish() {
	if m.finished {
		return
	}
	m.finished = true
	if m.bar != nil {
		io.WriteString(m.w, "\r\033[2K")
	}
	if now := m.elapsed(); now > worthALastOne {
		fmt.Fprintf(m.w, "%s: %s in %s, %s/s\n", m.label, quantity(float64(m.done), m.unit),
			now.Round(100*time.Millisecond), quantity(float64(m.done)/now.Seconds(), m.unit))
	}
}

// quantity writes a count with its unit and three or four digits: 950
// messages, 12.3 k messages, 4.56 MB.
func quantity(n float64, unit string) string {
	prefix := ""
	for _, p := range []string{"k", "M", "G", "T"} {
		if n < 999.5 {
			break
		}
		n /= 1000
		prefix = p
	}
	digits := 0
	switch {
	case prefix == "" || n >= 99.95:
	case n >= 9.995:
		digits = 1
	default:
		digits = 2
	}
	switch {
	case unit == "bytes":
		return fmt.Sprintf("%.*f %sB", digits, n, prefix)
	case prefix == "":
		return fmt.Sprintf("%.0f %s", n, unit)
	}
	return fmt.Sprintf("%.*f %s %s", digits, n, prefix, unit)
}

// seconds writes a time left to the second; longer than a hundred hours is
// no more than a guess.
func seconds(s float64) string {
	if s > 360_000 {
		return "more than 100 h"
	}
	return (time.Duration(s+0.5) * time.Second).String()
}
