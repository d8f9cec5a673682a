package replay

import (
	"cmp"
	"math"
	"slices"
)

// Planner gathers a Plan from the rows of a capture: every source fills its
// Plan by one. Each partition's rows go to its Tally in offset order; the rows
// of different partitions may come in any order. Not safe for concurrent use.
type Planner struct {
	BlockRows int // overriding the default, the constant BlockRows

	tallies []*Tally
	seconds secondCounts
}

// Tally gathers what the plan says of one partition.
type Tally struct {
	part    Partition
	seconds *secondCounts
	rows    int // in a block

	max int64 // largest timestamp so far; MinInt64 before the first
	min int64

	left     int   // messages until the next block starts
	blockMin int64 // smallest timestamp of the open block

	second int64 // first ms of the second of the last timestamp
	count  int64 // messages in it not yet given to seconds
}

// Partition starts a partition. Each (topic, number) must be started once.
func (p *Planner) Partition(topic string, number int32) *Tally {
	t := &Tally{
		part:    Partition{Topic: topic, Number: number},
		seconds: &p.seconds,
		rows:    p.blockRows(),
		max:     math.MinInt64, min: math.MaxInt64,
	}
	p.tallies = append(p.tallies, t)
	return t
}

func (p *Planner) blockRows() int {
	if p.BlockRows > 0 {
		return p.BlockRows
	}
	return BlockRows
}

// Messages is the number of messages the tally has seen.
func (t *Tally) Messages() int64 { return t.part.Messages }

// Add counts the next messages of the partition: offsets (rising), timestamps
// in ms, and timestamp types, or nil where all have one of TimestampCreate or,
// without a timestamp, TimestampNone.
func (t *Tally) Add(offset, timestampMs []int64, timestampType []int8) {
	if len(offset) == 0 {
		return
	}
	if t.part.Messages == 0 {
		t.part.FirstOffset = offset[0]
	}
	t.part.LastOffset = offset[len(offset)-1]
	t.part.Messages += int64(len(offset))
	for len(timestampMs) > 0 {
		if t.left == 0 {
			t.openBlock(timestampMs[0], timestampType)
		}
		n := min(t.left, len(timestampMs))
		t.times(timestampMs[:n])
		t.left -= n
		timestampMs = timestampMs[n:]
		if timestampType != nil {
			for _, y := range timestampType[:n] {
				if y == TimestampLogAppend {
					t.part.LogAppend++
				}
			}
			timestampType = timestampType[n:]
		}
	}
}

// openBlock starts a block at a message with timestamp ms, whose type is the
// first of types.
func (t *Tally) openBlock(ms int64, types []int8) {
	t.closeBlock()
	appended := max(ms, t.max)
	switch {
	case ms == NoTimestamp && t.max == math.MinInt64:
		appended = NoTimestamp
	case ms == NoTimestamp:
		appended = t.max
	case len(types) > 0 && types[0] == TimestampLogAppend:
		appended = ms
	}
	t.part.BlockAppendMs = append(t.part.BlockAppendMs, appended)
	t.left = t.rows
}

func (t *Tally) closeBlock() {
	if len(t.part.BlockAppendMs) > 0 {
		t.part.BlockFloorMs = append(t.part.BlockFloorMs, t.blockMin)
	}
	t.blockMin = math.MaxInt64
}

// times counts timestamps that lie in one block.
func (t *Tally) times(timestampMs []int64) {
	largest, smallest := t.max, t.min
	blockMin := t.blockMin
	second, count := t.second, t.count
	for _, ms := range timestampMs {
		blockMin = min(blockMin, ms)
		if ms == NoTimestamp {
			t.part.NoTimestamp++
			continue
		}
		smallest = min(smallest, ms)
		if ms < largest {
			t.part.Reordered++
			// The difference of two int64 may not fit one; such captures are
			// broken in other ways, so it saturates.
			behind := largest - ms
			if behind < 0 {
				behind = math.MaxInt64
			}
			t.part.MaxBehindMs = max(t.part.MaxBehindMs, behind)
		} else {
			largest = ms
		}
		if uint64(ms-second) >= 1000 {
			if count > 0 {
				t.seconds.add(second/1000, count)
			}
			second, count = floorSecond(ms)*1000, 0
		}
		count++
	}
	t.max, t.min, t.blockMin = largest, smallest, blockMin
	t.second, t.count = second, count
}

// floorSecond is the Unix second of a time in ms.
func floorSecond(ms int64) int64 {
	s := ms / 1000
	if ms%1000 < 0 {
		s--
	}
	return s
}

// Plan ends the gathering. The planner is spent afterwards. Notes are left for
// the source to add. Partitions without messages are left out.
func (p *Planner) Plan() *Plan {
	plan := &Plan{BlockRows: int64(p.blockRows())}
	for _, t := range p.tallies {
		if t.part.Messages == 0 {
			continue
		}
		if t.count > 0 {
			t.seconds.add(floorSecond(t.second), t.count)
			t.count = 0
		}
		t.closeBlock()
		floors := t.part.BlockFloorMs
		for i := len(floors) - 2; i >= 0; i-- {
			floors[i] = min(floors[i], floors[i+1])
		}
		t.part.MinMs, t.part.MaxMs = t.min, t.max
		if t.part.NoTimestamp == t.part.Messages {
			t.part.MinMs, t.part.MaxMs = NoTimestamp, NoTimestamp
		}
		plan.Messages += t.part.Messages
		plan.Partitions = append(plan.Partitions, t.part)
	}
	slices.SortFunc(plan.Partitions, func(a, b Partition) int {
		return cmp.Or(cmp.Compare(a.Topic, b.Topic), cmp.Compare(a.Number, b.Number))
	})
	plan.PeakSecond, plan.PeakCount = p.seconds.peak()
	return plan
}

// secondCounts counts messages by second. The seconds of late have a place
// each in a table; those that fall out of it go to a list that is sorted and
// merged now and then. So it takes 16 bytes a distinct second, whether the
// seconds follow one another or lie thousands of years apart.
type secondCounts struct {
	recent [4096]secondCount // by the low bits of the second
	list   []secondCount     // list[:sorted] is sorted without repeats
	sorted int
}

type secondCount struct{ second, count int64 }

func (s *secondCounts) add(second, count int64) {
	e := &s.recent[uint64(second)%uint64(len(s.recent))]
	if e.second != second {
		if e.count > 0 {
			s.evict(*e)
		}
		*e = secondCount{second: second}
	}
	e.count += count
}

func (s *secondCounts) evict(e secondCount) {
	s.list = append(s.list, e)
	if len(s.list)-s.sorted > max(s.sorted, 1<<16) {
		s.merge()
	}
}

func (s *secondCounts) merge() {
	slices.SortFunc(s.list, func(a, b secondCount) int { return cmp.Compare(a.second, b.second) })
	out := s.list[:0]
	for _, e := range s.list {
		if n := len(out); n > 0 && out[n-1].second == e.second {
			out[n-1].count += e.count
		} else {
			out = append(out, e)
		}
	}
	s.list, s.sorted = out, len(out)
}

// peak is the second with most messages, the earliest of equals.
func (s *secondCounts) peak() (second, count int64) {
	for i := range s.recent {
		if s.recent[i].count > 0 {
			s.list = append(s.list, s.recent[i])
			s.recent[i] = secondCount{}
		}
	}
	s.merge()
	for _, e := range s.list {
		if e.count > count {
			second, count = e.second, e.count
		}
	}
	return second, count
}
