package external

import (
	"errors"
	"fmt"
	"io"
	"math"
	"slices"
	"sync/atomic"
	"time"

	"twindrift/generator"
)

var (
	_ generator.Generator = (*Generator)(nil)
	_ generator.Batcher   = (*Generator)(nil)
	_ io.Closer           = (*Generator)(nil)
)

// Generator draws ids from a process of its own, and belongs to one goroutine. It must be
// closed. After an error that is not a refusal it is broken: the process is gone, and
// every draw gives that error again.
type Generator struct {
	cfg     Config
	framing framing
	process *process // nil where none runs

	running     atomic.Pointer[process] // the last one started, for Interrupt
	interrupted atomic.Bool

	broken error
	told   bool // a draw has given broken
	closed bool

	// Draw is a batch of one.
	event, now [1]int64
	partition  [1]int32
	id         [1]int64
	kind       [1]generator.Kind
	hops       [1]int32

	grace     time.Duration // for a process to end after its input has
	lastWords time.Duration // for a process that failed to end by itself, so that its status is known
}

// New makes a generator; the process is started at the first draw.
func New(cfg Config) (*Generator, error) {
	cfg, err := cfg.resolved()
	if err != nil {
		return nil, err
	}
	g := &Generator{cfg: cfg, grace: 2 * time.Second, lastWords: time.Second}
	if cfg.Framing == NDJSON {
		g.framing = &ndjson{}
	} else {
		g.framing = &binaryFrames{}
	}
	return g, nil
}

// Layout is what the digits of the ids mean, as configured.
func (g *Generator) Layout() generator.Layout { return g.cfg.Layout }

// Draw is a batch of one message, of partition index 0. A status other than 0 is a
// *RefusedError; any other error is an *Error. A batch is faster by far.
func (g *Generator) Draw(eventMs, nowMs int64) (int64, generator.Outcome, error) {
	g.event[0], g.now[0], g.partition[0] = eventMs, nowMs, 0
	c := generator.Calls{EventMs: g.event[:], NowMs: g.now[:], AtNs: g.now[:], Partition: g.partition[:]}
	if err := g.DrawBatch(c, g.id[:], g.kind[:], g.hops[:]); err != nil {
		return 0, generator.Outcome{}, err
	}
	if g.kind[0].Refused() {
		return 0, generator.Outcome{}, &RefusedError{EventMs: eventMs, Status: g.framing.refusedStatus()}
	}
	return g.id[0], generator.Outcome{}, nil
}

// DrawBatch draws for many messages in their order, in requests of Config.Batch
// (generator.Batcher); hops are 0. The error is an *Error, and then some of the columns
// may be filled.
func (g *Generator) DrawBatch(c generator.Calls, ids []int64, kinds []generator.Kind, hops []int32) error {
	n := c.Len()
	if n == 0 {
		return nil
	}
	if err := g.checkPartitions(c.Partition); err != nil {
		return err
	}
	if err := g.ready(); err != nil {
		return err
	}
	p := g.process
	p.deadline.Reset(g.cfg.Timeout)
	for at, asked, flying := 0, 0, 0; at < n; flying-- {
		for ; asked < n && flying < InFlight; flying++ {
			to := min(asked+g.cfg.Batch, n)
			p.requests <- request{c.Cut(asked, to), int32(g.cfg.Node)}
			asked = to
		}
		to := min(at+g.cfg.Batch, n)
		answered, err := g.framing.decode(p.out, ids[at:to], kinds[at:to])
		if err == nil {
			err = <-p.sent // the columns are the caller's again
		}
		if i := slices.IndexFunc(ids[at:at+answered], isNone); err == nil && i >= 0 {
			answered, err = i, &answerError{fmt.Sprintf("the id %d", ids[at+i]), adviceNone}
		}
		if err != nil {
			return g.fail(err, answered, to-at)
		}
		if at = to; at < n {
			p.deadline.Reset(g.cfg.Timeout)
		}
	}
	if !p.deadline.Stop() {
		return g.fail(errTooLong, n, n)
	}
	if p.out.Buffered() > 0 {
		return g.fail(surplus(p.out), n, n)
	}
	clear(hops[:n])
	return nil
}

