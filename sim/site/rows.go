package site

import (
	"slices"
	"sort"
)

// Rows is a stretch of one partition in offset order, as columns of one
// length: what one epoch brings.
type Rows struct {
	First    int64    // ordinal of the first row; the others follow without gaps
	Offset   []int64  // Kafka offset
	EventMs  []int64  // Kafka timestamp
	AppendMs []int64  // when the source log held it
	KeyHash  []uint64 // xxhash64 of the key; empty where the filter does not look at it
	ValueLen []int32  // bytes; the same
	Absent   []bool   // left out by the policy for messages without timestamp; empty where none is

	// Where a site is to take observed times (Config.Observed), else empty:
	ObservedMs     []int64 // when the message was seen to be processed
	NextObservedMs int64   // of the first message after these rows; math.MaxInt64 for none
}

// Reset empties the rows and keeps their memory.
func (r *Rows) Reset(first int64) {
	r.First = first
	r.Offset, r.EventMs, r.AppendMs = r.Offset[:0], r.EventMs[:0], r.AppendMs[:0]
	r.KeyHash, r.ValueLen, r.Absent = r.KeyHash[:0], r.ValueLen[:0], r.Absent[:0]
	r.ObservedMs = r.ObservedMs[:0]
}

// AppendRows adds the rows from..to of others, which have the same columns, but for what
// First and NextObservedMs say.
func (r *Rows) AppendRows(o *Rows, from, to int) {
	r.Offset, r.EventMs = append(r.Offset, o.Offset[from:to]...), append(r.EventMs, o.EventMs[from:to]...)
	r.AppendMs = append(r.AppendMs, o.AppendMs[from:to]...)
	if len(o.KeyHash) > 0 {
		r.KeyHash = append(r.KeyHash, o.KeyHash[from:to]...)
	}
	if len(o.ValueLen) > 0 {
		r.ValueLen = append(r.ValueLen, o.ValueLen[from:to]...)
	}
	if len(o.Absent) > 0 {
		r.Absent = append(r.Absent, o.Absent[from:to]...)
	}
	if len(o.ObservedMs) > 0 {
		r.ObservedMs = append(r.ObservedMs, o.ObservedMs[from:to]...)
	}
}

// Drop drops the first n rows.
func (r *Rows) Drop(n int) {
	r.First += int64(n)
	r.Offset, r.EventMs, r.AppendMs = drop(r.Offset, n), drop(r.EventMs, n), drop(r.AppendMs, n)
	r.KeyHash, r.ValueLen, r.Absent = drop(r.KeyHash, n), drop(r.ValueLen, n), drop(r.Absent, n)
	r.ObservedMs = drop(r.ObservedMs, n)
}

// Len is the number of rows.
func (r *Rows) Len() int { return len(r.Offset) }

// Draws is what happened at one consumer in an epoch, in the order of the
// draws, as columns of one length: a row is a delivery.
type Draws struct {
	Partition []int32
	Ordinal   []int64
	Offset    []int64
	EventMs   []int64
	AppendMs  []int64
	ArrivalNs []int64
	DrawNs    []int64
	NowMs     []int64 // the site's clock at the draw, whole ms
	State     []State
	Again     []int32 // how often the message was drawn (or filtered) before
	Delivery  []int32 // how often it was started before
	Repeat    []bool  // it came by chance, not from the log
	Recurs    []bool  // the message may come once more; of later deliveries it does not tell all

	Events []Event // what happens to the process between draws, in order

	losing bool // what is drawn now may be lost: then it comes once more
	moment int  // row of the first draw of the last moment
	mixed  bool // those of that moment are not in order
}

// Only says whether the delivery in row i is the only one of its message, as far as a site
// can tell: there was none before, and none will come.
func (d *Draws) Only(i int) bool { return !d.Recurs[i] && d.Delivery[i] == 0 }

// Event is something that happens to a consumer's generator before it draws
// for row Row of the epoch.
type Event struct {
	Row  int
	Kind EventKind
}

// EventKind is what happens to a generator.
type EventKind uint8

// The kinds.
const (
	StateLost     EventKind = iota // the process restarts, and has forgotten what it gave out
	StateSaved                     // a snapshot is taken
	StateRestored                  // the process restarts from the last snapshot
	StateKept                      // the process restarts with its state
)

