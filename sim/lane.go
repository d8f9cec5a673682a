package sim

import (
	"fmt"
	"io"
	"math"
	"slices"

	"twindrift/generator"
	"twindrift/generator/catalog"
	"twindrift/generator/secondslot"
	"twindrift/sim/measure"
	"twindrift/sim/result"
	"twindrift/sim/site"
)

// lane is one generator at work on a site's draws: a generator a consumer, and
// what is measured of their ids.
type lane struct {
	name      string // "second-slot published"
	capacity  int64  // ids a second and node; 0 where there is no such limit
	layout    generator.Layout
	traits    catalog.Traits
	processes measure.Processes

	gens     []generator.Generator
	saved    []generator.State // the last snapshot of each
	stored   int64             // deliveries that got an id and are stored
	list     *measure.List
	push     *measure.Push // nil for the baseline
	overflow []*measure.Overflow

	result result.Lane // of all that was drawn
	err    error

	// Where the store takes no message a second time: those that may come again and
	// that every delivery so far was refused for. Else nil.
	refused map[messageKey]bool

	calls generator.Calls // scratch: those that are not filtered
	ids   []int64
	kinds []generator.Kind
	hops  []int32
}

// nodeRange is how many units of a second-slot id belong to one node.
const nodeRange = 1_000_000

// newLane makes the generators of a site. options are those of its consumers.
func newLane(name, variant string, options []catalog.Options, processes measure.Processes) (*lane, error) {
	entry, err := catalog.Find(name, variant)
	if err != nil {
		return nil, err
	}
	called := entry.Name + " " + entry.Variant
	if entry.ByClock && entry.Name == "consumption-time" {
		called = entry.Name // the baseline has no faults to tell apart
	}
	l := &lane{name: called, traits: entry.Traits, processes: processes}
	if len(options) > 0 && options[0].ByEvent { // redis-counter, counter.time: event
		l.traits.ByClock = false
	}
	l.processes.ByClock = l.traits.ByClock
	l.processes.Kinds, l.processes.Alone = entry.Kinds, entry.Alone
	l.processes.Foreign = entry.Name == "external"
	l.processes.Unscored = entry.ApartBy == catalog.Streams || entry.ApartBy == catalog.Shards
	l.processes.Sharded = entry.ApartBy == catalog.Shards
	l.processes.SiteApart = l.processes.Sharded || entry.ApartBy == catalog.Streams || entry.ApartBy == catalog.Servers && processes.SiteApart
	for _, o := range options {
		g, layout, err := entry.New(o)
		if err != nil {
			return nil, err
		}
		l.gens, l.saved = append(l.gens, g), append(l.saved, nil)
		l.layout, l.processes.Layout = layout, layout
		node := o.Node
		if layout.Node(0) == generator.NoNode {
			node = generator.NoNode
		}
		l.overflow = append(l.overflow, measure.NewOverflow(node, l.traits.ByClock))
	}
	if digits, ok := l.layout.(secondslot.Layout); ok && entry.Slots {
		o := &options[0]
		l.capacity = int64(o.PerSecond)
		l.processes.Overrun = o.Step*o.PerSecond > nodeRange
		l.processes.Rules = &measure.Rules{Layout: digits, PerSecond: int64(o.PerSecond), JumpLimit: int64(o.JumpLimit), Days: entry.Days}
	}
	l.list = measure.NewList(l.processes)
	return l, nil
}

// close ends what the generators have started outside. Of several errors, which mostly
// say the same, it gives the first.
func (l *lane) close() (first error) {
	for i, g := range l.gens {
		if c, ok := g.(io.Closer); ok {
			if err := c.Close(); err != nil && first == nil {
				first = l.failed(i, err)
			}
		}
	}
	return first
}

// interrupt has generators that work outside end at once, whatever they are at.
func (l *lane) interrupt() {
	for _, g := range l.gens {
		if i, ok := g.(interface{ Interrupt() }); ok {
			i.Interrupt()
		}
	}
}

func (l *lane) failed(consumer int, err error) error {
	return fmt.Errorf("generator %s, node %d: %w", l.name, l.processes.Nodes[consumer], err)
}

// draw gives every draw of a consumer that is not filtered its id.
func (l *lane) draw(consumer int, d *site.Draws, out *measure.Drawn) error {
	out.Resize(d.Len())
	from := 0
	for _, e := range d.Events {
		if err := l.drawRows(consumer, d, out, from, e.Row); err != nil {
			return err
		}
		from = e.Row
		l.happens(consumer, e.Kind)
	}
	if err := l.drawRows(consumer, d, out, from, d.Len()); err != nil {
		return err
	}
	l.read(d, out)
	return nil
}

// read reads the digits of the ids drawn, and what was refused.
func (l *lane) read(d *site.Draws, out *measure.Drawn) {
	out.MarkRefused(d.State)
	l.layout.Digits(out.ID, out.OwnerMs, out.Node)
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
		} else {
			g.Reset()
		}
	}
}

// drawRows draws for the rows from..to, leaving out the filtered.
func (l *lane) drawRows(consumer int, d *site.Draws, out *measure.Drawn, from, to int) error {
	if from == to {
		return nil
	}
	all := generator.Calls{EventMs: d.EventMs, NowMs: d.NowMs, AtNs: d.DrawNs, Partition: d.Partition}
	if !slices.Contains(d.State[from:to], site.Filtered) {
		return l.drawCalls(consumer, all.Cut(from, to), out.ID[from:to], out.Kind[from:to], out.Hops[from:to])
	}
	l.calls = generator.Calls{EventMs: l.calls.EventMs[:0], NowMs: l.calls.NowMs[:0], AtNs: l.calls.AtNs[:0], Partition: l.calls.Partition[:0]}
	for i := from; i < to; i++ {
		if d.State[i] != site.Filtered {
			l.calls.Append(all, i)
		}
	}
	n := l.calls.Len()
	if cap(l.ids) < n {
		l.ids, l.kinds, l.hops = make([]int64, n), make([]generator.Kind, n), make([]int32, n)
	}
	l.ids, l.kinds, l.hops = l.ids[:n], l.kinds[:n], l.hops[:n]
	if err := l.drawCalls(consumer, l.calls, l.ids, l.kinds, l.hops); err != nil {
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

func (l *lane) drawCalls(consumer int, calls generator.Calls, ids []int64, kinds []generator.Kind, hops []int32) error {
	if err := generator.DrawBatch(l.gens[consumer], calls, ids, kinds, hops); err != nil {
		return l.failed(consumer, err)
	}
	return nil
}

// add has what is measured take in what a consumer drew.
func (l *lane) add(consumer int, d *site.Draws, g *measure.Drawn) {
	for _, state := range g.State {
		if state == site.Store {
			l.stored++
		}
	}
	l.overflow[consumer].Add(consumer, d, g)
	l.list.Add(consumer, d, g)
	if l.push != nil {
		l.push.Add(consumer, d, g)
	}
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
	return generator.FloorDiv(l.layout.OwnerMs(id), 1000)
}
