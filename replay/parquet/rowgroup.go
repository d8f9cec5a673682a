package parquet

import (
	"fmt"
	"io"
	"slices"

	"twindrift/replay"
)

// slab is some consecutive rows of a row group as columns, decoded. Columns
// that were not asked for are empty.
type slab struct {
	n         int
	piece     []int32 // which of the row group's pieces each row belongs to
	offset    []int64 // Kafka offset; the row number in the file where rows are numbered
	timestamp []int64 // ms; NoTimestamp, or nullTime for rows to be skipped
	types     []int8  // timestamp types; nil where each follows from the timestamp
	columns   [roles][]int64
	typeBuf   []int8
}

// rowGroup reads the rows of one row group, in order.
type rowGroup struct {
	file    *file
	layout  *layout
	index   int   // of the row group in the file
	first   int64 // row number in the file of its first row
	row     int64 // rows read
	rows    int64
	leaves  [roles]*leaf
	nones   bool // NULL timestamps are messages without one
	nulls   int64
	topics  []string
	pieces  []partitionKey // the partitions met so far
	numbers map[int64]int32
	dense   [][]int32 // [topic][partition number]: piece + 1, for small numbers
}

// densePartitions is how many partition numbers of a topic are found without a
// map.
const densePartitions = 1024

// planRoles are the columns that a plan is made from.
var planRoles = []role{topicRole, partitionRole, offsetRole, timestampRole, typeRole}

// openGroup starts reading columns of a row group.
func (f *file) openGroup(l *layout, index int, wanted []role, o *Options) (*rowGroup, error) {
	g := &rowGroup{
		file: f, layout: l, index: index, rows: f.rows(index), first: f.firsts[index],
		nones:   o.NullTimestamps == nullsNone,
		numbers: map[int64]int32{},
	}
	if err := f.content.acquire(); err != nil {
		return nil, err
	}
	if !l.has[topicRole] {
		g.topics = []string{l.place.topic}
	}
	for _, r := range wanted {
		if !l.has[r] {
			continue
		}
		var err error
		if g.leaves[r], err = l.open(f, index, r, o, &g.topics); err != nil {
			g.close()
			return nil, err
		}
	}
	return g, nil
}

func (g *rowGroup) close() {
	g.file.content.release()
}

// next reads up to n rows into s. At the end of the row group it gives io.EOF.
func (g *rowGroup) next(s *slab, n int) error {
	n = int(min(int64(n), g.rows-g.row))
	if n == 0 {
		return io.EOF
	}
	s.n = n
	for r, l := range g.leaves {
		if l == nil {
			continue
		}
		s.columns[r] = slices.Grow(s.columns[r][:0], n)[:n]
		if err := l.fill(s.columns[r]); err != nil {
			return err
		}
	}
	g.setPieces(s)
	g.setOffsets(s)
	if err := g.setTimes(s); err != nil {
		return err
	}
	g.row += int64(n)
	return nil
}

// setPieces finds the partition of each row.
func (g *rowGroup) setPieces(s *slab) {
	s.piece = slices.Grow(s.piece[:0], s.n)[:s.n]
	topics, partitions := s.columns[topicRole], s.columns[partitionRole]
	fixed := int64(g.layout.place.partition)
	switch hasTopic, hasPartition := g.leaves[topicRole] != nil, g.leaves[partitionRole] != nil; {
	case !hasTopic && !hasPartition:
		fillWith(s.piece, g.piece(0, fixed))
	case !hasTopic || allSame(topics):
		topic := int64(0)
		if hasTopic {
			topic = topics[0]
		}
		if !hasPartition {
			fillWith(s.piece, g.piece(topic, fixed))
			return
		}
		last, piece := int64(-1), int32(0)
		for i, p := range partitions {
			if p != last {
				last, piece = p, g.piece(topic, p)
			}
			s.piece[i] = piece
		}
	default:
		lastTopic, last, piece := int64(-1), fixed, int32(0)
		for i, t := range topics {
			p := fixed
			if hasPartition {
				p = partitions[i]
			}
			if t != lastTopic || p != last {
				lastTopic, last, piece = t, p, g.piece(t, p)
			}
			s.piece[i] = piece
		}
	}
}

func fillWith[T any](dst []T, v T) {
	for i := range dst {
		dst[i] = v
	}
}

func allSame(v []int64) bool {
	for _, x := range v {
		if x != v[0] {
			return false
		}
	}
	return true
}

// piece is the number of a topic's partition among the row group's.
func (g *rowGroup) piece(topic, number int64) int32 {
	for int64(len(g.dense)) <= topic {
		g.dense = append(g.dense, nil)
	}
	if number < densePartitions {
		if g.dense[topic] == nil {
			g.dense[topic] = make([]int32, densePartitions)
		}
		if n := g.dense[topic][number]; n > 0 {
			return n - 1
		}
		g.dense[topic][number] = int32(len(g.pieces)) + 1
	} else {
		key := topic<<32 | number
		if n, ok := g.numbers[key]; ok {
			return n
		}
		g.numbers[key] = int32(len(g.pieces))
	}
	g.pieces = append(g.pieces, partitionKey{g.topics[topic], int32(number)})
	return int32(len(g.pieces)) - 1
}

// setOffsets takes offsets from their column, or numbers the rows on from what
// the file's name says.
func (g *rowGroup) setOffsets(s *slab) {
	if g.leaves[offsetRole] != nil {
		s.offset = s.columns[offsetRole]
		return
	}
	s.offset = slices.Grow(s.offset[:0], s.n)[:s.n]
	from := g.first + g.row
	if start := g.layout.place.start; start >= 0 && g.layout.offsets() == offsetName {
		from += start
	}
	for i := range s.offset {
		s.offset[i] = from + int64(i)
	}
}

// setTimes brings timestamps and their types into line: a message has either
// both or neither.
func (g *rowGroup) setTimes(s *slab) error {
	s.timestamp = s.columns[timestampRole]
	times := g.leaves[timestampRole]
	if times.nulls > g.nulls {
		g.nulls = times.nulls
		if g.nones {
			for i, ms := range s.timestamp {
				if ms == nullTime {
					s.timestamp[i] = replay.NoTimestamp
				}
			}
		}
	}
	s.types = nil
	if g.leaves[typeRole] == nil {
		return nil
	}
	s.typeBuf = slices.Grow(s.typeBuf[:0], s.n)[:s.n]
	plain := true
	for i, t := range s.columns[typeRole] {
		if t == int64(replay.TimestampNone) && s.timestamp[i] != nullTime {
			s.timestamp[i] = replay.NoTimestamp
		}
		if s.timestamp[i] == replay.NoTimestamp {
			t = int64(replay.TimestampNone)
		}
		s.typeBuf[i] = int8(t)
		plain = plain && t != int64(replay.TimestampLogAppend)
	}
	if !plain {
		s.types = s.typeBuf
	}
	return nil
}

// check sees, at the end of the row group, that the file's name and its rows
// agree.
func (g *rowGroup) check() error {
	p := g.layout.place
	if g.layout.offsets() != offsetName || p.end < 0 {
		return nil
	}
	if rows := g.file.pq.Metadata().NumRows; p.end-p.start+1 < rows {
		return fmt.Errorf("%w: its name gives it offsets %d to %d, but it has %d rows", ErrCorrupt, p.start, p.end, rows)
	}
	return nil
}
