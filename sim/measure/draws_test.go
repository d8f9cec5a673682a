package measure

import (
	"math"
	"slices"

	"twindrift/generator"
	"twindrift/generator/secondslot"
	"twindrift/sim/site"
)

// layout is that of the ids in the tests: UTC+8, step 200.
var layout = secondslot.DefaultLayout()

// row is one delivery, as a site and a lane make it.
type row struct {
	partition  int32
	offset     int64
	event, now int64 // ms
	id         int64
	kind       generator.Kind
	hops       int32
	state      site.State
}

// idOf is the id with these digits.
func idOf(second, node, seq int64) int64 {
	id, err := layout.Encode(second*1000, node, seq)
	if err != nil {
		panic(err)
	}
	return id
}

// columns are rows as the measures take them; a message's ordinal is its offset.
func columns(rows ...row) (*site.Draws, *Drawn) {
	d, g := &site.Draws{}, &Drawn{}
	g.Resize(len(rows))
	for i, r := range rows {
		d.Partition, d.Offset, d.Ordinal = append(d.Partition, r.partition), append(d.Offset, r.offset), append(d.Ordinal, r.offset)
		d.EventMs, d.AppendMs = append(d.EventMs, r.event), append(d.AppendMs, r.event)
		d.NowMs, d.State = append(d.NowMs, r.now), append(d.State, r.state)
		d.Again, d.Delivery, d.Recurs = append(d.Again, 0), append(d.Delivery, 0), append(d.Recurs, true)
		g.ID[i], g.Kind[i], g.Hops[i] = r.id, r.kind, r.hops
	}
	g.MarkRefused(d.State)
	layout.Digits(g.ID, g.OwnerMs, g.Node)
	return d, g
}

// processes are consumers with these nodes.
func processes(nodes ...int) Processes { return Processes{Nodes: nodes, Layout: layout} }

// settled says of every partition that no message comes again.
var settled = slices.Repeat([]int64{math.MaxInt64}, 9)

// listOf is the finished list of a site whose consumers drew these rows.
func listOf(p Processes, byConsumer ...[]row) (*List, []Second) {
	l := NewList(p)
	for c, rows := range byConsumer {
		d, g := columns(rows...)
		l.Add(c, d, g)
	}
	closed, _ := l.Close(math.MaxInt64, math.MaxInt64, settled, nil)
	return l, closed
}

// append takes in one entry.
func (e *entries) append(one Entry) {
	if one.Life&gone != 0 {
		defer e.takeOut(e.len())
	}
	e.extend(e.len(), one.Consumer, one.Life&^gone, 1)
	e.ids, e.eventMs = append(e.ids, one.ID), append(e.eventMs, one.EventMs)
	e.nowMs, e.offset = append(e.nowMs, one.NowMs), append(e.offset, one.Offset)
	e.partition, e.kind = append(e.partition, one.Partition), append(e.kind, one.Kind)
}
