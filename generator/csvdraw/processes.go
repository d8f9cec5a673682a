package csvdraw

import (
	"errors"
	"fmt"
	"io"
	"strconv"

	"twindrift/generator"
)

// HeaderTold is the first line that comes out of Processes.
const HeaderTold = "node,timestamp_ms,id,how"

// Processes draw with a process for each node, around whatever their generators
// share. The timestamp of a row is the event time and what the clock says; virtual
// time is the latest timestamp so far, so that a row before it is one whose clock
// went back. All messages are of partition index 0. A restart is of all processes.
type Processes struct {
	// New makes the process of a node; it is called once for each.
	New func(node int32) (generator.Generator, generator.Layout, error)

	byNode map[int32]generator.Generator
	layout generator.Layout
	atNs   int64 // virtual time; before the first row, it has no meaning
	begun  bool

	event, now, at [1]int64 // scratch: a draw is a batch of one
	partition      [1]int32
	id             [1]int64
	kind           [1]generator.Kind
	hops           [1]int32
}

var _ Generator = (*Processes)(nil)

// DrawNode draws one id. A refusal is an outcome: there is no id, and its kind says
// why. An error is anything else, such as a node that the generator does not have.
func (p *Processes) DrawNode(node int32, ms int64) (int64, generator.Outcome, error) {
	g, err := p.process(node)
	if err != nil {
		return 0, generator.Outcome{}, err
	}
	if ns := nsOf(ms); !p.begun || ns > p.atNs {
		p.atNs, p.begun = ns, true
	}
	p.event[0], p.now[0], p.at[0] = ms, ms, p.atNs
	c := generator.Calls{EventMs: p.event[:], NowMs: p.now[:], AtNs: p.at[:], Partition: p.partition[:]}
	if err := generator.DrawBatch(g, c, p.id[:], p.kind[:], p.hops[:]); err != nil {
		return 0, generator.Outcome{}, fmt.Errorf("node %d: %w", node, err)
	}
	return p.id[0], generator.Outcome{Kind: p.kind[0], Hops: p.hops[0]}, nil
}

func (p *Processes) process(node int32) (generator.Generator, error) {
	if g := p.byNode[node]; g != nil {
		return g, nil
	}
	g, layout, err := p.New(node)
	if err != nil {
		return nil, err
	}
	if p.byNode == nil {
		p.byNode = map[int32]generator.Generator{}
	}
	p.byNode[node], p.layout = g, layout
	return g, nil
}

// nsOf is a timestamp in ns, as far as it goes with room for waits: to 2116, and
// back to 1823.
func nsOf(ms int64) int64 {
	const most = 1 << 62 / 1_000_000
	return min(max(ms, -most), most) * 1_000_000
}

// Reset restarts all processes.
func (p *Processes) Reset() {
	for _, g := range p.byNode {
		g.Reset()
	}
}

// Close ends those that run outside.
func (p *Processes) Close() error {
	var errs []error
	for _, g := range p.byNode {
		if c, ok := g.(io.Closer); ok {
			errs = append(errs, c.Close())
		}
	}
	return errors.Join(errs...)
}

// appendDrawn writes an id as its users do, or none where it was refused, and how it
// came about.
func (p *Processes) appendDrawn(b []byte, id int64, kind generator.Kind) []byte {
	switch entry, ok := p.layout.(interface {
		Parse(text string) (int64, error)
		Text(id int64) string
	}); {
	case kind.Refused():
	case ok: // it writes what it reads
		b = append(b, entry.Text(id)...)
	default:
		b = strconv.AppendInt(b, id, 10)
	}
	return append(append(b, ','), kind.String()...)
}
