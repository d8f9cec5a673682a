package replay

import (
	"context"
	"errors"
	"io"
	"slices"
	"strings"
	"testing"
)

// listed is a capture of partitions whose timestamps are listed; a batch holds
// one row of the partition asked for and, if with is set, the next of the
// partition after it.
type listed struct {
	timestamps [][]int64
	next       []int
	with       bool
}

func (l *listed) Plan(context.Context, func(done, total int64)) (*Plan, error) {
	p := &Plan{}
	for i, ts := range l.timestamps {
		p.Partitions = append(p.Partitions, Partition{Topic: "t", Number: int32(i), Messages: int64(len(ts)), MinMs: ts[0]})
	}
	return p, nil
}

func (l *listed) Open(context.Context) (Stream, error) {
	l.next = make([]int, len(l.timestamps))
	return l, nil
}

func (l *listed) Next(p int, b *Batch) error {
	if !l.row(p, b) {
		return io.EOF
	}
	if l.with {
		l.row((p+1)%len(l.timestamps), b)
	}
	return nil
}

func (l *listed) row(p int, b *Batch) bool {
	i := l.next[p]
	if i == len(l.timestamps[p]) {
		return false
	}
	l.next[p]++
	b.Partition = append(b.Partition, int32(p))
	b.Offset = append(b.Offset, int64(i))
	b.TimestampMs = append(b.TimestampMs, l.timestamps[p][i])
	return true
}

func (l *listed) Close() error { return nil }

func walkAll(t *testing.T, l *listed, plan *Plan) (order []int64, err error) {
	t.Helper()
	err = Walk(t.Context(), l, plan, func(b *Batch) error {
		order = append(order, b.TimestampMs...)
		return nil
	})
	return order, err
}

func TestWalkKeepsPartitionsLevel(t *testing.T) {
	l := &listed{timestamps: [][]int64{{10, 40, 20, 70}, {5, 30, 60, NoTimestamp}, {50, 80}}}
	plan, _ := l.Plan(t.Context(), nil)
	order, err := walkAll(t, l, plan)
	if err != nil {
		t.Fatal(err)
	}
	// By hand. 5 moves partition 1 to 5, still the least; 30 moves it past
	// partition 0, which stands at 10; and so on. At 60 partition 2, whose
	// first is at 50, goes to its 50 before anybody passes 60.
	if want := []int64{5, 30, 10, 40, 60, 20, 70, 50, 80, NoTimestamp}; !slices.Equal(order, want) {
		t.Errorf("order %v, want %v", order, want)
	}
	l.with = true
	if order, err = walkAll(t, l, plan); err != nil || len(order) != 10 {
		t.Errorf("with rows of other partitions along: %d rows of 10, %v", len(order), err)
	}
}

func TestWalkMissesNoRow(t *testing.T) {
	l := &listed{timestamps: [][]int64{{1, 2, 3}, {1, 2}}}
	plan, _ := l.Plan(t.Context(), nil)
	plan.Partitions[1].Messages = 3
	if _, err := walkAll(t, l, plan); !errors.Is(err, io.EOF) || !strings.Contains(err.Error(), `topic "t" partition 1, with 1 of 3 messages to come`) {
		t.Errorf("a partition that ends early: %v", err)
	}
	l.with = true
	plan.Partitions[1].Messages = 1
	if _, err := walkAll(t, l, plan); err == nil || !strings.Contains(err.Error(), "partition 1 gave 1 messages more than the plan counted") {
		t.Errorf("a partition that goes on: %v", err)
	}
	stop := errors.New("stop")
	if err := Walk(t.Context(), l, plan, func(*Batch) error { return stop }); err != stop {
		t.Errorf("visit's error comes back as %v", err)
	}
}
