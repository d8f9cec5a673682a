package sim

import (
	"slices"

	"twindrift/generator"
	"twindrift/generator/secondslot"
	"twindrift/sim/measure"
	"twindrift/sim/site"
)

// search is what a rehearsal looks for, and what it has found.
type search struct {
	ids   []int64
	keys  map[messageAt]bool
	found []found // in the order of the sites within each epoch

	// The nearest that are not what is looked for, where there is only one such.
	nearest      bool
	partition    int32 // of the message; -1 where it is an id
	value        int64 // its offset, or the id
	below, above *found
}

// messageAt is a message by the plan's index of its partition, and its offset.
type messageAt struct {
	partition int32
	offset    int64
}

// found is one delivery of a search.
type found struct {
	site  int
	entry measure.Entry // names the consumer
	row   int64         // number of the delivery at its consumer
	life  int           // restarts of the process before

	appendMs, arrivalNs, startNs, drawNs int64
	state                                site.State
	delivery                             int32 // how often it was started before
	repeat                               bool  // it came by chance

	trace *secondslot.Trace // how its draw went; nil where the message was not asked for
}

func newSearch() *search { return &search{keys: map[messageAt]bool{}} }

// oneMessage looks for a message and its neighbours.
func (s *search) oneMessage(m messageAt) {
	s.wantMessage(m)
	s.nearest, s.partition, s.value = true, m.partition, m.offset
}

// oneID looks for an id and its neighbours.
func (s *search) oneID(id int64) {
	s.wantID(id)
	s.nearest, s.partition, s.value = true, -1, id
}

func (s *search) wantMessage(m messageAt) { s.keys[m] = true }

func (s *search) wantID(id int64) {
	if !slices.Contains(s.ids, id) {
		s.ids = append(s.ids, id)
	}
}

func (f *found) message() messageAt { return messageAt{f.entry.Partition, f.entry.Offset} }

// compare keeps a delivery that is not what is looked for if it is the nearest
// so far, by id or, within its partition, by offset.
func (s *search) compare(a *actor, d *site.Draws, i int, id int64, kind generator.Kind, has bool) {
	value := id
	if s.partition >= 0 {
		value = d.Offset[i]
	}
	switch {
	case s.partition >= 0 && d.Partition[i] != s.partition || s.partition < 0 && !has:
	case value < s.value && (s.below == nil || s.valueOf(s.below) < value):
		f := a.found(d, i, id, kind)
		s.below = &f
	case value > s.value && (s.above == nil || s.valueOf(s.above) > value):
		f := a.found(d, i, id, kind)
		s.above = &f
	}
}

func (s *search) valueOf(f *found) int64 {
	if s.partition >= 0 {
		return f.entry.Offset
	}
	return f.entry.ID
}
