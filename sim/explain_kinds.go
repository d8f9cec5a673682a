package sim

import (
	"fmt"
	"strconv"
	"strings"
	"time"

	"twindrift/generator"
	"twindrift/generator/reading"
	"twindrift/generator/rediscounter"
	"twindrift/generator/redisstreams"
	"twindrift/generator/snowflake"
	"twindrift/sim/measure"
	"twindrift/sim/result"
)

// wrongly says of ids that are not what their generator promises how that comes, of
// those that have no numbers of their own to tell.
var wrongly = map[generator.Kind]string{
	generator.ZeroID:          "the first call in a new millisecond resets the sequence and returns 0, which is no id; so do all such calls",
	generator.NegativeRange:   "the first range that a worker is given in a second is made of negative numbers; joined to the time and the worker by OR they wipe both, so that every worker gives these numbers in every second",
	generator.SequenceSpill:   "the sequence number has more than its 12 bits and reaches into the digits of the worker, so that the id reads as another worker's", // of redis-streams, see spilled
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
	measure.Program: "the program that gives the ids gave this one to both",
	measure.SetBack: "the site's clock was set back and showed a time once more",
	measure.Apart:   "the two are told apart by where they stand, a Redis or a stream of their own, and not by their digits",
}

// refused says why a delivery got no id.
func (x *explainer) refused(kind generator.Kind) string { return "no id: " + refusedFor[kind] }

// spilled is generator.SequenceSpill of redis-streams partition-coded.
const spilled = "the number within the partition is past 999 and reaches into those of the next one, so that the id reads as another partition's"

// slots says whether a delivery's id was drawn from the slots of seconds.
func (x *explainer) slots(f *found) bool { return x.run.sites[f.site].lanes[chosen].traits.Slots }

// byClock says whether a delivery's id is of the clock's time, not the event's.
func (x *explainer) byClock(f *found) bool {
	counter := x.run.cfg.Scenario.Generator.Counter
	return x.run.sites[f.site].lanes[chosen].traits.ByClock && (counter == nil || counter.Time != "event")
}

// written is an id as its users write it: a number, or what its layout reads.
func (x *explainer) written(id int64) string {
	if l, ok := x.ids.(redisstreams.Layout); ok {
		return l.Text(id)
	}
	return strconv.FormatInt(id, 10)
}

// otherDigits are those of an id that is no second-slot id. Where such ids say the ms
// they say UTC.
func (x *explainer) otherDigits(id int64) result.Digits {
	ms := x.ids.OwnerMs(id)
	d := result.Digits{OwnerSecondMs: generator.FloorDiv(ms, 1000) * 1000, Node: x.ids.Node(id)}
	at := time.UnixMilli(ms).UTC()
	d.OwnerLocal = at.Format("2006-01-02T15:04:05.000Z07:00")
	switch l := x.ids.(type) {
	case rediscounter.Layout:
		d.Sequence = l.Count(id)
		d.OwnerLocal = reading.Local(ms, x.layout.UTCOffsetMs)
	case snowflake.Layout:
		d.Sequence = l.Seq(id)
	case redisstreams.Layout:
		d.Sequence = l.Seq(id)
	}
	return d
}

// wrong says why the id of a delivery is not what its generator promises; "" where
// it is.
func (x *explainer) wrong(f *found) string {
	if _, ok := x.ids.(redisstreams.Layout); ok && f.entry.Kind == generator.SequenceSpill {
		return spilled
	}
	return wrongly[f.entry.Kind]
}

// otherDrawn says in words how such an id came about.
func (x *explainer) otherDrawn(f *found) string {
	if text := x.wrong(f); text != "" {
		return f.entry.Kind.String() + ": " + text
	}
	g := &x.run.cfg.Scenario.Generator
	if g.External != nil {
		return "drawn by " + strings.Join(g.External.Command, " ")
	}
	d := x.digits(f.entry.ID)
	unit, unitMs, of := "ms", int64(1), "the event's"
	if x.byClock(f) {
		of = "the clock's"
	}
	number := fmt.Sprintf("sequence %d", d.Sequence)
	if l, ok := x.ids.(rediscounter.Layout); ok {
		if b := l.Decode(f.entry.ID); b.Local && g.Variant == "corrected" {
			return fmt.Sprintf("drawn without Redis: node %d, number %d of ms %d of the second", b.Node, b.Seq, b.Ms)
		}
		unit, unitMs, number = "s", 1000, fmt.Sprintf("number %d of the day", d.Sequence)
	}
	switch off := x.ids.OwnerMs(f.entry.ID)/unitMs - generator.FloorDiv(x.askedMs(f), unitMs); {
	case off > 0:
		return fmt.Sprintf("drawn from %d %s after %s, %s", off, unit, of, number)
	case off < 0:
		return fmt.Sprintf("drawn from %d %s before %s, %s", -off, unit, of, number)
	case unit == "s":
		return fmt.Sprintf("drawn from %s second, %s", of, number)
	}
	return fmt.Sprintf("drawn from %s ms, %s", of, number)
}

// otherRule says why copies have an id, of causes without numbers to tell.
func (x *explainer) otherRule(cause string, extra, original *found) string {
	for _, f := range []*found{extra, original} {
		if text := x.wrong(f); text != "" && f.entry.Kind.String() == cause {
			return text
		}
	}
	if text, ok := betweenProcesses[cause]; ok {
		return text
	}
	if x.run.cfg.Scenario.Generator.External != nil {
		return "the generator's process gave this id more than once, and nothing in the scenario accounts for it"
	}
	return "no cause is known, or the digits contradict it: please report this"
}
