package secondslot

import (
	"fmt"
	"math/bits"

	"twindrift/generator"
)

// The digits of an id, in ticks of 100 ns.
const (
	// Epoch is 1970-01-01 00:00:00 in .NET ticks (since 0001-01-01).
	Epoch int64 = 621_355_968_000_000_000

	secondTicks = 10_000_000
	nodeTicks   = 1_000_000
	msTicks     = 10_000
)

var _ generator.Layout = Layout{}

// Layout reads and writes second-slot ids. It holds what the digits do not say
// themselves: local time and step.
type Layout struct {
	UTCOffsetMs int64
	Step        int64 // distance of consecutive ids, at least 1
}

// DefaultLayout is that of DefaultConfig: UTC+8, step 200.
func DefaultLayout() Layout { return DefaultConfig().Layout() }

// Layout is that of the ids a generator with this configuration gives.
func (c Config) Layout() Layout { return Layout{UTCOffsetMs: c.UTCOffsetMs, Step: int64(c.Step)} }

// Fields is what the digits of an id say. They say it of any number: whether
// the id was drawn so is another matter.
type Fields struct {
	SecondMs int64 // start of the owner second, ms since the Unix epoch, UTC
	OwnerMs  int64 // time of all digits, ms since the Unix epoch, UTC (floor)
	Node     int64 // 0..9
	Ticks    int64 // what is left below the node digit, 0..999_999
	Seq      int64 // Ticks / step
	Rest     int64 // Ticks % step; 0 for every id that the generator gives
}

// Aligned says whether the id lies on the step, as every generated id does.
func (f Fields) Aligned() bool { return f.Rest == 0 }

// Decode reads the digits of any number.
func (l Layout) Decode(id int64) Fields {
	below := floorMod(id, secondTicks) // Epoch is a whole number of seconds
	ticks := below % nodeTicks
	return Fields{
		SecondMs: l.secondMs(id),
		OwnerMs:  l.OwnerMs(id),
		Node:     below / nodeTicks,
		Ticks:    ticks,
		Seq:      ticks / l.Step,
		Rest:     ticks % l.Step,
	}
}

// Encode gives the id of a time (ms since the Unix epoch, UTC; its
// milliseconds are dropped), a node and a sequence number. As in the
// generator, a node outside 0..9 or a sequence number past its node's range
// carries into the digits above. The error says that the id is not an int64.
func (l Layout) Encode(eventMs, node, seq int64) (int64, error) {
	second := generator.FloorDiv(eventMs, 1000) + generator.FloorDiv(l.UTCOffsetMs+floorMod(eventMs, 1000), 1000)
	id, fits := Epoch, true
	for _, term := range [][2]int64{{second, secondTicks}, {node, nodeTicks}, {seq, l.Step}} {
		id = addProduct(id, term[0], term[1], &fits)
	}
	if !fits {
		return 0, fmt.Errorf("second-slot: time %d ms, node %d, sequence %d: the id does not fit int64", eventMs, node, seq)
	}
	return id, nil
}

// OwnerMs is the time that the digits say, in ms since the Unix epoch, floor:
// the owner second and 100 ms for every node.
func (l Layout) OwnerMs(id int64) int64 {
	return generator.FloorDiv(id, msTicks) - Epoch/msTicks - l.UTCOffsetMs
}

// secondMs is OwnerMs without the digits below the second.
func (l Layout) secondMs(id int64) int64 {
	return (generator.FloorDiv(id, secondTicks)-Epoch/secondTicks)*1000 - l.UTCOffsetMs
}

// Node is the node digit, 0..9.
func (l Layout) Node(id int64) int64 { return floorMod(id, secondTicks) / nodeTicks }

// Aligned is Fields.Aligned of an id.
func (l Layout) Aligned(id int64) bool { return l.Decode(id).Aligned() }

// Name is how scenarios and the command line call the layout.
func (l Layout) Name() string { return "second-slot" }

func floorMod(a, b int64) int64 {
	m := a % b
	if m < 0 {
		m += b
	}
	return m
}

// addProduct is sum + a*b for b > 0; it clears fits when that is not an int64.
func addProduct(sum, a, b int64, fits *bool) int64 {
	abs := uint64(a)
	if a < 0 {
		abs = -abs
	}
	hi, lo := bits.Mul64(abs, uint64(b))
	product := int64(lo)
	if a < 0 {
		product = -product
	}
	total := sum + product
	if hi != 0 || lo > 1<<63-1 || (total > sum) != (product > 0) {
		*fits = false
	}
	return total
}
