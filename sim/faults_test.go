package sim

import (
	"context"
	"errors"
	"runtime"
	"strings"
	"testing"

	"twindrift/replay"
	"twindrift/sim/result"
	"twindrift/sim/scenario"
)

// faulty is a Source whose streams do something else after some batches.
type faulty struct {
	*replay.Memory
	after  int // batches
	then   func(ctx context.Context) error
	closed int
}

type faultyStream struct {
	replay.Stream
	source *faulty
	ctx    context.Context
	left   int
}

func (f *faulty) Open(ctx context.Context) (replay.Stream, error) {
	s, err := f.Memory.Open(ctx)
	return &faultyStream{s, f, ctx, f.after}, err
}

func (s *faultyStream) Next(p int, b *replay.Batch) error {
	if s.left--; s.left < 0 {
		if err := s.source.then(s.ctx); err != nil {
			return err
		}
	}
	return s.Stream.Next(p, b)
}

func (s *faultyStream) Close() error {
	s.source.closed++
	return s.Stream.Close()
}

// checkGone checks that Run, which waits for all that it has started, has left
// nothing behind: that no other goroutine is in our code. (One that has left it
// may still be about to end.)
func checkGone(t *testing.T) {
	t.Helper()
	stacks := make([]byte, 1<<20)
	others := strings.Split(string(stacks[:runtime.Stack(stacks, true)]), "\n\n")[1:]
	for _, stack := range others {
		if strings.Contains(stack, "\ntwindrift/") {
			t.Errorf("left behind: %s", stack)
		}
	}
}

// faultsIn runs a capture of 16 batches and half a dozen epochs through three
// sites with deliveries, so that every kind of stage is at work.
func faultsIn(t *testing.T, ctx context.Context, source replay.Source, sink *deliverySink) error {
	t.Helper()
	sc := scenario.Default()
	sc.Sites = append(sc.Sites, scenario.NewSite("third", 3, 4))
	r, err := Run(ctx, Config{Source: source, Scenario: sc, Deliveries: sink.open, epochBlocks: 8})
	checkGone(t)
	if (r == nil) != (err != nil) {
		t.Errorf("result %v, error %v", r != nil, err)
	}
	return err
}

var faultyTraffic = traffic(50_000, 4, 20_000, 50)

func TestStreamFails(t *testing.T) {
	broken := errors.New("the disk is gone")
	for _, after := range []int{0, 5, 15} {
		source := &faulty{Memory: faultyTraffic, after: after, then: func(context.Context) error { return broken }}
		if err := faultsIn(t, t.Context(), source, &deliverySink{}); !errors.Is(err, broken) || source.closed != 1 {
			t.Errorf("after %d batches: error %v, closed %d times", after, err, source.closed)
		}
	}
}

func TestCancelled(t *testing.T) {
	for _, after := range []int{0, 5, 15} {
		ctx, cancel := context.WithCancel(t.Context())
		source := &faulty{Memory: faultyTraffic, after: after, then: func(context.Context) error { cancel(); return nil }}
		if err := faultsIn(t, ctx, source, &deliverySink{}); !errors.Is(err, context.Canceled) || source.closed != 1 {
			t.Errorf("after %d batches: error %v, closed %d times", after, err, source.closed)
		}
	}
}

// The reason of a cancellation is the error of the run.
func TestCancelledForAReason(t *testing.T) {
	reason := errors.New("enough")
	ctx, cancel := context.WithCancelCause(t.Context())
	source := &faulty{Memory: faultyTraffic, after: 3, then: func(context.Context) error { cancel(reason); return nil }}
	if err := faultsIn(t, ctx, source, &deliverySink{}); !errors.Is(err, reason) {
		t.Errorf("error %v", err)
	}
}