// checkPartitions sees that every index has a number.
func (g *Generator) checkPartitions(index []int32) error {
	if g.cfg.PartitionNumber == nil {
		return nil
	}
	for _, i := range index {
		if i < 0 || int(i) >= len(g.cfg.PartitionNumber) {
			return fmt.Errorf("external generator: partition index %d: there are numbers of %d partitions", i, len(g.cfg.PartitionNumber))
		}
	}
	return nil
}

// ready sees that a process runs.
func (g *Generator) ready() error {
	switch {
	case g.broken != nil:
		g.told = true
		return g.broken
	case g.interrupted.Load():
		return fmt.Errorf("external generator %s: interrupted", commandLine(g.cfg.Command))
	case g.closed:
		return fmt.Errorf("external generator %s: it is closed", commandLine(g.cfg.Command))
	case g.process != nil:
		return nil
	}
	p, err := start(g.cfg, g.framing)
	if err != nil {
		g.broken, g.told = &Error{Command: g.cfg.Command, Err: fmt.Errorf("%w: %w", ErrNotStarted, err), Advice: adviceStart}, true
		return g.broken
	}
	g.process = p
	g.running.Store(p)
	if g.interrupted.Load() { // meanwhile
		p.takeDown()
	}
	return nil
}

// Reset ends the process, as Close does; the next draw starts a new one. What Close would
// give as an error, that draw gives.
func (g *Generator) Reset() {
	if err := g.stop(); err != nil {
		g.broken = err
	}
}

// Close ends the input of the process, waits until it has ended, and kills it if that
// takes more than 2 s, which is no error. Answers that were not asked for are one, and so
// is an exit status other than 0. So is what broke the generator, where no draw has said it.
func (g *Generator) Close() error {
	g.closed = true
	if err := g.stop(); err != nil {
		return err
	}
	if g.broken != nil && !g.told {
		g.told = true
		return g.broken
	}
	return nil
}

// stop ends the process in good order.
func (g *Generator) stop() error {
	p := g.process
	if p == nil {
		return nil
	}
	g.process = nil
	status, extra := p.finish(g.grace)
	e := &Error{Command: g.cfg.Command, Status: status.text, Stderr: p.stderr.String()}
	switch {
	case extra != nil:
		e.Err, e.Advice = extra, adviceSurplus
	case !status.clean:
		e.Err, e.Advice = fmt.Errorf("%w badly when its standard input ended", ErrEnded), adviceClose
	default:
		return nil
	}
	return e
}

// Interrupt kills the process, and lets none be started any more: the draw at hand fails
// at once. It may be called while another goroutine draws.
func (g *Generator) Interrupt() {
	g.interrupted.Store(true)
	if p := g.running.Load(); p != nil {
		p.takeDown()
	}
}

// Floor is the smallest int64: nothing is known of the ids to come.
func (g *Generator) Floor(_, _ int64) int64 { return math.MinInt64 }

// fail takes the process down and says why, where answered of the asked messages of a
// request were answered.
func (g *Generator) fail(why error, answered, asked int) error {
	p := g.process
	g.process = nil
	expired := p.expired.Load()
	status := p.abandon(g.lastWords)
	e := &Error{Command: g.cfg.Command, Status: status.text, Stderr: p.stderr.String()}
	var bad *answerError
	switch {
	case expired:
		e.Err, e.Advice = fmt.Errorf("%w: %d of %d messages answered within %v", ErrTimeout, answered, asked, g.cfg.Timeout), adviceTimeout
	case errors.As(why, &bad):
		e.Err, e.Advice = why, bad.advice
	case status.running:
		e.Err, e.Advice = fmt.Errorf("%w, standard input or output, after %d of %d messages of a request were answered", ErrClosedPipe, answered, asked), adviceEnded
	default:
		e.Err, e.Advice = fmt.Errorf("%w after %d of %d messages of a request were answered", ErrEnded, answered, asked), adviceEnded
	}
	g.broken, g.told = e, true
	return e
}
