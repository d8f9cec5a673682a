package redisstreams

import (
	"fmt"

	"twindrift/generator"
)

// partitionRange is how many sequence numbers a partition has in a ms.
const partitionRange = 1000

// writePartitionCoded is writeEvent with a count for each partition, in one stream: the
// sequence number is the partition's number times 1000, and the count. Past 999 the count
// runs into the next partition's numbers. A retry does not touch the count, about which the
// number above another partition's says nothing.
func (g *Generator) writePartitionCoded(c call) (entry, error) {
	number := uint64(c.partition)
	if g.numbers != nil {
		if int(c.partition) >= len(g.numbers) {
			return entry{}, fmt.Errorf("redis-streams: partition index %d has no number: there are %d", c.partition, len(g.numbers))
		}
		number = uint64(g.numbers[c.partition])
	}
	id := g.counter(c.partition).count(c.eventMs)
	spills := id.Seq >= partitionRange
	id.Seq += number * partitionRange
	e, err := g.add(c, g.stream(0), id)
	if spills && e.id == id && e.kind == generator.Drawn {
		e.kind = generator.SequenceSpill
	}
	return e, err
}
