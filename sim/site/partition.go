package site

import (
	"math"

	"twindrift/sim/delay"
	"twindrift/sim/luck"
)

// partition is one partition as a site sees it: the link and what waits.
type partition struct {
	index     int32
	messages  int64   // of the whole capture
	floorMs   []int64 // replay.Partition.BlockFloorMs
	blockRows int64   // replay.Plan.BlockRows
	rule      rule    // the business filter, as far as this partition goes
	storeOff  bool

	outages  windows // of the link
	again    redelivery
	luck     luck.Stream
	chances  *lucky // of a chunk of messages; shared by the partitions of a site
	random   bool   // the filter or any of the delays needs a draw of luck
	onlyLink bool   // nothing but the link does
	varies   bool   // some delay depends on the time of day
	baseMs   int64
	observed bool // messages arrive when the capture saw them processed
	link     delay.Dist
	bounds   *delay.Bounds // of link; may be nil
	service  delay.Dist
	handling delay.Dist

	taken       int64 // rows taken in, the ordinal of the next
	lastArrival int64 // arrival of the last message taken in

	nextObservedNs int64 // observed: of the first message not taken in

	queue  queue
	disk   onDisk
	freeNs int64 // when its message in work is done (parallel: partitions)

	// Of a process that loses uncommitted work (see restart.go):
	kept []waiting // drawn, and not known to be committed
}

// boundNs is a lower bound of the arrivals still to come when everything
// appended before nextAppendMs has been taken in. It holds too where the
// broker's clock falls back: the first message to come is appended at or after
// nextAppendMs, and those behind it do not overtake it. Observed arrivals have
// nothing to do with the append; there the next one is known.
func (p *partition) boundNs(nextAppendMs int64, clock *Clock) int64 {
	if p.taken >= p.messages {
		return math.MaxInt64
	}
	if p.observed {
		return p.outages.after(max(p.lastArrival, p.nextObservedNs))
	}
	return p.outages.after(max(p.lastArrival, clock.Ns(nextAppendMs)+p.link.Min()))
}

// nextArrivalNs is the arrival of the first waiting message, else boundNs.
func (p *partition) nextArrivalNs(boundNs int64) int64 {
	if p.queue.len() > 0 {
		return p.queue.firstNs()
	}
	return boundNs
}

// minEventMs is a lower bound of the event times of the messages that are still
// to be started, for the first time or once more after a restart.
func (p *partition) minEventMs() int64 {
	low := int64(math.MaxInt64)
	if next := p.nextOrdinal(); next < p.messages {
		low = p.floorMs[next/p.blockRows]
	}
	for i := range p.kept {
		low = min(low, p.kept[i].eventMs)
	}
	return low
}

// nextOrdinal is the first message that waits to be started, or the first that
// has not been taken in.
func (p *partition) nextOrdinal() int64 {
	if q := &p.queue; q.len() > 0 {
		return q.ordinal[q.head]
	}
	return p.taken
}
