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

// Encode makes an id; what is below the second is dropped. The note says what a
// node or a sequence number out of its range reads as.
func (r Reader) Encode(ms, node, seq int64) (text, note string, err error) {
	id, err := r.Layout.Encode(ms, node, seq)
	if err != nil {
		return "", "", err
	}
	if f := r.Layout.Decode(id); f.Node != node || f.Seq != seq {
		note = fmt.Sprintf("node %d, sequence %d carries: the id reads as node %d, sequence %d of %s",
			node, seq, f.Node, f.Seq, Of(r.Layout, id).OwnerLocal)
	}
	return strconv.FormatInt(id, 10), note, nil
}
