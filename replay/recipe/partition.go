package recipe

import (
	"container/heap"
	"encoding/binary"
	"slices"

	"github.com/cespare/xxhash/v2"

	"twindrift/replay"
)

// row is a message between its stamp and the log.
type row struct {
	appendMs  int64
	createdMs int64
	key       int32 // index into keySpace
	bytes     int32 // of the value
}

// partition draws the messages of one partition in log order.
//
// Feeders draw messages in the order of their stamps and put them into the
// bucket of the second in which they reach the log. When no feeder can put
// anything more into the earliest bucket, its rows are sorted by the ms and
// get their offsets.
type partition struct {
	topic  *traffic
	number int32
	index  int32     // in the plan
	key    [2]uint64 // of all its draws
	keys   aliasTable
	counts map[float64]*poisson // by mean

	feeders feederHeap
	near    []int             // stalls that touch the cell being drawn
	buckets map[int64]*bucket // by second
	seconds []int64           // of the buckets, rising
	last    *bucket           // the one used last

	current *bucket // being handed out; its rows in the order of ready
	ready   []int32
	order   []int32 // the memory of ready
	starts  *places
	spare   []*bucket
	offset  int64
}

// places counts, and then gives the place of, the messages of each ms of a
// second. It is scratch memory that the partitions of a pass share.
type places [1001]int32

// bucket is the messages that reach the log in one second.
type bucket struct {
	second int64
	rows   []row
}

func newPartition(seed uint64, t *traffic, number int, index int32, starts *places) *partition {
	name := binary.BigEndian.AppendUint32([]byte(t.name), uint32(number))
	p := &partition{
		topic: t, number: int32(number), index: index,
		key:     [2]uint64{seed, xxhash.Sum64(name)},
		counts:  map[float64]*poisson{},
		buckets: map[int64]*bucket{},
		last:    &bucket{second: -1},
		starts:  starts,
	}
	if t.keyed != nil {
		p.keys = t.keyed.tables[number]
	}
	if t.partitions[number] > 0 {
		p.feeders = t.feeders()
	}
	return p
}

// next appends rows; false when there are none left.
func (p *partition) next(b *replay.Batch) bool {
	before := b.Len()
	for room := batchRows; room > 0; {
		if len(p.ready) == 0 && !p.nextSecond() {
			break
		}
		n := min(room, len(p.ready))
		p.emit(p.ready[:n], b)
		p.ready = p.ready[n:]
		room -= n
	}
	return b.Len() > before
}

// nextSecond makes ready the next second that has messages.
func (p *partition) nextSecond() bool {
	if p.current != nil {
		p.current.rows = p.current.rows[:0]
		p.spare = append(p.spare, p.current)
		p.current = nil
	}
	for len(p.feeders) > 0 {
		f := &p.feeders[0]
		if len(p.seconds) > 0 && p.seconds[0] < f.boundMs/1000 {
			break
		}
		if p.feed(f) {
			f.boundMs = p.topic.bound(f)
			heap.Fix(&p.feeders, 0)
		} else {
			heap.Pop(&p.feeders)
		}
	}
	if len(p.seconds) == 0 {
		return false
	}
	second := p.seconds[0]
	p.seconds = slices.Delete(p.seconds, 0, 1)
	p.current = p.buckets[second]
	delete(p.buckets, second)
	p.sort(p.current)
	return true
}

// put puts a message into its bucket.
func (p *partition) put(r row) {
	second := r.appendMs / 1000
	if p.last.second != second {
		p.last = p.bucket(second)
	}
	p.last.rows = append(p.last.rows, r)
}

func (p *partition) bucket(second int64) *bucket {
	if b := p.buckets[second]; b != nil {
		return b
	}
	var b *bucket
	if n := len(p.spare); n > 0 {
		b, p.spare = p.spare[n-1], p.spare[:n-1]
	} else {
		b = &bucket{}
	}
	b.second = second
	p.buckets[second] = b
	at, _ := slices.BinarySearch(p.seconds, second)
	p.seconds = slices.Insert(p.seconds, at, second)
	return b
}

// sort puts into ready the places of the rows in log order: by the ms, those
// of one ms as they came.
func (p *partition) sort(b *bucket) {
	base := b.second * 1000
	p.order = slices.Grow(p.order[:0], len(b.rows))[:len(b.rows)]
	p.ready = p.order
	if len(b.rows) <= fewRows {
		insertionSort(b.rows, p.ready)
		return
	}
	starts := p.starts
	clear(starts[:])
	for i := range b.rows {
		starts[b.rows[i].appendMs-base+1]++
	}
	for i := 1; i < len(starts); i++ {
		starts[i] += starts[i-1]
	}
	for i := range b.rows {
		at := &starts[b.rows[i].appendMs-base]
		p.ready[*at] = int32(i)
		*at++
	}
}

// fewRows is up to where insertion is the faster sort.
const fewRows = 32

func insertionSort(rows []row, order []int32) {
	for i := range rows {
		k := i
		for ; k > 0 && rows[order[k-1]].appendMs > rows[i].appendMs; k-- {
			order[k] = order[k-1]
		}
		order[k] = int32(i)
	}
}

// emit turns rows of the current bucket into columns.
func (p *partition) emit(order []int32, b *replay.Batch) {
	keyed, kind := p.topic.keyed, replay.TimestampCreate
	if p.topic.logAppend {
		kind = replay.TimestampLogAppend
	}
	for _, i := range order {
		r := &p.current.rows[i]
		ts, hash, keyLen := r.createdMs, uint64(0), replay.NullLen
		if p.topic.logAppend {
			ts = r.appendMs
		}
		if keyed != nil {
			hash, keyLen = keyed.hash[r.key], keyed.bytes[r.key]
		}
		b.Partition = append(b.Partition, p.index)
		b.Offset = append(b.Offset, p.offset)
		b.TimestampMs = append(b.TimestampMs, ts)
		b.TimestampType = append(b.TimestampType, kind)
		b.KeyHash = append(b.KeyHash, hash)
		b.KeyLen = append(b.KeyLen, keyLen)
		b.ValueLen = append(b.ValueLen, r.bytes)
		p.offset++
	}
}