// State is what the business filter, the store and the generator say of a delivery.
type State uint8

// The states.
const (
	Store        State = iota // draws an id and is stored
	StoreOff                  // draws an id, storing is off for its topic
	Deduplicated              // draws an id and is not stored, since the message is; a site never says so, a lane does
	Filtered                  // draws no id
	Refused                   // was to draw an id, and the generator gave none; a lane says so
)

// NoID says that the delivery has no id.
func (s State) NoID() bool { return s >= Filtered }

// Len is the number of deliveries.
func (d *Draws) Len() int { return len(d.Offset) }

func (d *Draws) reset() {
	d.Partition, d.Ordinal, d.Offset = d.Partition[:0], d.Ordinal[:0], d.Offset[:0]
	d.EventMs, d.AppendMs, d.ArrivalNs = d.EventMs[:0], d.AppendMs[:0], d.ArrivalNs[:0]
	d.DrawNs, d.NowMs, d.State = d.DrawNs[:0], d.NowMs[:0], d.State[:0]
	d.Again, d.Delivery, d.Repeat, d.Recurs = d.Again[:0], d.Delivery[:0], d.Repeat[:0], d.Recurs[:0]
	d.Events = d.Events[:0]
	d.losing, d.moment, d.mixed = false, 0, false
}

func (d *Draws) add(m *waiting, partition int32, drawNs, nowMs int64) {
	d.Partition = append(d.Partition, partition)
	d.Ordinal = append(d.Ordinal, m.ordinal)
	d.Offset = append(d.Offset, m.offset)
	d.EventMs = append(d.EventMs, m.eventMs)
	d.AppendMs = append(d.AppendMs, m.appendMs)
	d.ArrivalNs = append(d.ArrivalNs, m.arrivalNs)
	d.DrawNs = append(d.DrawNs, drawNs)
	d.NowMs = append(d.NowMs, nowMs)
	d.State = append(d.State, m.state)
	d.Again, d.Delivery = append(d.Again, m.drawn), append(d.Delivery, m.delivery)
	d.Repeat, d.Recurs = append(d.Repeat, m.repeat), append(d.Recurs, m.recurs || d.losing)
}

// reserve makes room for n deliveries in all.
func (d *Draws) reserve(n int) {
	d.Partition = room(d.Partition, n)
	d.Ordinal, d.Offset = room(d.Ordinal, n), room(d.Offset, n)
	d.EventMs, d.AppendMs = room(d.EventMs, n), room(d.AppendMs, n)
	d.ArrivalNs, d.DrawNs = room(d.ArrivalNs, n), room(d.DrawNs, n)
	d.NowMs, d.State = room(d.NowMs, n), room(d.State, n)
	d.Again, d.Delivery = room(d.Again, n), room(d.Delivery, n)
	d.Repeat, d.Recurs = room(d.Repeat, n), room(d.Recurs, n)
}

// room is a column with room for n rows in all.
func room[T any](column []T, n int) []T { return slices.Grow(column, max(0, n-len(column))) }

// extend lengthens the columns to n rows, new, whose values are not set but for those of
// State, Again, Delivery and Repeat, which are zero, and of Recurs, which are those of
// messages that do not come by chance.
func (d *Draws) extend(n int) {
	d.reserve(n)
	from := d.Len()
	d.cut(n)
	clear(d.State[from:])
	clear(d.Again[from:])
	clear(d.Delivery[from:])
	clear(d.Repeat[from:])
	clear(d.Recurs[from:])
	if d.losing {
		for i := range d.Recurs[from:] {
			d.Recurs[from+i] = true
		}
	}
}

// addInOrder adds a draw no earlier than the last. Draws of one moment are put
// in their places, by partition, ordinal and delivery, when settle is called.
func (d *Draws) addInOrder(m *waiting, partition int32, drawNs, nowMs int64) {
	i := d.Len()
	if i == 0 || d.DrawNs[i-1] != drawNs {
		d.settle()
		d.moment = i
	}
	d.add(m, partition, drawNs, nowMs)
	d.mixed = d.mixed || i > d.moment && d.before(i, i-1)
}