// When a later stage fails, a source that waits for messages is told.
func TestSinkFailsWhileTheSourceWaits(t *testing.T) {
	full := errors.New("the disk is full")
	source := &faulty{Memory: faultyTraffic, after: 12, then: func(ctx context.Context) error {
		<-ctx.Done()
		return ctx.Err()
	}}
	if err := faultsIn(t, t.Context(), source, &deliverySink{fail: full}); !errors.Is(err, full) || source.closed != 1 {
		t.Errorf("error %v, closed %d times", err, source.closed)
	}
}

func TestSinkIsRefused(t *testing.T) {
	_, err := Run(t.Context(), Config{Source: faultyTraffic, Scenario: scenario.Default(),
		Deliveries: func([]result.InputPartition) (result.DeliverySink, error) { return nil, errors.ErrUnsupported }})
	if !errors.Is(err, errors.ErrUnsupported) {
		t.Errorf("error %v", err)
	}
}

// changed is a capture that has other messages at its second pass.
type changed struct{ first, second *replay.Memory }

func (c changed) Plan(ctx context.Context, progress func(done, total int64)) (*replay.Plan, error) {
	return c.first.Plan(ctx, progress)
}

func (c changed) Open(ctx context.Context) (replay.Stream, error) { return c.second.Open(ctx) }

func TestCaptureChangesBetweenPasses(t *testing.T) {
	full, short := &replay.Memory{}, &replay.Memory{}
	for p, n := range []int{9000, 9000, 5000} {
		full.Partition("t", int32(p), batchOf(every(3, evening, 9000)...))
		short.Partition("t", int32(p), batchOf(every(3, evening, n)...))
	}
	for source, want := range map[changed]string{
		{full, short}: "t/2: the second pass found 5000 messages, the first 9000",
		{short, full}: "t/2: the second pass found 9000 messages, the first 5000",
	} {
		if _, err := Run(t.Context(), Config{Source: source, Scenario: scenario.Default(), epochBlocks: 2}); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("error %v, want %q", err, want)
		}
	}
}

// A site that falls behind past the end of virtual time says so.
func TestBacklogPastTheEndOfTime(t *testing.T) {
	sc := scenario.Default()
	if err := sc.Sites[1].Consumers[0].Service.UnmarshalText([]byte("720h")); err != nil {
		t.Fatal(err)
	}
	_, err := Run(t.Context(), Config{Source: traffic(5000, 2, 1000, 0), Scenario: sc, epochBlocks: 1})
	if err == nil || !strings.Contains(err.Error(), "site west, node 2") || !strings.Contains(err.Error(), "2262") {
		t.Errorf("error %v", err)
	}
}

// canceller is a sink that cancels its run at some delivery.
type canceller struct {
	deliverySink
	at     int
	cancel func()
}

func (c *canceller) open(p []result.InputPartition) (result.DeliverySink, error) {
	_, err := c.deliverySink.open(p)
	return c, err
}

func (c *canceller) Deliver(d *result.Deliveries) error {
	if c.at--; c.at == 0 {
		c.cancel()
	}
	return c.deliverySink.Deliver(d)
}

// So it is where seconds are closed piece by piece, from disk, and after the last draws.
func TestCancelledWhileSecondsClose(t *testing.T) {
	source := traffic(2000, 4, 100_000, 50)
	source.BlockRows = 16
	sc := scenario.Default()
	sc.Sites = append(sc.Sites, scenario.NewSite("third", 3, 4))
	cancelled := 0
	for at := 1; ; at += 13 {
		ctx, cancel := context.WithCancel(t.Context())
		sink := &canceller{at: at, cancel: cancel}
		r, err := Run(ctx, Config{Source: source, Scenario: sc, Deliveries: sink.open, Memory: 1, TempDir: t.TempDir(), epochBlocks: 1})
		cancel()
		checkGone(t)
		if (r == nil) != (err != nil) || err != nil && !errors.Is(err, context.Canceled) {
			t.Fatalf("cancelled at delivery %d: result %v, error %v", at, r != nil, err)
		}
		if sink.at > 0 { // there are no more
			break
		}
		if err != nil {
			cancelled++
		}
	}
	if cancelled < 20 {
		t.Errorf("%d runs were cancelled, too few for a test", cancelled)
	}
}
