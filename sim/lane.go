package sim

import (
	"errors"
	"fmt"
	"math"
	"slices"

	"twindrift/generator"
	"twindrift/generator/catalog"
	"twindrift/generator/secondslot"
	"twindrift/replay"
	"twindrift/sim/measure"
	"twindrift/sim/site"
)

// lane is one generator at work on a site's draws: a generator a consumer, and
// what is measured of their ids.
type lane struct {
	name      string // "second-slot published"
	capacity  int64  // ids a second and node
	layout    generator.Layout
	byClock   bool
	processes measure.Processes

	gens     []generator.Generator
	saved    []generator.State // the last snapshot of each
	list     *measure.List
	overflow []*measure.Overflow

	eventMs, nowMs, ids []int64 // scratch: the draws that are not filtered
	kinds               []generator.Kind
	hops                []int32
}

// nodeRange is how many units of a second-slot id belong to one node.
const nodeRange = 1_000_000

func newLane(name, variant string, options catalog.Options, processes measure.Processes) (*lane, error) {
	entry, err := catalog.Find(name, variant)
	if err != nil {
		return nil, err
	}
	called := entry.Name + " " + entry.Variant
	if entry.ByClock {
		called = entry.Name // the baseline has no faults to tell apart
	}
	processes.ByClock = entry.ByClock
	processes.Overrun = options.Step*options.PerSecond > nodeRange
	l := &lane{name: called, byClock: entry.ByClock, capacity: int64(options.PerSecond), processes: processes}
	for _, node := range processes.Nodes {
		options.Node = node
		g, layout, err := entry.New(options)
		if err != nil {
			return nil, err
		}
		l.gens, l.saved = append(l.gens, g), append(l.saved, nil)
		l.layout, l.processes.Layout = layout, layout
		if digits, ok := layout.(secondslot.Layout); ok {
			l.processes.Rules = &measure.Rules{Layout: digits, PerSecond: int64(options.PerSecond), JumpLimit: int64(options.JumpLimit), Days: entry.Days}
		}
		l.overflow = append(l.overflow, measure.NewOverflow(node, entry.ByClock))
	}
	l.list = measure.NewList(l.processes)
	return l, nil
}

// draw gives every draw of a consumer that is not filtered its id.
func (l *lane) draw(consumer int, d *site.Draws, out *measure.Drawn, plan *replay.Plan) error {
	out.Resize(d.Len())
	from := 0
	for _, e := range d.Events {
		if err := l.drawRows(consumer, d, out, from, e.Row); err != nil {
			return l.refused(consumer, d, from, err, plan)
		}
		from = e.Row
		l.happens(consumer, e.Kind)
	}
	if err := l.drawRows(consumer, d, out, from, d.Len()); err != nil {
		return l.refused(consumer, d, from, err, plan)
	}
	l.layout.Digits(out.ID, out.OwnerMs, out.Node)
	return nil
}

// happens lets something happen to a consumer's generator.
func (l *lane) happens(consumer int, what site.EventKind) {
	g := l.gens[consumer]
	saver, saves := g.(generator.Snapshotter)
	switch what {
	case site.StateLost:
		g.Reset()
	case site.StateSaved:
		if saves {
			l.saved[consumer] = saver.Snapshot()
		}
	case site.StateRestored:
		if saves {
			saver.Restore(l.saved[consumer])
		}
	}
}

// drawRows draws for the rows from..to, leaving out the filtered.
func (l *lane) drawRows(consumer int, d *site.Draws, out *measure.Drawn, from, to int) error {
	if !slices.Contains(d.State[from:to], site.Filtered) {
		return generator.DrawBatch(l.gens[consumer], d.EventMs[from:to], d.NowMs[from:to], out.ID[from:to], out.Kind[from:to], out.Hops[from:to])
	}
	l.eventMs, l.nowMs = l.eventMs[:0], l.nowMs[:0]
	for i := from; i < to; i++ {
		if d.State[i] != site.Filtered {
			l.eventMs, l.nowMs = append(l.eventMs, d.EventMs[i]), append(l.nowMs, d.NowMs[i])
		}
	}
	n := len(l.eventMs)
	if cap(l.ids) < n {
		l.ids, l.kinds, l.hops = make([]int64, n), make([]generator.Kind, n), make([]int32, n)
	}
	l.ids, l.kinds, l.hops = l.ids[:n], l.kinds[:n], l.hops[:n]
	if err := generator.DrawBatch(l.gens[consumer], l.eventMs, l.nowMs, l.ids, l.kinds, l.hops); err != nil {
		return err
	}
	k := 0
	for i := from; i < to; i++ {
		out.ID[i], out.Kind[i], out.Hops[i] = 0, generator.Drawn, 0
		if d.State[i] != site.Filtered {
			out.ID[i], out.Kind[i], out.Hops[i] = l.ids[k], l.kinds[k], l.hops[k]
			k++
		}
	}
	return nil
}

// refused says which message got no id.
func (l *lane) refused(consumer int, d *site.Draws, from int, err error, plan *replay.Plan) error {
	var ts *secondslot.TimestampError
	if !errors.As(err, &ts) {
		return fmt.Errorf("generator %s: %w", l.name, err)
	}
	row := 0
	for i := from; i < d.Len(); i++ {
		if d.State[i] == site.Filtered {
			continue
		}
		if row == ts.Row {
			p := &plan.Partitions[d.Partition[i]]
			way := "leave such messages out of the capture, or correct their time"
			if d.EventMs[i] == replay.NoTimestamp {
				way = "it has none: let append.no_timestamp be skip in the scenario"
			}
			return fmt.Errorf("generator %s refuses %s/%d@%d: %w; %s", l.name, p.Topic, p.Number, d.Offset[i], err, way)
		}
		row++
	}
	return err
}

// futureID is a lower bound of the ids that the lane's consumers may still
// give; math.MaxInt64 when there are no draws left.
func (l *lane) futureID(a ahead) int64 {
	low := int64(math.MaxInt64)
	if a.eventMs == math.MaxInt64 {
		return low
	}
	for _, g := range l.gens {
		low = min(low, g.Floor(a.eventMs, a.nowMs))
	}
	return low
}

// ownerSecond is the owner second of an id, or math.MaxInt64 for math.MaxInt64.
func (l *lane) ownerSecond(id int64) int64 {
	if id == math.MaxInt64 {
		return id
	}
	ms := l.layout.OwnerMs(id)
	second := ms / 1000
	if ms%1000 < 0 {
		second--
	}
	return second
}
