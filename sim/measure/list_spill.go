package measure

import (
	"twindrift/generator"
	"twindrift/sim/spill"
)

// Spill has the list write open seconds to disk when they take too much memory.
func (l *List) Spill(to *spill.Owner) { l.spill = to }

// len is the number of entries, in memory and on disk.
func (o *open) len() int {
	n := 0
	if o.entries != nil {
		n = o.entries.len()
	}
	for i := range o.kept {
		n += o.kept[i].Len() / entryWords
	}
	return n
}

// shed writes open seconds to disk where they take too much memory.
func (l *List) shed() {
	if l.spill == nil {
		return
	}
	l.shedding = l.shedding[:0]
	for _, o := range l.opens {
		l.shedding = append(l.shedding, o)
	}
	spill.Shed(l.spill, l.shedding, (*open).bytes, func(o *open) bool {
		k, ok := l.disk.write(l.spill, o.entries)
		if ok {
			o.kept = append(o.kept, k)
			*o.entries = entries{}
		}
		return ok
	})
}

func (o *open) bytes() int64 { return o.entries.bytes() }

// recall brings back what is on disk of an open second: entries as they came.
func (l *List) recall(o *open) {
	if len(o.kept) == 0 {
		return
	}
	all := new(entries)
	for i := range o.kept {
		l.disk.read(l.spill, &o.kept[i], all)
	}
	o.kept = o.kept[:0]
	w := walk{entries: o.entries}
	for i := range o.entries.len() {
		all.append(w.entry(i))
	}
	o.entries = all
}

// entriesOnDisk writes entries as words and reads them back.
type entriesOnDisk struct{ words []int64 }

// entryWords is how many words an entry takes on disk.
const entryWords = 5

// write writes entries in the order in which they stand.
func (d *entriesOnDisk) write(to *spill.Owner, e *entries) (spill.Kept, bool) {
	d.words = d.words[:0]
	w := walk{entries: e}
	for i := range e.len() {
		one := w.entry(i)
		small := uint64(uint32(one.Partition))<<32 | uint64(uint16(one.Consumer))<<16 | uint64(uint8(one.Kind))<<8 | uint64(one.Life)
		d.words = append(d.words, one.ID, one.EventMs, one.NowMs, one.Offset, int64(small))
	}
	return to.Write(d.words)
}

// read appends the entries to others.
func (d *entriesOnDisk) read(from *spill.Owner, k *spill.Kept, e *entries) {
	d.words = from.Read(k, d.words[:0])
	for w := d.words; len(w) > 0; w = w[entryWords:] {
		small := uint64(w[4])
		e.append(Entry{
			ID: w[0], EventMs: w[1], NowMs: w[2], Offset: w[3],
			Partition: int32(small >> 32), Consumer: int16(small >> 16), Kind: generator.Kind(small >> 8), Life: uint8(small),
		})
	}
}
