package snowflake

import (
	"fmt"
	"math"

	"twindrift/generator"
)

// EpochMs is where the ms of ids begin, ms since the Unix epoch.
const EpochMs int64 = 1_288_834_974_657

const (
	workerBits = 10
	seqBits    = 12
	timeShift  = workerBits + seqBits
	maxWorker  = 1<<workerBits - 1
	seqs       = 1 << seqBits // sequence numbers of a ms
	maxTime    = 1<<41 - 1    // ms since EpochMs, and one more before it
)

var _ generator.Layout = Layout{}

// Layout reads and writes snowflake ids.
type Layout struct{}

// Fields is what the digits of an id say.
type Fields struct {
	OwnerMs int64 // ms since the Unix epoch, UTC
	Worker  int64 // 0..1023
	Seq     int64 // 0..4095
}

// Decode reads the digits of any number.
func (l Layout) Decode(id int64) Fields { return Fields{l.OwnerMs(id), l.Node(id), l.Seq(id)} }

// Encode gives the id of a time (ms since the Unix epoch), a worker and a sequence
// number. As in the published code they are OR-ed: a worker or a number with more digits
// than it has room for runs into those above. The error says that the time has no room.
func (l Layout) Encode(ms, worker, seq int64) (int64, error) {
	if kind := inTime(ms); kind.Refused() {
		return 0, fmt.Errorf("snowflake: time %d ms: want one of the 69 years either way of 2010-11-04", ms)
	}
	return compose(ms, worker, seq), nil
}

// OwnerMs is the time that the digits say, ms since the Unix epoch; of a negative id too
// the ms in which it lies.
func (l Layout) OwnerMs(id int64) int64 { return id>>timeShift + EpochMs }

// Node is the worker that the digits say, 0..1023.
func (l Layout) Node(id int64) int64 { return id >> seqBits & maxWorker }

// Seq is the sequence number that the digits say, 0..4095.
func (l Layout) Seq(id int64) int64 { return id & (seqs - 1) }

// Digits fills ownerMs and nodes, which are as long as ids; nodes may be nil.
func (l Layout) Digits(ids, ownerMs, nodes []int64) {
	ownerMs = ownerMs[:len(ids)]
	for i, id := range ids {
		ownerMs[i] = id>>timeShift + EpochMs
	}
	if nodes == nil {
		return
	}
	nodes = nodes[:len(ids)]
	for i, id := range ids {
		nodes[i] = id >> seqBits & maxWorker
	}
}

// Name is how scenarios and the command line call the layout.
func (l Layout) Name() string { return "snowflake" }

func compose(ms, worker, seq int64) int64 {
	return (ms-EpochMs)<<timeShift | worker<<seqBits | seq
}

// inTime says whether a time has room in 41 bits; below the epoch it is negative.
func inTime(ms int64) generator.Kind {
	switch {
	case ms > EpochMs+maxTime:
		return generator.TooLate
	case ms < EpochMs-maxTime-1:
		return generator.TooEarly
	}
	return generator.Drawn
}

// floorOf is a lower bound of the ids that a worker may give from a time on. Digits that
// are OR-ed in only add to a time, but for those of a negative number.
func floorOf(ms, worker int64) int64 {
	switch inTime(ms) {
	case generator.TooLate:
		return math.MaxInt64
	case generator.TooEarly:
		return math.MinInt64
	}
	floor := compose(ms, 0, 0)
	if shifted := worker << seqBits; shifted < 0 {
		return min(floor, shifted)
	}
	return floor
}