// settle puts the draws of the last moment in order. Many can come at one, such
// as the end of a stall.
func (d *Draws) settle() { d.settleTo(d.Len()) }

// settleTo is settle where the last moment ends before row n.
func (d *Draws) settleTo(n int) {
	if d.mixed {
		sort.Sort(lastMoment{d, n})
		d.mixed = false
	}
}

// tie is addInOrder for the rows from..to, which stand in their columns.
func (d *Draws) tie(from, to int) {
	for i := from; i < to; i++ {
		if i == 0 || d.DrawNs[i-1] != d.DrawNs[i] {
			d.settleTo(i)
			d.moment = i
		} else {
			d.mixed = d.mixed || d.before(i, i-1)
		}
	}
}

// lastMoment sorts the draws from row Draws.moment to row end.
type lastMoment struct {
	d   *Draws
	end int
}

func (l lastMoment) Len() int           { return l.end - l.d.moment }
func (l lastMoment) Less(i, j int) bool { return l.d.before(l.d.moment+i, l.d.moment+j) }
func (l lastMoment) Swap(i, j int)      { l.d.swap(l.d.moment+i, l.d.moment+j) }

// before is the order of draws of one moment.
func (d *Draws) before(i, j int) bool {
	if d.Partition[i] != d.Partition[j] {
		return d.Partition[i] < d.Partition[j]
	}
	if d.Ordinal[i] != d.Ordinal[j] {
		return d.Ordinal[i] < d.Ordinal[j]
	}
	if d.Delivery[i] != d.Delivery[j] {
		return d.Delivery[i] < d.Delivery[j]
	}
	if d.Repeat[i] != d.Repeat[j] {
		return d.Repeat[j]
	}
	return d.ArrivalNs[i] < d.ArrivalNs[j] || d.ArrivalNs[i] == d.ArrivalNs[j] && d.Again[i] < d.Again[j]
}

func (d *Draws) swap(i, j int) {
	d.Partition[i], d.Partition[j] = d.Partition[j], d.Partition[i]
	d.Ordinal[i], d.Ordinal[j] = d.Ordinal[j], d.Ordinal[i]
	d.Offset[i], d.Offset[j] = d.Offset[j], d.Offset[i]
	d.EventMs[i], d.EventMs[j] = d.EventMs[j], d.EventMs[i]
	d.AppendMs[i], d.AppendMs[j] = d.AppendMs[j], d.AppendMs[i]
	d.ArrivalNs[i], d.ArrivalNs[j] = d.ArrivalNs[j], d.ArrivalNs[i]
	d.DrawNs[i], d.DrawNs[j] = d.DrawNs[j], d.DrawNs[i]
	d.NowMs[i], d.NowMs[j] = d.NowMs[j], d.NowMs[i]
	d.State[i], d.State[j] = d.State[j], d.State[i]
	d.Again[i], d.Again[j] = d.Again[j], d.Again[i]
	d.Delivery[i], d.Delivery[j] = d.Delivery[j], d.Delivery[i]
	d.Repeat[i], d.Repeat[j] = d.Repeat[j], d.Repeat[i]
	d.Recurs[i], d.Recurs[j] = d.Recurs[j], d.Recurs[i]
}

// message is row i as it was before it drew.
func (d *Draws) message(i int) waiting {
	return waiting{
		arrivalNs: d.ArrivalNs[i], eventMs: d.EventMs[i], appendMs: d.AppendMs[i],
		offset: d.Offset[i], ordinal: d.Ordinal[i], state: d.State[i], drawn: d.Again[i], delivery: d.Delivery[i], repeat: d.Repeat[i],
		recurs: d.Recurs[i],
	}
}

// cut leaves the first n rows.
func (d *Draws) cut(n int) {
	d.Partition, d.Ordinal, d.Offset = d.Partition[:n], d.Ordinal[:n], d.Offset[:n]
	d.EventMs, d.AppendMs, d.ArrivalNs = d.EventMs[:n], d.AppendMs[:n], d.ArrivalNs[:n]
	d.DrawNs, d.NowMs, d.State, d.Again = d.DrawNs[:n], d.NowMs[:n], d.State[:n], d.Again[:n]
	d.Delivery, d.Repeat, d.Recurs = d.Delivery[:n], d.Repeat[:n], d.Recurs[:n]
}
