package measure

import (
	"twindrift/generator"
	"twindrift/sim/site"
	"twindrift/sim/tally"
)

// Overflow measures the ids of one consumer that lie in another second than
// the one they belong to.
type Overflow struct {
	IDs        int64
	WithOffset int64
	Offset     tally.Repeats          // owner second less the second asked for
	Hops       tally.Repeats          // slots walked per draw
	ByKind     [generator.Kinds]int64 // of what was not drawn, and of what was refused
	WrongNode  int64
	Asked      tally.Repeats // ids by the second asked for
	First      []Entry       // the first ones with an offset
	Refused    []Entry       // the first ones that were refused

	node     int64
	byClock  bool
	drawn    tally.Repeats   // ids properly drawn, by owner second
	farthest map[int64]int64 // most hops of a draw, by the second asked for
}

// NewOverflow measures a consumer with this node, generator.NoNode where ids say none.
// byClock says that the
// generator goes by the clock and not by event time: the second that an id
// belongs to is then the clock's.
func NewOverflow(node int, byClock bool) *Overflow {
	return &Overflow{node: int64(node), byClock: byClock, farthest: map[int64]int64{}}
}

// Add takes in a consumer's draws. Most are drawn from the second they ask for,
// like the one before: these are counted by their runs.
func (o *Overflow) Add(consumer int, d *site.Draws, g *Drawn) {
	asked := d.EventMs
	if o.byClock {
		asked = d.NowMs
	}
	for i := 0; i < len(g.State); {
		if state := g.State[i]; state.NoID() {
			if state == site.Refused {
				o.refuse(consumer, d, g, i)
			}
			i++
			continue
		}
		second, owner := secondOf(asked[i]), secondOf(g.OwnerMs[i])
		o.add(consumer, d, g, i, second, owner)
		i++
		if second != owner {
			continue
		}
		n := o.inPlace(asked, g, i, second*1000)
		o.drawnInPlace(second, int64(n))
		i += n
	}
}

// inPlace is how many of the rows from a row on, one after the other, have an id drawn
// from the second that begins at startMs, which they ask for.
func (o *Overflow) inPlace(asked []int64, g *Drawn, from int, startMs int64) (n int) {
	states := g.State[from:]
	m := len(states)
	asked, owners, nodes := asked[from:][:m], g.OwnerMs[from:][:m], g.Node[from:][:m]
	kinds, hops := g.Kind[from:][:m], g.Hops[from:][:m]
	for n < m && max(uint64(asked[n]-startMs), uint64(owners[n]-startMs)) < 1000 && !states[n].NoID() &&
		nodes[n] == o.node && kinds[n] == generator.Drawn && hops[n] == 0 {
		n++
	}
	return n
}

// drawnInPlace counts n ids drawn from the second that they ask for.
func (o *Overflow) drawnInPlace(second, n int64) {
	if n == 0 {
		return
	}
	o.IDs += n
	o.Asked.AddN(second, n)
	o.Offset.AddN(0, n)
	o.drawn.AddN(second, n)
	o.Hops.AddN(0, n)
}

// refuse counts row i, which got no id.
func (o *Overflow) refuse(consumer int, d *site.Draws, g *Drawn, i int) {
	o.ByKind[g.Kind[i]]++
	if len(o.Refused) < witnesses {
		o.Refused = append(o.Refused, entryOf(consumer, d, g, i))
	}
}

// add counts the id of row i.
func (o *Overflow) add(consumer int, d *site.Draws, g *Drawn, i int, second, owner int64) {
	o.IDs++
	o.Asked.Add(second)
	o.Offset.Add(owner - second)
	if g.Kind[i] == generator.Drawn {
		o.drawn.Add(owner)
	} else {
		o.ByKind[g.Kind[i]]++
	}
	if g.Node[i] != o.node {
		o.WrongNode++
	}
	hops := int64(g.Hops[i])
	o.Hops.Add(hops)
	if hops > 0 {
		o.farthest[second] = max(o.farthest[second], hops)
	}
	if owner > second {
		o.WithOffset++
		if len(o.First) < witnesses {
			o.First = append(o.First, entryOf(consumer, d, g, i))
		}
	}
}

// Chain is a run of consecutive full slots.
type Chain struct {
	FirstSecond int64
	Span        int64 // seconds
	MaxHops     int64 // of a draw that asked for one of its seconds
}

// Chains finds the runs of full slots: seconds in which the consumer drew
// capacity ids; none where that is 0. It gives the number of full slots, of runs, and the longest
// run (the first of equals).
func (o *Overflow) Chains(capacity int64) (full, runs int64, longest Chain) {
	var now Chain
	for second, n := range o.drawn.Counts().All() {
		if n < capacity || capacity == 0 {
			continue
		}
		full++
		if now.Span == 0 || second != now.FirstSecond+now.Span {
			runs++
			now = Chain{FirstSecond: second}
		}
		now.Span++
		now.MaxHops = max(now.MaxHops, o.farthest[second])
		if now.Span > longest.Span {
			longest = now
		}
	}
	return full, runs, longest
}

// Peak is the second asked for most, the earliest of equals, and its count.
func (o *Overflow) Peak() (second, count int64) {
	for s, n := range o.Asked.Counts().All() {
		if n > count {
			second, count = s, n
		}
	}
	return second, count
}
