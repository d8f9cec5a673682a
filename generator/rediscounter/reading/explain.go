package reading

import (
	"fmt"
	"time"

	"twindrift/generator/reading"
	"twindrift/generator/rediscounter"
)

// zero says where an id with a count of 0 may come from.
const zero = "INCR gives 1 first, so no count of a day is 0: a count of a multiple of 2^32 reads so, or somebody made the id of a time, as a bound of a range"

// Explain writes the formula of an id with its numbers filled in, and what its
// digits can and cannot tell, in lines of at most 80 columns.
func (r Reader) Explain(id int64) string {
	var l reading.Lines
	f := r.Layout.Decode(id)
	since := (f.OwnerMs+r.Layout.UTCOffsetMs)/1000 - rediscounter.EpochS
	fmt.Fprintf(&l, "id %d as a redis-counter id, local time UTC%s\n\n", id, reading.Zone(r.Layout.UTCOffsetMs))
	l.Term("", since*countEnd, fmt.Sprintf("%d (seconds since the epoch) x 2^32", since))
	l.Term("+", f.Count, fmt.Sprintf("%d (count)", f.Count))
	l.Term("=", id, "")
	fmt.Fprintf(&l, "\nThe second is %s local time, %s,\n  or %d + %d, less %d s for local time;\n  the epoch is 2022-01-01 00:00:00 local time.\n",
		r.local(f.OwnerMs).Format(time.DateTime), time.UnixMilli(f.OwnerMs).UTC().Format(time.RFC3339),
		rediscounter.EpochS, since, r.Layout.UTCOffsetMs/1000)
	l.Notes(r.notes(id, f, since))
	return l.String()
}

func (r Reader) notes(id int64, f rediscounter.Fields, since int64) []string {
	notes := []string{
		"The time is the local time of the consumer's clock when the id was drawn (counter.time: event makes it the event's). The zone is not in the digits: sites in two zones say two times at one moment.",
		r.count(f),
	}
	if f.Local {
		notes = append(notes, fallback(f))
	}
	notes = append(notes, overflow(f, since),
		"No digit says which site or Redis counted: two sites with a Redis each give the same ids, and so does a Redis whose counter a failover has put back.")
	if other := reading.Mistaken(id); other != "" {
		notes = append(notes, other)
	}
	return append(notes, reading.ScoreOf(id).Note())
}

func (r Reader) count(f rediscounter.Fields) string {
	if f.Count == 0 {
		return "Count 0: " + zero + "."
	}
	if f.Local {
		return fmt.Sprintf("Count %d: if Redis counted it, then in %s, that local day.", f.Count, r.key(f.OwnerMs))
	}
	return fmt.Sprintf("Count %d: Redis counted it in %s, that local day.", f.Count, r.key(f.OwnerMs))
}

// fallback says whose a count with bit 31 set may be.
func fallback(f rediscounter.Fields) string {
	const perDay = 86_400
	s := fmt.Sprintf("Bit 31 of the count is set. The corrected form gives such counts without Redis, and no others: node %d, sequence %d of ms %d. ", f.Node, f.Seq, f.Ms)
	if f.Ms > 999 {
		s = fmt.Sprintf("Bit 31 of the count is set, as in ids that the corrected form gives without Redis; but it would say ms %d of a second, which none of them does. ", f.Ms)
	}
	return s + fmt.Sprintf("The published form comes to this count by counting: with %d ids a second and more, all day.", f.Count/perDay)
}

// overflow says whether the time may have been changed by a count past 32 bits.
func overflow(f rediscounter.Fields, since int64) string {
	if since%2 == 0 {
		return "The seconds are even, so that no count from 2^32 to 2^33 - 1, which would be OR-ed into their last bit, is in them."
	}
	return fmt.Sprintf("The seconds are odd: their last bit may be a count's past 32 bits, which the published form ORs in (counter-overflow). If so, the id is number %d of its day, and of this second or the one before.", f.Count+countEnd)
}
