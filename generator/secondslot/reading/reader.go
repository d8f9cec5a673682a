package reading

import (
	"fmt"
	"strconv"

	"twindrift/generator/reading"
	"twindrift/generator/secondslot"
)

var _ reading.Reader = Reader{}

// Reader is the reader of ids that have a layout.
type Reader struct{ Layout secondslot.Layout }

// Parse is ParseID.
func (Reader) Parse(text string) (int64, error) { return ParseID(text) }

// Of is a Reading.
func (r Reader) Of(id int64) any { return Of(r.Layout, id) }

// Text is what the function Text writes.
func (r Reader) Text(id int64) string { return Text(r.Layout, id) }

// Explain is what the function Explain writes.
func (r Reader) Explain(id int64) string { return Explain(r.Layout, id) }

// Encode makes an id that Parse reads; what is below the second is dropped. The
// note says what a node or a sequence number out of its range reads as. The error
// says that the digits have no such time.
func (r Reader) Encode(ms, node, seq int64) (text, note string, err error) {
	id, err := r.Layout.Encode(ms, node, seq)
	switch {
	case err != nil:
		return "", "", err
	case id < secondslot.Epoch:
		return "", "", fmt.Errorf("second-slot: time %d ms, node %d, sequence %d: the id would say a time before "+
			"1970-01-01 00:00:00 local time, where ids begin; take a later one", ms, node, seq)
	case id > lastTick:
		return "", "", fmt.Errorf("second-slot: time %d ms, node %d, sequence %d: the id would say a year after 9999, "+
			"the last that .NET ticks have; take an earlier one", ms, node, seq)
	}
	if f := r.Layout.Decode(id); f.Node != node || f.Seq != seq {
		note = fmt.Sprintf("node %d, sequence %d carries: the id reads as node %d, sequence %d of %s",
			node, seq, f.Node, f.Seq, Of(r.Layout, id).OwnerLocal)
	}
	return strconv.FormatInt(id, 10), note, nil
}
