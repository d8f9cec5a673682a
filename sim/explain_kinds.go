package sim

import (
	"fmt"
	"time"

	"twindrift/generator"
	"twindrift/sim/measure"
	"twindrift/sim/result"
)

// wrongly says of ids that are not what their generator promises how that comes, of
// those that have no numbers of their own to tell.
var wrongly = map[generator.Kind]string{
	generator.ZeroID:          "the first call in a new millisecond resets the sequence and returns 0, which is no id; so do all such calls",
	generator.NegativeRange:   "the first range that a worker is given in a second is made of negative numbers; joined to the time and the worker by OR they wipe both, so that every worker gives these numbers in every second",
	generator.SequenceSpill:   "the sequence number has more than its 12 bits and reaches into the digits of the worker, so that the id reads as another worker's",
	generator.CounterOverflow: "the count of the day is past 32 bits and reaches into the time",
	generator.CounterBack:     "Redis gave numbers out again: a replica took over that lacked the last writes, or the key that counts them had expired",
	generator.Overlap:         "the call read the generator's state while another was at it, and made the same id of it",
	generator.StaleRange:      "the number is of a range that was allotted for another second, whose counter has nothing to do with this one's",
}

// refusedFor says why a generator gave no id.
var refusedFor = map[generator.Kind]string{
	generator.TooEarly:    "the time lies before the first that an id can say",
	generator.TooLate:     "the time lies past the last that an id can say; is it in milliseconds?",
	generator.TooOld:      "the event is older than the days whose numbers are kept",
	generator.TooFarAhead: "the event lies days after all that came before",
	generator.NoRoom:      "the second of the event is full, and so is every later one in reach",
	generator.CounterFull: "the numbers of the day are used up",
	generator.RedisDown:   "Redis did not answer",
	generator.ClockBack:   "the clock stood before the last id",
	generator.NotAbove:    "the entry's id is equal to the stream's last or smaller, so Redis refused the write",
	generator.External:    "the generator's process said so",
}

// betweenProcesses says how properly drawn ids are equal, by cause.
var betweenProcesses = map[string]string{
	measure.SetBack: "the site's clock was set back and showed a time once more",
	measure.Apart:   "the two are told apart by where they stand, a Redis or a stream of their own, and not by their digits",
}

// refused says why a delivery got no id.
func (x *explainer) refused(kind generator.Kind) string { return "no id: " + refusedFor[kind] }

// otherDigits are those of an id that is no second-slot id.
func (x *explainer) otherDigits(id int64) result.Digits {
	ms := x.ids.OwnerMs(id)
	d := result.Digits{OwnerSecondMs: floorDiv(ms, 1000) * 1000, Node: x.ids.Node(id)}
	d.OwnerLocal = time.UnixMilli(ms + x.layout.UTCOffsetMs).UTC().Format("2006-01-02 15:04:05.000")
	if s, ok := x.ids.(interface{ Seq(id int64) int64 }); ok {
		d.Sequence = s.Seq(id)
	}
	return d
}

// otherDrawn says in words how such an id came about.
func (x *explainer) otherDrawn(f *found) string {
	if text, ok := wrongly[f.entry.Kind]; ok {
		return f.entry.Kind.String() + ": " + text
	}
	d := x.digits(f.entry.ID)
	text := fmt.Sprintf("drawn; says %s", d.OwnerLocal)
	if d.Node != generator.NoNode {
		text += fmt.Sprintf(", node %d", d.Node)
	}
	return text + fmt.Sprintf(", sequence %d", d.Sequence)
}

// otherRule says why copies have an id, of causes without numbers to tell.
func (x *explainer) otherRule(cause string, extra, original *found) string {
	if text, ok := betweenProcesses[cause]; ok {
		return text
	}
	for _, f := range []*found{extra, original} {
		if text, ok := wrongly[f.entry.Kind]; ok && f.entry.Kind.String() == cause {
			return text
		}
	}
	return "no cause is known, or the digits contradict it: please report this"
}
