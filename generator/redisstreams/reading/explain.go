package reading

import (
	"fmt"

	"twindrift/generator/reading"
	"twindrift/generator/redisstreams"
)

const zero = "0-0 is the id before all entries: Redis refuses to write it"

// Explain writes what an id says and what it can and cannot tell, in lines of at
// most 80 columns.
func (Reader) Explain(id int64) string {
	var l reading.Lines
	ms, seq := layout.OwnerMs(id), layout.Seq(id)
	fmt.Fprintf(&l, "id %s as that of an entry in a Redis stream\n\n", layout.Text(id))
	fmt.Fprintf(&l, "  ms   %15d  %s\n", ms, utc(ms))
	fmt.Fprintf(&l, "  seq  %15d\n", seq)
	notes := []string{
		"Whose ms it is does not show: the event's, by the strategies event, partition-coded and sharded; the server's clock's with auto; with monotonic the event's or that of a later event before it, which has pinned it; and after a retry that of the stream's last entry.",
		sequence(seq),
		"Entries say neither node nor stream: in two streams (of two sites, or of the partitions with sharded) one id may stand for two messages.",
		fmt.Sprintf("A stream takes only ids above its last. Once this one is in, its server refuses all up to it (equal or smaller). The entries of its ms: XRANGE key %d %d.", ms, ms),
		"Streams compare ms, then seq; ids of entries are no scores of a sorted set.",
		fmt.Sprintf("In the Parquet files of a run it is the number %d, ms x 2^20 + seq.", id),
	}
	if id == 0 {
		notes = append([]string{zero + "."}, notes...)
	}
	l.Notes(notes)
	return l.String()
}

// sequence says what the strategies make of a number.
func sequence(seq int64) string {
	s := fmt.Sprintf("Sequence %d: a number within the ms, or with partition-coded number %d of partition %d.", seq, seq%perPartition, seq/perPartition)
	if seq > redisstreams.DefaultMaxSeq {
		s += fmt.Sprintf(" Monotonic does not go past %d, unless streams.max_seq says so.", redisstreams.DefaultMaxSeq)
	}
	return s
}
