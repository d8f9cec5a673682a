package measure

import (
	"cmp"

	"twindrift/generator"
	"twindrift/sim/site"
)

// Entry is one message of a site's list.
type Entry struct {
	ID        int64
	EventMs   int64
	NowMs     int64 // the site's clock at the draw
	Offset    int64
	Partition int32
	Consumer  int16
	Kind      generator.Kind
	Life      uint8 // restarts of the process before, modulo 128, and gone
}

// gone marks an entry that a later delivery of its message has taken out of the
// list; its id stays given out.
const gone uint8 = 1 << 7

func entryOf(consumer int, d *site.Draws, g *Drawn, i int) Entry {
	return Entry{
		ID: g.ID[i], EventMs: d.EventMs[i], NowMs: d.NowMs[i], Offset: d.Offset[i],
		Partition: d.Partition[i], Consumer: int16(consumer), Kind: g.Kind[i],
	}
}

// before is the order of the list: by id, ties by topic, partition and offset;
// deliveries of one message with one id by the clock.
func (e *Entry) before(o *Entry) bool {
	if e.ID != o.ID {
		return e.ID < o.ID
	}
	if e.Partition != o.Partition {
		return e.Partition < o.Partition
	}
	if e.Offset != o.Offset {
		return e.Offset < o.Offset
	}
	return cmp.Or(cmp.Compare(e.NowMs, o.NowMs), cmp.Compare(e.Consumer, o.Consumer), cmp.Compare(e.Life&^gone, o.Life&^gone)) < 0
}
