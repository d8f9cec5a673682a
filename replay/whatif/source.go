package whatif

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"math"
	"slices"
	"strings"

	"twindrift/replay"
	"twindrift/replay/figure"
)

// Source is a changed capture.
type Source struct {
	of      replay.Source
	changes Changes
	bounds  *bounds
	inner   *replay.Plan
	order   []int // of the partitions of the plan: their places in bounds.parts
	places  []int // the other way round; -1 for partitions without messages
}

// New is a capture with changes, which must pass Check.
func New(of replay.Source, changes Changes) *Source { return &Source{of: of, changes: changes} }

// Plan goes over the capture, then over the changed capture, and says what is
// in the latter. Its notes are those of the capture, and one of kind "traffic"
// that says what was changed.
func (s *Source) Plan(ctx context.Context, progress func(done, total int64)) (*replay.Plan, error) {
	if err := s.changes.Check(); err != nil {
		return nil, fmt.Errorf("traffic: %w", err)
	}
	passes := int64(s.changes.Repeat) + 1
	var rows int64
	var first func(done, total int64)
	if progress != nil {
		first = func(done, total int64) {
			rows = total
			progress(done, total*passes)
		}
	}
	var err error
	if s.inner, err = s.of.Plan(ctx, first); err != nil {
		return nil, err
	}
	if s.bounds, err = s.changes.boundsIn(s.inner); err != nil {
		return nil, fmt.Errorf("traffic: %w", err)
	}
	rows = max(rows, s.inner.Messages)
	plan, err := s.count(ctx, func(read int64) {
		if progress != nil {
			progress(min(rows+read, rows*passes), rows*passes)
		}
	})
	if err != nil {
		return nil, err
	}
	if plan.Messages == 0 && s.inner.Messages > 0 {
		return nil, fmt.Errorf("traffic: %s: of %s none is left; take more", s.changes.describe(), figure.Counted(s.inner.Messages, "message"))
	}
	s.arrange(plan)
	plan.Silent = s.silent()
	plan.Notes = append(append([]replay.Note{}, s.inner.Notes...), replay.Note{
		Kind: "traffic", Rows: plan.Messages,
		Text: fmt.Sprintf("the traffic is changed: %s; of %s it makes %s", s.changes.describe(), figure.Counted(s.inner.Messages, "message"), figure.Count(plan.Messages)),
	})
	return plan, nil
}

// count makes one pass over the changed capture, keeping the partitions about
// level in time, so that little has to be held.
func (s *Source) count(ctx context.Context, progress func(read int64)) (*replay.Plan, error) {
	planner := replay.Planner{BlockRows: int(s.inner.BlockRows)}
	n := len(s.bounds.parts)
	tallies, reach, ended := make([]*replay.Tally, n), make([]int64, n), make([]bool, n)
	for i, index := range s.bounds.parts {
		p := &s.inner.Partitions[index]
		tallies[i], reach[i] = planner.Partition(p.Topic, p.Number), p.MinMs
	}
	pass := s.pass(ctx)
	defer pass.rounds.close()
	var b replay.Batch
	for {
		part := -1
		for i := range reach {
			if !ended[i] && (part < 0 || reach[i] < reach[part]) {
				part = i
			}
		}
		if part < 0 {
			return planner.Plan(), pass.rounds.close()
		}
		b.Reset()
		switch err := pass.next(part, &b); {
		case errors.Is(err, io.EOF):
			ended[part] = true
		case err != nil:
			return nil, err
		}
		tallies[part].Add(b.Offset, b.TimestampMs, b.TimestampType)
		for _, ms := range b.TimestampMs {
			reach[part] = max(reach[part], ms)
		}
		progress(pass.rounds.read)
	}
}

// arrange finds where the partitions of the plan are.
func (s *Source) arrange(plan *replay.Plan) {
	type name struct {
		topic  string
		number int32
	}
	place := map[name]int{}
	for i, index := range s.bounds.parts {
		p := &s.inner.Partitions[index]
		place[name{p.Topic, p.Number}] = i
	}
	s.order, s.places = make([]int, len(plan.Partitions)), make([]int, len(s.bounds.parts))
	for i := range s.places {
		s.places[i] = -1
	}
	for i := range plan.Partitions {
		at := place[name{plan.Partitions[i].Topic, plan.Partitions[i].Number}]
		s.order[i], s.places[at] = at, i
	}
}

// silent are the partitions of the capture that the plan, which has been
// arranged, does not have.
func (s *Source) silent() []replay.Partition {
	silent := slices.Clone(s.inner.Silent)
	for i, place := range s.bounds.selected {
		if place < 0 || s.places[place] < 0 {
			p := &s.inner.Partitions[i]
			silent = append(silent, replay.Partition{Topic: p.Topic, Number: p.Number})
		}
	}
	slices.SortFunc(silent, func(a, b replay.Partition) int {
		return cmp.Or(cmp.Compare(a.Topic, b.Topic), cmp.Compare(a.Number, b.Number))
	})
	return silent
}

// Open starts a pass over the changed capture.
func (s *Source) Open(ctx context.Context) (replay.Stream, error) {
	if s.places == nil {
		return nil, errors.New("whatif: Open before Plan")
	}
	return &stream{pass: s.pass(ctx), order: s.order}, nil
}

// pass is one pass over the changed capture.
type pass struct {
	rounds *rounds
	parts  []partition // those of bounds.parts
}

func (s *Source) pass(ctx context.Context) *pass {
	p := &pass{rounds: newRounds(ctx, s.of, s.bounds, s.changes.Repeat)}
	for i, index := range s.bounds.parts {
		place := math.MaxInt32
		if s.places != nil {
			place = s.places[i]
		}
		p.parts = append(p.parts, newPartition(&s.changes, s.bounds, &s.inner.Partitions[index], int32(place)))
	}
	return p
}

// next appends the next rows of a partition, at least one, or gives io.EOF.
func (p *pass) next(part int, b *replay.Batch) error {
	at := &p.parts[part]
	for from := b.Len(); b.Len() == from; {
		if at.ended {
			return io.EOF
		}
		round, err := p.rounds.next(part, &at.rows)
		switch {
		case errors.Is(err, io.EOF):
			err = at.end(b)
		case err == nil:
			err = at.change(round, b)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// stream is a pass by the partitions of the plan.
type stream struct {
	*pass
	order []int
}

func (s *stream) Next(p int, b *replay.Batch) error { return s.next(s.order[p], b) }

func (s *stream) Close() error { return s.rounds.close() }

// describe says what is changed, in the order in which it is done.
func (c *Changes) describe() string {
	var said []string
	if len(c.Only) > 0 {
		var names []string
		for _, o := range c.Only {
			names = append(names, o.String())
		}
		said = append(said, "only "+strings.Join(names, ", "))
	}
	if !c.Window.isOpen() {
		said = append(said, "window "+c.Window.String())
	}
	if c.Repeat > 1 {
		said = append(said, fmt.Sprintf("repeated %d times", c.Repeat))
	}
	if c.Scale != 1 {
		said = append(said, fmt.Sprintf("scale %g", c.Scale))
	}
	for _, b := range c.Bursts {
		said = append(said, fmt.Sprintf("scale %g in %s", b.Scale, b.Window))
	}
	if c.copies() {
		said = append(said, fmt.Sprintf("copies moved by 0 to %d ms", c.SpreadMs))
	}
	if c.ShiftMs != 0 {
		said = append(said, "shifted by "+short(c.ShiftMs))
	}
	if c.copies() || c.Repeat > 1 {
		said = append(said, "offsets counted anew")
	}
	return strings.Join(said, ", ")
}
