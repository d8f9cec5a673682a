package replay

import "slices"

// Planner makes a Plan from rows. A source names its partitions, adds every
// row once, the rows of each partition in offset order, and asks for the plan.
// A row costs a few nanoseconds and no allocation; the memory held is that of
// the plan and of a count for every second that has messages.
type Planner struct {
	parts   []planning
	seconds secondCounts
}

// planning is a partition while its rows are being added.
type planning struct {
	Partition
	seen       bool  // any timestamp so far
	second     int64 // the second that run counts
	run        int64 // messages of that second not yet in secondCounts
	blockMin   int64 // smallest timestamp of the open block
	blockCount int   // rows in it
}

// Partition adds a partition without messages and gives the number that its
// rows carry in Batch.Partition: 0, 1, 2 and so on.
func (pl *Planner) Partition(topic string, number int32) int32 {
	p := planning{Partition: Partition{Topic: topic, Number: number, MinMs: NoTimestamp, MaxMs: NoTimestamp}}
	pl.parts = append(pl.parts, p)
	return int32(len(pl.parts) - 1)
}

// Add goes over all rows of a batch.
func (pl *Planner) Add(b *Batch) {
	for i, off := range b.Offset {
		ts, kind := b.TimestampMs[i], b.TimestampType[i]
		p := &pl.parts[b.Partition[i]]
		if p.Messages == 0 {
			p.FirstOffset = off
		}
		p.LastOffset = off
		p.Messages++
		if ts == NoTimestamp {
			p.NoTimestamp++
		} else {
			if s := floorDiv(ts, 1000); s != p.second || p.run == 0 {
				pl.seconds.add(p.second, p.run)
				p.second, p.run = s, 0
			}
			p.run++
			p.timestamp(ts)
		}
		if kind == TimestampLogAppend {
			p.LogAppend++
		}
		if p.blockCount == 0 {
			appendMs := p.MaxMs
			if kind == TimestampLogAppend {
				appendMs = ts
			}
			p.BlockAppendMs = append(p.BlockAppendMs, appendMs)
			p.blockMin = ts
		}
		p.blockMin = min(p.blockMin, ts)
		if p.blockCount++; p.blockCount == BlockRows {
			p.closeBlock()
		}
	}
}

// timestamp takes in the timestamp of the next message that has one.
func (p *planning) timestamp(ts int64) {
	switch {
	case !p.seen:
		p.seen = true
		p.MinMs, p.MaxMs = ts, ts
	case ts > p.MaxMs:
		p.MaxMs = ts
	case ts < p.MaxMs:
		p.Reordered++
		p.MaxBehindMs = max(p.MaxBehindMs, p.MaxMs-ts)
		p.MinMs = min(p.MinMs, ts)
	}
}

func (p *planning) closeBlock() {
	p.BlockFloorMs = append(p.BlockFloorMs, p.blockMin)
	p.blockCount = 0
}

// Plan gives the plan of all rows added, and where the partitions stand in it:
// index[n] is the place of the partition that Planner.Partition numbered n.
// The planner cannot be used any more afterwards.
func (pl *Planner) Plan() (plan *Plan, index []int32) {
	order := make([]int, len(pl.parts))
	for i := range pl.parts {
		order[i] = i
	}
	slices.SortFunc(order, func(a, b int) int { return pl.parts[a].Compare(&pl.parts[b].Partition) })
	plan, index = &Plan{}, make([]int32, len(order))
	for place, n := range order {
		p := &pl.parts[n]
		pl.seconds.add(p.second, p.run)
		if p.blockCount > 0 {
			p.closeBlock()
		}
		for i := len(p.BlockFloorMs) - 2; i >= 0; i-- {
			p.BlockFloorMs[i] = min(p.BlockFloorMs[i], p.BlockFloorMs[i+1])
		}
		index[n] = int32(place)
		plan.Messages += p.Messages
		plan.Partitions = append(plan.Partitions, p.Partition)
	}
	plan.PeakSecond, plan.PeakCount = pl.seconds.peak()
	return plan, index
}

// pageSeconds is how many seconds share a page of counts: pages are small, so
// that timestamps strewn over thousands of years do not fill the memory.
const pageSeconds = 32

// secondCounts counts messages a second.
type secondCounts struct {
	pages map[int64]*[pageSeconds]int64
}

func (c *secondCounts) add(second, n int64) {
	if n == 0 {
		return
	}
	if c.pages == nil {
		c.pages = map[int64]*[pageSeconds]int64{}
	}
	number := floorDiv(second, pageSeconds)
	page := c.pages[number]
	if page == nil {
		page = new([pageSeconds]int64)
		c.pages[number] = page
	}
	page[second-number*pageSeconds] += n
}

// peak is the second with the largest count, the earliest of equals, and that
// count; 0, 0 without messages.
func (c *secondCounts) peak() (second, count int64) {
	for number, page := range c.pages {
		for i, n := range page {
			s := number*pageSeconds + int64(i)
			if n > count || n == count && n > 0 && s < second {
				second, count = s, n
			}
		}
	}
	return second, count
}

// floorDiv is a/b rounded down, for b > 0.
func floorDiv(a, b int64) int64 {
	q := a / b
	if a%b < 0 {
		q--
	}
	return q
}
